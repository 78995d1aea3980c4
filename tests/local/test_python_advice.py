"""Whoever runs an early release of a Python reads one sentence about it."""

import subprocess
import sys

import pytest

from chalicelib.local.front.program import advice_on_python


@pytest.mark.parametrize("version", [(3, 11, 2), (3, 11, 9), (3, 12, 5)])
def test_an_early_release_is_named_with_the_one_that_mended_it(
    version: tuple[int, int, int],
) -> None:
    advice = advice_on_python(version)

    assert advice is not None
    assert advice.startswith("This is Python 3.")
    assert "security fixes" in advice


@pytest.mark.parametrize("version", [(3, 11, 10), (3, 12, 6), (3, 13, 0), (3, 14, 0)])
def test_of_a_mended_release_nothing_is_said(version: tuple[int, int, int]) -> None:
    assert advice_on_python(version) is None


@pytest.mark.parametrize("module", ["chalicelib.local", "chalicelib"])
def test_a_python_without_docstrings_is_refused_in_one_sentence(module: str) -> None:
    """Found by hand: with PYTHONOPTIMIZE=2 it began, and every refusal was `"message": ""`."""
    ended = subprocess.run(
        [sys.executable, "-OO", "-m", module], capture_output=True, text=True, check=False
    )

    assert ended.returncode == 1
    assert ended.stderr.startswith("goldenhour needs its docstrings:")
    assert ended.stderr.count("\n") == 1
