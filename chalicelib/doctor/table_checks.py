"""Whether the tables are there with their indexes and TTL, and may be read and written.

The template of `infra/` says what there should be. A conditional write that cannot succeed shows
that writing is allowed without writing anything.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from chalicelib.doctor.examination import Finding, Flaw, examine
from chalicelib.storage.dynamodb.items import attributes
from chalicelib.storage.dynamodb.transaction import PRESENT

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_NOBODY = attributes({"pk": "DOCTOR", "sk": "DOCTOR"})


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlan:
    """What the template says of one table: each index with the name of its partition key."""

    name: str
    indexes: dict[str, str]
    ttl_attribute: str | None


class TableChecks:
    """The looks at the tables of a template."""

    def __init__(self, client: "DynamoDBClient", plans: Iterable[TablePlan]) -> None:
        self._client = client
        self._plans = tuple(plans)

    def run(self) -> Iterator[Finding]:
        """Look at each table: its make, then what may be done with it."""
        for plan in self._plans:
            subject = f"table {plan.name}"
            yield examine(subject, partial(self._made, plan))
            yield examine(f"{subject}: use", partial(self._used, plan))

    def _made(self, plan: TablePlan) -> str:
        table = self._client.describe_table(TableName=plan.name)["Table"]
        states = {
            index["IndexName"]: index.get("IndexStatus", "ACTIVE")
            for index in table.get("GlobalSecondaryIndexes", [])
        }
        missing = sorted(set(plan.indexes) - set(states))
        if missing:
            raise Flaw(f"The index {missing[0]} is missing.")
        if table["TableStatus"] not in ("ACTIVE", "UPDATING"):
            raise Flaw(f"The table is {table['TableStatus']}.")
        building = sorted(name for name in plan.indexes if states[name] != "ACTIVE")
        if building:
            raise Flaw(f"The index {building[0]} is {states[building[0]]}.")
        self._expire(plan)
        return f"active, {len(plan.indexes)} indexes"

    def _expire(self, plan: TablePlan) -> None:
        if plan.ttl_attribute is None:
            return
        found = self._client.describe_time_to_live(TableName=plan.name)["TimeToLiveDescription"]
        enabled = found.get("TimeToLiveStatus") in ("ENABLED", "ENABLING")
        if not enabled or found.get("AttributeName") != plan.ttl_attribute:
            raise Flaw(f"Rows do not expire by {plan.ttl_attribute}.")

    def _used(self, plan: TablePlan) -> str:
        self._client.get_item(TableName=plan.name, Key=_NOBODY)
        for index, partition_key in plan.indexes.items():
            self._client.query(
                TableName=plan.name,
                IndexName=index,
                Limit=1,
                KeyConditionExpression="#partition = :nobody",
                ExpressionAttributeNames={"#partition": partition_key},
                ExpressionAttributeValues={":nobody": {"S": "DOCTOR"}},
            )
        try:
            self._client.delete_item(
                TableName=plan.name, Key=_NOBODY, **PRESENT.parameters("ConditionExpression")
            )
        except ClientError as error:
            if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
                raise
        return "may be read and written"
