"""The bucket from which CloudFormation takes zips and templates, one per account and region.

Names are digests of contents, so that deploying the same twice uploads nothing and changes
nothing. Nothing expires: a rollback needs the zip of the version before.
"""

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

import boto3
from botocore.exceptions import ClientError

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_HOME_REGION = "us-east-1"


class Artifacts:
    """Zips and templates of all stages."""

    def __init__(self, client: "S3Client", *, account: str, region: str) -> None:
        self._client = client
        self._region = region
        self._account = account
        self.bucket = f"goldenhour-artifacts-{account}-{region}"

    def make(self) -> None:
        """Make the bucket if it is missing; let it be private, encrypted and TLS only."""
        try:
            self._client.head_bucket(Bucket=self.bucket, ExpectedBucketOwner=self._account)
        except ClientError as error:
            if error.response["Error"]["Code"] not in ("404", "NoSuchBucket"):
                raise
            self._create()
        # Every time: a bucket whose making broke off has none of it.
        self._protect()

    def _create(self) -> None:
        if self._region == _HOME_REGION:
            self._client.create_bucket(Bucket=self.bucket)
        else:
            place = {"LocationConstraint": self._region}
            self._client.create_bucket(
                Bucket=self.bucket,
                CreateBucketConfiguration=place,  # type: ignore[arg-type]  # any region
            )

    def _protect(self) -> None:
        self._client.put_public_access_block(
            Bucket=self.bucket,
            PublicAccessBlockConfiguration={
                "BlockPublicAcls": True,
                "BlockPublicPolicy": True,
                "IgnorePublicAcls": True,
                "RestrictPublicBuckets": True,
            },
        )
        self._client.put_bucket_encryption(
            Bucket=self.bucket,
            ServerSideEncryptionConfiguration={
                "Rules": [{"ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"}}]
            },
        )
        self._client.put_bucket_policy(Bucket=self.bucket, Policy=json.dumps(self._policy()))

    def _policy(self) -> dict[str, object]:
        bucket = f"arn:{_partition(self._region)}:s3:::{self.bucket}"
        statement = {
            "Sid": "OnlyEncryptedOnTheWay",
            "Effect": "Deny",
            "Principal": "*",
            "Action": "s3:*",
            "Resource": [bucket, f"{bucket}/*"],
            "Condition": {"Bool": {"aws:SecureTransport": "false"}},
        }
        return {"Version": "2012-10-17", "Statement": [statement]}

    def keep_code(self, archive: Path, digest: str) -> str:
        """Upload a zip unless one of the same contents is there; return its key."""
        key = f"code/{digest}.zip"
        if not self._has(key):
            self._client.upload_file(str(archive), self.bucket, key)
        return key

    def keep_template(self, text: str) -> str:
        """Upload a template; return its address for CloudFormation."""
        key = f"templates/{hashlib.sha256(text.encode()).hexdigest()[:32]}.json"
        if not self._has(key):
            self._client.put_object(Bucket=self.bucket, Key=key, Body=text.encode())
        return f"{self._client.meta.endpoint_url}/{self.bucket}/{key}"

    def _has(self, key: str) -> bool:
        try:
            self._client.head_object(Bucket=self.bucket, Key=key)
        except ClientError as error:
            if error.response["Error"]["Code"] in ("404", "NoSuchKey"):
                return False
            raise
        return True


def _partition(region: str) -> str:
    return boto3.Session().get_partition_for_region(region)
