"""A release's first ten minutes: a tenth of all calls, and the alarms that take it back.

Two templates come before the plain one, which all calls go to the new versions by. In both the
alias `live` stays on the version that ran; in the second it gives a tenth to the new one. The
alarms hear the new version alone (Lambda guide, "Metrics for functions": the dimension
ExecutedVersion), and what its log says; the plain template takes them away again, so they cost
nothing in between. CloudFormation takes at most five alarms as rollback triggers.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, cast

from infra.template.alarms import alarm
from infra.template.functions import ALIAS, events_of
from infra.template.log_metrics import LOG_METRICS, NAMESPACE, LogMetric, metric_filter
from infra.template.merging import Json, Template, merge

MINUTES: Final = 10
SHARE: Final = 0.1
_ALIAS: Final = "AWS::Lambda::Alias"
_PERIOD_S: Final = 60
_BUGS: Final = ("UnexpectedErrors", "RecordFailures")
"""What of the log is the code's fault, whichever function it is of."""
_KINDS: Final = MappingProxyType({"SQS": "Queues", "Schedule": "Rules"})
"""What calls functions, in SAM's language, and the alarm of those that it calls; chalice names no
caller of the API's function. At most ten each: as many as CloudWatch adds up in one alarm."""
_OTHERS: Final = "Requests"


def unshared(plain: Template) -> Template:
    """Return what says of every alias that no second version gets a part of its calls.

    Said outright: whatever was shared before is then taken back.
    """
    nothing: Json = {"AdditionalVersionWeights": []}
    return {
        "Resources": {name: {"Properties": {"RoutingConfig": nothing}} for name in _aliases(plain)}
    }


def beside(whole: Template, plain: Template, live: Mapping[str, int], release: str) -> Template:
    """Return the template that makes the new versions, and leaves all calls to those that run.

    `whole` is in SAM's language, `live` the version of each function that runs. A function that is
    new has none: it gets all of its calls at once.
    """
    held: Json = {
        alias: {"Properties": {"FunctionVersion": str(live[function])}}
        for alias, function in _aliases(plain).items()
        if function in live
    }
    return merge(plain, {"Resources": held}, _alarms(whole, plain, live, release))


def shared(whole: Template, plain: Template, live: Mapping[str, int], release: str) -> Template:
    """Return the same template with a tenth of the calls for the new versions."""
    tenth: Json = {
        alias: {
            "Properties": {
                "RoutingConfig": {
                    "AdditionalVersionWeights": [
                        {"FunctionVersion": _version(plain, alias), "FunctionWeight": SHARE}
                    ]
                }
            }
        }
        for alias, function in _aliases(plain).items()
        if function in live
    }
    return merge(beside(whole, plain, live, release), {"Resources": tenth})


def alarm_names(template: Template, release: str) -> list[str]:
    """Return the names of the alarms that take the release back, in one of these templates."""
    resources = cast("dict[str, dict[str, Json]]", template["Resources"])
    return [
        name
        for name, one in resources.items()
        if one["Type"] == "AWS::CloudWatch::Alarm" and name.startswith(_prefix(release))
    ]


def _prefix(release: str) -> str:
    return f"Release{release}"


def _aliases(plain: Template) -> dict[str, str]:
    """Return the function of each alias."""
    resources = cast("dict[str, dict[str, Json]]", plain["Resources"])
    aliases: dict[str, str] = {}
    for name, one in resources.items():
        if one["Type"] == _ALIAS:
            properties = cast("dict[str, dict[str, str]]", one["Properties"])
            aliases[name] = properties["FunctionName"]["Ref"]
    return aliases


def _version(plain: Template, alias: str) -> Json:
    resources = cast("dict[str, dict[str, dict[str, Json]]]", plain["Resources"])
    return resources[alias]["Properties"]["FunctionVersion"]


def _alarms(whole: Template, plain: Template, live: Mapping[str, int], release: str) -> Template:
    functions = cast("dict[str, dict[str, Json]]", whole["Resources"])
    of = {function: _version(plain, alias) for alias, function in _aliases(plain).items()}
    resources: dict[str, Json] = {}
    crashes: dict[str, list[dict[str, Json]]] = {}
    for function in (one for one in of if one in live):
        caller = _caller(functions[function])
        crashes.setdefault(caller, []).append(_crashes(function, of[function]))
    for caller, counted in crashes.items():
        resources[f"{_prefix(release)}{caller}Alarm"] = _summed(counted, release)
    failures = _failures(release)
    for function in of:
        name = f"{_prefix(release)}{function}Metric"
        resources[name] = metric_filter(f"{function}Log", failures)
    logged = alarm(NAMESPACE, failures.name, _advice(release), 0, "Sum") | {"Period": _PERIOD_S}
    resources[f"{_prefix(release)}LogAlarm"] = {
        "Type": "AWS::CloudWatch::Alarm",
        "Properties": logged,
    }
    return {"Resources": resources}


def _caller(function: dict[str, Json]) -> str:
    return next((name for kind, name in _KINDS.items() if events_of(function, kind)), _OTHERS)


def _failures(release: str) -> LogMetric:
    """Return the metric of what a release itself logs as its fault."""
    bugs = " || ".join(f"({LOG_METRICS[name].lines.strip('{} ')})" for name in _BUGS)
    return LogMetric(
        name=f"ReleaseFailures-{release}",
        lines=f'{{ ($.release = "{release}") && ({bugs}) }}',
    )


def _crashes(function: str, version: Json) -> dict[str, Json]:
    """Return the metric of crashes and time limits of one version, when the alias called it."""
    return {
        "Namespace": "AWS/Lambda",
        "MetricName": "Errors",
        "Dimensions": [
            {"Name": "FunctionName", "Value": {"Ref": function}},
            {"Name": "Resource", "Value": {"Fn::Sub": f"${{{function}}}:{ALIAS}"}},
            {"Name": "ExecutedVersion", "Value": version},
        ],
    }


def _advice(release: str) -> str:
    return (
        f"Release {release} fails in its first ten minutes, with a tenth of the calls: "
        "CloudFormation takes it back by itself, and the release before goes on. The functions' "
        f"logs have the lines of release {release}; mend it and deploy again."
    )


def _summed(metrics: list[dict[str, Json]], release: str) -> Json:
    """Return an alarm that rings at the first of what these metrics count."""
    told = alarm("", "", _advice(release), 0, "Sum")
    for name in ("Namespace", "MetricName", "Statistic", "Period"):
        del told[name]
    counted: list[Json] = [
        {
            "Id": f"m{number}",
            "MetricStat": {"Metric": metric, "Period": _PERIOD_S, "Stat": "Sum"},
            "ReturnData": False,
        }
        for number, metric in enumerate(metrics)
    ]
    total = "+".join(f"FILL(m{number},0)" for number in range(len(metrics)))
    counted.append({"Id": "all", "Expression": total, "Label": release, "ReturnData": True})
    return {
        "Type": "AWS::CloudWatch::Alarm",
        "Properties": {**told, "Metrics": counted},
    }
