"""What `docs/cost.md` counts of an idle stage is what the template makes."""

import re
from typing import Final

from benchmarks.cost import idle
from infra.packaging.libraries import PROJECT
from infra.template.log_metrics import LOG_METRICS
from infra.template.merging import Template
from infra.template.stage import resources_of
from tests.deployment.templates.reading import properties

MINUTES: Final = 30 * 24 * 60
FREE_ALARMS, ALARM = 10, 0.10
FREE_METRICS, METRIC, DASHBOARD = 10, 0.30, 3.00
"""CloudWatch's prices in us-east-1: an alarm on one metric, a metric of our own, a dashboard."""
PAGE = (PROJECT / "docs" / "cost.md").read_text(encoding="utf-8")


def _without_front(template: Template, kind: str) -> int:
    return sum("Condition" not in one for one in resources_of(template, kind).values())


def test_the_page_counts_the_alarms_and_dashboards_of_a_stage(template: Template) -> None:
    alarms = _without_front(template, "AWS::CloudWatch::Alarm")
    dashboards = _without_front(template, "AWS::CloudWatch::Dashboard")
    metrics = len({one.name for one in LOG_METRICS.values()})

    price = (alarms - FREE_ALARMS) * ALARM
    assert f"| {alarms} alarms, ten of them free | ${price:.2f} |" in PAGE
    assert f"| {dashboards} dashboards of at most 50 metrics, {metrics} metrics of our own" in PAGE


def test_the_benchmark_and_the_page_count_the_rules_and_queues_of_a_stage(
    template: Template,
) -> None:
    rules = properties(template, "AWS::Events::Rule").values()
    every = [re.findall(r"\d+", one["ScheduleExpression"])[0] for one in rules]
    queues = len(resources_of(template, "AWS::Lambda::EventSourceMapping"))

    used = idle().used

    runs = sum(MINUTES / int(minutes) for minutes in every)
    assert used["Lambda request"] == runs
    assert f"Lambda {runs:,.0f} runs" in PAGE
    assert used["SQS request"] == MINUTES * (3 + queues * 15)
    assert f"polling of five queues, {used['SQS request'] / 1e6:.1f} million requests" in PAGE


def test_the_sum_on_the_page_is_that_of_its_rows() -> None:
    idle = PAGE.partition("## Idle")[2].partition("**all**")
    rows = [float(price) for price in re.findall(r"\$([0-9.]+) \|$", idle[0], re.MULTILINE)]
    (told,) = re.findall(r"\*\*about \$([0-9.]+)\*\*", idle[2].partition("\n")[0])

    assert len(rows) == 5
    assert abs(sum(rows) - float(told)) <= 0.05


def test_a_second_stage_pays_for_what_the_first_has_for_nothing(template: Template) -> None:
    metrics = len({one.name for one in LOG_METRICS.values()})
    boards = _without_front(template, "AWS::CloudWatch::Dashboard")
    (first,) = re.findall(r"\*\*about \$([0-9.]+)\*\*", PAGE.partition("## Idle")[2])
    (second,) = re.findall(r"a second one costs about \$([0-9.]+)", PAGE)

    more = FREE_ALARMS * ALARM + (2 * metrics - FREE_METRICS) * METRIC
    more += (2 * boards - 3) * DASHBOARD
    assert abs(float(first) + more - float(second)) <= 0.25
