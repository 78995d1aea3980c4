"""May it be sent again? As a table: docs/engine.md "Never twice"."""

from dataclasses import fields
from datetime import datetime, timedelta
from itertools import product

import pytest

from chalicelib.domain.engine import absence
from chalicelib.domain.engine.absence import Evidence, decide
from chalicelib.domain.outcome import Absent, Checkpoint, Unknown, Wait
from tests.support.frozen_clock import NOON

MINUTE = timedelta(minutes=1)
LOOK = Wait(Checkpoint("publish", {"looks": 1}), timedelta(seconds=10))
AGAIN, BY_KEY, UNKNOWN = Absent(), Absent(by_own_key=True), Unknown()

BEFORE, CERTAIN = NOON + MINUTE - timedelta(seconds=1), NOON + MINUTE
NEARLY, GIVEN_UP = NOON + 30 * MINUTE - timedelta(seconds=1), NOON + 30 * MINUTE

BY_PLATFORM = ("made_nothing", "repeat_is_refused")
BY_LIST = ("witness", "accounted", "is_restored")
REASONS = ("near", "is_cut", "duplicate_refused", "is_aside", "was_repeated")


def looked(*seen: str) -> Evidence:
    """Return what a look saw that is certain after a minute and given up after 30."""
    facts = {each.name: each.name in seen for each in fields(Evidence) if each.type is bool}
    return Evidence(next_look=LOOK, certain_from=CERTAIN, gives_up_at=GIVEN_UP, **facts)


@pytest.mark.parametrize(
    ("seen", "before", "certain", "nearly", "given_up"),
    [
        # That a list does not show it proves nothing: it is looked for until that is given up.
        ((), LOOK, LOOK, LOOK, UNKNOWN),
        # A proof counts once a call under way would have ended, and be shown.
        *[((proof,), LOOK, AGAIN, AGAIN, AGAIN) for proof in (*BY_PLATFORM, *BY_LIST)],
        (("own_key",), LOOK, BY_KEY, BY_KEY, BY_KEY),
        # A reason not to trust it leaves it to a person: with a proof at once, else in the end.
        *[((reason,), LOOK, LOOK, LOOK, UNKNOWN) for reason in REASONS],
        *[(("witness", reason), LOOK, UNKNOWN, UNKNOWN, UNKNOWN) for reason in REASONS],
        # Where the next reading may still show it, nothing is decided, whatever was seen.
        (("looks_left",), LOOK, LOOK, LOOK, LOOK),
        (("looks_left", "witness"), LOOK, LOOK, LOOK, LOOK),
        # What no look can ever tell is not waited for.
        (("untellable",), UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN),
        (("untellable", "made_nothing", "looks_left"), UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN),
    ],
)
def test_it_is_sent_again_only_by_a_proof_that_nothing_speaks_against(
    seen: tuple[str, ...],
    before: Absent | Wait | Unknown,
    certain: Absent | Wait | Unknown,
    nearly: Absent | Wait | Unknown,
    given_up: Absent | Wait | Unknown,
) -> None:
    evidence = looked(*seen)

    decided = [decide(evidence, at) for at in (BEFORE, CERTAIN, NEARLY, GIVEN_UP)]

    assert decided == [before, certain, nearly, given_up]


@pytest.mark.parametrize("own_key", [False, True])
def test_what_makes_one_post_however_often_it_is_sent_is_sent_at_once(*, own_key: bool) -> None:
    evidence = looked("is_idempotent", *(["own_key"] if own_key else []))

    decided = decide(evidence, NOON)

    assert decided == Absent(by_own_key=own_key, is_idempotent=True)


def test_a_proof_that_nothing_under_way_can_change_counts_at_once() -> None:
    evidence = Evidence(made_nothing=True)

    decided = decide(evidence, NOON)

    assert decided == AGAIN


def test_nobody_can_tell_where_nobody_looks_again() -> None:
    evidence = Evidence(certain_from=CERTAIN, witness=True)

    decided = [decide(evidence, BEFORE), decide(Evidence(), NOON)]

    assert decided == [UNKNOWN, UNKNOWN]


def test_it_is_looked_for_without_end_where_no_end_is_set() -> None:
    evidence = Evidence(next_look=LOOK)

    decided = decide(evidence, NOON + timedelta(days=1))

    assert decided == LOOK


def test_a_list_that_is_given_up_before_it_is_certain_still_counts_once_it_is() -> None:
    """Facebook's: a person is told to look after two minutes, and may retry after thirty."""
    evidence = Evidence(
        next_look=LOOK,
        certain_from=NOON + 30 * MINUTE,
        gives_up_at=NOON + 2 * MINUTE,
        witness=True,
    )

    decided = [decide(evidence, NOON + minutes * MINUTE) for minutes in (1, 2, 29, 30)]

    assert decided == [LOOK, UNKNOWN, UNKNOWN, AGAIN]


ALL = [each.name for each in fields(Evidence) if each.type is bool]
TIMES = (NOON, BEFORE, CERTAIN, NEARLY, GIVEN_UP)


@pytest.mark.parametrize("at", TIMES)
def test_without_a_proof_nothing_is_ever_sent_again(at: datetime) -> None:
    others = [name for name in ALL if name in (*REASONS, "looks_left", "untellable")]

    every = product((False, True), repeat=len(others))
    decided = [
        decide(looked(*(name for name, is_seen in zip(others, seen, strict=True) if is_seen)), at)
        for seen in every
    ]

    assert len(decided) == 2 ** len(others)
    assert not any(isinstance(each, Absent) for each in decided)


@pytest.mark.parametrize("name", ALL)
def test_the_table_says_what_each_kind_of_evidence_is_worth(name: str) -> None:
    table, _, _ = str(absence.__doc__).partition("What proves it where")

    assert f"`{name}`" in table
