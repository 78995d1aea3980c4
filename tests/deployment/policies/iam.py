"""IAM as far as the policies need it: what a call needs, and what a policy allows.

The rules of the service authorization reference for the calls this service makes: a transaction
needs the actions of its parts, a copy needs reading and writing, and S3 says 404 for what is not
there only to those who may list.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from chalicelib.settings import Settings
from infra.packaging.libraries import PROJECT

ACCOUNT = "000000000000"
PLATFORM_SIDS = frozenset({"Log", "Poll"})
"""Statements that Lambda itself uses: writing logs and reading queues."""

SEALED_FOR = "kms:EncryptionContext:account_id"
"""What each purpose of the tokens key is told by."""

_TRANSACTION = {
    "Put": "PutItem",
    "Update": "UpdateItem",
    "Delete": "DeleteItem",
    "ConditionCheck": "ConditionCheckItem",
    "Get": "GetItem",
}
_S3 = {
    "HeadObject": "GetObject",
    "HeadBucket": "ListBucket",
    "ListObjectsV2": "ListBucket",
    "CreateMultipartUpload": "PutObject",
    "UploadPart": "PutObject",
    "CompleteMultipartUpload": "PutObject",
    "ListMultipartUploads": "ListBucketMultipartUploads",
}
_OUR_MAIL = "arn:${AWS::Partition}:ses:${AWS::Region}:${AWS::AccountId}:"
_OF_THE_BUCKET = frozenset({"ListBucket", "ListBucketMultipartUploads"})


@dataclass(frozen=True, slots=True, order=True)
class Need:
    """One action on one resource."""

    action: str
    resource: str
    below: str | None = None
    """What conditions look at: a row's partition key, a listing's prefix, a sender, or for what a
    secret is sealed."""


@dataclass(frozen=True, slots=True, order=True)
class Grant:
    """One action that a policy allows on resources of a pattern, perhaps below one alone."""

    sid: str
    action: str
    resource: str
    below: str = "*"

    def covers(self, need: Need) -> bool:
        """Tell whether the need is met."""
        is_below = self.below == "*" or (
            need.below is not None and fnmatchcase(need.below, self.below)
        )
        return self.action == need.action and fnmatchcase(need.resource, self.resource) and is_below


def needs(service: str, operation: str, params: Mapping[str, Any], arns: "Arns") -> Iterator[Need]:
    """Yield what a call needs."""
    match service:
        case "dynamodb":
            yield from _table_needs(operation, params, arns)
        case "s3":
            yield from _object_needs(operation, params)
        case "sqs":
            action = operation.removesuffix("Batch")
            queue = params.get("QueueName") or str(params["QueueUrl"]).rpartition("/")[2]
            yield Need(f"sqs:{action}", arns.queue(str(queue)))
        case "sesv2":
            yield from _mail_needs(operation, params, arns)
        case "kms":
            yield Need(f"kms:{operation}", arns.key, params["EncryptionContext"]["account_id"])
        case _:
            raise LookupError(service)


def missing_object_need(params: Mapping[str, Any]) -> Need:
    """Return what it takes to be told that an object is not there."""
    return Need("s3:ListBucket", f"arn:aws:s3:::{params['Bucket']}")


def _table_needs(operation: str, params: Mapping[str, Any], arns: "Arns") -> Iterator[Need]:
    if operation.startswith("Transact"):
        for part in params["TransactItems"]:
            for kind, body in part.items():
                table = arns.table(body["TableName"])
                yield Need(f"dynamodb:{_TRANSACTION[kind]}", table, _partition(body))
    elif operation.startswith("Batch"):
        for table, asked in params["RequestItems"].items():
            for row in _rows(asked):
                yield Need(f"dynamodb:{operation}", arns.table(table), _partition(row))
    else:
        index = params.get("IndexName")
        table = arns.table(params["TableName"])
        at = f"{table}/index/{index}" if index else table
        yield Need(f"dynamodb:{operation}", at, _partition(params))


def _mail_needs(operation: str, params: Mapping[str, Any], arns: "Arns") -> Iterator[Need]:
    """Yield the sender's identity, and the set of rules that an identity may bring along."""
    sender = str(params["FromEmailAddress"])
    domain = sender.partition("@")[2]
    for at in (f"identity/{sender}", f"identity/{domain}", "configuration-set/default"):
        yield Need(f"ses:{operation}", arns.mail(at), sender)


def _rows(asked: Any) -> Iterator[Mapping[str, Any]]:  # noqa: ANN401 - keys to read, or requests to write
    """Yield the parts of a batch as calls of one row."""
    if isinstance(asked, Mapping):
        yield from ({"Key": key} for key in asked["Keys"])
    else:
        yield from (body for request in asked for body in request.values())


