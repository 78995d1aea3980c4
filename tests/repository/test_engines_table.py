"""The table of engines says what a run saw, and nothing else."""

import pytest

from benchmarks.engines import PAGE, SUITES, difference, kept, written
from tests.support.engines import Engine

PLACE = "tests/servers/localstack on localstack"
SEEN = {PLACE: {"counts": "8 passed", "took_s": "75", "on": "28 November 2026"}}


def test_the_page_has_the_table_of_what_runs_saw() -> None:
    page = PAGE.read_text(encoding="utf-8")

    assert written(page, kept()) == page


def test_a_cell_that_was_changed_by_hand_is_noticed() -> None:
    page = written(PAGE.read_text(encoding="utf-8"), SEEN)

    by_hand = page.replace("8 passed; 75 s", "9 passed; 75 s")

    assert by_hand != page
    assert written(by_hand, SEEN) == page


def test_what_was_seen_is_of_suites_and_engines_that_there_are() -> None:
    there_are = {f"{one.path} on {engine}" for one in SUITES for engine in Engine}

    assert kept().keys() <= there_are


@pytest.mark.parametrize(
    ("counts", "wrong"),
    [
        ("8 passed", ""),
        ("9 passed", "says 8 passed, and this run saw 9 passed"),
        ("7 passed, 1 failed", "7 passed, 1 failed."),
        ("", "nothing ran."),
    ],
)
def test_a_run_that_saw_something_else_says_so(counts: str, wrong: str) -> None:
    said = difference(PLACE, SEEN, {**SEEN[PLACE], "counts": counts})

    assert wrong in said
    assert bool(said) == bool(wrong)
