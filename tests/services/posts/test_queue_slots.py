"""What a caller can do with the workspace's queue times."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.errors import QueueSlotNotFound
from chalicelib.domain.times.queue_slots import MOST_SLOTS, QueueSlot
from chalicelib.kit.dynamodb.items import attributes
from chalicelib.services.posts.queue_slots import QueueSlots
from chalicelib.settings import Settings
from chalicelib.storage.posts.queue_slots import QueueSlotRepository
from chalicelib.storage.tables import taken_key
from tests.support.builders import WORKSPACE
from tests.support.callers import a_caller
from tests.support.clients import a_client
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.frozen_clock import FrozenClock
from tests.support.people import a_store, a_workspace


def any_number(slots: Sequence[QueueSlot]) -> None:
    """Refuse none."""
    del slots


@pytest.fixture
def settings(emulator: EmulatorProcess) -> Settings:
    """Tables of one test's own."""
    return make_resources(emulator.endpoint)


@pytest.fixture
def repository(settings: Settings) -> QueueSlotRepository:
    """Queue times in them."""
    people = a_store(settings)
    a_workspace(people, workspace_id=WORKSPACE)
    return QueueSlotRepository(people.table)


@pytest.fixture
def queue(repository: QueueSlotRepository) -> QueueSlots:
    """Return the use case over them, at a Friday's noon."""
    return QueueSlots(slots=repository, clock=FrozenClock())


def test_a_workspace_without_slots_has_no_free_time(queue: QueueSlots) -> None:
    assert queue.list(a_caller()) == ([], None)


def test_an_added_slot_is_listed_with_its_next_time(queue: QueueSlots) -> None:
    added = queue.add(a_caller(), weekdays=(4,), time="18:00", label="Weekend bread")

    slots, next_free = queue.list(a_caller())

    assert slots == [added]
    assert (added.weekdays, added.time, added.label) == ((4,), "18:00", "Weekend bread")
    assert next_free == datetime(2026, 11, 20, 17, 0, tzinfo=UTC)


def test_each_weekday_counts_once_and_in_order(queue: QueueSlots) -> None:
    added = queue.add(a_caller(), weekdays=(6, 0, 6, 0), time="09:00")

    assert added.weekdays == (0, 6)
    assert queue.list(a_caller()).slots == [added]


def test_a_taken_time_is_passed_over(queue: QueueSlots, settings: Settings) -> None:
    queue.add(a_caller(), weekdays=(4,), time="18:00")
    this_friday = datetime(2026, 11, 20, 17, 0, tzinfo=UTC)
    mark = attributes(taken_key(WORKSPACE, this_friday, "3" * 32))
    client = a_client("dynamodb", settings.dynamodb_url)
    client.put_item(TableName=settings.directory_table, Item=mark)

    assert queue.list(a_caller()).next_free == datetime(2026, 11, 27, 17, 0, tzinfo=UTC)


def test_a_removed_slot_is_gone(queue: QueueSlots) -> None:
    kept = queue.add(a_caller(), weekdays=(4,), time="18:00")
    removed = queue.add(a_caller(), weekdays=(4,), time="17:00")

    queue.remove(a_caller(), removed.id)

    assert queue.list(a_caller()).slots == [kept]


@pytest.mark.parametrize("unknown", ["3" * 32, "", "no id", "WORKSPACE", "3" * 32 + "#"])
def test_what_is_not_there_cannot_be_removed(queue: QueueSlots, unknown: str) -> None:
    queue.add(a_caller(), weekdays=(4,), time="18:00")

    with pytest.raises(QueueSlotNotFound):
        queue.remove(a_caller(), unknown)

    assert len(queue.list(a_caller()).slots) == 1


def test_another_workspaces_slot_cannot_be_removed(queue: QueueSlots) -> None:
    theirs = queue.add(a_caller(), weekdays=(4,), time="18:00")

    with pytest.raises(QueueSlotNotFound):
        queue.remove(a_caller(workspace_id="0" * 31 + "b"), theirs.id)

    assert queue.list(a_caller()).slots == [theirs]


def test_a_workspace_has_a_hundred_slots_at_most(
    queue: QueueSlots, repository: QueueSlotRepository
) -> None:
    kept = [
        QueueSlot(id=f"{number:032x}", weekdays=(number % 7,), time="09:00")
        for number in range(MOST_SLOTS - 1)
    ]
    repository.add(WORKSPACE, kept, any_number)

    queue.add(a_caller(), weekdays=(4,), time="18:00")

    with pytest.raises(InvalidInput, match="at most 400 queue times") as refused:
        queue.add(a_caller(), weekdays=(4,), time="19:00")
    assert refused.value.loc == ("body",)
    assert len(queue.list(a_caller()).slots) == MOST_SLOTS


def test_a_week_cannot_be_rearranged_to_more_slots_than_there_can_be(
    queue: QueueSlots, repository: QueueSlotRepository
) -> None:
    kept = [
        QueueSlot(id=f"{place:032x}", weekdays=(4,), time=f"{place // 60:02}:{place % 60:02}")
        for place in range(MOST_SLOTS)
    ]
    repository.add(WORKSPACE, kept, any_number)

    with pytest.raises(InvalidInput, match="at most 400 queue times"):
        queue.rearrange(a_caller(), added={(4, "23:00")}, removed=set())
    queue.rearrange(a_caller(), added={(4, "23:00")}, removed={(4, "00:00")})

    times = {slot.time for slot in queue.list(a_caller()).slots}
    assert len(times) == MOST_SLOTS
    assert {"23:00"} == times - {f"{p // 60:02}:{p % 60:02}" for p in range(MOST_SLOTS)}
