"""Whether the tables, bucket, queues and key are as in the template, and may be used.

The template is the one of `infra/` that is deployed. A conditional write that cannot succeed shows
that writing is allowed without writing anything; a small object is written below `doctor/` and
deleted again; nothing is sent to a queue, since a worker would process it.
"""

import json
import secrets
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from chalicelib.doctor.examination import Finding, Flaw, Verdict, examine, warning
from chalicelib.kit.aws_on_sqlite.resources import Template
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.items import attributes
from chalicelib.kit.dynamodb.table import PRESENT

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_kms import KMSClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sqs import SQSClient


_NOBODY = attributes({"pk": "DOCTOR", "sk": "DOCTOR"})


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlan:
    """One table of the template: each index with the name of its partition key."""

    name: str
    indexes: dict[str, str]
    ttl_attribute: str | None


class TableChecks:
    """The checks of the tables of a template."""

    def __init__(self, client: "DynamoDBClient", plans: Iterable[TablePlan]) -> None:
        self._client = client
        self._plans = tuple(plans)

    def run(self) -> Iterator[Finding]:
        """Check each table: its definition, then permissions."""
        for plan in self._plans:
            subject = f"table {plan.name}"
            yield examine(subject, partial(self._describe, plan))
            yield examine(f"{subject}: use", partial(self._use, plan))

    def _describe(self, plan: TablePlan) -> str:
        table = self._client.describe_table(TableName=plan.name)["Table"]
        states = {
            index["IndexName"]: index.get("IndexStatus", "ACTIVE")
            for index in table.get("GlobalSecondaryIndexes", [])
        }
        missing = sorted(set(plan.indexes) - set(states))
        if missing:
            raise Flaw(f"The index {missing[0]} is missing.")
        if table["TableStatus"] not in ("ACTIVE", "UPDATING"):
            raise Flaw(f"The table is {table['TableStatus']}.")
        building = sorted(name for name in plan.indexes if states[name] != "ACTIVE")
        if building:
            raise Flaw(f"The index {building[0]} is {states[building[0]]}.")
        self._expire(plan)
        return f"active, {len(plan.indexes)} indexes"

    def _expire(self, plan: TablePlan) -> None:
        if plan.ttl_attribute is None:
            return
        found = self._client.describe_time_to_live(TableName=plan.name)["TimeToLiveDescription"]
        enabled = found.get("TimeToLiveStatus") in ("ENABLED", "ENABLING")
        if not enabled or found.get("AttributeName") != plan.ttl_attribute:
            raise Flaw(f"Rows do not expire by {plan.ttl_attribute}.")

    def _use(self, plan: TablePlan) -> str:
        self._client.get_item(TableName=plan.name, Key=_NOBODY)
        for index, partition_key in plan.indexes.items():
            self._client.query(
                TableName=plan.name,
                IndexName=index,
                Limit=1,
                KeyConditionExpression="#partition = :nobody",
                ExpressionAttributeNames={"#partition": partition_key},
                ExpressionAttributeValues={":nobody": {"S": "DOCTOR"}},
            )
        try:
            self._client.delete_item(
                TableName=plan.name, Key=_NOBODY, **PRESENT.parameters("ConditionExpression")
            )
        except ClientError as error:
            if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
                raise
        return "may be read and written"


_INCOMING = "incoming/"
_CONTEXT = {"purpose": "doctor"}


class BucketChecks:
    """The checks of the media bucket."""

    def __init__(self, client: "S3Client", bucket: str, uploads_queue: str) -> None:
        self._client = client
        self._bucket = bucket
        self._uploads_queue = uploads_queue

    def run(self) -> Iterator[Finding]:
        """Check the bucket, the permissions, and its notifications of uploads."""
        subject = f"bucket {self._bucket}"
        yield examine(subject, self._use)
        yield examine(f"{subject}: uploads", self._tells)

    def _use(self) -> str:
        key = f"doctor/{secrets.token_hex(8)}"
        self._client.head_bucket(Bucket=self._bucket)
        self._client.put_object(Bucket=self._bucket, Key=key, Body=b"well")
        try:
            body = self._client.get_object(Bucket=self._bucket, Key=key)["Body"].read()
        finally:
            self._client.delete_object(Bucket=self._bucket, Key=key)
        if body != b"well":
            raise Flaw("What was read is not what was written.")
        return "may be read and written"

    def _tells(self) -> str:
        found = self._client.get_bucket_notification_configuration(Bucket=self._bucket)
        told = [entry["QueueArn"] for entry in found.get("QueueConfigurations", [])]
        if not any(arn.endswith(f":{self._uploads_queue}") for arn in told):
            raise Flaw(f"Uploads below {_INCOMING} are not announced to {self._uploads_queue}.")
        return f"announced to {self._uploads_queue}"


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuePlan:
    """One queue of the template, and its dead-letter queue."""

    name: str
    dead_queue: str | None


