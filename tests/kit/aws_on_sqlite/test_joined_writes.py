"""Calls that wait for a writer are written in one transaction, each decided for itself."""

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError

from chalicelib.kit.aws_on_sqlite.engine import Engine
from chalicelib.kit.aws_on_sqlite.tables.client import EmbeddedDynamoDB
from chalicelib.kit.aws_on_sqlite.tables.joined_writes import (
    MOST_JOINED,
    Found,
    Joined,
    JoinedWrites,
)
from chalicelib.kit.aws_on_sqlite.tables.writes import Changes
from tests.local.running_stack import eventually

MAKES_TABLE: dict[str, Any] = {
    "TableName": "t",
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [
        {"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "at", "of")
    ],
    "KeySchema": [
        {"AttributeName": "pk", "KeyType": "HASH"},
        {"AttributeName": "sk", "KeyType": "RANGE"},
    ],
    "TimeToLiveSpecification": {"AttributeName": "ends", "Enabled": True},
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "near",
            "KeySchema": [
                {"AttributeName": "of", "KeyType": "HASH"},
                {"AttributeName": "at", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "KEYS_ONLY"},
        }
    ],
}
Answer = dict[str, Any]


class Room:
    """An engine, its table, and what counts its transactions."""

    def __init__(self, folder: Path) -> None:
        self.engine = Counting(folder)
        self.tables = EmbeddedDynamoDB(self.engine)
        self.tables.create_table(**MAKES_TABLE)
        self.tables.put_item(TableName="t", Item=row("first", n={"N": "0"}))

    def together(self, calls: Sequence[Callable[[], Answer]]) -> list["Future[Answer]"]:
        """Make calls, in this order, that all come while another one writes."""
        waiting = self.tables._joined._waiting
        with ThreadPoolExecutor(len(calls) + 1) as threads:
            with self.engine.alone():
                other = threads.submit(self.tables.put_item, TableName="t", Item=row("other"))
                eventually(lambda: self.tables._joined._is_busy and not waiting)
                ends = []
                for number, call in enumerate(calls, start=1):
                    ends.append(threads.submit(call))
                    eventually(lambda number=number: len(waiting) == number)  # type: ignore[misc]
                self.engine.begun = 0
            other.exception()
        return ends

    def found(self, pk: str) -> Answer | None:
        key = {"pk": {"S": pk}, "sk": {"S": "s"}}
        return self.tables.get_item(TableName="t", Key=key, ConsistentRead=True).get("Item")

    def near(self) -> list[str]:
        """Return whose rows the index has."""
        page = self.tables.query(
            TableName="t",
            IndexName="near",
            KeyConditionExpression="#of = :of",
            ExpressionAttributeNames={"#of": "of"},
            ExpressionAttributeValues={":of": {"S": "all"}},
        )
        return [one["pk"]["S"] for one in page["Items"]]

    def put(self, pk: str, **more: Answer) -> Answer:
        return self.tables.put_item(TableName="t", Item=row(pk, **more))

    def delete(self, pk: str) -> Answer:
        return self.tables.delete_item(TableName="t", Key={"pk": {"S": pk}, "sk": {"S": "s"}})

    def count_up(self, when: str | None = None) -> Answer:
        condition = {} if when is None else {"ConditionExpression": "n = :was"}
        was = {} if when is None else {":was": {"N": when}}
        return self.tables.update_item(
            TableName="t",
            Key={"pk": {"S": "first"}, "sk": {"S": "s"}},
            UpdateExpression="ADD n :one",
            ExpressionAttributeValues={":one": {"N": "1"}, **was},
            ReturnValues="ALL_NEW",
            **condition,
        )

    def transact(self, token: str, *pks: str, when: str | None = None) -> Answer:
        condition = {} if when is None else {"ConditionExpression": when}
        return self.tables.transact_write_items(
            TransactItems=[{"Put": {"TableName": "t", "Item": row(pk), **condition}} for pk in pks],
            ClientRequestToken=token,
        )


class Counting(Engine):
    """Counts its transactions; `failing` raises in each instead of its end."""

    begun = 0
    failing: BaseException | None = None

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        self.begun += 1
        with super().transaction() as connection:
            yield connection
            if self.failing is not None:
                raise self.failing


def row(pk: str, **more: Answer) -> Answer:
    return {"pk": {"S": pk}, "sk": {"S": "s"}, **more}


LISTED: dict[str, Answer] = {"of": {"S": "all"}, "at": {"S": "1"}}


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    made = Room(tmp_path / "engine")
    yield made
    made.engine.close()


def test_what_waits_is_written_together_and_what_comes_alone_at_once(room: Room) -> None:
    ends = room.together([lambda number=number: room.put(f"p{number}") for number in range(9)])  # type: ignore[misc]

    assert [end.result() for end in ends] == [{}] * 9
    assert room.engine.begun == 1
    assert all(room.found(f"p{number}") for number in range(9))
    room.put("alone")
    assert room.engine.begun == 2


def test_no_more_rows_are_joined_than_said_but_one_call_may_have_more(room: Room) -> None:
    names = [[f"{call}.{number}" for number in range(20)] for call in range(3)]
    many = [f"m{number}" for number in range(MOST_JOINED + 1)]

    room.together(
        [lambda pks=pks: room.transact(pks[0], *pks) for pks in [*names, many]]  # type: ignore[misc]
    )

    assert room.engine.begun == 3
    assert all(room.found(pk) for pk in [*names[0], *names[2], *many])


