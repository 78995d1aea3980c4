"""How DynamoDB answers where our code relies on more than the rows: pages, refusals, repeats.

Asked of the engine that the tests run on; one that differs is named, and docs/adr/0021 says what
follows for our code.
"""

from secrets import token_hex
from typing import Any

import pytest
from botocore.exceptions import ClientError

from tests.kit.dynamodb.ruled_table import (
    TABLE,
    RuledTable,
    a_key,
    a_row,
    a_ruled_table,
    number,
    text,
)
from tests.support.clients import a_client
from tests.support.emulator import EmulatorProcess, dynamodb_url
from tests.support.engines import Engine

ONE_MORE = {"UpdateExpression": "ADD v :one", "ExpressionAttributeValues": {":one": number(1)}}
IF_ABSENT = {"ConditionExpression": "attribute_not_exists(pk)"}
TELLING = {"ReturnValuesOnConditionCheckFailure": "ALL_OLD"}


@pytest.fixture
def table(emulator: EmulatorProcess) -> RuledTable:
    return a_ruled_table(a_client("dynamodb", dynamodb_url(emulator)))


def refused(table: RuledTable, operation: str, **arguments: object) -> dict[str, Any]:
    """Return the whole answer of a call that must be refused."""
    with pytest.raises(ClientError) as caught:
        table.call(operation, **arguments)
    return dict(caught.value.response)


def of_shard(index: str, **more: object) -> dict[str, object]:
    values = {":shard": text("W1")}
    asked = {"KeyConditionExpression": "wake_shard = :shard", "ExpressionAttributeValues": values}
    return {"IndexName": index, **asked, **more}


def waking(at: str) -> dict[str, Any]:
    row = a_row(f"post{at}", workspace_id=text("w"), more=text("m"))
    return {**row, "wake_shard": text("W1"), "wake_at": text(at)}


def test_a_refused_write_shows_the_row_that_refused_it(table: RuledTable) -> None:
    row = a_row(v=number(7))
    table.put(row)

    answer = refused(table, "put_item", Item=a_row(), **IF_ABSENT, **TELLING)

    assert row == answer["Item"]


def test_a_refusal_by_an_absent_row_shows_none(table: RuledTable) -> None:
    condition = {"ConditionExpression": "attribute_exists(pk)"}

    answer = refused(table, "update_item", Key=a_key(), **ONE_MORE, **condition, **TELLING)

    assert "ConditionalCheckFailedException" == answer["Error"]["Code"]
    assert "Item" not in answer


def test_a_cancelled_transaction_gives_a_reason_for_each_write_and_changes_nothing(
    table: RuledTable,
) -> None:
    row = a_row("old", v=number(7))
    table.put(row)
    writes = [
        {"Put": {"TableName": TABLE, "Item": a_row("new")}},
        {"Put": {"TableName": TABLE, "Item": a_row("old"), **IF_ABSENT, **TELLING}},
    ]

    answer = refused(table, "transact_write_items", TransactItems=writes)

    first, second = answer["CancellationReasons"]
    assert ("None", "ConditionalCheckFailed") == (first["Code"], second["Code"])
    assert row == second["Item"]
    assert "Item" not in table.call("get_item", Key=a_key("new"), ConsistentRead=True)


@pytest.mark.differs_on(Engine.MOTO, because="applies a repeated transaction again")
def test_a_transaction_sent_again_under_its_token_is_applied_once(table: RuledTable) -> None:
    again = {
        "TransactItems": [{"Update": {"TableName": TABLE, "Key": a_key(), **ONE_MORE}}],
        "ClientRequestToken": token_hex(16),
    }

    table.call("transact_write_items", **again)
    table.call("transact_write_items", **again)

    found = table.call("get_item", Key=a_key(), ConsistentRead=True)["Item"]
    assert number(1) == found["v"]


@pytest.mark.differs_on(Engine.MOTO, because="takes a token for anything")
@pytest.mark.parametrize(
    "other",
    [
        {"Put": {"TableName": TABLE, "Item": a_row("one", v=number(2))}},
        {"Put": {"TableName": TABLE, "Item": a_row("one"), **IF_ABSENT}},
        {"Delete": {"TableName": TABLE, "Key": a_key("one")}},
    ],
    ids=["another row", "a condition", "another kind"],
)
def test_a_token_is_good_for_one_transaction_only(table: RuledTable, other: dict[str, Any]) -> None:
    token = {"ClientRequestToken": token_hex(16)}
    write = {"Put": {"TableName": TABLE, "Item": a_row("one")}}
    table.call("transact_write_items", TransactItems=[write], **token)

    answer = refused(table, "transact_write_items", TransactItems=[other], **token)

    assert "IdempotentParameterMismatchException" == answer["Error"]["Code"]


def test_an_index_holds_only_rows_with_both_its_keys(table: RuledTable) -> None:
    table.put(waking("2026"), a_row("no time", wake_shard=text("W1")), a_row("neither"))

    found = table.call("query", **of_shard("wake"))["Items"]

    assert ["post2026"] == [row["pk"]["S"] for row in found]


def test_an_index_shows_what_it_projects_and_the_keys(table: RuledTable) -> None:
    table.put(waking("2026"))

    (wake,) = table.call("query", **of_shard("wake"))["Items"]
    (keys,) = table.call("query", **of_shard("keys"))["Items"]

    assert {"pk", "sk", "wake_shard", "wake_at", "workspace_id"} == set(wake)
    assert {"pk", "sk", "wake_shard"} == set(keys)


def test_pages_of_an_index_go_on_among_rows_of_one_instant(table: RuledTable) -> None:
    rows = [a_row(f"post{i}", wake_shard=text("W1"), wake_at=text("2026")) for i in range(7)]
    table.put(*rows)

    pages = table.dynamodb.get_paginator("query").paginate(
        TableName=table.name,
        PaginationConfig={"PageSize": 2},
        **of_shard("wake"),  # type: ignore[arg-type]  # built as plain dicts
    )
    found = [row["pk"]["S"] for page in pages for row in page["Items"]]

    assert {row["pk"]["S"] for row in rows} == set(found)
    assert len(rows) == len(found)


def test_text_is_ordered_by_its_bytes(table: RuledTable) -> None:
    ordered = ["2026", "Z", "a", "é", "\uffee", "\U0001f600"]
    table.put(*(a_row(sk=sk) for sk in reversed(ordered)))

    asked = {":pk": text("post")}
    found = table.call("query", KeyConditionExpression="pk = :pk", ExpressionAttributeValues=asked)[
        "Items"
    ]

    assert ordered == [row["sk"]["S"] for row in found]


def test_a_batch_over_16_mb_leaves_keys_for_another_call(table: RuledTable) -> None:
    keys = [a_key(f"post{i}") for i in range(50)]
    table.put(*(a_row(f"post{i}", x=text("x" * 390_000)) for i in range(50)))

    answer = table.call("batch_get_item", RequestItems={TABLE: {"Keys": keys}})

    left = answer["UnprocessedKeys"][table.name]["Keys"]
    assert left
    assert len(keys) == len(left) + len(answer["Responses"][table.name])


def test_a_page_ends_at_1_mb(table: RuledTable) -> None:
    table.put(*(a_row(sk=f"{i:02}", x=text("x" * 100_000)) for i in range(14)))

    asked = {":pk": text("post")}
    page = table.call("query", KeyConditionExpression="pk = :pk", ExpressionAttributeValues=asked)

    assert 9 <= page["Count"] <= 11
    assert "LastEvaluatedKey" in page
