"""Makes the tables, queues, bucket and key of `infra/resources.json` in an engine.

What is there stays; a table gets the indexes that a newer template adds. The template is the one
that is deployed: names are put together of its parameters.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from chalicelib.embedded.engine import Engine
from chalicelib.embedded.keys import make_key
from chalicelib.embedded.tables.rows import row_of
from chalicelib.embedded.tables.shapes import Shapes
from chalicelib.embedded.tables.writes import list_row

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
        """Return a name that is put together of parameters, or is another resource's."""
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


def make_resources(engine: Engine, template: Template, *, rows_expire: bool = True) -> None:
    """Make what is missing."""
    for table in template.of("AWS::DynamoDB::Table"):
        _make_table(engine, template, table, rows_expire=rows_expire)
    for queue in template.of("AWS::SQS::Queue"):
        _make_queue(engine, template, queue)
    for bucket in template.of("AWS::S3::Bucket"):
        _make_bucket(engine, template, bucket)
    for alias in template.of("AWS::KMS::Alias"):
        make_key(engine, template.name(alias["AliasName"]))


def _make_table(
    engine: Engine, template: Template, said: Mapping[str, Any], *, rows_expire: bool
) -> None:
    name = template.name(said["TableName"])
    words = (*_OF_A_TABLE, _EXPIRY) if rows_expire else _OF_A_TABLE
    about = {"TableName": name, **{word: said[word] for word in words if word in said}}
    if engine.make("table", name, about):
        return
    found = engine.find_made("table", name)
    if found is not None and found[1] != about:
        _remake_table(engine, name, about)


def _remake_table(engine: Engine, name: str, about: Mapping[str, Any]) -> None:
    """Make a table as a newer template says, with all its rows in all its indexes."""
    with engine.writing() as connection:
        connection.execute(
            "UPDATE made SET about = ? WHERE kind = 'table' AND name = ?", (json.dumps(about), name)
        )
    shape = Shapes(engine)[name]
    with engine.writing() as connection:
        connection.execute("DELETE FROM entry WHERE tbl = ?", (shape.id,))
        text = "SELECT pk, sk, body FROM item WHERE tbl = ?"
        for pk, sk, body in connection.execute(text, (shape.id,)).fetchall():
            row = row_of(body)
            list_row(connection, shape, (pk, sk), row)
            at = (shape.expires_at(row), shape.id, pk, sk)
            connection.execute(
                "UPDATE item SET expires = ? WHERE tbl = ? AND pk = ? AND sk = ?", at
            )


def _make_queue(engine: Engine, template: Template, said: Mapping[str, Any]) -> None:
    about: dict[str, Any] = {word: str(said[word]) for word in _OF_A_QUEUE if word in said}
    if "RedrivePolicy" in said:
        policy = said["RedrivePolicy"]
        dead = template.name(policy["deadLetterTargetArn"])
        about["RedrivePolicy"] = {**policy, "deadLetterTargetArn": f"arn:aws:sqs:::{dead}"}
    engine.make("queue", template.name(said["QueueName"]), about)


def _make_bucket(engine: Engine, template: Template, said: Mapping[str, Any]) -> None:
    told = said.get("NotificationConfiguration", {}).get("QueueConfigurations", [])
    rules = said.get("LifecycleConfiguration", {}).get("Rules", [])
    about = {
        "Notifications": [
            {"Queue": template.name(each["Queue"]), "Prefix": _prefix(each)} for each in told
        ],
        "Lifecycle": rules,
    }
    engine.make("bucket", template.name(said["BucketName"]), about)


def _prefix(said: Mapping[str, Any]) -> str:
    rules = said.get("Filter", {}).get("S3Key", {}).get("Rules", [])
    return next((str(rule["Value"]) for rule in rules if rule["Name"] == "prefix"), "")
