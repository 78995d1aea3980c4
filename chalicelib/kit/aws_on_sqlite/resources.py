"""Makes the tables, queues, bucket and key of `infra/resources.json` in an engine.

Existing ones stay, but are changed to a newer template's definition. The template is the one that
is deployed: names are composed of its parameters.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from chalicelib.kit.aws_on_sqlite.engine import Engine
from chalicelib.kit.aws_on_sqlite.keys import make_key
from chalicelib.kit.aws_on_sqlite.tables.rebuild import rebuild
from chalicelib.kit.aws_on_sqlite.tables.standing import About, Progress, make_table, progress_of

_OF_A_TABLE = ("KeySchema", "AttributeDefinitions", "GlobalSecondaryIndexes")
_EXPIRY = "TimeToLiveSpecification"
_OF_A_QUEUE = ("VisibilityTimeout", "MessageRetentionPeriod")


class Template:
    """A template with its parameters."""

    def __init__(self, text: str, parameters: Mapping[str, str]) -> None:
        self._resources: Mapping[str, Any] = json.loads(text)["Resources"]
        self._parameters = parameters

    def of(self, kind: str) -> Iterator[Mapping[str, Any]]:
        """Yield the properties of the resources of a kind."""
        for resource in self._resources.values():
            if resource["Type"] == kind:
                yield resource["Properties"]

    def name(self, said: Any) -> str:  # noqa: ANN401 - a template's own
        """Return a name that is composed of parameters, or is another resource's."""
        match said:
            case {"Fn::Sub": str(text)}:
                for name, value in self._parameters.items():
                    text = text.replace(f"${{{name}}}", value)
                return text
            case {"Ref": str(name)}:
                return self._parameters[name]
            case {"Fn::GetAtt": [str(name), "Arn"]}:
                return self.name(self._resources[name]["Properties"]["QueueName"])
        raise ValueError(f"The template says {said!r}, which is not known here.")


def make_missing(engine: Engine, template: Template, *, rows_expire: bool = True) -> None:
    """Make missing resources; existing ones stay as they are."""
    for name, about in _tables(template, rows_expire=rows_expire):
        make_table(engine, name, about)
    for kind, name, about in _others(template):
        engine.make(kind, name, about)
    for alias in template.of("AWS::KMS::Alias"):
        make_key(engine, template.name(alias["AliasName"]))


def make_resources(
    engine: Engine,
    template: Template,
    *,
    rows_expire: bool = True,
    begun: Callable[[], None] = lambda: None,
) -> None:
    """Make missing resources, and change existing ones to the template's definition.

    `begun` is called before a table's indexes are rebuilt, which may take minutes.
    """
    make_missing(engine, template, rows_expire=rows_expire)
    for kind, name, about in _others(template):
        engine.make_as(kind, name, about)
    for name, about in _tables(template, rows_expire=rows_expire):
        rebuild(engine, name, about, begun)


def rebuild_under_way(engine: Engine, template: Template) -> Progress | None:
    """Return the progress of the first table whose indexes must be rebuilt, None without one."""
    tables = _tables(template, rows_expire=True)
    found = (progress_of(engine, name, about) for name, about in tables)
    return next((one for one in found if one is not None), None)


def _tables(template: Template, *, rows_expire: bool) -> Iterator[tuple[str, About]]:
    """Yield each table's name and definition."""
    words = (*_OF_A_TABLE, _EXPIRY) if rows_expire else _OF_A_TABLE
    for said in template.of("AWS::DynamoDB::Table"):
        name = template.name(said["TableName"])
        yield name, {"TableName": name, **{word: said[word] for word in words if word in said}}


def _others(template: Template) -> Iterator[tuple[str, str, About]]:
    """Yield the kind, name and definition of each queue and bucket."""
    for said in template.of("AWS::SQS::Queue"):
        yield "queue", template.name(said["QueueName"]), _queue(template, said)
    for said in template.of("AWS::S3::Bucket"):
        yield "bucket", template.name(said["BucketName"]), _bucket(template, said)


def _queue(template: Template, said: Mapping[str, Any]) -> About:
    about: dict[str, Any] = {word: str(said[word]) for word in _OF_A_QUEUE if word in said}
    if "RedrivePolicy" in said:
        policy = said["RedrivePolicy"]
        dead = template.name(policy["deadLetterTargetArn"])
        about["RedrivePolicy"] = {**policy, "deadLetterTargetArn": f"arn:aws:sqs:::{dead}"}
    return about


def _bucket(template: Template, said: Mapping[str, Any]) -> About:
    told = said.get("NotificationConfiguration", {}).get("QueueConfigurations", [])
    rules = said.get("LifecycleConfiguration", {}).get("Rules", [])
    return {
        "Notifications": [
            {"Queue": template.name(each["Queue"]), "Prefix": _prefix(each)} for each in told
        ],
        "Lifecycle": rules,
    }


def _prefix(said: Mapping[str, Any]) -> str:
    rules = said.get("Filter", {}).get("S3Key", {}).get("Rules", [])
    return next((str(rule["Value"]) for rule in rules if rule["Name"] == "prefix"), "")
