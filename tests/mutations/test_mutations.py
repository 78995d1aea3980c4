"""Nothing of the engine can be taken away without a test or the simulation noticing it."""

from pathlib import Path

import pytest

from tests.mutations.engine import MUTATIONS
from tests.mutations.mutation import Mutation, noticed_by

LEAST = 60


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda one: one.name)
def test_a_mutation_breaks_what_the_engine_is_today(mutation: Mutation) -> None:
    assert mutation.source()
    assert mutation.by or mutation.because


def test_there_are_many() -> None:
    assert sum(bool(one.by) for one in MUTATIONS) >= LEAST


@pytest.mark.prove
@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda one: one.name)
def test_somebody_notices_a_mutation(mutation: Mutation, tmp_path: Path) -> None:
    if mutation.by:
        assert noticed_by(mutation, tmp_path) is not None, mutation.name
