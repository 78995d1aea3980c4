"""GET /v1/posts/{id} while a change is carried out: the post is shown before or after it, whole.

A query of DynamoDB is isolated from a transaction for each row alone, "read-committed" (Developer
Guide, "Amazon DynamoDB Transactions: How it works"): it may find one row changed and another not.
"""

from collections.abc import Iterator

import pytest

from chalicelib.kit.dynamodb.items import Item
from chalicelib.kit.dynamodb.table import Expression, Table
from tests.api.http_room import Document, Room


class Queries:
    """The rows of every query for a post; the next one may find some as an earlier one did."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, post: Document) -> None:
        self.made: list[list[Item]] = []
        self.late: str | None = None
        self._post_id = post["id"]
        self._read = Table.rows
        monkeypatch.setattr(Table, "rows", self._answer)

    @property
    def _answer(self) -> object:
        def rows(table: Table, keys: Expression, *, is_consistent: bool = True) -> Iterator[Item]:
            found = list(self._read(table, keys, is_consistent=is_consistent))
            if any(row["pk"] == self._post_id and row["sk"] == "POST" for row in found):
                found, self.late = self._mix(found), None
                self.made.append(found)
            return iter(found)

        return rows

    def _mix(self, found: list[Item]) -> list[Item]:
        if self.late is None:
            return found
        late = [row for row in self.made[0] if row["sk"].startswith(self.late)]
        there = [row for row in found if not row["sk"].startswith(self.late)]
        return sorted([*late, *there], key=lambda row: str(row["sk"]))


def _changes(room: Room, post: Document) -> dict[str, Document]:
    first, second = post["targets"]
    added = {"account_id": room.account("bluesky")}
    return {
        "reword": {
            "caption": "After",
            "targets": [{"id": first["id"], "caption_override": "After, here"}],
        },
        "add": {"caption": "After", "add": [added]},
        "remove": {"caption": "After", "remove": [second["id"]]},
        "exchange": {"caption": "After", "remove": [second["id"]], "add": [added]},
    }


@pytest.mark.parametrize("late", ["POST", "TARGET#"])
@pytest.mark.parametrize("change", ["reword", "add", "remove", "exchange"])
def test_a_post_of_which_a_part_is_changed_is_read_once_more(
    room: Room, monkeypatch: pytest.MonkeyPatch, change: str, late: str
) -> None:
    post = room.draft("linkedin", "x")
    queries = Queries(monkeypatch, post)
    room.show(post)
    changed = room.patch(post, _changes(room, post)[change]).json
    before = len(queries.made)

    queries.late = late
    shown = room.show(post)

    assert changed == shown
    assert 2 == len(queries.made) - before


def test_a_post_that_stays_as_it_is_is_read_once(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    posts = [room.draft("linkedin", "x"), room.scheduled("linkedin"), room.sent("linkedin")]

    for post in posts:
        queries = Queries(monkeypatch, post)
        room.show(post)
        assert 1 == len(queries.made)


def test_a_post_whose_rows_never_fit_is_shown_all_the_same(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As an older release may leave them, which knows less of the rows than this one."""
    post = room.draft("linkedin")
    queries = Queries(monkeypatch, post)
    monkeypatch.setattr(queries, "_mix", lambda rows: [{**rows[0], "targets_version": 9}, rows[1]])

    assert post["id"] == room.show(post)["id"]
    assert 4 == len(queries.made)
