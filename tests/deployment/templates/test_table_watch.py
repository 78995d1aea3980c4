"""Throttling is heard wherever it happens, and drawn by table and by index beside it.

CloudWatch's page of DynamoDB's metrics: events of throttled reads and writes are counted with the
dimensions TableName and GlobalSecondaryIndexName; a table's own leave its indexes out.
"""

import json
from collections.abc import Iterator
from typing import Any

from infra.template.merging import Template
from tests.deployment.templates.reading import properties

Named = tuple[str, ...]
FREE_METRICS, FREE_DASHBOARDS = 50, 3
"""What an account has for nothing (CloudWatch's prices, free tier); docs/cost.md says so."""
UNWATCHED = "SandboxTable"


def _everything(template: Template) -> Iterator[Named]:
    """Yield each table and index that posts depend on."""
    for name, table in properties(template, "AWS::DynamoDB::Table").items():
        if name != UNWATCHED:
            yield (name,)
            for index in table.get("GlobalSecondaryIndexes", []):
                yield (name, index["IndexName"])


def _dashboards(template: Template) -> dict[str, list[dict[str, Any]]]:
    return {
        name: json.loads(board["DashboardBody"]["Fn::Sub"])["widgets"]
        for name, board in properties(template, "AWS::CloudWatch::Dashboard").items()
    }


def test_one_alarm_hears_what_any_table_or_index_refused_any_function(template: Template) -> None:
    (heard,) = [
        alarm
        for alarm in properties(template, "AWS::CloudWatch::Alarm").values()
        if alarm["MetricName"] == "TableThrottles"
    ]

    assert ("Sum", 300) == (heard["Statistic"], heard["Period"])
    assert {"Fn::Sub": "goldenhour/${ResourcePrefix}"} == heard["Namespace"]
    assert "dashboard of the tables" in heard["AlarmDescription"]


def test_the_dashboard_of_the_tables_draws_each_of_them(template: Template) -> None:
    drawn = set()
    for widget in _dashboards(template)["TablesDashboard"]:
        for namespace, metric, _, table, *more in widget["properties"]["metrics"]:
            assert namespace == "AWS/DynamoDB"
            index = more[1:-1]
            drawn.add((metric, (table.strip("${}"), *index)))

    throttled = {one for one in drawn if one[0].endswith("ThrottleEvents")}
    assert throttled == {
        (f"{kind}ThrottleEvents", named)
        for kind in ("Read", "Write")
        for named in _everything(template)
    }


def test_the_dashboards_of_a_stage_cost_nothing(template: Template) -> None:
    boards = _dashboards(template)
    metrics = {
        name: sum(len(widget["properties"]["metrics"]) for widget in widgets)
        for name, widgets in boards.items()
    }

    assert len(boards) <= FREE_DASHBOARDS
    assert all(0 < count <= FREE_METRICS for count in metrics.values()), metrics
