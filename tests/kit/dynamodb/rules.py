"""What DynamoDB refuses by its documentation, and which engines do not.

Each group cites the pages of the DynamoDB Developer Guide and API Reference that say so;
`test_refusals` asks the engine that the tests run on, and docs/adr/0021 says what follows.
"""

from dataclasses import dataclass, field
from typing import Any

from tests.kit.dynamodb.ruled_table import TABLE, Row, a_key, a_row, number, text
from tests.support.engines import Engine

MOTO, LOCAL = Engine.MOTO, Engine.DYNAMODB_LOCAL
LOCALSTACK = Engine.LOCALSTACK
INVALID, REFUSED = "ValidationException", "ConditionalCheckFailedException"
CANCELLED = "TransactionCanceledException"


@dataclass(frozen=True, slots=True)
class Rule:
    """A call that must be refused, and the engines that do not."""

    says: str
    operation: str
    arguments: dict[str, Any]
    code: str = INVALID
    differing: tuple[Engine, ...] = field(default=())


def _put(row: Row, **more: object) -> dict[str, Any]:
    return {"Item": row, **more}


def _set(change: str, condition: str | None = None, **values: Row) -> dict[str, Any]:
    named = {f":{name}": value for name, value in values.items()}
    call: dict[str, Any] = {"Key": a_key(), "UpdateExpression": change}
    if named:
        call["ExpressionAttributeValues"] = named
    return call if condition is None else {**call, "ConditionExpression": condition}


def _query(condition: str, index: str | None = None, **values: Row) -> dict[str, Any]:
    call: dict[str, Any] = {
        "KeyConditionExpression": condition,
        "ExpressionAttributeValues": {f":{name}": value for name, value in values.items()},
    }
    return call if index is None else {**call, "IndexName": index}


def _puts(*rows: Row) -> dict[str, Any]:
    return {"TransactItems": [{"Put": {"TableName": TABLE, "Item": row}} for row in rows]}


def _of_size(size: int) -> Row:
    return a_row("big", x=text("x" * (size - len("bigpkPOSTskx"))))


MOST_BYTES = 400 * 1024
ALL_OF_POST = _query("pk = :pk", pk=text("post"))
ALL_OF_SHARD = _query("wake_shard = :shard", "keys", shard=text("W1"))

