"""When a key ends: through its last day in UTC, and as long beside its successor as was asked."""

from datetime import UTC, date, datetime, timedelta

import pytest

from chalicelib.domain.workspace.access import Scope
from chalicelib.domain.workspace.key_ends import end_after, end_of, successor
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.domain.workspace.workspaces import ApiKey

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
MADE = NOON - timedelta(days=10)
HOUR = timedelta(hours=1)


def a_key(ends: datetime | None = None, client: str | None = None) -> ApiKey:
    return ApiKey(
        id="key-1",
        workspace_id="bakery",
        member_id="ada",
        name="campaign",
        scopes=frozenset({Scope.READ}),
        created_at=MADE,
        last_used_at=NOON,
        expires_at=ends,
        client_hash=client,
    )


@pytest.mark.parametrize(
    ("last_day", "end"),
    [
        (date(2026, 11, 20), datetime(2026, 11, 21, tzinfo=UTC)),
        (date(2026, 12, 31), datetime(2027, 1, 1, tzinfo=UTC)),
        (date(2027, 1, 31), datetime(2027, 2, 1, tzinfo=UTC)),
        (date(2028, 2, 28), datetime(2028, 2, 29, tzinfo=UTC)),
    ],
)
def test_a_key_works_through_its_last_day(last_day: date, end: datetime) -> None:
    assert end == end_of(last_day, NOON)


@pytest.mark.parametrize("last_day", [date(2026, 11, 19), date(2025, 11, 20)])
def test_a_last_day_that_is_over_is_refused(last_day: date) -> None:
    with pytest.raises(OperatorError, match="today or later"):
        end_of(last_day, NOON)


@pytest.mark.parametrize(
    ("ends", "successor_ends"),
    [
        (None, None),
        (MADE + timedelta(days=30), NOON + timedelta(days=30)),
        (NOON, NOON + (NOON - MADE)),
    ],
    ids=["never", "a month", "now"],
)
def test_a_successor_lasts_as_long_as_its_predecessor(
    ends: datetime | None, successor_ends: datetime | None
) -> None:
    new = successor(a_key(ends), "key-2", NOON)

    assert (new.id, new.created_at, new.last_used_at) == ("key-2", NOON, None)
    assert (new.expires_at, new.name, new.member_id) == (successor_ends, "campaign", "ada")


def test_an_assistants_key_has_no_successor() -> None:
    with pytest.raises(OperatorError, match="renews its key itself"):
        successor(a_key(client="otto"), "key-2", NOON)


@pytest.mark.parametrize(
    ("ends", "overlap", "works_until"),
    [
        (None, timedelta(), NOON),
        (None, 24 * HOUR, NOON + 24 * HOUR),
        (None, timedelta(days=30), NOON + timedelta(days=30)),
        (NOON + HOUR, 24 * HOUR, NOON + HOUR),
        (NOON + 48 * HOUR, 24 * HOUR, NOON + 24 * HOUR),
        (NOON - HOUR, 24 * HOUR, NOON - HOUR),
    ],
    ids=["at once", "a day", "longest", "ends sooner by itself", "ends later", "had ended"],
)
def test_a_replaced_key_works_through_the_overlap_and_never_longer_than_it_did(
    ends: datetime | None, overlap: timedelta, works_until: datetime
) -> None:
    old = end_after(a_key(ends), overlap, NOON)

    assert old.expires_at == works_until
    assert not old.works(works_until)
    assert old.works(works_until - timedelta(microseconds=1))


@pytest.mark.parametrize("overlap", [timedelta(seconds=-1), timedelta(days=30, seconds=1)])
def test_an_overlap_is_at_most_thirty_days(overlap: timedelta) -> None:
    with pytest.raises(OperatorError, match="30 days"):
        end_after(a_key(), overlap, NOON)
