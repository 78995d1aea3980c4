"""A table to ask an engine about DynamoDB's rules, with indexes such as ours have.

`table.call("put_item", Item=a_row())` names the table by itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

Row = dict[str, Any]
TABLE = "the table's name"
"""Stands for the table wherever a call names it."""


def text(value: str) -> Row:
    """Return a string as the API spells it."""
    return {"S": value}


def number(value: object) -> Row:
    """Return a number as the API spells it."""
    return {"N": str(value)}


def a_key(pk: str = "post", sk: str = "POST") -> Row:
    """Return a row's key."""
    return {"pk": text(pk), "sk": text(sk)}


def a_row(pk: str = "post", sk: str = "POST", **values: Row) -> Row:
    """Return a row."""
    return {**a_key(pk, sk), **values}


@dataclass(frozen=True, slots=True, kw_only=True)
class RuledTable:
    """A table on the engine under test."""

    dynamodb: "DynamoDBClient"
    name: str

    def call(self, operation: str, **arguments: Any) -> Any:  # noqa: ANN401 - any of DynamoDB's answers
        """Make a call on the table, unless the arguments say which themselves."""
        wants_name = operation not in ("transact_write_items", "batch_get_item", "batch_write_item")
        named = {"TableName": self.name} if wants_name else {}
        return getattr(self.dynamodb, operation)(**named, **_with_name(arguments, self.name))

    def put(self, *rows: Row) -> None:
        """Write rows one by one."""
        for row in rows:
            self.call("put_item", Item=row)

    def refusal(self, operation: str, **arguments: Any) -> str:  # noqa: ANN401 - any arguments
        """Return the code with which a call is refused, or nothing when it is not."""
        try:
            self.call(operation, **arguments)
        except ClientError as error:
            return str(error.response["Error"]["Code"])
        return ""


def _with_name(value: Any, name: str) -> Any:  # noqa: ANN401 - arguments of any shape
    match value:
        case Mapping():
            return {_with_name(key, name): _with_name(part, name) for key, part in value.items()}
        case list():
            return [_with_name(part, name) for part in value]
        case _:
            return name if value == TABLE else value


def a_ruled_table(dynamodb: "DynamoDBClient") -> RuledTable:
    """Make a table with an index that projects an attribute and one of keys only."""
    name = f"rules-{token_hex(6)}"
    dynamodb.create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[
            {"AttributeName": each, "AttributeType": "S"}
            for each in ("pk", "sk", "wake_shard", "wake_at")
        ],
        KeySchema=[
            {"AttributeName": "pk", "KeyType": "HASH"},
            {"AttributeName": "sk", "KeyType": "RANGE"},
        ],
        GlobalSecondaryIndexes=[
            {
                "IndexName": "wake",
                "KeySchema": [
                    {"AttributeName": "wake_shard", "KeyType": "HASH"},
                    {"AttributeName": "wake_at", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["workspace_id"]},
            },
            {
                "IndexName": "keys",
                "KeySchema": [
                    {"AttributeName": "wake_shard", "KeyType": "HASH"},
                    {"AttributeName": "pk", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            },
        ],
    )
    return RuledTable(dynamodb=dynamodb, name=name)
