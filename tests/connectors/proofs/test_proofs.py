"""The page about what is proven says what there is."""

from pathlib import Path

from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from tests.connectors.proofs.page import page, proven_of
from tests.connectors.proofs.refusals import page as refusals_page
from tests.connectors.proofs.versions import page as versions_page

TESTS = Path(__file__).parents[2]
PAGE = TESTS.parent / "docs" / "connectors.md"
VERSIONS = PAGE.parent / "connectors" / "versions.md"
REFUSALS = PAGE.parent / "connectors" / "refusals.md"


def test_the_page_is_what_the_table_makes() -> None:
    """After a change: `python -m tests.connectors.proofs > docs/connectors.md`."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_the_page_of_refusals_is_what_playing_them_makes() -> None:
    """After a change: `make tables`."""
    assert REFUSALS.read_text(encoding="utf-8") == refusals_page()


def test_the_page_of_versions_is_what_the_facts_make() -> None:
    """After a change: `make tables`."""
    assert VERSIONS.read_text(encoding="utf-8") == versions_page()


def test_every_platform_has_a_version_with_a_source() -> None:
    told = VERSIONS.read_text(encoding="utf-8")

    assert [one for one in Platform if FACTS[one].name not in told] == []
    rows = [line for line in told.splitlines() if line.startswith("| ")][1:]
    assert [row for row in rows if "https://" not in row] == []


def test_every_connector_has_its_row() -> None:
    assert [proven_of(platform).platform for platform in Platform] == list(Platform)


def test_every_proof_names_a_test_that_there_is() -> None:
    named = {proof.test for proven in map(proven_of, Platform) for proof in proven.proofs}

    assert {name for name in named if not (TESTS / name).exists()} == set()