KEYS = [  # "Constraints in Amazon DynamoDB"; "Naming rules and data types"
    Rule("an empty partition key", "put_item", _put(a_row(""))),
    Rule("an empty sort key", "put_item", _put(a_row(sk=""))),
    Rule(
        "an empty key of an index", "put_item", _put(a_row(wake_shard=text(""), wake_at=text("9")))
    ),
    Rule("a partition key over 2,048 bytes", "put_item", _put(a_row("x" * 2049))),
    Rule("a sort key over 1,024 bytes", "put_item", _put(a_row(sk="x" * 1025))),
    Rule(
        "an index's partition key over 2,048 bytes",
        "put_item",
        _put(a_row(wake_shard=text("x" * 2049), wake_at=text("9"))),
    ),
    Rule(
        "an index's sort key over 1,024 bytes",
        "put_item",
        _put(a_row(wake_shard=text("W1"), wake_at=text("x" * 1025))),
    ),
    Rule(
        "an index's key of another type",
        "put_item",
        _put(a_row(wake_shard=number(1), wake_at=text("9"))),
        differing=(MOTO,),
    ),
    Rule(
        "an update that gives an index's key another type",
        "update_item",
        _set("SET wake_shard = :n", n=number(1)),
        differing=(LOCAL, LOCALSTACK),
    ),
    Rule("an update of a row's sort key", "update_item", _set("SET sk = :v", v=text("x"))),
    Rule("an update of a row's partition key", "update_item", _set("SET pk = :v", v=text("x"))),
]
SIZES = [  # "Constraints in Amazon DynamoDB": items, transactions, expressions
    Rule("a row over 400 KB", "put_item", _put(_of_size(MOST_BYTES + 1))),
    Rule(
        "a row that an update makes too large",
        "update_item",
        _set("SET x = :x", x=text("x" * MOST_BYTES)),
    ),
    Rule(
        "101 writes in a transaction",
        "transact_write_items",
        _puts(*map(a_row, map(str, range(101)))),
    ),
    Rule(
        "a transaction over 4 MB",
        "transact_write_items",
        _puts(*(a_row(str(i), x=text("x" * 390_000)) for i in range(12))),
        differing=(MOTO,),
    ),
    Rule(
        "101 keys in a batch",
        "batch_get_item",
        {"RequestItems": {TABLE: {"Keys": [a_key(str(i)) for i in range(101)]}}},
    ),
    Rule(
        "one key twice in a batch",
        "batch_get_item",
        {"RequestItems": {TABLE: {"Keys": [a_key(), a_key()]}}},
    ),
    Rule(
        "101 values after IN",
        "update_item",
        _set(
            "SET v = :v",
            f"x IN ({', '.join(f':v{i}' for i in range(101))})",
            v=number(1),
            **{f"v{i}": number(i) for i in range(101)},
        ),
        differing=(MOTO,),
    ),
    Rule(
        "an expression over 4 KB",
        "update_item",
        _set("SET v = :v", " OR ".join(["attribute_exists(pk)"] * 200), v=number(1)),
        differing=(MOTO,),
    ),
    Rule("39 digits of a number", "put_item", _put(a_row(v=number("1" * 39))), differing=(MOTO,)),
]
EXPRESSIONS = [  # "Expressions"; "Reserved words"; "Update expressions"
    Rule(
        "a value that no expression uses",
        "update_item",
        _set("SET v = :v", v=number(1), w=number(2)),
    ),
    Rule(
        "a value that the call does not give",
        "update_item",
        _set("SET v = :v, x = :x", v=number(1)),
    ),
    Rule(
        "a reserved word by its bare name",
        "update_item",
        _set("SET v = :v", "attribute_exists(status)", v=number(1)),
    ),
    Rule(
        "one attribute changed twice",
        "update_item",
        _set("SET v = :v, v = :v", v=number(1)),
    ),
    Rule("a sum with an absent attribute", "update_item", _set("SET n = n + :v", v=number(1))),
    Rule("ADD to a string", "update_item", _set("ADD word :v", v=number(1))),
    Rule("a path through an absent map", "update_item", _set("SET m.a = :v", v=number(1))),
    Rule(
        "a comparison of different types, which is false",
        "update_item",
        _set("SET v = :v", "word < :v", v=number(5)),
        REFUSED,
        differing=(MOTO,),
    ),
    Rule(
        "a comparison with an absent attribute, which is false",
        "update_item",
        _set("SET v = :v", "n <= :v", v=number(5)),
        REFUSED,
    ),
]
QUERIES = [  # "Querying tables"; "Using global secondary indexes"; API Reference "Query"
    Rule(
        "a filter on a key",
        "query",
        {**ALL_OF_POST, "FilterExpression": "sk = :pk"},
        differing=(MOTO,),
    ),
    Rule("a consistent read of an index", "query", {**ALL_OF_SHARD, "ConsistentRead": True}),
    Rule(
        "all attributes of an index that has keys only",
        "query",
        {**ALL_OF_SHARD, "Select": "ALL_ATTRIBUTES"},
    ),
    Rule(
        "an attribute that an index does not project",
        "query",
        {**ALL_OF_SHARD, "ProjectionExpression": "workspace_id"},
        differing=(MOTO,),
    ),
    Rule(
        "a filter on what an index does not project",
        "query",
        {**ALL_OF_SHARD, "FilterExpression": "attribute_exists(workspace_id)"},
        differing=(MOTO,),
    ),
    Rule(
        "a range that ends before it begins",
        "query",
        _query("pk = :pk AND sk BETWEEN :a AND :b", pk=text("post"), a=text("b"), b=text("a")),
        differing=(MOTO,),
    ),
    Rule(
        "a range from an empty text",
        "query",
        _query("pk = :pk AND sk >= :a", pk=text("post"), a=text("")),
    ),
    Rule(
        "a start in another partition",
        "query",
        {**ALL_OF_POST, "ExclusiveStartKey": a_key("other")},
        differing=(MOTO,),
    ),
]
TRANSACTIONS = [  # API Reference "TransactWriteItems"
    Rule("one row written twice", "transact_write_items", _puts(a_row("twice"), a_row("twice"))),
    Rule(
        "a row written and checked",
        "transact_write_items",
        {
            "TransactItems": [
                *_puts(a_row("checked"))["TransactItems"],
                {
                    "ConditionCheck": {
                        "TableName": TABLE,
                        "Key": a_key("checked"),
                        "ConditionExpression": "attribute_not_exists(pk)",
                    }
                },
            ]
        },
        differing=(LOCAL, LOCALSTACK),
    ),
    Rule(
        "a change that the row's type does not allow: it cancels",
        "transact_write_items",
        {"TransactItems": [{"Update": {"TableName": TABLE, **_set("ADD word :v", v=number(1))}}]},
        CANCELLED,
        differing=(LOCAL, LOCALSTACK, MOTO),
    ),
    Rule(
        "a token over 36 characters",
        "transact_write_items",
        {**_puts(a_row("token")), "ClientRequestToken": "x" * 37},
        differing=(MOTO,),
    ),
]

ALL_RULES = (*KEYS, *SIZES, *EXPRESSIONS, *QUERIES, *TRANSACTIONS)
