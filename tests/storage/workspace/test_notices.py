"""What members were told of: as much as can be the matter at once, and rows of earlier releases."""

import pytest

from chalicelib.domain.workspace.notices import Told, event_marks
from chalicelib.storage.workspace.items import notice_key
from chalicelib.storage.workspace.notices import NoticeRows
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.frozen_clock import NOON
from tests.support.people import PeopleStore, a_store

MOST_POSTS, MOST_TARGETS = 1_020, 30


@pytest.fixture(scope="module")
def store(emulator: EmulatorProcess) -> PeopleStore:
    return a_store(make_resources(emulator.endpoint))


def test_all_that_can_have_failed_fits_into_a_row(store: PeopleStore) -> None:
    """What went out and cannot be kept as told would be told again in every round."""
    failed = [f"{target:032x}#1" for target in range(MOST_POSTS * MOST_TARGETS)]
    rows, told = NoticeRows(store.table), Told(at=NOON, marks=event_marks(failed))

    rows.keep("w", "m", "failed", told)

    assert rows.read_told("w", "m", "failed") == told


def test_what_an_earlier_release_told_is_known(store: PeopleStore) -> None:
    rows = NoticeRows(store.table)
    store.table.table.put({**notice_key("w", "old", "failed"), "ids": ["ab#1", "cd#2"]})

    told = rows.read_told("w", "old", "failed")

    assert [told.knows(one) for one in ("ab#1", "cd#2", "ab#2")] == [True, True, False]
