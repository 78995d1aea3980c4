"""GET /v1/posts: newest first, filtered by status, text and time, page by page."""

import re
from datetime import timedelta
from typing import Literal
from unicodedata import normalize
from urllib.parse import parse_qsl

import pytest

from tests.api.http_room import Answer, Document, House, Room
from tests.support.sample_media import samples

PHOTO = samples()["plain.jpg"].data


def _three(room: Room) -> list[Document]:
    """Make three drafts, a second apart, oldest first."""
    posts = []
    for caption in ("Fresh bread", "Stale BREAD", "Cake"):
        room.house.clock.pass_time(timedelta(seconds=1))
        posts.append(room.draft(caption=caption))
    return posts


def _ids(*posts: Document) -> list[str]:
    return [post["id"] for post in posts]


def _next(answer: Answer) -> dict[str, str]:
    link = re.fullmatch(r'</v1/(?:posts|media)\?(.*)>; rel="next"', answer.response.headers["Link"])
    assert link is not None
    return dict(parse_qsl(link[1]))


def test_posts_come_newest_first(room: Room) -> None:
    first, second, third = _three(room)

    assert _ids(third, second, first) == room.find()


def test_a_post_in_a_list_looks_as_it_does_alone(room: Room) -> None:
    post = room.scheduled("linkedin", "x")

    (listed,) = room.get("/v1/posts").json["data"]

    assert room.show(post) == listed


@pytest.mark.parametrize("written", ["NFC", "NFD"])
@pytest.mark.parametrize("asked", ["NFC", "NFD"])
def test_text_is_found_however_its_accents_are_coded(
    room: Room, written: Literal["NFC", "NFD"], asked: Literal["NFC", "NFD"]
) -> None:
    room.draft("linkedin", caption=normalize(written, "Brot im Café Müller"))

    found = room.find({"q": normalize(asked, "CAFÉ MÜLLER")})

    assert len(found) == 1


@pytest.mark.parametrize(("q", "found"), [("bread", 2), ("BREAD", 2), ("stale b", 1), ("pie", 0)])
def test_q_finds_text_in_captions_whatever_its_case(room: Room, q: str, found: int) -> None:
    _three(room)

    assert found == len(room.find({"q": q}))


def test_each_status_is_found_by_its_name(room: Room) -> None:
    draft = room.draft()
    scheduled = room.scheduled()
    published = room.sent()
    failed = room.sent(caption="sandbox:fail:unknown")
    partial = room.draft("linkedin", "x")
    room.patch(
        partial,
        {"targets": [{"id": partial["targets"][0]["id"], "caption_override": "sandbox:fail:u"}]},
    )
    room.act(partial, "publish-now")
    room.run_due()
    publishing = room.sent(caption="sandbox:slow:60")
    cancelled = room.scheduled()
    room.act(cancelled, "cancel")
    named = {
        "draft": draft,
        "scheduled": scheduled,
        "published": published,
        "failed": failed,
        "partial": partial,
        "publishing": publishing,
        "cancelled": cancelled,
    }

    found = {status: room.find({"status": status}) for status in named}

    assert {status: [post["id"]] for status, post in named.items()} == found


def test_several_statuses_are_named_with_commas(room: Room) -> None:
    draft, scheduled, published = room.draft(), room.scheduled(), room.sent()
    del scheduled

    found = room.find({"status": "draft, published"})

    assert sorted(_ids(draft, published)) == sorted(found)


def test_a_window_keeps_posts_with_a_target_scheduled_inside(room: Room) -> None:
    early = room.scheduled(at="2026-12-01T08:59:59Z")
    first = room.scheduled(at="2026-12-01T09:00:00Z")
    last = room.scheduled(at="2026-12-01T09:59:59Z")
    late = room.scheduled(at="2026-12-01T10:00:00Z")
    del early, late

    window = {"from": "2026-12-01T10:00:00+01:00", "to": "2026-12-01T11:00:00+01:00"}

    assert sorted(_ids(first, last)) == sorted(room.find(window))


def test_a_window_may_be_open_at_either_end(room: Room) -> None:
    early = room.scheduled(at="2026-12-01T09:00:00Z")
    late = room.scheduled(at="2026-12-03T09:00:00Z")
    room.draft()

    assert _ids(late) == room.find({"from": "2026-12-02T00:00:00Z"})
    assert _ids(early) == room.find({"to": "2026-12-02T00:00:00Z"})


