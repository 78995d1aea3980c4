"""Makes the template's tables by DynamoDB's own API, where CloudFormation cannot.

A separate DynamoDB (`AWS_ENDPOINT_URL_DYNAMODB`) gets its tables in this way.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from chalicelib.kit.aws_on_sqlite.resources import Template

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

TEMPLATE: Final = Path(__file__).parents[2] / "infra" / "resources.json"
_SAID_AT_CREATION = ("BillingMode", "AttributeDefinitions", "KeySchema", "GlobalSecondaryIndexes")


def make_tables(dynamodb: "DynamoDBClient", template: str, prefix: str) -> None:
    """Create the template's tables under a prefix; existing tables stay as they are."""
    read = Template(template, {"ResourcePrefix": prefix})
    for properties in read.of("AWS::DynamoDB::Table"):
        name = read.name(properties["TableName"])
        said = {word: properties[word] for word in _SAID_AT_CREATION if word in properties}
        try:
            dynamodb.create_table(TableName=name, **said)
        except dynamodb.exceptions.ResourceInUseException:
            continue
        dynamodb.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1})
