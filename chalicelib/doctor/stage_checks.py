"""Whether a deployed stage runs and is protected: only `doctor --stage` checks this.

The stack says which resources there should be: functions and their triggers, alarms, the API.
Backups, deletion, privacy, encryption and the key are set by the template as well, and can be
undone by hand without anything failing, until the day they are needed.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING
from urllib.request import urlopen

from botocore.exceptions import ClientError

from chalicelib.doctor.alarm_checks import AlarmChecks
from chalicelib.doctor.examination import Finding, Flaw, Verdict, examine, fine, warning
from chalicelib.kit.dataclass import dataclass

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient
    from mypy_boto3_cloudwatch import CloudWatchClient
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_events import EventBridgeClient
    from mypy_boto3_kms import KMSClient
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sns import SNSClient


_GOOD = ("CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE")
_PATIENCE_S = 10
_MANY_PLACES = 1000
_CODE = "code of the account"
_MUCH_CODE = 0.8
"""Of the 75 GB that Lambda stores in a region (Lambda guide, "Lambda quotas")."""
_AT_ONE_SECOND = {False: 200, True: 20_000}
"""A hundred texts share an execution of Publish: it has 2 places of ten, 200 of a thousand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageClients:
    """The clients of services that only a deployed stage has."""

    formation: "CloudFormationClient"
    functions: "LambdaClient"
    events: "EventBridgeClient"
    cloudwatch: "CloudWatchClient"
    notifications: "SNSClient"


@dataclass(frozen=True, slots=True, kw_only=True)
class StageChecks:
    """The checks of one stage; `stack` is its name and the prefix of its resources."""

    clients: StageClients
    stack: str
    bucket: str

    def run(self) -> Iterator[Finding]:
        """Check the stack, and if it exists its resources."""
        stack = examine(f"stack {self.stack}", self._stack)
        yield stack
        if stack.verdict is Verdict.WRONG:
            return
        looks: dict[str, Callable[[str], str]] = {
            "AWS::Lambda::Function": self._function,
            "AWS::Lambda::EventSourceMapping": self._mapping,
            "AWS::Events::Rule": self._rule,
        }
        alarms: list[str] = []
        topics: list[str] = []
        listed = {"AWS::CloudWatch::Alarm": alarms, "AWS::SNS::Topic": topics}
        for name, kind, physical_id in self._resources():
            if kind in looks:
                word = kind.rpartition("::")[2].lower()
                yield examine(f"{word} {name}", partial(looks[kind], physical_id))
            elif kind in listed:
                listed[kind].append(physical_id)
        yield from AlarmChecks(
            cloudwatch=self.clients.cloudwatch,
            notifications=self.clients.notifications,
            alarms=alarms,
            topics=topics,
        ).run()
        yield examine("places of the account", self._places)
        yield examine(_CODE, self._code)

    def _stack(self) -> str:
        try:
            found = self.clients.formation.describe_stacks(StackName=self.stack)["Stacks"][0]
        except ClientError as error:
            if error.response["Error"]["Code"] == "ValidationError":
                raise Flaw("There is no such stack in this account and region.") from error
            raise
        status = found["StackStatus"]
        if status not in _GOOD:
            raise Flaw(f"It is {status}: {found.get('StackStatusReason', 'its events say why')}.")
        return status.lower().replace("_", " ")

    def _resources(self) -> Iterator[tuple[str, str, str]]:
        pages = self.clients.formation.get_paginator("list_stack_resources").paginate(
            StackName=self.stack
        )
        for page in pages:
            for one in page["StackResourceSummaries"]:
                physical_id = one.get("PhysicalResourceId", "")
                yield one["LogicalResourceId"], one["ResourceType"], physical_id

    def _function(self, name: str) -> str:
        found = self.clients.functions.get_function_configuration(FunctionName=name)
        if found.get("State", "Active") != "Active":
            raise Flaw(f"It is {found['State']}: {found.get('StateReason', 'no reason given')}.")
        told = found.get("Environment", {}).get("Variables", {})
        for variable, value in (
            ("GOLDENHOUR_RESOURCE_PREFIX", self.stack),
            ("GOLDENHOUR_MEDIA_BUCKET", self.bucket),
        ):
            if told.get(variable) != value:
                raise Flaw(f"Its {variable} is {told.get(variable)!r}, not {value!r}.")
        return f"{found['MemorySize']} MB, {found['Timeout']} s"

    def _mapping(self, uuid: str) -> str:
        found = self.clients.functions.get_event_source_mapping(UUID=uuid)
        if found["State"] not in ("Enabled", "Enabling", "Updating"):
            raise Flaw(f"It is {found['State']}: nothing takes messages from the queue.")
        if "ReportBatchItemFailures" not in found.get("FunctionResponseTypes", []):
            raise Flaw("One message that fails brings its whole batch back.")
        return "enabled"

    def _rule(self, physical_id: str) -> str:
        name = physical_id.rpartition("|")[2]
        found = self.clients.events.describe_rule(Name=name)
        if found["State"] != "ENABLED":
            raise Flaw("It is disabled: the function it triggers does not run.")
        if not self.clients.events.list_targets_by_rule(Rule=name)["Targets"]:
            raise Flaw("It triggers nothing.")
        return found.get("ScheduleExpression", "enabled")

    def _places(self) -> str:
        limits = self.clients.functions.get_account_settings()["AccountLimit"]
        places = limits["ConcurrentExecutions"]
        return f"{places} executions at once: {carries(places)} (docs/deploy.md, Places)"

    def _code(self) -> Finding:
        account = self.clients.functions.get_account_settings()
        return judge_code(
            account["AccountUsage"]["TotalCodeSize"], account["AccountLimit"]["TotalCodeSize"]
        )


