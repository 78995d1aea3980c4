"""Who may run how often at once, what is called, and who is told when it does not keep up."""

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, cast

import pytest

import app
from chalicelib.workers.bursts import BATCH
from infra.packaging.libraries import PROJECT
from infra.packaging.package import Package
from infra.packaging.runtime import ARCHITECTURE, NAME
from infra.template.functions import ALIAS, PLACES, events_of
from infra.template.log_metrics import LOG_METRICS
from infra.template.merging import Template
from infra.template.stage import resources_of
from tests.deployment.templates.reading import FUNCTIONS, properties, reader

UNRESERVED = 100
"""What Lambda wants left for functions without a reservation."""


def _sources(template: Template) -> list[dict[str, Any]]:
    return list(properties(template, "AWS::Lambda::EventSourceMapping").values())


def test_reserved_places_fit_an_account_of_a_thousand() -> None:
    assert sum(PLACES["1000"].values()) <= 1000 - UNRESERVED


def test_a_new_account_of_ten_places_has_some_left_for_requests_and_the_tick(
    template: Template,
) -> None:
    """Retries go through the queue of `Prepare` there, so that `Retry` takes none of them."""
    for function in properties(template, FUNCTIONS).values():
        told = function["Environment"]["Variables"]["GOLDENHOUR_RETRIES_APART"]
        assert told == {"Fn::If": ["ReservesPlaces", "yes", "no"]}

    assert sum(places for name, places in PLACES["10"].items() if name != "Retry") <= 8


def test_every_function_has_places_and_reserves_them_only_where_it_can(template: Template) -> None:
    for name, function in properties(template, FUNCTIONS).items():
        assert PLACES["1000"][name] > 0
        condition, reserved, otherwise = function["ReservedConcurrentExecutions"]["Fn::If"]
        assert condition == "ReservesPlaces"
        assert reserved == {"Fn::FindInMap": ["Places", "1000", name]}
        assert otherwise == {"Ref": "AWS::NoValue"}


@pytest.mark.parametrize("account", ["10", "1000"])
def test_a_queue_takes_no_more_places_than_its_function_has(
    template: Template, account: str
) -> None:
    """Otherwise Lambda refuses what the queue delivered, and messages die unread."""
    places: Any = template["Mappings"]

    assert _sources(template)
    for source in _sources(template):
        name = reader(source)
        scaling = source["ScalingConfig"]
        most = scaling.get("Fn::If", [scaling])[-1]["MaximumConcurrency"]
        assert most == {"Fn::FindInMap": ["Places", {"Ref": "AccountPlaces"}, name]}
        taken = places["Places"][account][name]
        assert 2 <= taken <= PLACES["1000"][name]


def test_the_tick_knows_how_many_batches_begin_slowly_and_nobody_else(template: Template) -> None:
    named = "GOLDENHOUR_PUBLISH_PLACES"
    told = {
        name: function["Environment"]["Variables"].get(named)
        for name, function in properties(template, FUNCTIONS).items()
    }

    assert {name for name, places in told.items() if places is not None} == {"Tick"}
    condition, kept, ramped = told["Tick"]["Fn::If"]
    assert (condition, kept) == ("HasPublishPollers", "0")
    assert "Publish" in str(ramped)
    assert BATCH == app.ARMED_TOGETHER


def test_the_posts_and_each_of_their_indexes_can_be_warmed_together(template: Template) -> None:
    posts: Any = properties(template, "AWS::DynamoDB::Table")["PostsTable"]

    warmed = {"WriteUnitsPerSecond": {"Ref": "WarmWrites"}}
    for one in (posts, *posts["GlobalSecondaryIndexes"]):
        assert one["WarmThroughput"]["Fn::If"] == [
            "HasWarmWrites",
            warmed,
            {"Ref": "AWS::NoValue"},
        ]


def test_the_publish_queue_has_kept_pollers_or_a_limit_but_never_both(template: Template) -> None:
    """AWS refuses an event source with both; docs/capacity.md says when to keep pollers."""
    (publish,) = (one for one in _sources(template) if reader(one) == "Publish")
    pollers = {"Ref": "PublishPollers"}
    nothing = {"Ref": "AWS::NoValue"}

    limit, kept = (publish[name]["Fn::If"] for name in ("ScalingConfig", "ProvisionedPollerConfig"))

    assert limit[:2] == ["HasPublishPollers", nothing]
    assert kept == [
        "HasPublishPollers",
        {"MinimumPollers": pollers, "MaximumPollers": pollers},
        nothing,
    ]


def test_everything_calls_a_version_by_its_alias(template: Template) -> None:
    functions = properties(template, FUNCTIONS)
    aliases = {f"{name}Alias{ALIAS}" for name in functions}
    rules = properties(template, "AWS::Events::Rule").values()
    permissions = properties(template, "AWS::Lambda::Permission").values()

    assert set(properties(template, "AWS::Lambda::Alias")) == aliases
    called = [source["FunctionName"]["Ref"] for source in _sources(template)]
    called += [target["Arn"]["Ref"] for rule in rules for target in rule["Targets"]]
    called += [permission["FunctionName"]["Ref"] for permission in permissions]
    assert called
    assert set(called) <= aliases
    assert "functions/${APIHandler.Arn}" not in str(template)
    assert "functions/${APIHandlerAliaslive}" in str(template)


def test_versions_stay_for_a_rollback_and_every_release_makes_new_ones(template: Template) -> None:
    """Lambda refuses a version of what did not change, so each release changes a variable."""
    for name, version in resources_of(template, "AWS::Lambda::Version").items():
        assert version["DeletionPolicy"] == "Retain", name
    for function in properties(template, FUNCTIONS).values():
        assert function["Environment"]["Variables"]["GOLDENHOUR_RELEASE"] == "3f9c2a7d"
        assert function["Runtime"] == NAME
        assert function["Architectures"] == [ARCHITECTURE]


