"""Whose turn it is in a round of notices."""

from datetime import datetime, timedelta

import pytest

from chalicelib.domain.workspace.rounds import (
    AT_LEAST,
    CYCLE,
    Stand,
    alternating,
    have_their_turn,
    longest_marked,
)
from tests.support.frozen_clock import NOON

MANY = [f"{number:04d}" for number in range(1_000)]
MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize(
    ("count", "last", "since", "first", "looked_at"),
    [
        (0, None, MINUTE, None, 0),
        (AT_LEAST, None, MINUTE, "0000", AT_LEAST),
        (AT_LEAST, "0010", timedelta(), "0011", AT_LEAST),
        (1_000, None, MINUTE, "0000", 1_000),
        (1_000, "0399", MINUTE, "0400", 200),
        (1_000, "0399", timedelta(seconds=15), "0400", AT_LEAST),
        (1_000, "0999", MINUTE, "0000", 200),
        (1_000, "0399", timedelta(hours=3), "0400", 1_000),
        (1_000, "0399", -MINUTE, "0400", AT_LEAST),
        (300, "0399", MINUTE, "0000", 60),
    ],
)
def test_a_round_goes_on_where_the_last_one_stopped(
    count: int, last: str | None, since: timedelta, first: str | None, looked_at: int
) -> None:
    stand = None if last is None else Stand(at=NOON - since, last_id=last)

    turns = have_their_turn(MANY[:count], stand, NOON)

    assert len(turns) == len(set(turns)) == looked_at
    assert next(iter(turns), None) == first


@pytest.mark.parametrize("every", [timedelta(seconds=15), MINUTE, 3 * MINUTE])
def test_everybody_has_a_turn_within_the_cycle(every: timedelta) -> None:
    stand, seen, now = Stand(at=NOON, last_id="0123"), set[str](), NOON
    while now < _end(every):
        now += every
        turns = have_their_turn(MANY, stand, now)
        seen |= set(turns)
        stand = Stand(at=now, last_id=turns[-1])

    assert seen == set(MANY)


def _end(every: timedelta) -> datetime:
    return NOON + CYCLE + every


def test_who_was_marked_first_is_looked_at_first_and_between_the_others() -> None:
    marks = {"a": "2026-11-20T12:03", "b": None, "c": "2026-11-20T12:01", "d": None}

    order = list(alternating(longest_marked(marks), ["d", "a", "b"]))

    assert order == ["c", "d", "a", "a", "b"]