class QueueChecks:
    """The checks of the queues of a template."""

    def __init__(self, client: "SQSClient", plans: Iterable[QueuePlan]) -> None:
        self._client = client
        self._plans = tuple(plans)

    def run(self) -> Iterator[Finding]:
        """Check each queue; warn of a dead-letter queue with messages."""
        dead_queues = {plan.dead_queue for plan in self._plans}
        for plan in self._plans:
            subject = f"queue {plan.name}"
            made = examine(subject, partial(self._describe, plan))
            yield made
            if made.verdict is Verdict.OK and plan.name in dead_queues:
                yield from self._dead(subject, plan)

    def _describe(self, plan: QueuePlan) -> str:
        policy = json.loads(self._attributes(plan).get("RedrivePolicy", "{}"))
        if plan.dead_queue is None:
            return "there"
        if not str(policy.get("deadLetterTargetArn", "")).endswith(f":{plan.dead_queue}"):
            raise Flaw(f"Messages that fail do not go to {plan.dead_queue}.")
        return f"there, dead letters go to {plan.dead_queue}"

    def _dead(self, subject: str, plan: QueuePlan) -> Iterator[Finding]:
        count = int(self._attributes(plan).get("ApproximateNumberOfMessages", "0"))
        if count:
            advice = "Find the cause in the log, then run `queue redrive`."
            yield warning(f"{subject}: messages", f"{count} could not be processed.", advice)

    def _attributes(self, plan: QueuePlan) -> Mapping[str, str]:
        url = self._client.get_queue_url(QueueName=plan.name)["QueueUrl"]
        found = self._client.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])
        return {str(name): value for name, value in found["Attributes"].items()}


class KeyChecks:
    """The check of the key that wraps the accounts' tokens."""

    def __init__(self, client: "KMSClient", alias: str) -> None:
        self._client = client
        self._alias = alias

    def run(self) -> Iterator[Finding]:
        """Wrap a data key and unwrap it again."""
        yield examine(f"key {self._alias}", self._use)

    def _use(self) -> str:
        made = self._client.generate_data_key(
            KeyId=self._alias, KeySpec="AES_256", EncryptionContext=_CONTEXT
        )
        opened = self._client.decrypt(
            CiphertextBlob=made["CiphertextBlob"], EncryptionContext=_CONTEXT
        )
        if opened["Plaintext"] != made["Plaintext"]:
            raise Flaw("It cannot decrypt what it encrypted.")
        return "wraps and unwraps"


def plan_tables(template: Template) -> Iterator[TablePlan]:
    """Yield the tables of a template."""
    for said in template.of("AWS::DynamoDB::Table"):
        expiry = said.get("TimeToLiveSpecification", {})
        indexes = said.get("GlobalSecondaryIndexes", [])
        yield TablePlan(
            name=template.name(said["TableName"]),
            indexes={i["IndexName"]: i["KeySchema"][0]["AttributeName"] for i in indexes},
            ttl_attribute=expiry.get("AttributeName") if expiry.get("Enabled") else None,
        )


def plan_queues(template: Template) -> Iterator[QueuePlan]:
    """Yield the queues of a template."""
    for said in template.of("AWS::SQS::Queue"):
        dead = said.get("RedrivePolicy", {}).get("deadLetterTargetArn")
        yield QueuePlan(
            name=template.name(said["QueueName"]),
            dead_queue=template.name(dead) if dead else None,
        )
