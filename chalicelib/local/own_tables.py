"""Reads the template that is deployed, and makes its tables by DynamoDB's own API.

A separate DynamoDB (`AWS_ENDPOINT_URL_DYNAMODB`) gets its tables in this way: CloudFormation cannot
make them there.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from chalicelib.kit.aws_on_sqlite.resources import Template
from chalicelib.settings import Settings

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

TEMPLATE: Final = Path(__file__).parents[2] / "infra" / "resources.json"
_SAID_AT_CREATION = ("BillingMode", "AttributeDefinitions", "KeySchema", "GlobalSecondaryIndexes")


def template_of(settings: Settings) -> Template:
    """Return the template with the names that the settings give."""
    names = {"ResourcePrefix": settings.resource_prefix, "MediaBucketName": settings.media_bucket}
    return Template(TEMPLATE.read_text(encoding="utf-8"), names)


def make_tables(dynamodb: "DynamoDBClient", template: Template) -> None:
    """Create the template's tables; existing tables stay as they are."""
    for properties in template.of("AWS::DynamoDB::Table"):
        name = template.name(properties["TableName"])
        said = {word: properties[word] for word in _SAID_AT_CREATION if word in properties}
        try:
            dynamodb.create_table(TableName=name, **said)
        except dynamodb.exceptions.ResourceInUseException:
            continue
        dynamodb.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1})
