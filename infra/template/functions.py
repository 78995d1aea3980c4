"""What every Lambda function and queue of a stage gets beside chalice's definition.

Settings, a runtime, a log group that forgets in time, places of the account's concurrency, an
alias that a rollback turns back, and alarms. Written once here so that a new function of `app.py`
or a new queue cannot go without. Which functions may wake themselves (`RecursiveLoop`) stands in
`chalicelib/workers/chains.py`; Lambda's guard on chains stays for the others. Chalice's own
`log_retention` is not used: for an API it names a function that is not there.
"""

from typing import Final

from chalicelib.workers.chains import MAY_WAKE_THEMSELVES
from infra.packaging.runtime import NAME as RUNTIME
from infra.template.alarms import alarm
from infra.template.merging import Json, Template

ALIAS: Final = "live"
"""What the API, rules and queues call: a version of each function (`infra/releases.py`)."""

PLACES: Final[dict[str, dict[str, int]]] = {
    "10": {"Publish": 2, "Prepare": 2, "Retry": 2, "Convert": 2, "FinishUploads": 2},
    "1000": {
        "APIHandler": 400,
        "Publish": 200,
        "Prepare": 100,
        "Retry": 50,
        "Convert": 40,
        "FinishUploads": 20,
        "Tick": 2,
        "Collect": 2,
        "Review": 2,
        "Notify": 1,
    },
}
"""By the account's places, how many executions of a function may run at once.

A new account has 10, and nothing can be reserved in it; there queues alone are held back, so that
requests and the tick find a place: retries go through the queue of `Prepare`, and `Retry` has
nothing to do. Of 1,000 Lambda wants 100 left unreserved.
"""

_BURSTS: Final = "Publish"
"""The function whose queue fills with thousands of messages in one second."""
_SENDS_BURSTS: Final = "Tick"
_GRANTS_ACCESS: Final = "APIHandler"
"""The function that asks members what an assistant may do."""
_MAKES_CANARIES: Final = "Review"
_MAILS: Final = frozenset({"APIHandler", "Notify"})
"""The function that mails notices, and the one that says whether they are mailed."""

_WAKE_THEMSELVES: Final = frozenset(
    "".join(word.title() for word in name.split("_")) for name in MAY_WAKE_THEMSELVES
)
_WAITS_S: Final = 600
"""How long the oldest message of a queue may have waited before an alarm."""

_RUN_AT_ONCE: Final[dict[str, Json]] = {"MaximumRetryAttempts": 0, "MaximumEventAgeInSeconds": 120}
_START_SOON: Final[dict[str, Json]] = {"MaximumEventAgeInSeconds": 60}
"""How long Lambda, and before it EventBridge, try to start the run of a rule.

The next run does all that a missed one would have done. By themselves they try for six hours and
for 24 (EventBridge guide, "How EventBridge retries delivering events"): after an outage the runs of
all its minutes would take the places of requests and posts.
"""


def common_parts(functions: dict[str, dict[str, Json]]) -> Template:
    """Return what is laid over a template that holds these functions."""
    resources: dict[str, Json] = {}
    for name, function in functions.items():
        resources[name] = {
            "Properties": {
                **_settings(name),
                **_places(name, function),
                **_promptness(function),
                **_loop(name),
            }
        }
        resources[f"{name}Log"] = _log(name)
        resources[f"{name}ErrorsAlarm"] = _function_alarm(
            name, "Errors", f"{name} crashes or runs into its time limit. Its log says why."
        )
    resources["ThrottlesAlarm"] = _account_alarm(
        "Throttles",
        "Lambda refuses to run a function: the dashboard shows which. Raise its places "
        "(infra/template/functions.py) or those of the account.",
    )
    resources["StoppedChainsAlarm"] = _account_alarm(
        "RecursiveInvocationsDropped",
        "Lambda took a chain of messages for an endless one and stopped it: is RecursiveLoop still "
        "Allow where chalicelib/workers/chains.py says so? `make deploy` sets it. The tick sends "
        "posts again; files wait in the dead-letter queue (docs/operations.md).",
    )
    mappings: Json = {size: dict(places) for size, places in PLACES.items()}
    return {"Mappings": {"Places": mappings}, "Resources": resources}


def release_parts(functions: dict[str, dict[str, Json]], release: str) -> Template:
    """Return what makes a release: a version of every function, and the alias on it.

    Lambda makes no version of a function that did not change (Lambda API reference,
    PublishVersion), and CloudFormation then fails; so every release changes a variable. The API
    calls the alias too.
    """
    resources: dict[str, Json] = {
        name: {
            "Properties": {
                "AutoPublishAlias": ALIAS,
                "AutoPublishCodeSha256": release,
                "VersionDescription": release,
                "Environment": {"Variables": {"GOLDENHOUR_RELEASE": release}},
            }
        }
        for name in functions
    }
    return {"Resources": resources}


def queue_alarms(queues: dict[str, dict[str, Json]], readers: dict[str, str]) -> Template:
    """Return an alarm for every queue: messages that wait too long, or any that were given up.

    `readers` names the function that reads a queue; a queue without one is for dead letters.
    """
    resources: dict[str, Json] = {}
    for name in queues:
        if reader := readers.get(name):
            advice = (
                f"Messages wait longer than {_WAITS_S // 60} minutes for {reader}: it is refused "
                "places, slow, or the engine is paused; or one failed (batch.failed in its log) "
                "and is hidden until it comes again. docs/operations.md says what to do."
            )
            watched = alarm("AWS/SQS", "ApproximateAgeOfOldestMessage", advice, _WAITS_S, "Maximum")
        else:
            advice = (
                f"{name} has messages that failed five times. Find the cause in the function's "
                "log, then send them again (docs/operations.md)."
            )
            watched = alarm("AWS/SQS", "ApproximateNumberOfMessagesVisible", advice, 0, "Maximum")
        queue: Json = {"Name": "QueueName", "Value": {"Fn::GetAtt": [name, "QueueName"]}}
        resources[f"{name}Alarm"] = {
            "Type": "AWS::CloudWatch::Alarm",
            "Properties": {**watched, "Dimensions": [queue]},
        }
    return {"Resources": resources}


