"""GET /v1/posts while a post changes: each post is listed as it is at one moment, where it then is.

Porcupine, a checker of linearizability, found both in histories of a running stack: a list by time
without a post that was moved meanwhile, and posts in a state that they never had, or without one.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from threading import Lock
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

import pytest

from chalicelib.kit.dynamodb.items import Item
from chalicelib.kit.dynamodb.table import BatchRead, Expression, Table
from chalicelib.storage.posts import lists
from chalicelib.storage.posts.posts import read_rows
from chalicelib.storage.tables import Tables
from tests.api.http_room import Document, Room

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

Change = Callable[[], object]


def _change_once_found(monkeypatch: pytest.MonkeyPatch, change: Change) -> None:
    """Make a change when the next list has been to its index and reads the posts themselves."""
    lock, changes = Lock(), iter([change])

    def read_after_change(client: "DynamoDBClient", tables: Tables, post_id: str) -> list[Item]:
        with lock:
            next(changes, lambda: None)()
        return read_rows(client, tables, post_id)

    monkeypatch.setattr(lists, "read_rows", read_after_change)


def _change_before_targets(monkeypatch: pytest.MonkeyPatch, change: Change) -> None:
    """Make a change when the next list of many posts has read those, and not yet their targets."""
    read, changes = BatchRead.read, iter([change])

    def read_and_change(
        batch: BatchRead, keys: Sequence[tuple[str, dict[str, str]]]
    ) -> dict[tuple[str, str], Item]:
        found = read(batch, keys)
        if any(sort_key == "POST" for _, sort_key in found):
            next(changes, lambda: None)()
        return found

    monkeypatch.setattr(BatchRead, "read", read_and_change)


def _move(room: Room, post: Document, **time: float) -> None:
    (target,) = post["targets"]
    change = {"id": target["id"], "scheduled_at": room.in_(**time)}
    assert room.patch(post, {"targets": [change]}).status == 200


@pytest.mark.parametrize("limit", ["1", "2", "200"])
@pytest.mark.parametrize(
    ("which", "hours", "expected"),
    [(0, 4, [1, 2, 0, 3]), (1, 4, [0, 2, 1, 3]), (0, 2.5, [1, 0, 2, 3])],
    ids=["the first to the end", "one to the end", "the first on"],
)
def test_a_post_that_is_moved_on_meanwhile_is_listed_where_it_is_now(
    room: Room,
    monkeypatch: pytest.MonkeyPatch,
    limit: str,
    which: int,
    hours: float,
    expected: list[int],
) -> None:
    posts = _at_one_two_three_and_no_time(room)

    _change_once_found(monkeypatch, lambda: _move(room, posts[which], hours=hours))
    found = _each_page(room, limit)

    assert [posts[place]["id"] for place in expected] == found


@pytest.mark.parametrize(
    ("which", "hours", "expected"),
    [(2, 0.5, [2, 0, 1, 3]), (2, 1.5, [0, 2, 1, 3]), (3, 2.5, [0, 1, 3, 2])],
    ids=["one to the front", "one back", "one that had no time"],
)
def test_a_post_that_is_moved_back_meanwhile_is_listed_where_it_is_now(
    room: Room, monkeypatch: pytest.MonkeyPatch, which: int, hours: float, expected: list[int]
) -> None:
    posts = _at_one_two_three_and_no_time(room)

    _change_once_found(monkeypatch, lambda: _move(room, posts[which], hours=hours))
    found = _each_page(room, "200")

    assert [posts[place]["id"] for place in expected] == found


def _at_one_two_three_and_no_time(room: Room) -> list[Document]:
    return [*(room.scheduled(at=room.in_(hours=hour)) for hour in (1, 2, 3)), room.draft()]


def _draft_later(room: Room) -> Document:
    room.house.clock.pass_time(timedelta(seconds=1))
    return room.draft()


def _each_page(room: Room, limit: str) -> list[str]:
    ids: list[str] = []
    query = {"sort": "scheduled", "limit": limit}
    while True:
        answer = room.get("/v1/posts", query)
        ids += [post["id"] for post in answer.json["data"]]
        if "Link" not in answer.response.headers:
            return ids
        query = dict(parse_qsl(answer.response.headers["Link"].partition(">")[0].partition("?")[2]))


@pytest.mark.parametrize("change", ["exchange", "reword", "move"])
def test_a_post_that_changes_meanwhile_is_listed_as_it_is_at_one_moment(
    room: Room, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    posts = [_draft_later(room) for _ in range(13)]
    (target,) = posts[5]["targets"]
    changes: dict[str, Document] = {
        "exchange": {"remove": [target["id"]], "add": [{"account_id": room.account("x")}]},
        "reword": {
            "caption": "After",
            "targets": [{"id": target["id"], "caption_override": "After, here"}],
        },
        "move": {
            "caption": "After",
            "targets": [{"id": target["id"], "scheduled_at": room.in_(hours=1)}],
        },
    }

    _change_before_targets(monkeypatch, lambda: room.patch(posts[5], changes[change]))
    listed = room.get("/v1/posts").json["data"]

    assert [post["id"] for post in reversed(posts)] == [post["id"] for post in listed]
    assert room.show(posts[5]) == listed[-6]


def test_a_post_that_gets_an_account_and_then_goes_out_is_listed_with_both(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not as one that is out everywhere, which it never was."""
    posts = [_draft_later(room) for _ in range(13)]
    room.act(posts[5], "schedule", {"at": room.in_(minutes=5)})
    added = {"account_id": room.account("x"), "scheduled_at": room.in_(hours=5)}

    def add_and_send() -> None:
        assert room.patch(posts[5], {"add": [added]}).status == 200
        room.pass_time(timedelta(minutes=6))

    _change_before_targets(monkeypatch, add_and_send)
    listed = room.get("/v1/posts").json["data"]

    assert ["published", "scheduled"] == room.statuses(posts[5])
    assert room.show(posts[5]) == listed[-6]


