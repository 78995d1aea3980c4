"""What is pinned is asked about, and what is found is told by name."""

from pathlib import Path

from infra.advisories import asked, pins, told

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
