"""What the template of `infra/` says there should be, with the names of one deployment.

Only the operator's examination reads it; the template is the one that is deployed.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from chalicelib.doctor.service_checks import QueuePlan
from chalicelib.doctor.table_checks import TablePlan


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourcePlan:
    """The tables and queues of a template."""

    tables: tuple[TablePlan, ...]
    queues: tuple[QueuePlan, ...]


def read_plan(template: str, prefix: str) -> ResourcePlan:
    """Read a template, putting the deployment's prefix into its names."""
    resources = json.loads(template)["Resources"]
    return ResourcePlan(
        tables=tuple(_table(found, prefix) for found in _of(resources, "AWS::DynamoDB::Table")),
        queues=tuple(
            _queue(found, prefix, resources) for found in _of(resources, "AWS::SQS::Queue")
        ),
    )


def _of(resources: Mapping[str, Any], kind: str) -> Iterator[Mapping[str, Any]]:
    return (found["Properties"] for found in resources.values() if found["Type"] == kind)


def _named(name: Mapping[str, str], prefix: str) -> str:
    return name["Fn::Sub"].replace("${ResourcePrefix}", prefix)


def _table(properties: Mapping[str, Any], prefix: str) -> TablePlan:
    indexes = properties.get("GlobalSecondaryIndexes", [])
    expiry = properties.get("TimeToLiveSpecification", {})
    return TablePlan(
        name=_named(properties["TableName"], prefix),
        indexes={i["IndexName"]: i["KeySchema"][0]["AttributeName"] for i in indexes},
        ttl_attribute=expiry.get("AttributeName") if expiry.get("Enabled") else None,
    )


def _queue(properties: Mapping[str, Any], prefix: str, resources: Mapping[str, Any]) -> QueuePlan:
    dead = properties.get("RedrivePolicy", {}).get("deadLetterTargetArn", {})
    target = dead["Fn::GetAtt"][0] if dead else None
    return QueuePlan(
        name=_named(properties["QueueName"], prefix),
        dead_queue=_named(resources[target]["Properties"]["QueueName"], prefix) if target else None,
    )
