"""What is pinned is asked about, and what is found is told by name."""

from pathlib import Path

import pytest

from infra.advisories import (
    DAYS,
    DAYS_BETWEEN_UPDATES,
    DAYS_OUT_OF_REACH,
    asked,
    pins,
    told,
    verdict,
)

LOCKS = Path(__file__).parents[2]


def test_every_package_that_is_installed_is_asked_about() -> None:
    lock = (LOCKS / "requirements.lock").read_text()

    found = dict(pins(lock))

    assert {"boto3", "cryptography", "pillow", "setuptools"} <= set(found)
    assert len(found) == lock.count("==")


def test_a_package_with_an_advisory_is_named_with_it() -> None:
    pinned = [("bread", "1.0"), ("setuptools", "65.5.0")]

    queries = asked(pinned)["queries"]
    lines = told(pinned, {"results": [{}, {"vulns": [{"id": "CVE-2025-47273"}]}]})

    assert isinstance(queries, list)
    assert len(queries) == 2
    assert lines == ["setuptools 65.5.0: CVE-2025-47273"]


@pytest.mark.parametrize(
    ("lines", "strict", "accepted", "status", "said"),
    [
        ([], False, "", 0, "No package"),
        ([], True, "", 0, "No package"),
        (["bread 1.0: CVE-1"], False, "", 1, "CVE-1"),
        (["bread 1.0: CVE-1"], True, "no network", 1, "CVE-1"),
        (None, False, "", 0, "UNKNOWN"),
        (None, True, "", 2, "UNKNOWN"),
        (None, True, "no network here", 0, "Accepted: no network here"),
    ],
)
def test_what_is_not_known_is_told_as_unknown_and_fails_where_it_must_be_known(
    lines: list[str] | None, accepted: str, status: int, said: str, *, strict: bool
) -> None:
    told_of, left_with = verdict(lines, why="URLError", strict=strict, accepted=accepted)

    assert (status, True) == (left_with, said in told_of)


def test_the_page_tells_how_soon_a_library_is_replaced() -> None:
    page = Path("SECURITY.md").read_text(encoding="utf-8")
    said, _ = verdict(["bread 1.0: CVE-1"], why="", strict=False, accepted="")

    assert f"within {DAYS} days if" in page
    assert f"else within {DAYS_OUT_OF_REACH} days" in page
    assert f"at least every {DAYS_BETWEEN_UPDATES} days" in page
    assert f"within {DAYS} days, or {DAYS_OUT_OF_REACH}" in said
