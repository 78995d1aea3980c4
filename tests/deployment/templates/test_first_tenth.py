"""A new release gets a tenth of all calls first, heard by alarms that hear nothing else."""

import re
from typing import Any

import pytest

from infra.packaging.package import Package
from infra.template.first_tenth import alarm_names, beside, shared
from infra.template.merging import Template
from infra.template.stage import resources_of, stage_template
from tests.deployment.templates.reading import FUNCTIONS, properties

RELEASE = "3f9c2a7d"
NEW = "Notify"
"""A function that the release before did not have."""
MOST_TRIGGERS = 5
"""Of a change (CloudFormation API reference, RollbackConfiguration)."""
MOST_METRICS = 10
"""Of an alarm on an expression (CloudWatch guide, "Create an alarm based on a metric math")."""


@pytest.fixture(scope="module")
def whole(packaged: Package) -> Template:
    """Return the template in SAM's language."""
    return stage_template(packaged.template, "prod")


@pytest.fixture(scope="module")
def live(template: Template) -> dict[str, int]:
    """Return the versions that run: another of each function, so that none is taken for one."""
    known = (name for name in properties(template, FUNCTIONS) if name != NEW)
    return {name: number for number, name in enumerate(known, start=7)}


@pytest.fixture(scope="module")
def first(whole: Template, template: Template, live: dict[str, int]) -> Template:
    return beside(whole, template, live, RELEASE)


@pytest.fixture(scope="module")
def second(whole: Template, template: Template, live: dict[str, int]) -> Template:
    return shared(whole, template, live, RELEASE)


def _aliases(template: Template) -> dict[str, dict[str, Any]]:
    """Return each alias, by its function."""
    found = properties(template, "AWS::Lambda::Alias").values()
    return {one["FunctionName"]["Ref"]: one for one in found}


def _weights(alias: dict[str, Any]) -> list[dict[str, Any]]:
    return list(alias["RoutingConfig"]["AdditionalVersionWeights"])


def _alarms(template: Template) -> dict[str, Any]:
    alarms = properties(template, "AWS::CloudWatch::Alarm")
    return {name: alarms[name] for name in alarm_names(template, RELEASE)}


def test_the_new_versions_are_made_while_all_calls_go_to_those_that_run(
    template: Template, first: Template, live: dict[str, int]
) -> None:
    made = resources_of(first, "AWS::Lambda::Version")

    assert made == resources_of(template, "AWS::Lambda::Version")
    for function, number in live.items():
        assert _aliases(first)[function]["FunctionVersion"] == str(number)
        assert _weights(_aliases(first)[function]) == []


def test_then_every_function_that_takes_calls_gives_a_tenth_of_them_to_its_new_version(
    template: Template, second: Template, live: dict[str, int]
) -> None:
    for function, number in live.items():
        alias = _aliases(second)[function]
        new = _aliases(template)[function]["FunctionVersion"]
        assert alias["FunctionVersion"] == str(number)
        assert _weights(alias) == [{"FunctionVersion": new, "FunctionWeight": 0.1}]


def test_a_function_that_did_not_run_before_gets_all_of_its_calls(
    template: Template, first: Template, second: Template
) -> None:
    for step in (first, second):
        assert _aliases(step)[NEW] == _aliases(template)[NEW]


def test_in_the_end_no_call_is_shared_and_no_alarm_of_the_release_is_left(
    template: Template,
) -> None:
    assert all(_weights(alias) == [] for alias in _aliases(template).values())
    assert alarm_names(template, RELEASE) == []
    assert not [name for name in resources_of(template) if RELEASE in name and "Metric" in name]


def test_nothing_else_differs_between_the_three_changes(
    template: Template, first: Template, second: Template
) -> None:
    for step in (first, second):
        differs = {
            name
            for name, one in resources_of(step).items()
            if resources_of(template).get(name) != one
        }
        added = set(resources_of(step)) - set(resources_of(template))
        assert all(name.startswith(f"Release{RELEASE}") for name in added)
        assert {resources_of(step)[name]["Type"] for name in differs - added} == {
            "AWS::Lambda::Alias"
        }


def test_no_more_alarms_watch_a_release_than_cloudformation_takes(second: Template) -> None:
    alarms = _alarms(second)

    assert 0 < len(alarms) <= MOST_TRIGGERS
    for alarm in alarms.values():
        assert len(alarm.get("Metrics", [])) - 1 <= MOST_METRICS
        assert alarm["AlarmActions"] == [{"Ref": "AlarmTopic"}]
        assert (alarm["Threshold"], alarm["TreatMissingData"]) == (0, "notBreaching")


def test_an_alarm_hears_the_crashes_of_each_new_version_and_of_no_other(
    template: Template, second: Template, live: dict[str, int]
) -> None:
    """An error of the version that ran must not take the new one back."""
    heard: dict[str, Any] = {}
    for alarm in _alarms(second).values():
        if "Metrics" not in alarm:
            continue
        (total,) = (one for one in alarm["Metrics"] if one["ReturnData"])
        for one in alarm["Metrics"]:
            if one is total:
                continue
            assert f"FILL({one['Id']},0)" in total["Expression"].split("+")
            metric = one["MetricStat"]["Metric"]
            assert [metric["Namespace"], metric["MetricName"]] == ["AWS/Lambda", "Errors"]
            told = {each["Name"]: each["Value"] for each in metric["Dimensions"]}
            heard[told["FunctionName"]["Ref"]] = told

    assert set(heard) == set(live)
    for function, told in heard.items():
        assert told["Resource"] == {"Fn::Sub": f"${{{function}}}:live"}
        assert told["ExecutedVersion"] == _aliases(template)[function]["FunctionVersion"]


def test_the_release_is_taken_back_too_when_it_logs_that_it_failed(second: Template) -> None:
    filters = {
        name: one
        for name, one in properties(second, "AWS::Logs::MetricFilter").items()
        if name.startswith(f"Release{RELEASE}")
    }
    (heard,) = (alarm for alarm in _alarms(second).values() if "Metrics" not in alarm)

    assert {one["LogGroupName"]["Ref"] for one in filters.values()} == {
        f"{name}Log" for name in properties(second, FUNCTIONS)
    }
    for one in filters.values():
        (transformed,) = one["MetricTransformations"]
        assert transformed["MetricNamespace"] == heard["Namespace"]
        assert transformed["MetricName"] == heard["MetricName"]
        assert re.match(r'\{ \(\$\.release = "3f9c2a7d"\) && ', one["FilterPattern"])
        assert '$.action = "batch.failed"' in one["FilterPattern"]
        assert "$.status >= 500" in one["FilterPattern"]


@pytest.mark.costly
@pytest.mark.deploy
def test_cfn_lint_finds_nothing_in_the_two_that_come_first(
    first: Template, second: Template
) -> None:
    from cfnlint import lint  # noqa: PLC0415 - its import takes a second

    from infra.template.stage import written  # noqa: PLC0415

    for step in (first, second):
        assert lint(written(step), regions=["us-east-1"]) == []
