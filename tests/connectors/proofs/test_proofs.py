"""The page about what is proven says what there is."""

from pathlib import Path

from chalicelib.bootstrap.connectors import real_connectors
from chalicelib.domain.clock import system_clock
from chalicelib.domain.platforms.platform import Platform
from tests.connectors.proofs.page import AFTER_RESTORE, EVIDENCE, PROVEN, page

TESTS = Path(__file__).parents[2]
PAGE = TESTS.parent / "docs" / "connectors.md"


def test_the_page_is_what_the_table_makes() -> None:
    """After a change: `python -m tests.connectors.proofs > docs/connectors.md`."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_every_connector_has_its_row() -> None:
    assert {proven.platform for proven in PROVEN} == set(real_connectors({}, system_clock))


def test_every_proof_names_a_test_that_there_is() -> None:
    named = {proof.test for proven in PROVEN for proof in proven.proofs}

    assert {name for name in named if not (TESTS / name).exists()} == set()


def test_every_platform_says_what_proves_what() -> None:
    assert list(EVIDENCE) == list(AFTER_RESTORE) == list(Platform)
