"""What this service refuses in a platform's place is said in one closed set a platform."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import chalicelib.connectors
from chalicelib.connectors.shared.own_refusals import OwnRefusal, Shared
from chalicelib.domain.platforms.platform import Platform
from tests.connectors.proofs.refusals import own_refusals

CONNECTORS = Path(chalicelib.connectors.__file__).parent
_COMPOSED = {"Failed", "RejectedError", "ErrorEntry"}
_TABLES = {
    *("errors.py", "common_errors.py", "google_errors.py"),
    *("failures.py", "own_refusals.py"),
}
_FOLDERS = [*(platform.replace(" ", "_") for platform in Platform), "sandbox"]
_OWN = {folder: own for folder in _FOLDERS if (own := own_refusals(folder)) is not None}


def _composed_in(file: Path) -> Iterator[str]:
    """Yield where a refusal is made of a code that stands in the code beside it."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        is_made = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if not is_made or node.func.id not in _COMPOSED:  # type: ignore[attr-defined]
            continue
        if "FailureCode." in ast.unparse(node):
            yield str(file.relative_to(CONNECTORS))


def test_no_connector_composes_a_refusal() -> None:
    """Else it stands in neither table of docs/connectors/refusals.md."""
    files = [file for file in CONNECTORS.rglob("*.py") if file.name not in _TABLES]

    assert [place for file in files for place in _composed_in(file)] == [_SIGN_IN]


_SIGN_IN = "shared/auth/oauth.py"
"""A table of errors itself, of the two errors that every OAuth server has."""


@pytest.mark.parametrize("folder", _OWN)
def test_every_sentence_is_in_use(folder: str) -> None:
    own = _OWN[folder]
    source = "\n".join(file.read_text("utf-8") for file in (CONNECTORS / folder).glob("*.py"))

    assert [row.name for row in own if f"{own.__name__}.{row.name}" not in source] == []


@pytest.mark.parametrize("own", [Shared, *_OWN.values()])
def test_every_sentence_tells_a_person_something(own: type[OwnRefusal]) -> None:
    """One that stands for `check`'s own sentence is that sentence and nothing else."""
    sentences = [row.sentence for row in own]

    assert [one for one in sentences if not re.search(r"[.!]$|^{why}$|{why}$", one)] == []
    assert len({row.name for row in own}) == len(own.__members__)
