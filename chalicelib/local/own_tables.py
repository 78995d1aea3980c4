"""Makes the template's tables by DynamoDB's own API, where no CloudFormation reaches.

A DynamoDB that runs beside the rest (`AWS_ENDPOINT_URL_DYNAMODB`) gets its tables so.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

TEMPLATE: Final = Path(__file__).parents[2] / "infra" / "resources.json"
_SAID_AT_CREATION = ("BillingMode", "AttributeDefinitions", "KeySchema", "GlobalSecondaryIndexes")


def make_tables(dynamodb: "DynamoDBClient", template: str, prefix: str) -> None:
    """Create the template's tables under a prefix; a table that is there already stays as it is."""
    for properties in _tables(template):
        name = properties["TableName"]["Fn::Sub"].replace("${ResourcePrefix}", prefix)
        said = {word: properties[word] for word in _SAID_AT_CREATION if word in properties}
        try:
            dynamodb.create_table(TableName=name, **said)
        except dynamodb.exceptions.ResourceInUseException:
            continue
        dynamodb.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1})


def _tables(template: str) -> Iterator[Mapping[str, Any]]:
    resources = json.loads(template)["Resources"].values()
    return (each["Properties"] for each in resources if each["Type"] == "AWS::DynamoDB::Table")
