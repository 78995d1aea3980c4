"""What says how engines differ runs on every engine, wherever its folder has moved to."""

from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
TARGETS = ("ON_ENGINES := ", "--engine moto ")
"""In the Makefile, before the folders that `make test-dynamodb`, `test-localstack` and `test-moto`
run."""


def _marked() -> Iterator[Path]:
    marker = "@pytest.mark." + "differs_on("
    for file in (PROJECT / "tests").rglob("test_*.py"):
        if marker in file.read_text(encoding="utf-8"):
            yield file.relative_to(PROJECT)


@pytest.mark.parametrize("target", TARGETS)
def test_every_test_that_knows_a_difference_is_run_where_it_differs(target: str) -> None:
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    folders = [Path(one) for one in makefile.partition(target)[2].partition("\n")[0].split()]

    marked = list(_marked())

    assert marked
    assert all((PROJECT / folder).exists() for folder in folders)
    assert [file for file in marked if not {file, *file.parents} & set(folders)] == []
