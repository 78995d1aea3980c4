"""Series: posts that come again, each occurrence once, as their author's act of that day."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest

from chalicelib.domain.posts.history import Action
from chalicelib.domain.posts.query import PostQuery
from chalicelib.domain.times.series import MOST_RUNNING, Series
from chalicelib.domain.workspace.access import Plan, Role, Scope
from chalicelib.domain.workspace.rounds import Stand
from chalicelib.domain.workspace.workspaces import Workspace
from chalicelib.services.posts.drafts import Drafts
from chalicelib.storage.posts.series import SeriesRepository
from chalicelib.storage.tables import SERIES_READ_KEY
from chalicelib.workers.series_making import SeriesMaking
from tests.api.http.endpoint_cases import a_photo
from tests.api.http_house import a_house
from tests.api.http_room import UNKNOWN_ID, Answer, Document, House, Room
from tests.support.costs import readings_s
from tests.support.emulator import EmulatorProcess
from tests.support.frozen_clock import NOON

BERLIN = ZoneInfo("Europe/Berlin")
AT = "2026-11-20T18:00:00+00:00"


@pytest.fixture
def house(emulator: EmulatorProcess, tmp_path: Path) -> House:
    """Wire a deployment for each test: a round looks at every workspace, and notes its time."""
    return a_house(emulator, tmp_path)


@pytest.fixture
def room(house: House) -> Room:
    """Open a workspace whose clock changes, at noon of Friday 20 November 2026."""
    house.clock.now = NOON
    room = house.room()
    _set(room, timezone="Europe/Berlin")
    return room


def _set(room: Room, **changes: Any) -> None:  # noqa: ANN401 - what an operator may change
    room.house.operator.people.administration.update_workspace(room.workspace_id, **changes)


def repeated(room: Room, post: Document, **rule: object) -> Document:
    answer = room.act(post, "repeat", {"every": "week", **rule})
    assert answer.status == 201, answer
    return answer.json


def round_of(room: Room, making: SeriesMaking | None = None, **time: float) -> None:
    """Let time go by, and the hourly round run, as often as it would at most daily."""
    clock, making = room.house.clock, making or room.house.deployment.upkeep.series_making
    end = clock() + timedelta(**time)
    while clock() < end:
        clock.now = min(clock() + timedelta(days=1), end)
        making.run()


def times(room: Room) -> list[str]:
    """Return the first times of all posts, in their order."""
    found = room.get("/v1/posts", {"limit": "200", "sort": "scheduled"}).json["data"]
    return [post["targets"][0]["scheduled_at"][:16] for post in found]


def test_a_post_is_repeated_by_the_same_clock_35_days_ahead(room: Room) -> None:
    post = room.scheduled("linkedin", at=AT, caption="Rye on Fridays")

    series = repeated(room, post)

    assert series["state"] == "running"
    assert series["made"] == 4
    assert series["next"][0] == "2026-11-27T19:00:00+01:00"
    assert len(series["next"]) == 5
    assert len(series["post_ids"]) == 4
    made = room.show({"id": series["post_ids"][0]})
    assert (made["caption"], made["status"]) == ("Rye on Fridays", "scheduled")
    assert Action.REPEATED in room.actions(post)


class Dying:
    """The rows of series, of which every second change is cut off before it is kept."""

    def __init__(self, rows: SeriesRepository) -> None:
        self._rows = rows
        self._calls = count()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the rows have
        return getattr(self._rows, name)

    def change(self, before: Series, after: Series) -> None:
        if next(self._calls) % 2 == 0:
            raise ConnectionResetError
        self._rows.change(before, after)


def dying(room: Room) -> SeriesMaking:
    """Return the making of series that is cut off at every second change."""
    service, upkeep = room.house.deployment.posting.series, room.house.deployment.upkeep
    cut_off = replace(service, rows=cast("SeriesRepository", Dying(service.rows)))
    return replace(upkeep.series_making, series=cut_off)


def test_a_year_of_a_series_makes_each_once_over_changes_of_clocks_and_cuts(room: Room) -> None:
    post = room.scheduled("linkedin", at=AT)
    repeated(room, post)

    round_of(room, dying(room), days=365 - 36)
    round_of(room, days=1)

    local = {
        f"{datetime.fromisoformat(one).replace(tzinfo=UTC).astimezone(BERLIN):%a %H:%M}"
        for one in times(room)
    }
    assert len(times(room)) == len(set(times(room))) == 53
    assert local == {"Fri 19:00"}


def test_a_round_that_dies_between_post_and_row_makes_none_twice_and_none_less(
    room: Room,
) -> None:
    repeated(room, room.scheduled("linkedin", at=AT), every="day")
    making = dying(room)

    for _ in range(20):
        room.house.clock.pass_time(timedelta(hours=12))
        making.run()
    for _ in range(20):
        room.house.clock.pass_time(timedelta(hours=1))
        making.run()

    assert times(room) == sorted(set(times(room)))
    assert len(times(room)) == 1 + 35 + 10


def test_a_round_is_noted_so_that_the_next_begins_an_hour_later(room: Room) -> None:
    repeated(room, room.scheduled("linkedin", at=AT), every="day")
    clock, making = room.house.clock, room.house.deployment.upkeep.series_making
    clock.pass_time(timedelta(days=1))

    made = making.run()

    assert made > 0
    assert making.rows.stand() == Stand(at=clock())


def test_a_round_of_very_many_leaves_time_for_others_and_the_next_goes_on(
    room: Room,
) -> None:
    for _ in range(5):
        repeated(room, room.scheduled("linkedin", at=AT), every="day")
    house, making = room.house, room.house.deployment.upkeep.series_making
    neighbours = [house.room() for _ in range(3)]
    for one in neighbours:
        repeated(one, one.scheduled("linkedin", at=AT), every="day")
    house.clock.pass_time(timedelta(days=1))
    house.deployment.stores.directory_table.table.delete(SERIES_READ_KEY)
    service = making.series
    slow = EndsMeanwhile(service.drafts, lambda: house.clock.pass_time(timedelta(seconds=25)))
    making = replace(
        making, series=replace(service, drafts=cast("Drafts", slow)), clock=house.clock
    )

    made, took = list[int](), list[timedelta]()
    for _ in range(5):
        began = house.clock()
        made.append(making.run())
        took.append(house.clock() - began)
        house.clock.pass_time(timedelta(minutes=5))

    assert (sum(made), made[-1]) == (8, 0)
    assert max(took) < timedelta(minutes=2)
    assert [len(times(one)) for one in neighbours] == [36] * 3


def test_a_deleted_occurrence_is_not_made_again(room: Room) -> None:
    post = room.scheduled("linkedin", at=AT)
    series = repeated(room, post)

    room.delete({"id": series["post_ids"][2]})
    round_of(room, days=8)

    assert room.get(f"/v1/series/{series['id']}").json["made"] == 6
    assert len(times(room)) == 1 + 6 - 1


def test_the_end_of_a_series_looks_no_further_than_its_next_date(room: Room) -> None:
    """There are three million days until the year 9999, the last that has a calendar."""
    series = repeated(room, room.scheduled("linkedin", at=AT), every="day")
    began = time.process_time()

    room.ask("DELETE", f"/v1/series/{series['id']}")

    assert time.process_time() - began < readings_s(15)


def test_an_ended_series_takes_away_what_nobody_edited(room: Room) -> None:
    post = room.scheduled("linkedin", at=AT)
    series = repeated(room, post)
    edited, moved, *_ = series["post_ids"]
    room.patch({"id": edited}, {"caption": "Only this Friday"})
    target = room.show({"id": moved})["targets"][0]["id"]
    later = {"id": target, "scheduled_at": "2026-12-05T09:00:00Z"}
    room.patch({"id": moved}, {"targets": [later]})

    ended = room.ask("DELETE", f"/v1/series/{series['id']}")
    again = room.ask("DELETE", f"/v1/series/{series['id']}")

    assert (ended.status, ended.json["state"], ended.json["next"]) == (200, "ended", [])
    assert again.json == ended.json
    assert set(room.find()) == {post["id"], edited, moved}
    round_of(room, days=10)
    assert set(room.find()) == {post["id"], edited, moved}


def test_each_account_keeps_its_own_clock(room: Room) -> None:
    post = room.draft("linkedin", "x")
    first, second = post["targets"]
    own = [
        {"id": first["id"], "scheduled_at": "2026-11-20T18:00:00Z"},
        {"id": second["id"], "scheduled_at": "2026-11-22T07:30:00Z"},
    ]
    post = room.patch(post, {"targets": own}).json

    series = repeated(room, post, every="month")

    made = room.show({"id": series["post_ids"][0]})
    assert [one["scheduled_at"][:16] for one in made["targets"]] == [
        "2026-12-20T18:00",
        "2026-12-22T07:30",
    ]


def test_the_31st_is_the_last_day_of_a_shorter_month(room: Room) -> None:
    post = room.scheduled("linkedin", at="2027-01-31T08:00:00Z")

    series = repeated(room, post, every="month", times=3)

    assert [one[:16] for one in series["next"]] == [
        "2027-02-28T09:00",
        "2027-03-31T09:00",
        "2027-04-30T09:00",
    ]
    assert series["post_ids"] == [], "that is more than 35 days ahead"


def test_a_series_ends_by_itself_after_so_many_times(room: Room) -> None:
    series = repeated(room, room.scheduled("linkedin", at=AT), every="day", times=3)

    assert (series["made"], series["state"]) == (3, "complete")
    assert len(times(room)) == 4
    # All were made ahead, and are still to come.
    assert series["next"] == [f"2026-11-{day}T19:00:00+01:00" for day in (21, 22, 23)]


def test_nothing_comes_next_once_the_last_of_a_series_has_passed(room: Room) -> None:
    series = repeated(room, room.scheduled("linkedin", at=AT), every="day", times=3)

    room.house.clock.pass_time(timedelta(days=40))

    assert room.get(f"/v1/series/{series['id']}").json["next"] == []


def test_what_passed_while_nothing_ran_is_not_made_late(room: Room) -> None:
    series = repeated(room, room.scheduled("linkedin", at=AT), every="day", interval=10)

    room.house.clock.pass_time(timedelta(days=100))
    room.house.deployment.upkeep.series_making.run()

    told = room.get(f"/v1/series/{series['id']}").json
    assert (told["made"], told["state"]) == (13, "running")
    assert all(one > "2027-02-28" for one in times(room)[4:])


def test_a_past_time_is_repeated_from_now_on(room: Room) -> None:
    post = room.scheduled("linkedin", at=AT)
    room.house.clock.pass_time(timedelta(days=17))

    series = repeated(room, post)

    assert series["next"][0] == "2026-12-11T19:00:00+01:00"
    assert series["made"] == 5


def _no_more(room: Room) -> None:
    """Let a trial end that began with the workspace."""
    _set(room, plan=Plan.TRIAL)
    room.house.clock.pass_time(timedelta(days=14))


def _file_gone(room: Room) -> None:
    (media,) = room.get("/v1/media").json["data"]
    room.house.deployment.media.files.mark_removed(media["id"], review_at=room.house.clock())


def _accounts_gone(room: Room) -> None:
    room.disconnect(room.account("linkedin"))


def _author_left(room: Room) -> None:
    people = room.house.operator.people.administration
    owner = people.list_members(room.workspace_id)[0]
    people.add_member(room.workspace_id, name="Grace", role=Role.OWNER)
    people.remove_member(owner.id)


def _demoted(room: Room) -> None:
    people = room.house.operator.people.administration
    owner = people.list_members(room.workspace_id)[0]
    people.add_member(room.workspace_id, name="Grace", role=Role.OWNER)
    people.update_member(owner.id, role=Role.CONTRIBUTOR)


@pytest.mark.parametrize(
    ("happen", "code"),
    [
        (_no_more, "plan_limit"),
        (_file_gone, "file_removed"),
        (_accounts_gone, "account_removed"),
        (_author_left, "author_left"),
        (_demoted, "forbidden"),
    ],
)
def test_a_refusal_stops_the_series_and_is_told(
    room: Room, happen: Callable[[Room], None], code: str
) -> None:
    post = room.scheduled("linkedin", at=AT, media_ids=[room.upload(a_photo(), "oven.jpg")])
    series = repeated(room, post)
    before = room.house.deployment.stores.series_repository.find(room.workspace_id, series["id"])

    happen(room)
    round_of(room, days=9)

    rows = room.house.deployment.stores
    after = rows.series_repository.find(room.workspace_id, series["id"])
    assert before is not None
    assert after is not None
    assert (after.state, after.reason_code, after.made) == ("stopped", code, before.made)
    assert after.reason
    told = rows.posts.history(post["id"]).events[-1]
    assert (told.action, told.detail["code"]) == (Action.SERIES_STOPPED, code)


def test_an_author_without_the_right_asks_for_review_where_approvals_are_used(room: Room) -> None:
    _set(room, approvals=True)
    series = repeated(room, room.scheduled("linkedin", at=AT))

    _demoted(room)
    round_of(room, days=9)

    room = room.member(Role.OWNER, name="Hedy")
    told = room.get(f"/v1/series/{series['id']}").json
    newest = room.show({"id": told["post_ids"][-1]})
    assert (told["state"], told["made"]) == ("running", 6)
    assert (newest["approval"], newest["status"]) == ("pending", "draft")
    assert newest["targets"][0]["scheduled_at"].startswith("2027-01-01T18:00")


def test_a_deleted_post_is_not_repeated_any_more(room: Room) -> None:
    post = room.scheduled("linkedin", at=AT)
    series = repeated(room, post)

    room.delete(post)
    round_of(room, days=9)

    told = room.get(f"/v1/series/{series['id']}").json
    assert (told["state"], told["reason_code"]) == ("stopped", "post_not_found")


class EndsMeanwhile:
    """What makes posts; while it does, somebody does something else."""

    def __init__(self, drafts: Drafts, happens: Callable[[], object]) -> None:
        self._drafts = drafts
        self._happens = happens

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever it has
        return getattr(self._drafts, name)

    def create(self, *given: Any, **more: Any) -> Any:  # noqa: ANN401 - as it is called
        self._happens()
        return self._drafts.create(*given, **more)


def test_a_series_ended_while_one_is_made_keeps_none(room: Room) -> None:
    post = room.scheduled("linkedin", at=AT)
    series = repeated(room, post)
    service, upkeep = room.house.deployment.posting.series, room.house.deployment.upkeep
    ends = EndsMeanwhile(service.drafts, lambda: room.ask("DELETE", f"/v1/series/{series['id']}"))
    making = replace(upkeep.series_making, series=replace(service, drafts=cast("Drafts", ends)))

    room.house.clock.pass_time(timedelta(days=8))
    making.run()

    assert room.get(f"/v1/series/{series['id']}").json["state"] == "ended"
    assert room.find() == [post["id"]]


def _delete_workspace(room: Room) -> None:
    deletion = room.house.deployment.whole_workspace.deletion
    deletion.begin(room.workspace_id, even_scheduled=True)


@pytest.mark.parametrize(
    ("happen", "clocks"),
    [
        (partial(_set, timezone="Asia/Tokyo"), ["2027-01-01T10:00"]),
        (_delete_workspace, []),
    ],
)
def test_a_round_goes_by_the_workspace_as_it_is_when_a_post_is_made(
    room: Room,
    monkeypatch: pytest.MonkeyPatch,
    happen: Callable[[Room], None],
    clocks: list[str],
) -> None:
    post = room.scheduled("linkedin", at=AT)
    repeated(room, post)
    before = times(room)
    making, stores = room.house.deployment.upkeep.series_making, room.house.deployment.stores
    read, overtaken = making.workspaces.get, list[str]()

    def read_and_be_overtaken(workspace_id: str) -> Workspace | None:
        found = read(workspace_id)
        if workspace_id == room.workspace_id and not overtaken:
            overtaken.append(workspace_id)
            happen(room)
        return found

    monkeypatch.setattr(making.workspaces, "get", read_and_be_overtaken)
    round_of(room, days=9)

    found = stores.post_lists.find(room.workspace_id, PostQuery(limit=200)).posts
    at = sorted(f"{one.targets[0].scheduled_at:%Y-%m-%dT%H:%M}" for one in found)
    assert [one for one in at if one not in before][-1:] == clocks


@pytest.mark.parametrize(
    ("body", "loc"),
    [
        ({}, ["body", "every"]),
        ({"every": "year"}, ["body", "every"]),
        ({"every": "week", "interval": 0}, ["body", "interval"]),
        ({"every": "week", "interval": 13}, ["body", "interval"]),
        ({"every": "week", "weekdays": [7]}, ["body", "weekdays", 0]),
        ({"every": "week", "weekdays": []}, ["body", "weekdays"]),
        ({"every": "day", "weekdays": [1]}, ["body"]),
        ({"every": "week", "until": "2026-02-30"}, ["body", "until"]),
        ({"every": "week", "until": "tomorrow"}, ["body", "until"]),
        ({"every": "week", "until": 20261231}, ["body", "until"]),
        ({"every": "week", "times": 201}, ["body", "times"]),
        ({"every": "week", "count": 3}, ["body", "count"]),
    ],
)
def test_a_rule_that_is_none_is_refused(room: Room, body: Document, loc: list[object]) -> None:
    answer = room.act(room.scheduled("linkedin", at=AT), "repeat", body)

    assert answer.status == 422
    assert [where for _, where in answer.problems] == [loc]


@pytest.mark.parametrize("at_once", [1, 10])
def test_a_call_repeated_with_its_key_begins_one_series(room: Room, at_once: int) -> None:
    post, path = room.scheduled("linkedin", at=AT), "/v1/posts/{}/repeat"

    def begin(_: int) -> Answer:
        headers = {"idempotency-key": "k"}
        return room.ask("POST", path.format(post["id"]), body={"every": "day"}, headers=headers)

    with ThreadPoolExecutor(at_once) as threads:
        answers = list(threads.map(begin, range(10)))

    assert sorted(answer.status for answer in answers) == [200] * 9 + [201]
    assert len({answer.json["id"] for answer in answers}) == 1
    running = [one for one in room.get("/v1/series").json["data"] if one["state"] == "running"]
    assert [one["id"] for one in running] == [answers[0].json["id"]]
    assert times(room) == sorted(set(times(room)))


def test_what_breaks_as_a_series_begins_is_made_by_the_next_round(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    post, change = room.scheduled("linkedin", at=AT), SeriesRepository.change
    breaks = iter([True])

    def break_once(rows: SeriesRepository, before: Series, after: Series) -> None:
        if next(breaks, False):
            raise ConnectionResetError
        change(rows, before, after)

    monkeypatch.setattr(SeriesRepository, "change", break_once)
    for _ in range(2):
        headers = {"idempotency-key": "breaks"}
        body = {"every": "week"}
        room.ask("POST", f"/v1/posts/{post['id']}/repeat", body=body, headers=headers)
    round_of(room, days=1)

    [series] = room.get("/v1/series").json["data"]
    assert (series["state"], series["made"]) == ("running", 5)


def test_a_series_whose_process_ended_as_it_began_is_not_begun_again_by_a_repeated_call(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Lambda ends an invocation at its timeout, in the middle of whatever it does."""
    post = room.scheduled("linkedin", at=AT)

    class EndedError(BaseException):
        """The process is no more."""

    def end_here(*_: object) -> None:
        raise EndedError

    def begin() -> Answer:
        path = f"/v1/posts/{post['id']}/repeat"
        return room.ask("POST", path, body={"every": "week"}, headers={"idempotency-key": "k"})

    with monkeypatch.context() as patch:
        patch.setattr(SeriesRepository, "change", end_here)
        with pytest.raises(EndedError):
            begin()
    again = begin()
    round_of(room, days=2)

    [series] = room.get("/v1/series").json["data"]
    assert (again.status, again.json["id"]) == (200, series["id"])
    assert (series["state"], series["made"]) == ("running", 5)
    assert times(room) == sorted(set(times(room)))