def test_every_queue_has_an_alarm_that_fits_what_it_is_for(template: Template) -> None:
    alarms = properties(template, "AWS::CloudWatch::Alarm").values()
    watched = {
        alarm["Dimensions"][0]["Value"]["Fn::GetAtt"][0]: alarm["MetricName"]
        for alarm in alarms
        if alarm["Namespace"] == "AWS/SQS"
    }

    queues = properties(template, "AWS::SQS::Queue")
    assert set(watched) == set(queues)
    for name, queue in queues.items():
        waits = "ApproximateAgeOfOldestMessage"
        given_up = "ApproximateNumberOfMessagesVisible"
        assert watched[name] == (waits if "RedrivePolicy" in queue else given_up)


def test_an_alarm_hears_its_line_in_whichever_function_logs_it(template: Template) -> None:
    """A refused sign-in is logged by Prepare, a late text by Publish, a late file by Prepare."""
    filters: list[Any] = [
        one["Properties"]
        for one in resources_of(template, "AWS::Logs::MetricFilter").values()
        if "Condition" not in one
    ]
    logs = {f"{name}Log" for name in properties(template, FUNCTIONS)}
    heard: dict[str, set[str]] = defaultdict(set)
    for one in filters:
        heard[one["FilterPattern"]].add(one["LogGroupName"]["Ref"])
    counted = {one["MetricTransformations"][0]["MetricName"] for one in filters}
    alarms: list[Any] = [
        one["Properties"]
        for one in resources_of(template, "AWS::CloudWatch::Alarm").values()
        if "Condition" not in one
    ]
    ours = {
        alarm["MetricName"] for alarm in alarms if not str(alarm["Namespace"]).startswith("AWS/")
    }

    assert {metric.lines for metric in LOG_METRICS.values()} == set(heard)
    assert all(heard_in == logs for heard_in in heard.values())
    assert ours <= counted


def test_the_canary_rings_when_none_of_its_posts_was_on_time(template: Template) -> None:
    """Also when there was none; without a workspace that is named for it there is no alarm."""
    alarm: Any = resources_of(template)["CanaryAlarm"]
    heard: Any = resources_of(template)["CanaryMetric"]
    told = heard["Properties"]["MetricTransformations"][0]

    assert "HasCanary" == alarm["Condition"] == heard["Condition"]
    assert "" == cast("Any", template["Parameters"])["CanaryWorkspace"]["Default"]
    assert "breaching" == alarm["Properties"]["TreatMissingData"]
    assert ("Minimum", 5) == (alarm["Properties"]["Statistic"], alarm["Properties"]["Threshold"])
    assert alarm["Properties"]["MetricName"] == told["MetricName"]
    assert {"Ref": "PublishLog"} == heard["Properties"]["LogGroupName"]
    assert {"Ref": "CanaryWorkspace"} == properties(template, FUNCTIONS)["Review"]["Environment"][
        "Variables"
    ]["GOLDENHOUR_CANARY"]


def test_a_post_in_a_hundred_that_is_seconds_late_rings(template: Template) -> None:
    """Twice of three times, since a video that is published at once takes its time, too."""
    alarm = properties(template, "AWS::CloudWatch::Alarm")["LatenessAlarm"]

    assert (alarm["MetricName"], alarm["ExtendedStatistic"]) == ("Lateness", "p99")
    assert (alarm["Threshold"], alarm["ComparisonOperator"]) == (5, "GreaterThanThreshold")
    assert [alarm[name] for name in ("DatapointsToAlarm", "EvaluationPeriods", "Period")] == [
        2,
        3,
        300,
    ]


def test_an_action_that_an_alarm_rests_on_is_one_that_the_code_logs() -> None:
    """A renamed action would leave its alarm deaf."""
    code = "".join(
        file.read_text(encoding="utf-8") for file in (PROJECT / "chalicelib").rglob("*.py")
    )
    actions = {
        action
        for one in LOG_METRICS.values()
        for action in re.findall(r'action = "(.+?)"', one.lines)
    }

    assert len(actions) == 8
    for action in actions:
        assert f'"action": "{action}"' in code, action


def test_the_dashboard_names_every_function_it_draws(template: Template) -> None:
    """A search that quotes the stage's name finds none: it would have to be the whole name."""
    board = properties(template, "AWS::CloudWatch::Dashboard")["Dashboard"]
    text = board["DashboardBody"]["Fn::Sub"]

    assert "SEARCH" not in text
    for metric in ("Errors", "Duration", "Throttles"):
        for name in properties(template, FUNCTIONS):
            assert f'"AWS/Lambda", "{metric}", "FunctionName", "${{{name}}}"' in text


def test_every_trigger_of_the_app_is_known_to_the_places(packaged: Package) -> None:
    for name, function in resources_of(packaged.template, "AWS::Serverless::Function").items():
        assert (name in PLACES["10"]) is bool(events_of(function, "SQS"))


def test_only_the_api_counts_requests_and_a_workspace_gets_a_quarter_of_them(
    template: Template,
) -> None:
    named = "GOLDENHOUR_WORKSPACE_RATE"
    functions = properties(template, FUNCTIONS)
    told = {
        name: function["Environment"]["Variables"][named]
        for name, function in functions.items()
        if named in function["Environment"]["Variables"]
    }

    parameters = cast("Mapping[str, Mapping[str, int]]", template["Parameters"])
    of_one, of_all = (parameters[one]["Default"] for one in ("WorkspaceRate", "RequestRate"))
    assert told == {"APIHandler": {"Ref": "WorkspaceRate"}}
    assert of_one * 4 == of_all
