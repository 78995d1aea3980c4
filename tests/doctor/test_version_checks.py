"""Versions of platforms' APIs: settings, and a warning before each ends."""

from datetime import UTC, datetime, timedelta

import pytest

from chalicelib.connectors.shared.registry import real_connectors, require_settings
from chalicelib.doctor.examination import Verdict
from chalicelib.doctor.platform_checks import VersionChecks
from chalicelib.domain.platforms.facts import all_settings
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.versions import Standing, endangered_versions
from chalicelib.settings import Settings
from tests.support.frozen_clock import FrozenClock

SUNSET = datetime(2027, 9, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("left", "verdict"),
    [
        pytest.param(timedelta(days=91), Verdict.OK, id="far"),
        pytest.param(timedelta(days=90), Verdict.WARNING, id="90 days ahead"),
        pytest.param(timedelta(0), Verdict.WRONG, id="over"),
    ],
)
def test_the_end_of_linkedin_s_version_is_told_ahead(left: timedelta, verdict: Verdict) -> None:
    checks = VersionChecks({"linkedin_version": "202609"}, FrozenClock(SUNSET - left))

    graph, linkedin = checks.run()

    assert (linkedin.verdict, graph.verdict) == (verdict, Verdict.OK)


@pytest.mark.parametrize(
    ("version", "verdict"),
    [
        # developers.facebook.com/docs/graph-api/changelog/versions, read on 2026-10-29.
        ("v19.0", Verdict.WRONG),
        ("v20.0", Verdict.WRONG),
        ("v21.0", Verdict.WARNING),
        ("v22.0", Verdict.OK),
        ("v26.0", Verdict.OK),
        ("v27.0", Verdict.OK),
        ("v12.0", Verdict.WARNING),
        ("v99.0", Verdict.WARNING),
    ],
)
def test_a_version_of_graph_that_has_ended_or_is_unknown_is_told(
    version: str, verdict: Verdict
) -> None:
    today = datetime(2026, 11, 25, tzinfo=UTC)

    graph, _ = VersionChecks({"graph_version": version}, FrozenClock(today)).run()

    assert graph.verdict == verdict


@pytest.mark.parametrize(
    ("version", "days", "standing"),
    [
        ("v21.0", 91, None),
        ("v21.0", 90, Standing.ENDS_SOON),
        ("v21.0", 0, Standing.ENDED),
        ("v99.0", 91, Standing.UNKNOWN),
    ],
)
def test_the_status_of_the_engine_tells_what_doctor_tells(
    version: str, days: int, standing: Standing | None
) -> None:
    now = datetime(2027, 1, 21, tzinfo=UTC) - timedelta(days=days)

    found = endangered_versions({"graph_version": version}, now)

    assert [one.standing for one in found] == ([] if standing is None else [standing])
    assert all(one.told and "GOLDENHOUR_GRAPH_VERSION" in one.advice for one in found)


def test_versions_come_from_the_environment() -> None:
    named = {"GOLDENHOUR_LINKEDIN_VERSION": "202611", "GOLDENHOUR_GRAPH_VERSION": "v26.0"}

    versions = require_settings(Settings.from_environment(named).platform_versions)

    connectors = real_connectors(versions, FrozenClock())
    assert connectors[Platform.LINKEDIN]._hosts.linkedin_version == "202611"  # type: ignore[attr-defined]
    assert connectors[Platform.FACEBOOK]._api._hosts.graph_version == "v26.0"  # type: ignore[attr-defined]


def test_whatever_a_platforms_page_lets_be_set_is_read_from_the_environment() -> None:
    """GOLDENHOUR_TIKTOK_AUDIT=passed was on the page, and read by nobody."""
    named = {one.variable: one.default for one in all_settings()}

    read = Settings.from_environment(named).platform_versions

    assert read == {one.name: one.default for one in all_settings()}


@pytest.mark.parametrize(
    "named", [{"graph_version": "26"}, {"linkedin_version": "2026-09"}], ids=str
)
def test_a_version_of_another_form_is_refused_by_name(named: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="GOLDENHOUR_"):
        require_settings(named)
