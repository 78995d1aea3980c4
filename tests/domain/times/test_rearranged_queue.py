"""What a change of the week makes of the slots that hold it."""

from collections.abc import Collection
from datetime import UTC, datetime

from chalicelib.domain.times.queue_slots import Moment, QueueSlot, Rearranged, rearrange

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
MORNING = QueueSlot(id="1", weekdays=(0, 1, 2), time="09:00")
LABELLED = QueueSlot(id="2", weekdays=(2,), time="09:00", label="Rye")


def changed(
    *slots: QueueSlot, add: Collection[Moment] = (), remove: Collection[Moment] = ()
) -> Rearranged:
    return rearrange(slots, NOW, added=add, removed=remove)


def shown(change: Rearranged) -> tuple[list[tuple[str, str, tuple[int, ...]]], list[str]]:
    """Return time, label and weekdays of what comes, and the ids of what goes."""
    new = [(one.time, one.label, one.weekdays) for one in change.new]
    return new, [one.id for one in change.gone]


def test_what_is_there_already_is_not_added_again() -> None:
    assert shown(changed(MORNING, add={(0, "09:00")})) == ([], [])


def test_a_day_more_takes_the_place_of_the_slot_of_that_time() -> None:
    change = changed(MORNING, LABELLED, add={(4, "09:00")})

    assert shown(change) == ([("09:00", "", (0, 1, 2, 4))], ["1"])


def test_a_removed_moment_leaves_every_slot_that_has_it() -> None:
    change = changed(MORNING, LABELLED, remove={(2, "09:00")})

    assert shown(change) == ([("09:00", "", (0, 1))], ["1", "2"])


def test_days_of_one_time_become_one_slot_and_ids_follow_in_order() -> None:
    change = changed(add={(1, "12:00"), (3, "12:00"), (0, "08:00")})

    assert shown(change) == ([("08:00", "", (0,)), ("12:00", "", (1, 3))], [])
    assert sorted(one.id for one in change.new) == [one.id for one in change.new]


def test_what_is_removed_and_not_there_changes_nothing() -> None:
    assert shown(changed(MORNING, remove={(6, "09:00"), (0, "10:00")})) == ([], [])
