"""Nothing of the engine can be taken away without a test or the simulation noticing it."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutations import around_it, engine, plans, surroundings, this_round
from tests.mutations.mutation import Mutation, noticed_by

MUTATIONS = (
    *engine.MUTATIONS,
    *around_it.MUTATIONS,
    *plans.MUTATIONS,
    *this_round.MUTATIONS,
    *surroundings.MUTATIONS,
)
LEAST = 60


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda one: one.name)
def test_a_mutation_breaks_what_the_engine_is_today(mutation: Mutation) -> None:
    assert mutation.source()
    assert mutation.by or mutation.because


def test_a_mutation_names_only_what_is_there(tmp_path: Path) -> None:
    """One that breaks by a name that no longer exists tests nothing that its line says."""
    for place, mutation in enumerate(MUTATIONS):
        (tmp_path / f"m{place}.py").write_text(mutation.source(), encoding="utf-8")

    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F821", str(tmp_path)]
    ended = subprocess.run(ruff, capture_output=True, text=True, check=False)

    assert ended.returncode == 0, ended.stdout


def test_there_are_many() -> None:
    assert sum(bool(one.by) for one in MUTATIONS) >= LEAST


@pytest.mark.prove
@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda one: one.name)
def test_somebody_notices_a_mutation(mutation: Mutation, tmp_path: Path) -> None:
    if mutation.by:
        assert noticed_by(mutation, tmp_path) is not None, mutation.name