def _partition(params: Mapping[str, Any]) -> str | None:
    """Return the partition key that a call of one row, or a query of a partition, names."""
    row = params.get("Key") or params.get("Item") or {}
    asked = params.get("ExpressionAttributeValues", {})
    is_query = "#pk = :pk" in str(params.get("KeyConditionExpression", ""))
    named = asked.get(":pk") if is_query else row.get("pk")
    return str(named["S"] if isinstance(named, dict) else named) if named else None


def _object_needs(operation: str, params: Mapping[str, Any]) -> Iterator[Need]:
    bucket = f"arn:aws:s3:::{params['Bucket']}"
    action = _S3.get(operation, operation)
    if operation in {"CopyObject", "UploadPartCopy"}:
        yield Need("s3:GetObject", f"arn:aws:s3:::{unquote(params['CopySource'])}")
        action = "PutObject"
    at = bucket if action in _OF_THE_BUCKET else f"{bucket}/{params['Key']}"
    yield Need(f"s3:{action}", at, params.get("Prefix"))


@dataclass(frozen=True, slots=True)
class Arns:
    """The names of one stage's resources, as policies spell them."""

    settings: Settings

    def table(self, name: str) -> str:
        return f"arn:aws:dynamodb:{self.settings.region}:{ACCOUNT}:table/{name}"

    def queue(self, name: str) -> str:
        return f"arn:aws:sqs:{self.settings.region}:{ACCOUNT}:{name}"

    def mail(self, at: str) -> str:
        return f"arn:aws:ses:{self.settings.region}:{ACCOUNT}:{at}"

    @property
    def key(self) -> str:
        return f"arn:aws:kms:{self.settings.region}:{ACCOUNT}:key/tokens"

    def of(self, logical_id: str) -> str:
        """Return the ARN of a resource of the template."""
        known = {
            "PostsTable": self.table(self.settings.posts_table),
            "DirectoryTable": self.table(self.settings.directory_table),
            "MediaTable": self.table(self.settings.media_table),
            "SandboxTable": self.table(self.settings.sandbox_table),
            "PublishQueue": self.queue(self.settings.publish_queue),
            "PublishDeadQueue": self.queue(self.settings.publish_dead_queue),
            "PrepareQueue": self.queue(self.settings.prepare_queue),
            "RetriesQueue": self.queue(self.settings.retries_queue),
            "ConvertQueue": self.queue(self.settings.convert_queue),
            "UploadsQueue": self.queue(self.settings.uploads_queue),
            "MediaBucket": f"arn:aws:s3:::{self.settings.media_bucket}",
            "TokensKey": self.key,
        }
        return known.get(logical_id, f"arn:of:{logical_id}")


def grants(policy: Path, arns: Arns) -> list[Grant]:
    """Return everything that a policy file of `.chalice` allows, one action at a time."""
    return grants_of(json.loads(policy.read_text(encoding="utf-8"))["Statement"], arns)


def front_grants(arns: Arns) -> list[Grant]:
    """Return everything that the upload front's role allows."""
    template = json.loads(
        (PROJECT / "infra" / "template" / "parts" / "front.json").read_text(encoding="utf-8")
    )
    (policy,) = template["Resources"]["FrontRole"]["Properties"]["Policies"]
    return grants_of(policy["PolicyDocument"]["Statement"], arns)


def grants_of(statements: list[dict[str, Any]], arns: Arns) -> list[Grant]:
    """Return what statements allow."""
    return [
        Grant(statement["Sid"], action, _resolved(resource, arns), below)
        for statement in statements
        for action in _several(statement["Action"])
        for resource in _several(statement["Resource"])
        for below in _allowed_below(statement, arns)
    ]


def _allowed_below(statement: Mapping[str, Any], arns: Arns) -> list[str]:
    """Return which partition keys, prefixes, senders or sealed secrets a condition allows."""
    condition = {
        k: v for tests in statement.get("Condition", {}).values() for k, v in tests.items()
    }
    if condition.get("ses:FromAddress") == {"Ref": "NoticesSender"}:
        return [arns.settings.notices_sender or ""]
    looked_at = ("dynamodb:LeadingKeys", "s3:prefix", SEALED_FOR)
    return _several(next((condition[key] for key in looked_at if key in condition), "*"))


def policy_file(function: str) -> Path:
    """Return the policy that the configuration names for a function."""
    config = json.loads((PROJECT / ".chalice" / "config.json").read_text(encoding="utf-8"))
    own = config["lambda_functions"][function]
    return PROJECT / ".chalice" / str(own["iam_policy_file"])


def _several(value: Any) -> list[Any]:  # noqa: ANN401 - a policy says one or several
    return value if isinstance(value, list) else [value]


def _resolved(resource: Mapping[str, Any], arns: Arns) -> str:
    if "Fn::GetAtt" in resource:
        return arns.of(resource["Fn::GetAtt"][0])
    if str(resource["Fn::Sub"]).startswith(_OUR_MAIL):
        return arns.mail(resource["Fn::Sub"].removeprefix(_OUR_MAIL))
    name, _, rest = str(resource["Fn::Sub"]).removeprefix("${").partition(".Arn}")
    return arns.of(name) + rest