def test_another_rule_with_the_same_key_is_told_and_another_post_is_repeated(room: Room) -> None:
    first, second = (room.scheduled("linkedin", at=AT) for _ in range(2))
    headers = {"idempotency-key": "k"}

    told = [
        room.ask("POST", f"/v1/posts/{post['id']}/repeat", body={"every": every}, headers=headers)
        for post, every in ((first, "day"), (first, "week"), (second, "day"))
    ]

    assert [answer.status for answer in told] == [201, 200, 201]
    assert told[1].response.headers["Idempotency-Mismatch"] == "body"
    assert told[0].json["id"] == told[1].json["id"] != told[2].json["id"]


def test_what_cannot_be_repeated_is_told(room: Room) -> None:
    post = room.scheduled("linkedin", at=AT)

    untimed = room.act(room.draft("linkedin"), "repeat", {"every": "day"})
    over = room.act(post, "repeat", {"every": "day", "until": "2026-11-20"})
    unknown = room.act({"id": UNKNOWN_ID}, "repeat", {"every": "day"})

    assert untimed.refusal == (409, "no_time_to_repeat")
    assert over.refusal == (409, "no_time_to_repeat")
    assert unknown.refusal == (404, "post_not_found")
    for method in ("GET", "DELETE"):
        assert room.ask(method, f"/v1/series/{UNKNOWN_ID}").refusal == (404, "series_not_found")
        assert room.ask(method, "/v1/series/x").refusal == (404, "series_not_found")


def test_at_most_50_run_at_once(room: Room) -> None:
    post = room.scheduled("linkedin", at="2027-11-20T18:00:00Z")
    for _ in range(MOST_RUNNING):
        series = repeated(room, post)

    one_more = room.act(post, "repeat", {"every": "day"})
    room.ask("DELETE", f"/v1/series/{series['id']}")

    assert one_more.refusal == (409, "too_many_series")
    assert repeated(room, post)["state"] == "running"
    assert len(room.get("/v1/series").json["data"]) == MOST_RUNNING + 1


def test_what_has_long_been_over_leaves_the_list(room: Room) -> None:
    series = repeated(room, room.scheduled("linkedin", at=AT))
    room.ask("DELETE", f"/v1/series/{series['id']}")

    round_of(room, days=29)
    still = room.get("/v1/series").json["data"]
    round_of(room, days=3)

    assert len(still) == 1
    assert room.get("/v1/series").json["data"] == []


def test_a_key_that_may_only_write_repeats_nothing(room: Room) -> None:
    post = room.scheduled("linkedin", at=AT)
    writer = room.member(Role.OWNER, scopes={Scope.READ, Scope.WRITE})

    assert writer.act(post, "repeat", {"every": "day"}).refusal == (403, "scope_missing")
