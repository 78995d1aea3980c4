"""Makes the tables of a template by DynamoDB's own API.

A separate DynamoDB (`AWS_ENDPOINT_URL_DYNAMODB`) gets its tables in this way: CloudFormation cannot
make them there.
"""

from typing import TYPE_CHECKING

from chalicelib.kit.aws_on_sqlite.resources import Template

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_SAID_AT_CREATION = ("BillingMode", "AttributeDefinitions", "KeySchema", "GlobalSecondaryIndexes")


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
