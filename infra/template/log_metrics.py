"""What is counted in the logs of a stage, and drives its alarms and dashboard.

Every function's log is read for every line: the same step of a post may run in Publish, Prepare or
the tick, and a line that one log alone was read for has gone unheard before.
"""

from dataclasses import dataclass
from typing import Final

from infra.template.merging import Json, Template

NAMESPACE: Final[Json] = {"Fn::Sub": "goldenhour/${ResourcePrefix}"}
"""Of the metrics of a stage that are its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogMetric:
    """A metric made of log lines: its name, which lines count, and what each counts as."""

    name: str
    lines: str
    value: str = "1"
    unit: str | None = None


LOG_METRICS: Final[dict[str, LogMetric]] = {
    "Lateness": LogMetric(
        name="Lateness",
        lines='{ ($.action = "attempt") && ($.ok IS TRUE) && ($.lateness_s = *) }',
        value="$.lateness_s",
        unit="Seconds",
    ),
    "FailedTargets": LogMetric(
        name="FailedTargets", lines='{ ($.action = "attempt") && ($.status = "failed") }'
    ),
    "TokenFailures": LogMetric(
        name="TokenFailures",
        lines='{ ($.action = "attempt") && ($.error_code = "auth_expired") }',
    ),
    "TokensNotRenewed": LogMetric(
        name="TokenFailures", lines='{ $.action = "tokens.not_renewed" }'
    ),
    "TargetsAtRisk": LogMetric(name="TargetsAtRisk", lines='{ $.action = "target.at_risk" }'),
    "PlatformSetup": LogMetric(name="PlatformSetup", lines='{ $.action = "platform.setup" }'),
    "OldestOverdue": LogMetric(
        name="OldestOverdue",
        lines='{ ($.action = "tick") && ($.oldest_overdue_s = *) }',
        value="$.oldest_overdue_s",
        unit="Seconds",
    ),
    "TableThrottles": LogMetric(name="TableThrottles", lines='{ $.action = "table.throttled" }'),
    "RecordFailures": LogMetric(name="RecordFailures", lines='{ $.action = "batch.failed" }'),
    "UnexpectedErrors": LogMetric(
        name="UnexpectedErrors",
        lines='{ ($.action = "request") && ($.status >= 500) && ($.status != 502)'
        ' && ($.route != "/v1/ready") }',
    ),
}
"""By the name of the filter."""


def log_metrics(functions: dict[str, dict[str, Json]]) -> Template:
    """Return a filter for every metric on every function's log."""
    resources: dict[str, Json] = {
        f"{function}{name}Metric": metric_filter(f"{function}Log", metric)
        for function in functions
        for name, metric in LOG_METRICS.items()
    }
    return {"Resources": resources}


def metric_filter(log: str, metric: LogMetric) -> Json:
    """Return the filter that makes a metric of one log's lines."""
    counted: dict[str, Json] = {
        "MetricNamespace": NAMESPACE,
        "MetricName": metric.name,
        "MetricValue": metric.value,
    }
    if metric.unit is not None:
        counted["Unit"] = metric.unit
    return {
        "Type": "AWS::Logs::MetricFilter",
        "Properties": {
            "LogGroupName": {"Ref": log},
            "FilterPattern": metric.lines,
            "MetricTransformations": [counted],
        },
    }