def judge_code(stored_bytes: int, most_bytes: int) -> Finding:
    """Return whether the account has space for the versions of further releases."""
    message = f"{stored_bytes / 1e9:.1f} of {most_bytes / 1e9:.1f} GB are stored"
    if stored_bytes < _MUCH_CODE * most_bytes:
        return fine(_CODE, message)
    return warning(
        _CODE,
        f"{message}: Lambda refuses a release for which there is no space.",
        "Delete versions that nobody will go back to (docs/operations.md, Old releases).",
    )


def carries(places: int) -> str:
    """Return a sentence on how many texts of one second such an account can send at once."""
    most = _AT_ONE_SECOND[places >= _MANY_PLACES]
    return f"at most {most:,} texts due in one second find a place, others wait"


@dataclass(frozen=True, slots=True)
class ApiChecks:
    """The check of the API from outside."""

    url: str

    def run(self) -> Iterator[Finding]:
        """Call its health endpoint."""
        yield examine(f"API {self.url}", self._answers)

    def _answers(self) -> str:
        try:
            with urlopen(f"{self.url}/v1/health", timeout=_PATIENCE_S) as answer:  # noqa: S310
                status = answer.status
        except OSError as error:
            raise Flaw(f"GET /v1/health did not answer as expected ({error}).") from error
        return f"answers {status}"


_UNSET = frozenset(
    {
        "NoSuchPublicAccessBlockConfiguration",
        "NoSuchLifecycleConfiguration",
        "NoSuchCORSConfiguration",
        "ServerSideEncryptionConfigurationNotFoundError",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtectionChecks:
    """The checks of what protects a stage's tables, bucket and key."""

    dynamodb: "DynamoDBClient"
    s3: "S3Client"
    kms: "KMSClient"
    tables: tuple[str, ...]
    bucket: str
    key: str

    def run(self) -> Iterator[Finding]:
        """Check each table, the bucket and the key."""
        for table in self.tables:
            yield examine(f"table {table}: protection", partial(self._table, table))
        yield examine(f"bucket {self.bucket}: privacy", self._private)
        yield examine(f"bucket {self.bucket}: rules", self._rules)
        yield examine(f"key {self.key}: state", self._key)

    def _table(self, table: str) -> str:
        described = self.dynamodb.describe_table(TableName=table)["Table"]
        if not described.get("DeletionProtectionEnabled"):
            raise Flaw("It can be deleted by mistake: deletion protection is off.")
        found = self.dynamodb.describe_continuous_backups(TableName=table)
        backups = found["ContinuousBackupsDescription"].get("PointInTimeRecoveryDescription", {})
        if backups.get("PointInTimeRecoveryStatus") != "ENABLED":
            raise Flaw("It cannot be restored: point-in-time recovery is off.")
        since = backups.get("EarliestRestorableDateTime")
        return f"restorable since {since:%Y-%m-%d}" if since else "restorable"

    def _private(self) -> str:
        try:
            block = self.s3.get_public_access_block(Bucket=self.bucket)
            rules = self.s3.get_bucket_encryption(Bucket=self.bucket)
        except ClientError as error:
            raise _unset(error, "It can be made public, or is not encrypted by default.") from error
        if not all(block["PublicAccessBlockConfiguration"].values()):
            raise Flaw("It can be made public.")
        return f"private, {len(rules['ServerSideEncryptionConfiguration']['Rules'])} rule encrypts"

    def _rules(self) -> str:
        try:
            cors = self.s3.get_bucket_cors(Bucket=self.bucket)["CORSRules"]
            cleaning = self.s3.get_bucket_lifecycle_configuration(Bucket=self.bucket)["Rules"]
        except ClientError as error:
            reason = (
                "Browsers cannot upload to it (CORS), or abandoned uploads are kept (lifecycle)."
            )
            raise _unset(error, reason) from error
        if not any("PUT" in rule["AllowedMethods"] for rule in cors):
            raise Flaw("Browsers cannot upload to it: CORS allows no PUT.")
        if not any("AbortIncompleteMultipartUpload" in rule for rule in cleaning):
            raise Flaw("Parts of abandoned uploads are kept and cost money.")
        return f"takes browsers' uploads, {len(cleaning)} rules clean up"

    def _key(self) -> str:
        found = self.kms.describe_key(KeyId=self.key)["KeyMetadata"]
        if found["KeyState"] != "Enabled":
            raise Flaw(f"It is {found['KeyState']}: no account's tokens can be read.")
        if not self.kms.get_key_rotation_status(KeyId=found["KeyId"])["KeyRotationEnabled"]:
            raise Flaw("It is not renewed every year.")
        return "enabled, renewed every year"


def _unset(error: ClientError, flaw: str) -> Exception:
    return Flaw(flaw) if error.response["Error"]["Code"] in _UNSET else error
