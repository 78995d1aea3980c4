"""Endpoints of accounts, queue times and golden hours."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from chalicelib.api.paths import every_endpoint
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.times.audience import Region
from chalicelib.domain.times.golden_hour import GoldenHour, GoldenHourResult
from chalicelib.domain.times.queue_slots import QueueSlot
from chalicelib.domain.workspace.access import Caller
from chalicelib.domain.workspace.accounts import Account, Health
from chalicelib.kit.asgi.messages import Request, Response
from chalicelib.services.posts.queue_slots import SlotList
from chalicelib.services.repeats import Marking
from tests.api.http.pipelines import NOW, a_caller, a_pipeline, a_request, problems

IN_PARIS = replace(a_caller(), timezone="Europe/Paris")


ACCOUNT = Account(
    id="a" * 32,
    workspace_id="1" * 32,
    platform=Platform.TIKTOK,
    handle="ada",
    test=True,
    created_at=NOW,
    health=Health.WARN,
    audience_regions=(Region.EUROPE,),
)


SLOT = QueueSlot(id="b" * 32, weekdays=(0, 5), time="19:00", label="Evening")


RESULT = GoldenHourResult(
    platforms={Platform.X: GoldenHour(datetime(2030, 5, 2, 9, tzinfo=ZoneInfo("Europe/Paris")), 9)},
    activity=tuple(range(24)),
    audience_regions=(Region.EUROPE,),
    timezone="Europe/Paris",
)


@dataclass(slots=True)
class AccountsStub:
    """Accounts that note what regions they are given."""

    connected: list[Account] = field(default_factory=lambda: [ACCOUNT])
    asked: list[object] = field(default_factory=list)

    def list(self, _caller: Caller) -> Sequence[Account]:
        return self.connected

    def set_regions(self, _caller: Caller, account_id: str, regions: Sequence[str]) -> Account:
        self.asked += [account_id, regions]
        return ACCOUNT


@dataclass(slots=True)
class QueueSlotsStub:
    """One queue time; notes what it is asked."""

    next_free: datetime | None = NOW
    asked: list[object] = field(default_factory=list)

    def list(self, _caller: Caller) -> SlotList:
        return SlotList([SLOT], self.next_free)

    def add(
        self, _caller: Caller, *, weekdays: Sequence[int], time: str, label: str, mark: Marking
    ) -> QueueSlot:
        self.asked += [weekdays, time, label]
        assert mark(SLOT.id) is None
        return SLOT

    def remove(self, _caller: Caller, slot_id: str) -> None:
        self.asked.append(slot_id)


@dataclass(slots=True)
class GoldenHoursStub:
    """One result; notes the platforms asked for."""

    asked: list[object] = field(default_factory=list)

    def get(self, _caller: Caller, platforms: Sequence[Platform]) -> GoldenHourResult:
        self.asked += platforms
        return RESULT


def answer(request: Request, **parts: object) -> Response:
    return a_pipeline(*every_endpoint(), caller=IN_PARIS, parts=parts).answer(request)


def test_accounts_are_listed_with_whether_one_is_a_test_account() -> None:
    response = answer(a_request("GET", "/v1/accounts"), accounts=AccountsStub())

    assert json.loads(response.body) == {
        "data": [
            {
                "id": "a" * 32,
                "platform": "tiktok",
                "handle": "ada",
                "test": True,
                "health": "warn",
                "audience_regions": ["Europe"],
            }
        ],
        "test_accounts": True,
    }


def test_a_workspace_without_accounts_has_no_test_account() -> None:
    response = answer(a_request("GET", "/v1/accounts"), accounts=AccountsStub(connected=[]))

    assert json.loads(response.body) == {"data": [], "test_accounts": False}


def test_regions_reach_the_service_in_their_order() -> None:
    stub = AccountsStub()
    body = {"audience_regions": ["India", "UK", "Africa", "Canada"]}

    answer(a_request("PATCH", f"/v1/accounts/{'a' * 32}", body=body), accounts=stub)

    assert stub.asked == [
        "a" * 32,
        (Region.INDIA, Region.UK, Region.AFRICA, Region.CANADA),
    ]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, ("missing", ["body", "audience_regions"])),
        ({"audience_regions": None}, ("list_type", ["body", "audience_regions"])),
        ({"audience_regions": ["Mars"]}, ("enum", ["body", "audience_regions", 0])),
    ],
)
def test_an_unknown_region_is_a_wrong_shape(
    body: object, expected: tuple[str, list[str | int]]
) -> None:
    request = a_request("PATCH", f"/v1/accounts/{'a' * 32}", body=body)

    assert problems(answer(request, accounts=AccountsStub())) == [expected]


@pytest.mark.parametrize(
    ("next_free", "expected"), [(NOW, "2030-05-01T14:00:00+02:00"), (None, None)]
)
def test_queue_times_come_with_the_next_free_one_on_the_workspaces_clock(
    next_free: datetime | None, expected: str | None
) -> None:
    stub = QueueSlotsStub(next_free=next_free)

    response = answer(a_request("GET", "/v1/queue-slots"), queue_slots=stub)

    assert json.loads(response.body) == {
        "data": [{"id": "b" * 32, "weekdays": [0, 5], "time": "19:00", "label": "Evening"}],
        "next_free": expected,
    }


def test_a_queue_time_is_added() -> None:
    stub = QueueSlotsStub()
    body = {"weekdays": [5, 0], "time": "00:00"}

    response = answer(a_request("POST", "/v1/queue-slots", body=body), queue_slots=stub)

    assert response.status == 201
    assert stub.asked == [[5, 0], "00:00", ""]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"time": "09:00"}, ("missing", ["body", "weekdays"])),
        ({"weekdays": [], "time": "09:00"}, ("too_short", ["body", "weekdays"])),
        ({"weekdays": [7], "time": "09:00"}, ("less_than_equal", ["body", "weekdays", 0])),
        ({"weekdays": [-1], "time": "09:00"}, ("greater_than_equal", ["body", "weekdays", 0])),
        ({"weekdays": ["1"], "time": "09:00"}, ("int_type", ["body", "weekdays", 0])),
        ({"weekdays": [1]}, ("missing", ["body", "time"])),
        ({"weekdays": [1], "time": "24:00"}, ("string_pattern_mismatch", ["body", "time"])),
        ({"weekdays": [1], "time": "9:00"}, ("string_pattern_mismatch", ["body", "time"])),
        (
            {"weekdays": [1], "time": "\u0660\u0669:\u0660\u0660"},
            ("string_pattern_mismatch", ["body", "time"]),
        ),
        ({"weekdays": [1], "time": "09:00\n"}, ("string_pattern_mismatch", ["body", "time"])),
        (
            {"weekdays": [1], "time": "09:00", "label": "x" * 201},
            ("string_too_long", ["body", "label"]),
        ),
    ],
)
def test_a_queue_time_of_a_wrong_shape_is_refused(
    body: object, expected: tuple[str, list[str | int]]
) -> None:
    request = a_request("POST", "/v1/queue-slots", body=body)

    assert problems(answer(request, queue_slots=QueueSlotsStub())) == [expected]


def test_a_queue_time_is_removed() -> None:
    stub = QueueSlotsStub()

    response = answer(a_request("DELETE", f"/v1/queue-slots/{'b' * 32}"), queue_slots=stub)

    assert response.status == 204
    assert stub.asked == ["b" * 32]


def test_golden_hours_are_told_in_the_audiences_zone() -> None:
    request = a_request("GET", "/v1/golden-hour", query={"platforms": ["x"]})

    response = answer(request, golden_hours=GoldenHoursStub())

    assert json.loads(response.body) == {
        "platforms": {"x": {"at": "2030-05-02T09:00:00+02:00", "hour": 9}},
        "activity": list(range(24)),
        "audience_regions": ["Europe"],
        "timezone": "Europe/Paris",
    }


def test_five_platforms_are_looked_at_when_none_is_named() -> None:
    stub = GoldenHoursStub()

    answer(a_request("GET", "/v1/golden-hour"), golden_hours=stub)

    assert stub.asked == ["instagram", "tiktok", "youtube", "linkedin", "x"]


@pytest.mark.parametrize("platform", ["bluesky", "google business profile", "X", "mastodon", ""])
def test_platforms_that_the_query_does_not_take_are_refused(platform: str) -> None:
    request = a_request("GET", "/v1/golden-hour", query={"platforms": [f"x,{platform}"]})

    assert problems(answer(request, golden_hours=GoldenHoursStub())) == [
        ("literal_error", ["query", "platforms", 1])
    ]
