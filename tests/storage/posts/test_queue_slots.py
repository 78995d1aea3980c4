"""Queue times as rows, and which instants are free of a workspace's posts."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from chalicelib.domain.posts.post import Post
from chalicelib.domain.times.queue_slots import QueueSlot, default_slots
from chalicelib.kit.dynamodb.items import attributes
from chalicelib.settings import Settings
from chalicelib.storage.posts.posts import PostRepository
from chalicelib.storage.posts.queue_slots import QueueSlotRepository
from chalicelib.storage.tables import Tables, taken_key
from chalicelib.storage.workspace.changes import WorkspaceTable
from tests.support.builders import WORKSPACE, a_post, a_target
from tests.support.clients import a_client
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.frozen_clock import NOON
from tests.support.people import a_store, a_workspace

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

ANOTHER_WORKSPACE = "0" * 31 + "b"
HOUR = timedelta(hours=1)


@pytest.fixture
def settings(emulator: EmulatorProcess) -> Settings:
    """Tables of one test's own."""
    return make_resources(emulator.endpoint)


@pytest.fixture
def client(settings: Settings) -> "DynamoDBClient":
    """Open a client of them."""
    return a_client("dynamodb", settings.dynamodb_url)


@pytest.fixture
def tables(settings: Settings) -> Tables:
    """Name them."""
    return Tables(
        posts=settings.posts_table,
        directory=settings.directory_table,
        media=settings.media_table,
    )


@pytest.fixture
def slots(client: "DynamoDBClient", settings: Settings, tables: Tables) -> QueueSlotRepository:
    """Queue times in them, of a workspace that is there."""
    a_workspace(a_store(settings), workspace_id=WORKSPACE)
    return QueueSlotRepository(WorkspaceTable(client, tables))


@pytest.fixture
def posts(client: "DynamoDBClient", tables: Tables) -> PostRepository:
    """Keep posts in them."""
    return PostRepository(client, tables)


def any_number(slots: Sequence[QueueSlot]) -> None:
    """Refuse none."""
    del slots


def hours(count: int) -> Iterator[datetime]:
    """Yield the whole hours after noon."""
    return (NOON + hour * HOUR for hour in range(1, count + 1))


def scheduled(posts: PostRepository, at: datetime, *, workspace_id: str = WORKSPACE) -> Post:
    """Make a post of two targets that both go out at an instant."""
    draft = a_post(targets=[a_target(), a_target()], workspace_id=workspace_id)
    posts.add(draft, events=())
    moved = [target.schedule(at, now=NOON, lead=timedelta(0)) for target in draft.targets]
    return posts.save(draft, draft.with_targets(moved), events=())


def test_what_is_added_is_listed_oldest_first(slots: QueueSlotRepository) -> None:
    early = QueueSlot(id="1" * 32, weekdays=(0, 4), time="07:15", label="Früh")
    late = QueueSlot(id="2" * 32, weekdays=(6,), time="23:59")

    slots.add(WORKSPACE, [late], any_number)
    slots.add(WORKSPACE, [early], any_number)

    assert slots.list(WORKSPACE) == [early, late]
    assert slots.list(ANOTHER_WORKSPACE) == []


def test_the_slots_that_a_workspace_is_made_with_are_listed_like_any(
    settings: Settings, slots: QueueSlotRepository
) -> None:
    people = a_store(settings)
    bakery, owner = a_workspace(people)
    florist = replace(bakery, id="0" * 31 + "c")
    defaults = default_slots(NOON)

    people.workspaces.add(florist, replace(owner, workspace_id=florist.id), defaults)

    assert slots.list(florist.id) == list(defaults)


def test_removing_tells_whether_there_was_one(slots: QueueSlotRepository) -> None:
    slot = QueueSlot(id="1" * 32, weekdays=(0,), time="07:15")
    slots.add(WORKSPACE, [slot], any_number)

    assert not slots.remove(ANOTHER_WORKSPACE, slot.id)
    assert slots.remove(WORKSPACE, slot.id)
    assert not slots.remove(WORKSPACE, slot.id)
    assert slots.list(WORKSPACE) == []


def test_a_time_at_which_a_post_goes_out_is_not_free(
    slots: QueueSlotRepository, posts: PostRepository
) -> None:
    scheduled(posts, NOON + HOUR)
    scheduled(posts, NOON + 2 * HOUR)

    assert next(slots.all_free_from(WORKSPACE, hours(5))) == NOON + 3 * HOUR


def test_only_the_very_instant_is_taken(slots: QueueSlotRepository, posts: PostRepository) -> None:
    scheduled(posts, NOON + HOUR - timedelta(microseconds=1))
    scheduled(posts, NOON + HOUR + timedelta(microseconds=1))

    assert next(slots.all_free_from(WORKSPACE, hours(5))) == NOON + HOUR


def test_other_workspaces_take_nothing(slots: QueueSlotRepository, posts: PostRepository) -> None:
    scheduled(posts, NOON + HOUR, workspace_id=ANOTHER_WORKSPACE)

    assert next(slots.all_free_from(WORKSPACE, hours(5))) == NOON + HOUR


def test_a_post_does_not_stand_in_its_own_way(
    slots: QueueSlotRepository, posts: PostRepository
) -> None:
    post = scheduled(posts, NOON + HOUR)
    scheduled(posts, NOON + 2 * HOUR)

    assert next(slots.all_free_from(WORKSPACE, hours(5), besides=post.id)) == NOON + HOUR
    assert next(slots.all_free_from(WORKSPACE, hours(5))) == NOON + 3 * HOUR


def test_a_time_two_posts_share_is_taken_for_both(
    slots: QueueSlotRepository, posts: PostRepository
) -> None:
    first, second = scheduled(posts, NOON + HOUR), scheduled(posts, NOON + HOUR)

    for post in (first, second):
        assert next(slots.all_free_from(WORKSPACE, hours(5), besides=post.id)) == NOON + 2 * HOUR


def test_a_cancelled_post_gives_its_time_back(
    slots: QueueSlotRepository, posts: PostRepository
) -> None:
    post = scheduled(posts, NOON + HOUR)
    one, other = post.targets

    half = posts.save(post, post.with_targets([one.cancel(now=NOON)]), events=())

    assert next(slots.all_free_from(WORKSPACE, hours(5))) == NOON + 2 * HOUR
    posts.save(half, half.with_targets([other.cancel(now=NOON)]), events=())
    assert next(slots.all_free_from(WORKSPACE, hours(5))) == NOON + HOUR


def test_when_all_is_taken_nothing_is_free(
    slots: QueueSlotRepository, posts: PostRepository
) -> None:
    scheduled(posts, NOON + HOUR)

    assert list(slots.all_free_from(WORKSPACE, hours(1))) == []
    assert list(slots.all_free_from(WORKSPACE, hours(0))) == []


def test_a_full_queue_costs_few_queries(
    slots: QueueSlotRepository, client: "DynamoDBClient", tables: Tables
) -> None:
    for at in hours(200):
        mark = attributes(taken_key(WORKSPACE, at, "1" * 32))
        client.put_item(TableName=tables.directory, Item=mark)
    queries: list[str] = []
    client.meta.events.register(
        "before-call.dynamodb.Query", lambda **_: queries.append("one more")
    )

    free = next(slots.all_free_from(WORKSPACE, hours(201)))

    assert free == NOON + 201 * HOUR
    assert len(queries) == 4
