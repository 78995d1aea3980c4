"""docs/slo.md tells burn rates of the alarms that there are, and not of wished ones."""

import re

from infra.packaging.libraries import PROJECT
from infra.template.merging import Json, Template
from infra.template.stage import resources_of

PAGE = (PROJECT / "docs" / "slo.md").read_text(encoding="utf-8")
ALLOWED = 0.001
MINUTES = 28 * 24 * 60


def _alarm(template: Template, name: str) -> dict[str, Json]:
    found = resources_of(template, "AWS::CloudWatch::Alarm")[name]["Properties"]
    assert isinstance(found, dict)
    return found


def _used_up(burn_rate: float, minutes: float) -> float:
    return 100 * burn_rate * minutes / MINUTES


def test_the_alarm_of_lateness_rings_at_the_burn_rate_that_the_page_tells(
    template: Template,
) -> None:
    alarm = _alarm(template, "LatenessAlarm")

    assert ("Lateness", "p99") == (alarm["MetricName"], alarm["ExtendedStatistic"])
    assert f"within {alarm['Threshold']} s of their time" in PAGE
    assert "two of three periods of 5 minutes" in PAGE
    told = (alarm["DatapointsToAlarm"], alarm["EvaluationPeriods"], alarm["Period"])
    assert (2, 3, 300) == told
    assert 10 == 0.01 / ALLOWED


def test_the_alarm_of_errors_rings_at_the_burn_rate_that_the_page_tells(template: Template) -> None:
    alarm = _alarm(template, "ErrorRateAlarm")

    assert alarm["Threshold"] == 10 * ALLOWED
    assert (2, 300) == (alarm["EvaluationPeriods"], alarm["Period"])


def test_a_tick_that_has_stopped_rings_as_soon_as_the_page_tells(template: Template) -> None:
    alarm = _alarm(template, "OldestOverdueAlarm")

    assert "breaching" == alarm["TreatMissingData"]
    assert 300 == alarm["Threshold"]


def test_what_is_used_up_by_then_is_the_product_of_rate_and_time() -> None:
    rows = re.findall(r"^\| (10 and more|6|1|all posts) \|.*\| ([\d.]+) % \|", PAGE, re.MULTILINE)
    by_then: dict[str, tuple[float, float]] = {
        "10 and more": (10, 10),
        "6": (6, 6 * 60),
        "1": (1, 3 * 24 * 60),
    }
    by_then["all posts"] = (1 / ALLOWED, 5)

    assert set(by_then) == {name for name, _ in rows}
    for name, told in rows:
        assert abs(float(told) - _used_up(*by_then[name])) <= max(0.5, 0.1 * float(told)), name
