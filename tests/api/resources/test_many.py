"""Lists over what is much, counted in reads: a label that many posts have, a large library."""

from collections.abc import Mapping
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

from chalicelib.domain.ids import new_id
from chalicelib.storage.media.records import MOST_EXAMINED
from chalicelib.storage.posts.lists import MANY_LISTED
from chalicelib.storage.tables import label_of_post_key, list_labelled
from tests.api.http.round_trips import Cost, Meter
from tests.api.http_room import Answer, Room
from tests.support.frozen_clock import NOON
from tests.support.many_rows import copy_file, copy_post, write_rows
from tests.support.sample_media import samples

SEARCH_WAITS = 5
"""The key, then twice: which files, and the files. Before, it was 41."""
SEARCH_READS, USE_READS = 9, 110
"""Of one page: 500 files by the hundred, or 100 uses. Before, it was 24 and 509."""


def test_a_label_that_many_posts_have_costs_what_is_looked_for(room: Room) -> None:
    label = room.post("/v1/labels", {"name": "Sale", "colour": "red"}).json["id"]
    first, second = (
        room.scheduled("x", at=(NOON + timedelta(days=day)).isoformat()) for day in (1, 2)
    )
    room.scheduled("x", at=(NOON + timedelta(days=1)).isoformat(), caption="Without it")
    for post in (first, second):
        room.ask("PUT", f"/v1/posts/{post['id']}/labels", body={"label_ids": [label]})
    day = {
        "label": label,
        "from": NOON.isoformat(),
        "to": (NOON + timedelta(days=1, hours=1)).isoformat(),
    }
    by_time = {"label": label, "sort": "scheduled"}
    few = [room.find(day), room.find(by_time)]

    _label_many(room, label, MANY_LISTED)
    some = [_measured(room, "/v1/posts", query) for query in (day, by_time)]
    _label_many(room, label, 3 * MANY_LISTED)
    many = [_measured(room, "/v1/posts", query) for query in (day, by_time)]

    assert few == [[first["id"]], [first["id"], second["id"]]]
    assert [_ids(answer) for answer, _ in some] == few
    assert [_ids(answer) for answer, _ in many] == few
    assert [cost.operations for _, cost in many] == [cost.operations for _, cost in some]


def test_what_is_to_come_by_time_costs_the_same_whatever_is_out(room: Room) -> None:
    out = room.sent("x")
    first, second = (
        room.scheduled("x", at=(NOON + timedelta(days=day)).isoformat()) for day in (1, 2)
    )
    last = room.scheduled("x", "linkedin", at=(NOON + timedelta(days=3)).isoformat())
    to_come: dict[str, str | list[str]] = {
        "status": ["scheduled", "publishing"],
        "sort": "scheduled",
    }

    copy_post(room, out["id"], 100)
    answer, before = _measured(room, "/v1/posts", to_come)
    copy_post(room, out["id"], 500)
    again, cost = _measured(room, "/v1/posts", to_come)
    begun, _ = _measured(room, "/v1/posts", {**to_come, "limit": "1"})
    link = str(begun.response.headers["Link"])
    cursor = parse_qs(urlsplit(link.partition(">")[0].lstrip("<")).query)["cursor"][0]
    rest, _ = _measured(room, "/v1/posts", {**to_come, "cursor": cursor})

    assert _ids(answer) == _ids(again) == [first["id"], second["id"], last["id"]]
    assert cost.operations == before.operations
    assert [*_ids(begun), *_ids(rest)] == _ids(again)


def test_a_large_library_is_looked_through_a_bounded_part_at_a_time(room: Room) -> None:
    media_id = room.upload(samples()["plain.jpg"].data, "oven.jpg")
    copy_file(room, media_id, MOST_EXAMINED + 200)

    _, newest = _measured(room, "/v1/media", {})
    answer, searched = _measured(room, "/v1/media", {"q": "oven"})
    _, hit = _measured(room, "/v1/media", {"q": "bun"})
    unused, by_use = _measured(room, "/v1/media", {"used": "true"})

    assert len(newest.trips) <= 8
    assert answer.json["data"] == []
    assert "cursor=" in answer.response.headers["Link"], (
        "the rest is looked through by the next page"
    )
    assert len(searched.trips) <= SEARCH_READS
    assert searched.depth <= SEARCH_WAITS, "the tables are waited for so often, one by one"
    assert hit.depth <= SEARCH_WAITS
    assert unused.json["data"] == []
    assert len(by_use.trips) <= USE_READS


def _measured(room: Room, path: str, query: Mapping[str, str | list[str]]) -> tuple[Answer, Cost]:
    clients = room.house.deployment.clients
    with Meter(clients.dynamodb, clients.sqs).measured() as cost:
        answer = room.get(path, dict(query))
    assert answer.status == 200, answer
    return answer, cost


def _ids(answer: Answer) -> list[str]:
    return [post["id"] for post in answer.json["data"]]


def _label_many(room: Room, label: str, count: int) -> None:
    """Write the rows that so many posts with a label have on its list."""
    listed = {"list_status": list_labelled(room.workspace_id, label)}
    ids = [new_id(NOON - timedelta(days=1)) for _ in range(count)]
    rows = [{**label_of_post_key(post_id, label), **listed} for post_id in ids]
    write_rows(room, room.house.deployment.tables.posts, rows)
