"""What tells that DynamoDB throttles: an alarm on what the functions met, and a dashboard.

Each refusal is a line in a function's log (`kit/dynamodb/throttling.py`), whichever table or index
refused, so one alarm hears all of them; an alarm for each would cost $2.20 a month. The dashboard
says which. DynamoDB counts an index by itself: what its table's metrics say is without it, and an
index that cannot follow holds back the writes of its table (CloudWatch's page of DynamoDB's
metrics). Made from the tables of the template, so that a new index cannot go without.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from infra.template.alarms import alarm
from infra.template.log_metrics import NAMESPACE
from infra.template.merging import Json, Template

_NAMESPACE: Final = "AWS/DynamoDB"
_KINDS: Final = ("Read", "Write")
_MOST_THROTTLED: Final = 10
"""In five minutes; so few are tried again before anybody notices."""
_UNWATCHED: Final = frozenset({"SandboxTable"})
"""Posts of test accounts, for which nobody waits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Watched:
    """A table of the template, or one of its indexes."""

    table: str
    index: str | None = None

    @property
    def label(self) -> str:
        """Return its name as people read it."""
        table = self.table.removesuffix("Table").lower()
        return f"{table}/{self.index}" if self.index else table


def table_watch(tables: dict[str, dict[str, Json]]) -> Template:
    """Return the alarms and the dashboard for the tables of a template."""
    watched = list(_watched(tables))
    advice = (
        "DynamoDB throttles: the dashboard of the tables shows which table or index. One key is "
        "too hot, or the load rose faster than on-demand follows."
    )
    heard = alarm(NAMESPACE, "TableThrottles", advice, _MOST_THROTTLED, "Sum")
    resources: dict[str, Json] = {
        "TableThrottlesAlarm": {"Type": "AWS::CloudWatch::Alarm", "Properties": heard}
    }
    resources["TablesDashboard"] = {
        "Type": "AWS::CloudWatch::Dashboard",
        "Properties": {
            "DashboardName": {"Fn::Sub": "${ResourcePrefix}-tables"},
            "DashboardBody": {"Fn::Sub": json.dumps({"widgets": _widgets(watched)})},
        },
    }
    return {"Resources": resources}


def _watched(tables: dict[str, Any]) -> Iterator[_Watched]:
    for table, resource in tables.items():
        if table not in _UNWATCHED:
            yield _Watched(table=table)
            for index in resource["Properties"].get("GlobalSecondaryIndexes", []):
                yield _Watched(table=table, index=index["IndexName"])


def _widgets(watched: list[_Watched]) -> list[Json]:
    """Return a row of what is used, and one of what is throttled, each as reads and writes."""
    tables = [one for one in watched if one.index is None]
    asked = [
        ("{} used", "Consumed{}CapacityUnits", tables),
        ("{} throttled", "{}ThrottleEvents", watched),
    ]
    return [
        _widget(title.format(f"{kind}s"), metric.format(kind), drawn, place=(row, column))
        for row, (title, metric, drawn) in enumerate(asked)
        for column, kind in enumerate(_KINDS)
    ]


def _widget(title: str, metric: str, drawn: list[_Watched], *, place: tuple[int, int]) -> Json:
    row, column = place
    return {
        "type": "metric",
        "x": 12 * column,
        "y": 6 * row,
        "width": 12,
        "height": 6,
        "properties": {
            "title": title,
            "region": "${AWS::Region}",
            "stat": "Sum",
            "period": 300,
            "view": "timeSeries",
            "metrics": [_line(metric, one) for one in drawn],
        },
    }


def _line(metric: str, watched: _Watched) -> Json:
    index = ["GlobalSecondaryIndexName", watched.index] if watched.index else []
    named = ["TableName", f"${{{watched.table}}}", *index]
    return [_NAMESPACE, metric, *named, {"label": watched.label}]
