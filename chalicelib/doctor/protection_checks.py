"""Whether a deployed stage's data is protected: backups, deletion, privacy, encryption, the key.

Only `doctor --stage` looks here. Each of these is set by the template and can be undone by hand
without anything failing, until the day that it is needed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from chalicelib.doctor.examination import Finding, Flaw, examine

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_kms import KMSClient
    from mypy_boto3_s3 import S3Client

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
    """The looks at what protects a stage's tables, bucket and key."""

    dynamodb: "DynamoDBClient"
    s3: "S3Client"
    kms: "KMSClient"
    tables: tuple[str, ...]
    bucket: str
    key: str

    def run(self) -> Iterator[Finding]:
        """Look at each table, at the bucket and at the key."""
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
            raise _unset(error, "It may be made public, or is not encrypted by rule.") from error
        if not all(block["PublicAccessBlockConfiguration"].values()):
            raise Flaw("It may be made public.")
        return f"private, {len(rules['ServerSideEncryptionConfiguration']['Rules'])} rule encrypts"

    def _rules(self) -> str:
        try:
            cors = self.s3.get_bucket_cors(Bucket=self.bucket)["CORSRules"]
            cleaning = self.s3.get_bucket_lifecycle_configuration(Bucket=self.bucket)["Rules"]
        except ClientError as error:
            reason = "Browsers cannot upload to it (CORS), or dead uploads stay (lifecycle)."
            raise _unset(error, reason) from error
        if not any("PUT" in rule["AllowedMethods"] for rule in cors):
            raise Flaw("Browsers cannot upload to it: CORS allows no PUT.")
        if not any("AbortIncompleteMultipartUpload" in rule for rule in cleaning):
            raise Flaw("Parts of uploads that died stay and cost money.")
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
