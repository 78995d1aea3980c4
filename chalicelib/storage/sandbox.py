"""What the sandbox platform received on a deployed stage: a DynamoDB table of its own.

What `embedded/sandbox_file.py` keeps on one machine, for test accounts of a stage in AWS. The
sandbox connector writes it: it is the judge of "exactly once", so it outlives every crash.
"""

from datetime import datetime
from typing import TYPE_CHECKING

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.sandbox import SandboxEntry
from chalicelib.storage.dynamodb.failures import is_carried_out
from chalicelib.storage.dynamodb.items import (
    Item,
    attributes,
    instant,
    pack,
    plain,
    stamp,
    unpack,
)
from chalicelib.storage.dynamodb.transaction import PRESENT, Expression, parameters

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class SandboxTable:
    """The sandbox's memory: a row by remote id, one by target, and counters."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def take(self, entry: SandboxEntry) -> None:
        """Keep a post, durably, before returning."""
        by_target = {"pk": _target_pk(entry.account_id, entry.target_id), "sk": _order(entry)}
        rows = ({**_post_key(entry.platform, entry.remote_id), **_item(entry)}, by_target)
        self._client.transact_write_items(
            TransactItems=[
                {"Put": {"TableName": self._table, "Item": attributes(row)}} for row in rows
            ]
        )

    def find(self, account_id: str, target_id: str) -> list[SandboxEntry]:
        """Return what was taken for a target, oldest first, removed ones too."""
        own = Expression("#pk = :pk", {"pk": _target_pk(account_id, target_id)})
        found = self._client.query(
            TableName=self._table,
            ConsistentRead=True,
            **parameters({"KeyConditionExpression": own}),
        )["Items"]
        names = [str(plain(row)["sk"]).split("#", 2) for row in found]
        entries = (self.get(Platform(platform), remote_id) for _, platform, remote_id in names)
        return [entry for entry in entries if entry is not None]

    def get(self, platform: Platform, remote_id: str) -> SandboxEntry | None:
        """Return one post, or None."""
        found = self._client.get_item(
            TableName=self._table,
            Key=attributes(_post_key(platform, remote_id)),
            ConsistentRead=True,
        ).get("Item")
        return None if found is None else _entry(plain(found))

    def remove(self, platform: Platform, remote_id: str) -> bool:
        """Mark a post as deleted; tell whether it was there and live."""
        change = Expression("SET #removed = :yes", {"yes": True})
        live = Expression(f"{PRESENT.text} AND #removed = :no", {"no": False})
        return is_carried_out(
            lambda: self._client.update_item(
                TableName=self._table,
                Key=attributes(_post_key(platform, remote_id)),
                **parameters({"UpdateExpression": change, "ConditionExpression": live}),
            )
        )

    def bump(self, key: str) -> int:
        """Count up a durable counter and return its new value, starting at 1."""
        counted = self._client.update_item(
            TableName=self._table,
            Key=attributes({"pk": f"COUNTER#{key}", "sk": "COUNTER"}),
            ReturnValues="UPDATED_NEW",
            **parameters({"UpdateExpression": Expression("ADD #value :one", {"one": 1})}),
        )
        return int(plain(counted["Attributes"])["value"])


def _post_key(platform: Platform, remote_id: str) -> dict[str, str]:
    return {"pk": f"POST#{platform}#{remote_id}", "sk": "POST"}


def _target_pk(account_id: str, target_id: str) -> str:
    return f"TARGET#{account_id}#{target_id}"


def _order(entry: SandboxEntry) -> str:
    return f"{stamp(entry.created_at)}#{entry.platform}#{entry.remote_id}"


def _item(entry: SandboxEntry) -> Item:
    values: Item = {name: getattr(entry, name) for name in SandboxEntry.__slots__}
    for name, value in values.items():
        if isinstance(value, datetime):
            values[name] = stamp(value)
    return {**values, "options": pack(dict(entry.options))}


def _entry(row: Item) -> SandboxEntry:
    return SandboxEntry(
        remote_id=row["remote_id"],
        account_id=row["account_id"],
        platform=Platform(row["platform"]),
        handle=row["handle"],
        caption=row["caption"],
        media_id=row.get("media_id"),
        media_kind=row.get("media_kind"),
        options=unpack(row["options"]) or {},
        target_id=row["target_id"],
        created_at=instant(row["created_at"]),
        visible_at=instant(row["visible_at"]),
        removed=row["removed"],
    )