def test_each_is_decided_on_the_row_as_those_before_left_it(room: Room) -> None:
    calls = [room.count_up, lambda: room.count_up("1"), lambda: room.count_up("1"), room.count_up]

    ends = room.together(calls)

    assert [end.result()["Attributes"]["n"] for end in ends[:2]] == [{"N": "1"}, {"N": "2"}]
    assert isinstance(ends[2].exception(), ClientError)
    assert ends[3].result()["Attributes"]["n"] == {"N": "3"}
    assert (room.found("first") or {})["n"] == {"N": "3"}
    assert room.engine.begun == 1


def test_a_row_and_its_index_are_as_the_last_call_left_them(room: Room) -> None:
    room.put("a", **LISTED)
    calls = [
        lambda: room.delete("a"),
        lambda: room.put("a", **LISTED),
        lambda: room.put("b", **LISTED),
        lambda: room.delete("b"),
    ]

    room.together(calls)

    assert room.found("a") is not None
    assert room.found("b") is None
    assert room.near() == ["a"]


def test_a_refused_call_leaves_nothing_and_its_token_is_not_kept(room: Room) -> None:
    only_old = "attribute_exists(pk)"

    refused, other = room.together(
        [lambda: room.transact("one", "new", when=only_old), lambda: room.put("beside")]
    )

    assert isinstance(refused.exception(), ClientError)
    assert other.result() == {}
    assert room.found("new") is None
    with pytest.raises(ClientError):
        room.transact("one", "new", when=only_old)


def test_a_token_counts_once_within_what_is_joined(room: Room) -> None:
    first, again, another = room.together(
        [
            lambda: room.transact("one", "a"),
            lambda: room.transact("one", "a"),
            lambda: room.transact("one", "b"),
        ]
    )

    assert (first.result(), again.result()) == ({}, {})
    error = another.exception()
    assert isinstance(error, ClientError)
    assert error.response["Error"]["Code"] == "IdempotentParameterMismatchException"
    assert room.found("b") is None
    assert room.transact("one", "a") == {}


def test_what_cannot_be_written_harms_no_other_call(room: Room) -> None:
    before, broken, after = room.together(
        [room.count_up, lambda: room.put("x", ends={"N": str(2**70)}), room.count_up]
    )

    assert before.result()["Attributes"]["n"] == {"N": "1"}
    assert isinstance(broken.exception(), OverflowError)
    assert after.result()["Attributes"]["n"] == {"N": "2"}


def test_a_file_that_cannot_be_written_refuses_all_and_keeps_nothing(room: Room) -> None:
    room.engine.failing = sqlite3.OperationalError("database or disk is full")
    ends = room.together([room.count_up, lambda: room.count_up("7")])
    room.engine.failing = None

    assert [type(end.exception()) for end in ends] == [EndpointConnectionError] * 2
    assert ends[0].exception() is not ends[1].exception()
    assert room.count_up()["Attributes"]["n"] == {"N": "1"}


def test_who_is_interrupted_while_it_writes_leaves_nobody_waiting(room: Room) -> None:
    room.engine.failing = KeyboardInterrupt()
    ends = room.together([room.count_up, room.count_up])
    room.engine.failing = None

    assert [type(end.exception()) for end in ends] == [KeyboardInterrupt, EndpointConnectionError]
    assert room.count_up()["Attributes"]["n"] == {"N": "1"}


class Interrupted:
    """A lock at which whoever waits is interrupted, once `before` has run."""

    def __init__(self, before: Callable[[], None]) -> None:
        self.released = 0
        self._before = before

    def acquire(self) -> bool:
        self._before()
        raise KeyboardInterrupt

    def release(self) -> None:
        self.released += 1


def nothing(found: Found) -> Changes:
    del found
    return Changes()


@pytest.mark.parametrize("is_next", [False, True], ids=["in the line", "when it is its turn"])
def test_who_is_interrupted_while_it_waits_stands_in_nobodys_way(
    room: Room, *, is_next: bool
) -> None:
    joined, ended = JoinedWrites(room.engine), threading.Event()
    one, behind = Joined([], nothing), Joined([], nothing)

    def let_others_go_on() -> None:
        if is_next:
            ended.set()
            eventually(lambda: one.is_next)

    one.told = Interrupted(let_others_go_on)  # type: ignore[assignment]
    first = Joined([], lambda found: (ended.wait(15), nothing(found))[1])
    in_a_thread(lambda: joined.carry_out(first))
    eventually(lambda: joined._is_busy and not joined._waiting)
    if is_next:

        def come_behind() -> None:
            eventually(lambda: bool(joined._waiting))
            joined.carry_out(behind)

        in_a_thread(come_behind)
    with pytest.raises(KeyboardInterrupt):
        joined.carry_out(one)
    ended.set()
    eventually(lambda: first.is_done and not joined._is_busy)
    if not is_next:
        joined.carry_out(behind)
    eventually(lambda: behind.is_done)


def in_a_thread(work: Callable[[], object]) -> None:
    """Do something in a thread that ends with the process, whatever it waits for."""
    threading.Thread(target=work, daemon=True).start()
