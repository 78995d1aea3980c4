"""`pytest --sample SEED`: a twelfth of the files; `--costly SEED`: a quarter of the costly."""

from pathlib import Path

from tests.support.sampled import a_twelfth_of, runs_by

TESTS = Path(__file__).parents[1]


def test_a_twelfth_is_the_same_for_a_seed_and_has_all_that_compiles() -> None:
    first, again, other = (a_twelfth_of((str(TESTS),), seed) for seed in ("7", "7", "8"))

    files = set(TESTS.rglob("test_*.py"))
    assert first == again != other
    assert first < files
    assert TESTS / "local/power_cuts/test_engine.py" in first & other
    assert len(files) / 13 < len(first) < len(files) / 10  # those that compile, too


def test_a_quarter_of_the_costly_is_the_same_for_a_seed_and_others_bring_the_rest() -> None:
    costly = [f"tests/attacks/test_{number}.py::test_it" for number in range(90)]
    quarters = [[one for one in costly if runs_by(str(seed), one)] for seed in (7, 7, *range(30))]

    assert quarters[0] == quarters[1]
    assert all(len(costly) / 9 < len(quarter) < len(costly) / 2 for quarter in quarters)
    assert set(costly) == set().union(*quarters)
    assert costly == [one for one in costly if runs_by("all", one)]