def test_a_window_that_ends_as_it_begins_holds_nothing(room: Room) -> None:
    room.scheduled(at="2026-12-01T09:00:00Z")

    assert [] == room.find({"from": "2026-12-01T09:00:00Z", "to": "2026-12-01T09:00:00Z"})


def test_a_drafts_own_time_counts(room: Room) -> None:
    target = {"account_id": room.account(), "scheduled_at": "2026-12-01T09:00:00Z"}
    post = room.post("/v1/posts", {"caption": "Fresh bread", "targets": [target]}).json

    assert _ids(post) == room.find({"from": "2026-12-01T00:00:00Z", "status": "draft"})


def test_any_target_in_the_window_is_enough(room: Room) -> None:
    post = room.scheduled("linkedin", "x", at="2026-12-01T09:00:00Z")
    changes = {"id": post["targets"][1]["id"], "scheduled_at": "2026-12-05T09:00:00Z"}
    room.patch(post, {"targets": [changes]})

    assert _ids(post) == room.find({"from": "2026-12-05T00:00:00Z"})
    assert _ids(post) == room.find({"to": "2026-12-02T00:00:00Z"})
    assert [] == room.find({"from": "2026-12-02T00:00:00Z", "to": "2026-12-03T00:00:00Z"})


def test_a_plus_that_came_as_a_space_is_understood(room: Room) -> None:
    post = room.scheduled(at="2026-12-01T09:00:00Z")

    assert _ids(post) == room.find({"from": "2026-12-01T10:00:00 01:00"})


def test_filters_hold_together(room: Room) -> None:
    room.scheduled(at="2026-12-01T09:00:00Z", caption="Cake")
    post = room.scheduled(at="2026-12-01T09:00:00Z", caption="Bread")
    room.scheduled(at="2026-12-03T09:00:00Z", caption="Bread")

    found = room.find({"status": "scheduled", "q": "bread", "to": "2026-12-02T00:00:00Z"})

    assert _ids(post) == found


def test_a_link_leads_through_every_page(room: Room) -> None:
    first, second, third = _three(room)

    page = room.get("/v1/posts", {"limit": "2", "q": ""})
    rest = room.get("/v1/posts", _next(page))

    assert _ids(third, second) == [post["id"] for post in page.json["data"]]
    assert _ids(first) == [post["id"] for post in rest.json["data"]]
    assert "Link" not in rest.response.headers


def test_a_link_keeps_the_filters(room: Room) -> None:
    _three(room)
    page = room.get("/v1/posts", {"limit": "1", "status": "draft", "q": "bread"})

    sent = _next(page)

    assert ("1", "draft", "bread") == (sent["limit"], sent["status"], sent["q"])


def test_a_page_that_is_just_full_is_the_end(room: Room) -> None:
    _three(room)

    page = room.get("/v1/posts", {"limit": "3"})

    assert (3, False) == (len(page.json["data"]), "Link" in page.response.headers)


def test_a_page_has_50_posts_unless_told_otherwise(room: Room) -> None:
    for _ in range(51):
        room.draft()

    page = room.get("/v1/posts")

    assert (50, True) == (len(page.json["data"]), "Link" in page.response.headers)
    assert 51 == len(room.find({"limit": "200"}))


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ({"limit": "0"}, ("greater_than_equal", ["query", "limit"])),
        ({"limit": "201"}, ("less_than_equal", ["query", "limit"])),
        ({"limit": "many"}, ("int_parsing", ["query", "limit"])),
        ({"status": "live"}, ("enum", ["query", "status", 0])),
        ({"status": "removed"}, ("enum", ["query", "status", 0])),
        ({"from": "2026-12-01T09:00:00"}, ("timezone_aware", ["query", "from"])),
        ({"to": "yesterday"}, ("datetime_parsing", ["query", "to"])),
        ({"cursor": "x"}, ("value_error", ["query", "cursor"])),
        (
            {"from": "2026-12-02T00:00:00Z", "to": "2026-12-01T00:00:00Z"},
            ("value_error", ["query", "from"]),
        ),
    ],
    ids=str,
)
def test_a_query_of_the_wrong_shape_says_where(
    room: Room, query: dict[str, str], problem: tuple[str, list[str | int]]
) -> None:
    answer = room.get("/v1/posts", query)

    assert [problem] == answer.problems


