"""What every alarm of a stage has: whom it tells, and over which time it looks."""

from infra.template.merging import Json


def alarm(
    namespace: Json, metric: str, advice: str, threshold: int, statistic: str
) -> dict[str, Json]:
    """Return the properties of an alarm that rings above a threshold; `advice` says what to do."""
    return {
        "AlarmDescription": advice,
        "Namespace": namespace,
        "MetricName": metric,
        "Statistic": statistic,
        "Period": 300,
        "EvaluationPeriods": 1,
        "Threshold": threshold,
        "ComparisonOperator": "GreaterThanThreshold",
        "TreatMissingData": "notBreaching",
        "AlarmActions": [{"Ref": "AlarmTopic"}],
        "OKActions": [{"Ref": "AlarmTopic"}],
    }