def _settings(name: str) -> dict[str, Json]:
    more: dict[str, Json] = {}
    if name == _SENDS_BURSTS:
        # With kept pollers every batch begins at once, and nothing need come early for it.
        places: Json = {"Fn::FindInMap": ["Places", {"Ref": "AccountPlaces"}, _BURSTS]}
        more["GOLDENHOUR_PUBLISH_PLACES"] = {"Fn::If": ["HasPublishPollers", "0", _text(places)]}
    if name == _GRANTS_ACCESS:
        more["GOLDENHOUR_ASSISTANT_URL"] = {"Ref": "AssistantUrl"}
        more["GOLDENHOUR_WORKSPACE_RATE"] = {"Ref": "WorkspaceRate"}
    if name == _MAKES_CANARIES:
        more["GOLDENHOUR_CANARY"] = {"Ref": "CanaryWorkspace"}
    if name in _MAILS:
        more["GOLDENHOUR_NOTICES_SENDER"] = {"Ref": "NoticesSender"}
    apart: Json = {"Fn::If": ["ReservesPlaces", "yes", "no"]}
    return {
        "Runtime": RUNTIME,
        "Environment": {
            "Variables": {
                **more,
                "GOLDENHOUR_RESOURCE_PREFIX": {"Ref": "ResourcePrefix"},
                "GOLDENHOUR_MEDIA_BUCKET": {"Ref": "MediaBucketName"},
                "GOLDENHOUR_RETRIES_APART": apart,
                "GOLDENHOUR_PUBLIC_URL": {"Ref": "PublicUrl"},
                "GOLDENHOUR_ROW_FORMAT": {"Ref": "RowFormat"},
                # Only the front can answer with files of any size.
                "GOLDENHOUR_PULL_URL": {"Fn::If": ["HasFront", {"Ref": "PublicUrl"}, ""]},
            }
        },
        "LoggingConfig": {"LogGroup": {"Ref": f"{name}Log"}, "LogFormat": "Text"},
    }


def _loop(name: str) -> dict[str, Json]:
    return {"RecursiveLoop": "Allow"} if name in _WAKE_THEMSELVES else {}


def _text(number: Json) -> Json:
    return {"Fn::Sub": ["${number}", {"number": number}]}


def _places(name: str, function: dict[str, Json]) -> dict[str, Json]:
    found: Json = {"Fn::FindInMap": ["Places", {"Ref": "AccountPlaces"}, name]}
    reserved: Json = {"Fn::FindInMap": ["Places", "1000", name]}
    places: dict[str, Json] = {
        "ReservedConcurrentExecutions": {
            "Fn::If": ["ReservesPlaces", reserved, {"Ref": "AWS::NoValue"}]
        }
    }
    sources = events_of(function, "SQS")
    if sources:
        scaling: dict[str, Json] = {"ScalingConfig": {"MaximumConcurrency": found}}
        if name == _BURSTS:
            scaling = _kept_pollers(scaling["ScalingConfig"])
        places["Events"] = {event: {"Properties": scaling} for event in sources}
    return places


def _promptness(function: dict[str, Json]) -> dict[str, Json]:
    schedules = events_of(function, "Schedule")
    if not schedules:
        return {}
    soon: Json = {"Properties": {"RetryPolicy": _START_SOON}}
    return {"EventInvokeConfig": _RUN_AT_ONCE, "Events": dict.fromkeys(schedules, soon)}


def _kept_pollers(otherwise: Json) -> dict[str, Json]:
    """Return how many pollers of a queue are kept, if any are: AWS takes this or the other limit.

    Reserved places hold the function back either way.
    """
    pollers: Json = {"Ref": "PublishPollers"}
    kept: Json = {"MinimumPollers": pollers, "MaximumPollers": pollers}
    nothing: Json = {"Ref": "AWS::NoValue"}
    return {
        "ScalingConfig": {"Fn::If": ["HasPublishPollers", nothing, otherwise]},
        "ProvisionedPollerConfig": {"Fn::If": ["HasPublishPollers", kept, nothing]},
    }


def events_of(function: dict[str, Json], kind: str) -> list[str]:
    """Return the names of a function's events of one kind, in SAM's language."""
    properties = function["Properties"]
    assert isinstance(properties, dict)  # noqa: S101 - SAM's functions have them
    events = properties.get("Events", {})
    assert isinstance(events, dict)  # noqa: S101 - and their events are an object
    return [name for name, one in events.items() if isinstance(one, dict) and one["Type"] == kind]


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


def _function_alarm(name: str, metric: str, advice: str) -> Json:
    watched = alarm("AWS/Lambda", metric, advice, 0, "Sum")
    function: Json = {"Name": "FunctionName", "Value": {"Ref": name}}
    return {
        "Type": "AWS::CloudWatch::Alarm",
        "Properties": {**watched, "Dimensions": [function]},
    }


def _account_alarm(metric: str, advice: str) -> Json:
    """Return an alarm over all functions of the account's region: it has their places together."""
    return {
        "Type": "AWS::CloudWatch::Alarm",
        "Properties": alarm("AWS/Lambda", metric, advice, 0, "Sum"),
    }
