"""Clients of whatever AWS the tests run on, by the endpoint that says which.

    tables = a_client("dynamodb", settings.dynamodb_url)

An endpoint of the embedded engine gets that engine's client; any other, and none, boto3's.
"""

from typing import TYPE_CHECKING, Any, Literal, overload

import boto3
from botocore.config import Config

from chalicelib.kit.aws_on_sqlite.address import is_embedded
from chalicelib.kit.aws_on_sqlite.clients import embedded_client
from chalicelib.kit.aws_on_sqlite.engine import open_engine
from tests.support.s3_links import S3WithLinks

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_kms import KMSClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sqs import SQSClient

REGION = "us-east-1"


@overload
def a_client(
    service: Literal["dynamodb"], endpoint: str | None, config: Config | None = None
) -> "DynamoDBClient": ...
@overload
def a_client(
    service: Literal["sqs"], endpoint: str | None, config: Config | None = None
) -> "SQSClient": ...
@overload
def a_client(
    service: Literal["s3"], endpoint: str | None, config: Config | None = None
) -> "S3Client": ...
@overload
def a_client(
    service: Literal["kms"], endpoint: str | None, config: Config | None = None
) -> "KMSClient": ...
def a_client(service: Any, endpoint: str | None, config: Config | None = None) -> Any:
    """Return a client of a service at an endpoint."""
    if endpoint is not None and is_embedded(endpoint):
        if service == "s3":
            return S3WithLinks(open_engine(endpoint))
        return embedded_client(service, endpoint)
    return boto3.client(service, endpoint_url=endpoint, region_name=REGION, config=config)