def _change_after(monkeypatch: pytest.MonkeyPatch, queries: int, change: Change) -> None:
    """Make a change when so many lists of statuses were read, and the others are not yet."""
    read, lock, before = Table.read_index, Lock(), iter([*[lambda: None] * queries, change])

    def read_or_change(
        table: Table, index: str, keys: Expression, **how: bool | int | None
    ) -> Iterator[Item]:
        if index != "by_status":
            return read(table, index, keys, **how)  # type: ignore[arg-type]  # passed on
        with lock:
            next(before, lambda: None)()
            return iter(list(read(table, index, keys, **how)))  # type: ignore[arg-type]  # as above

    monkeypatch.setattr(Table, "read_index", read_or_change)


@pytest.mark.parametrize("queries", range(9))
@pytest.mark.parametrize("sort", ["created", "scheduled"])
@pytest.mark.parametrize(
    "statuses", ["draft,scheduled", "cancelled,scheduled", "scheduled,published"]
)
def test_a_post_that_is_scheduled_or_goes_out_meanwhile_is_listed(
    room: Room, monkeypatch: pytest.MonkeyPatch, statuses: str, sort: str, queries: int
) -> None:
    """Whenever it does so, it is on the list that is read then or on one that is read later."""
    post = room.draft()
    if not statuses.startswith("draft"):
        room.act(post, "schedule", {"at": room.in_(minutes=5)})
    if statuses.startswith("cancelled"):
        room.act(post, "cancel")

    def go_on() -> None:
        if statuses.startswith("scheduled"):
            room.pass_time(timedelta(minutes=6))
        else:
            assert room.act(post, "schedule", {"at": room.in_(minutes=5)}).status == 200

    _change_after(monkeypatch, queries, go_on)
    found = room.find({"status": statuses, "sort": sort})

    assert [post["id"]] == found
