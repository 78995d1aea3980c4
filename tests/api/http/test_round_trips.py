"""What a request asks of DynamoDB is pinned: round trips in sequence, and capacity.

`docs/round-trips.md` shows it for every endpoint. A list asks the same of a workspace with hundreds
of posts and of one with thousands, whatever the filter: only what is on its page counts.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qsl

import pytest

from chalicelib.domain.ids import new_id
from chalicelib.domain.posts.post import PostStatus
from chalicelib.domain.posts.target import TargetStatus
from chalicelib.kit.dynamodb.items import Item, attributes
from chalicelib.storage.posts.items import post_item, target_item
from tests.api.http.endpoint_cases import Case
from tests.api.http.round_trip_table import PAGE, measure_all, unmeasured, written
from tests.api.http.round_trips import Cost, Meter
from tests.api.http_house import a_house
from tests.api.http_room import House, Room
from tests.support.builders import a_post, a_target
from tests.support.emulator import EmulatorProcess
from tests.support.frozen_clock import NOON

_POST = "/v1/posts/{post_id}"
MOST_IN_SEQUENCE = {
    f"GET {_POST}": 2,
    f"PATCH {_POST}": 3,
    f"DELETE {_POST}": 6,  # once the post is stopped, its history and then its words go
    f"POST {_POST}/schedule": 3,
    f"POST {_POST}/queue": 3,
    f"POST {_POST}/publish-now": 3,
    f"POST {_POST}/cancel": 3,
    f"POST {_POST}/retry": 3,
}
Costs = Sequence[tuple[Case, Cost]]
FEW, MORE, MANY = 60, 120, 1_500
POSTING = 55
FILTERS = (
    "",
    "?limit=10",
    *(f"?status={status}" for status in PostStatus),
    "?status=scheduled,publishing",
    "?status=failed,cancelled,partial",
    "?from=2030-01-01T00:00:00Z&to=2030-02-01T00:00:00Z",
    "?from=2030-01-01T00:00:00Z&to=2030-02-01T00:00:00Z&status=scheduled",
)
STATUSES = {
    PostStatus.DRAFT: (TargetStatus.DRAFT,),
    PostStatus.SCHEDULED: (TargetStatus.SCHEDULED,),
    PostStatus.PUBLISHING: (TargetStatus.PUBLISHING,),
    PostStatus.PUBLISHED: (TargetStatus.PUBLISHED,),
    PostStatus.PARTIAL: (TargetStatus.PUBLISHED, TargetStatus.FAILED),
    PostStatus.FAILED: (TargetStatus.FAILED,),
    PostStatus.CANCELLED: (TargetStatus.CANCELLED,),
}


@pytest.fixture(scope="module")
def costs(emulator: EmulatorProcess, tmp_path_factory: pytest.TempPathFactory) -> Costs:
    """Measure one request of every endpoint, in a deployment of its own."""
    return measure_all(a_house(emulator, tmp_path_factory.mktemp("costs")))


def test_every_endpoint_is_measured() -> None:
    assert unmeasured() == set(), "Each has a call that succeeds in endpoint_cases.py."


def test_the_page_tells_what_each_request_asks(costs: Costs) -> None:
    """`python -m tests.api.http.round_trip_table` writes it anew."""
    told = PAGE.read_text()

    assert told == written(costs)


def test_a_post_is_read_in_two_round_trips_and_moved_in_three(costs: Costs) -> None:
    limited = [(case, cost) for case, cost in costs if case.endpoint in MOST_IN_SEQUENCE]

    too_many = [case.name for case, cost in limited if cost.depth > MOST_IN_SEQUENCE[case.endpoint]]

    assert too_many == []
    assert {case.endpoint for case, _ in limited} == set(MOST_IN_SEQUENCE)


def test_a_list_costs_the_same_whatever_the_workspace_has_been_through(
    house: House, room: Room
) -> None:
    fill(room, FEW)
    large = house.room()
    fill(large, MORE)

    compare(room, large)


@pytest.mark.prove
def test_a_list_costs_the_same_with_ten_thousand_posts(house: House, room: Room) -> None:
    fill(room, FEW)
    large = house.room()
    posts = fill(large, MANY)

    compare(room, large)

    print(f"{posts} posts: every first page in as many calls as with {7 * FEW - 5}")  # noqa: T201


def compare(small: Room, large: Room) -> None:
    """Hold the first pages of a small workspace against those of a large one."""
    deployment = small.house.deployment
    meter = Meter(deployment.clients.dynamodb, deployment.clients.sqs)
    for query in FILTERS:
        little, much = listed(small, meter, query), listed(large, meter, query)
        assert (query, little.operations) == (query, much.operations)
        assert abs(little.read_units - much.read_units) < 2, query


def listed(room: Room, meter: Meter, query: str) -> Cost:
    """Measure the first page of a list."""
    room.get("/v1/golden-hour")
    asked = dict(parse_qsl(query.removeprefix("?")))
    with meter.measured() as cost:
        found = room.find(asked)
    assert len(found) == min(int(asked.get("limit", 50)), 50), query
    return cost


def fill(room: Room, count: int) -> int:
    """Write `count` posts of every status, in parallel in time, though few that are posting.

    Return how many they are.
    """
    account_id = room.account()
    posts = [
        _rows(room, account_id, status, NOON + timedelta(minutes=place, seconds=number), place)
        for place in range(count)
        for number, status in enumerate(STATUSES)
        if status is not PostStatus.PUBLISHING or place >= count - POSTING
    ]
    client = room.house.deployment.clients.dynamodb
    table = room.house.deployment.tables.posts
    rows = [row for own in posts for row in own]
    for start in range(0, len(rows), 25):
        writes = [{"PutRequest": {"Item": attributes(row)}} for row in rows[start : start + 25]]
        answer = client.batch_write_item(RequestItems={table: writes})  # type: ignore[dict-item]
        assert not answer["UnprocessedItems"]
    return len(posts)


def _rows(
    room: Room, account_id: str, status: PostStatus, made_at: datetime, place: int
) -> list[Item]:
    """Return a post's rows; the first ones of every status but publishing go out in January."""
    in_window = place < FEW and status is not PostStatus.PUBLISHING
    at = datetime(2030, 1, 10, tzinfo=UTC) if in_window else datetime(2031, 1, 1, tzinfo=UTC)
    targets = [
        a_target(status=each, account_id=account_id, place=number, scheduled_at=at)
        for number, each in enumerate(STATUSES[status])
    ]
    draft = a_post(targets=targets, workspace_id=room.workspace_id)
    post = replace(draft, id=new_id(made_at), created_at=made_at)
    own = [target_item(post.id, post.workspace_id, target) for target in post.targets]
    return [post_item(post), *own]
