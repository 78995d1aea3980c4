"""Versions of platforms' APIs: settings, and a warning before each ends."""

from datetime import UTC, datetime, timedelta

import pytest

from chalicelib.connectors.shared.registry import real_connectors, require_settings
from chalicelib.doctor.examination import Verdict
from chalicelib.doctor.platform_checks import VersionChecks
from chalicelib.domain.platforms.platform import Platform
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


def test_versions_come_from_the_environment() -> None:
    named = {"GOLDENHOUR_LINKEDIN_VERSION": "202611", "GOLDENHOUR_GRAPH_VERSION": "v26.0"}

    versions = require_settings(Settings.from_environment(named).platform_versions)

    connectors = real_connectors(versions, FrozenClock())
    assert connectors[Platform.LINKEDIN]._hosts.linkedin_version == "202611"  # type: ignore[attr-defined]
    assert connectors[Platform.FACEBOOK]._api._hosts.graph_version == "v26.0"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "named", [{"graph_version": "26"}, {"linkedin_version": "2026-09"}], ids=str
)
def test_a_version_of_another_form_is_refused_by_name(named: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="GOLDENHOUR_"):
        require_settings(named)