def test_a_cursor_of_another_workspace_is_refused(house: House, room: Room) -> None:
    other = house.room()
    _three(other)
    cursor = _next(other.get("/v1/posts", {"limit": "1"}))["cursor"]

    answer = room.get("/v1/posts", {"cursor": cursor})

    assert [("value_error", ["query", "cursor"])] == answer.problems


@pytest.mark.parametrize(
    ("one", "other"), [("/v1/posts", "/v1/media"), ("/v1/media", "/v1/posts")], ids=str
)
def test_a_cursor_of_another_list_is_refused(room: Room, one: str, other: str) -> None:
    _three(room)
    for name in ("a.jpg", "b.jpg"):
        room.upload(PHOTO, name)
    cursor = _next(room.get(one, {"limit": "1"}))["cursor"]

    answer = room.get(other, {"cursor": cursor})

    assert [("value_error", ["query", "cursor"])] == answer.problems


def test_a_deleted_post_is_in_no_list(room: Room) -> None:
    post = room.scheduled(at="2026-12-01T09:00:00Z")
    room.delete(post)

    queries = [{}, {"status": "scheduled"}, {"status": "cancelled"}, {"from": room.in_()}]

    assert [[]] * 4 == [room.find(query) for query in queries]


def test_a_post_with_a_target_there_is_found_by_platform_and_by_account(room: Room) -> None:
    both = room.draft("linkedin", "x")
    room.house.clock.pass_time(timedelta(seconds=1))
    one = room.draft("linkedin")
    account = both["targets"][1]["account_id"]

    assert _ids(both) == room.find({"platform": "x"})
    assert _ids(one, both) == room.find({"platform": "linkedin,x"})
    assert _ids(both) == room.find({"account_id": account})
    assert [] == room.find({"account_id": account, "platform": "linkedin"})
    assert [] == room.find({"account_id": "0" * 32})


def _by_time(room: Room, query: dict[str, str], limit: int) -> list[str]:
    """Return the ids of every page of a list by time."""
    ids: list[str] = []
    query = {"sort": "scheduled", "limit": str(limit)} | query
    while True:
        answer = room.get("/v1/posts", query)
        ids += _ids(*answer.json["data"])
        if "Link" not in answer.response.headers:
            return ids
        query |= {"cursor": _next(answer)["cursor"]}


@pytest.mark.parametrize("limit", [1, 2, 3, 200])
def test_a_list_by_time_has_each_post_once_at_its_earliest(room: Room, limit: int) -> None:
    idle = room.draft(caption="no time")
    room.house.clock.pass_time(timedelta(seconds=1))
    late = room.scheduled(at=room.in_(hours=3))
    twice = room.draft("linkedin", "x")
    for target, hours in zip(twice["targets"], (4, 1), strict=True):
        room.patch(
            twice, {"targets": [{"id": target["id"], "scheduled_at": room.in_(hours=hours)}]}
        )
    early = room.scheduled(at=room.in_(hours=2))
    idler = room.draft(caption="no time either")

    found = _by_time(room, {}, limit)

    assert _ids(twice, early, late, idler, idle) == found


@pytest.mark.parametrize("limit", [1, 200])
def test_in_a_window_a_post_stands_at_its_earliest_time_within(room: Room, limit: int) -> None:
    twice = room.draft("linkedin", "x")
    for target, hours in zip(twice["targets"], (1, 4), strict=True):
        room.patch(
            twice, {"targets": [{"id": target["id"], "scheduled_at": room.in_(hours=hours)}]}
        )
    between = room.scheduled(at=room.in_(hours=3))
    room.draft(caption="no time")

    found = _by_time(room, {"from": room.in_(hours=2), "to": room.in_(hours=5)}, limit)

    assert _ids(between, twice) == found


def test_many_posts_of_one_instant_are_all_listed_once(room: Room) -> None:
    at = room.in_(hours=1)
    posts = [room.scheduled(at=at) for _ in range(7)]

    assert sorted(_ids(*posts)) == sorted(_by_time(room, {}, 2))


def test_a_cursor_of_the_other_order_is_refused(room: Room) -> None:
    _three(room)
    cursor = _next(room.get("/v1/posts", {"limit": "1"}))["cursor"]

    answer = room.get("/v1/posts", {"sort": "scheduled", "cursor": cursor})

    assert [("value_error", ["query", "cursor"])] == answer.problems
