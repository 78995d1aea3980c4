"""A platform that is added by the steps of CONTRIBUTING.md alone does all that the others do.

Picnic is invented. It is added to a copy of this repository, whose own tests then judge it.
"""

import re
from pathlib import Path

import pytest

from tests.invented.copies import Copy

TABLES = (
    "tests/repository/docs/test_pages.py::test_the_tables_of_the_api_page_are_what_the_code_says"
)
JUDGES = (
    "tests/connectors/picnic",
    "tests/connectors/proofs",
    "tests/connectors/shared/test_abilities.py",
    "tests/connectors/shared/test_absence_page.py",
    "tests/connectors/shared/test_figures.py",
    "tests/connectors/shared/test_own_refusals.py",
    "tests/connectors/shared/test_restored.py",
    "tests/domain/platforms/test_platforms.py",
    "tests/domain/media/test_required_media.py",
    "tests/domain/times/test_activity.py",
    TABLES,
    "tests/repository/test_function_names.py",
    "tests/repository/test_platform_names.py",
    "tests/web/test_every_platform.py",
)
"""Every step after a crash and a fault; the API, the engine, a restore; the app; the documents."""

ROWS = (
    "tests/connectors/shared/test_every_option.py",
    "tests/connectors/shared/test_plain_noes.py",
    "tests/connectors/shared/test_played_answers.py",
    "tests/connectors/shared/test_sent.py",
    "tests/connectors/shared/test_words_that_were_lost.py",
    "tests/domain/posts/test_sendable.py",
)
"""Tests of which only Picnic's rows are asked: each option, each refusal, what leaves."""

_CLIENT = "client/tests/test_description.py::test_every_option_of_every_platform_is_known"

STORY = """
from chalicelib.connectors.shared.registry import real_connectors
from chalicelib.domain.clock import system_clock
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from tests.connectors.support.every_rig import RIGS
picnic = Platform("picnic")
FACTS[picnic]
real_connectors({}, system_clock)[picnic]
RIGS[picnic]()
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    return Copy.with_picnic(tmp_path_factory.mktemp("repository"))


@pytest.fixture(scope="module")
def judged(copy: Copy) -> str:
    """Return what all judges say, asked together: each alone would first load everything."""
    return copy.test("-rpfE", *JUDGES).stdout


@pytest.fixture(scope="module")
def judged_rows(copy: Copy) -> str:
    """Return what those say that have a row for each platform."""
    return copy.test("-rpfE", "-k", "picnic", *ROWS).stdout


def _outcomes(said: str, judge: str) -> set[str]:
    return set(re.findall(rf"^([A-Z]+) {re.escape(judge)}\b", said, re.MULTILINE))


@pytest.mark.costly("a twelfth platform")
@pytest.mark.parametrize("judge", JUDGES)
def test_the_added_platform_passes(judged: str, judge: str) -> None:
    assert _outcomes(judged, judge) == {"PASSED"}, judged[-3_000:]


@pytest.mark.costly("a twelfth platform")
@pytest.mark.parametrize("judge", ROWS)
def test_its_rows_pass(judged_rows: str, judge: str) -> None:
    assert _outcomes(judged_rows, judge) == {"PASSED"}, judged_rows[-3_000:]


@pytest.mark.costly("a twelfth platform")
def test_the_client_knows_its_options(copy: Copy) -> None:
    ran = copy.test(_CLIENT, "-cclient/pyproject.toml")

    assert ran.returncode == 0, ran.stdout[-3_000:]


@pytest.mark.costly("a twelfth platform")
def test_it_is_written_as_everything_else(copy: Copy) -> None:
    ran = copy.run("-m", "ruff", "check", "chalicelib", "tests/connectors/picnic")

    assert ran.returncode == 0, ran.stdout


@pytest.mark.prove
def test_its_types_are_right(copy: Copy) -> None:
    ran = copy.run("-m", "mypy", "chalicelib", "tests/connectors/picnic")

    assert ran.returncode == 0, ran.stdout


@pytest.mark.parametrize("forgotten", [2, 3, 4])
def test_a_forgotten_step_is_told_by_its_number(tmp_path: Path, forgotten: int) -> None:
    copy = Copy.with_picnic(tmp_path, without={forgotten, 5})

    ran = copy.run("-c", STORY)

    told = f'step {forgotten} of "Adding a platform" in CONTRIBUTING.md.'
    assert ran.stderr.strip().endswith(told)


def test_a_forgotten_fact_is_told_by_its_name(tmp_path: Path) -> None:
    copy = Copy.with_picnic(tmp_path, without={5})
    copy.change(
        "chalicelib/domain/platforms/pages/picnic.py", "read_lag=timedelta(seconds=30),", ""
    )

    ran = copy.run("-c", STORY)

    assert "'read_lag'" in ran.stderr.splitlines()[-1]
    assert ran.stderr.strip().endswith('step 2 of "Adding a platform" in CONTRIBUTING.md.')


TOLD_BY: dict[int, str] = {
    1: "tests/domain/platforms/test_platforms.py",
    5: TABLES,
}


@pytest.mark.costly
@pytest.mark.parametrize("forgotten", TOLD_BY)
def test_a_forgotten_line_is_told_by_a_test(tmp_path: Path, forgotten: int) -> None:
    copy = Copy.with_picnic(tmp_path, without={forgotten, 5})

    ran = copy.test(TOLD_BY[forgotten])

    assert ran.returncode == 1
    assert f"step {forgotten} of" in ran.stdout
