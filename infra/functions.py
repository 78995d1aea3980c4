"""What every Lambda function of a stage gets beside chalice's definition, whatever it does.

Its settings, a log group that forgets in time, and alarms for crashes and refused runs. Written
once here so that a new function of `app.py` cannot go without. Chalice's own `log_retention` is
not used: for an API it names a function that is not there.
"""

from infra.merging import Json, Template


def common_parts(functions: dict[str, dict[str, Json]]) -> Template:
    """Return what is laid over a template that holds these functions."""
    resources: dict[str, Json] = {}
    for name in functions:
        resources[name] = _settings(name)
        resources[f"{name}Log"] = _log(name)
        resources[f"{name}ErrorsAlarm"] = _watched(
            name, "Errors", f"{name} crashes or runs into its time limit. Its log says why."
        )
        resources[f"{name}ThrottlesAlarm"] = _watched(
            name, "Throttles", f"Lambda refuses to run {name}: raise the account's concurrency."
        )
    return {"Resources": resources}


def _settings(name: str) -> Json:
    return {
        "Properties": {
            "Environment": {
                "Variables": {
                    "GOLDENHOUR_RESOURCE_PREFIX": {"Ref": "ResourcePrefix"},
                    "GOLDENHOUR_MEDIA_BUCKET": {"Ref": "MediaBucketName"},
                    "GOLDENHOUR_PUBLIC_URL": {"Ref": "PublicUrl"},
                    # Only the front can answer with files of any size.
                    "GOLDENHOUR_PULL_URL": {"Fn::If": ["HasFront", {"Ref": "PublicUrl"}, ""]},
                }
            },
            "LoggingConfig": {"LogGroup": {"Ref": f"{name}Log"}, "LogFormat": "Text"},
        }
    }


def _log(name: str) -> Json:
    return {
        "Type": "AWS::Logs::LogGroup",
        "DeletionPolicy": "Delete",
        "UpdateReplacePolicy": "Delete",
        "Properties": {
            "LogGroupName": {"Fn::Sub": "/goldenhour/${ResourcePrefix}/" + name},
            "RetentionInDays": {"Ref": "LogRetentionDays"},
        },
    }


def _watched(name: str, metric: str, advice: str) -> Json:
    return {
        "Type": "AWS::CloudWatch::Alarm",
        "Properties": {
            "AlarmDescription": advice,
            "Namespace": "AWS/Lambda",
            "MetricName": metric,
            "Dimensions": [{"Name": "FunctionName", "Value": {"Ref": name}}],
            "Statistic": "Sum",
            "Period": 300,
            "EvaluationPeriods": 1,
            "Threshold": 0,
            "ComparisonOperator": "GreaterThanThreshold",
            "TreatMissingData": "notBreaching",
            "AlarmActions": [{"Ref": "AlarmTopic"}],
            "OKActions": [{"Ref": "AlarmTopic"}],
        },
    }
