"""What wakes until a time, for rooms that let time go by: one read of the whole wake index.

The engine asks the index's sixteen parts one by one; the rooms ask after every step, and in a
table of a test's own one read finds the same.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from chalicelib.kit.dynamodb.items import instant, plain, stamp
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.tables import Tables

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def waking_until(client: "DynamoDBClient", tables: Tables, until: datetime) -> list[TargetRef]:
    """Return the targets that wake until then, soonest first."""
    return sorted(_found(client, tables, until), key=lambda ref: ref.wake_at)


def _found(client: "DynamoDBClient", tables: Tables, until: datetime) -> Iterator[TargetRef]:
    scan = client.get_paginator("scan")
    for page in scan.paginate(
        TableName=tables.posts,
        IndexName="wake",
        FilterExpression="wake_at <= :until",
        ExpressionAttributeValues={":until": {"S": stamp(until)}},
    ):
        for found in page["Items"]:
            item = plain(found)
            yield TargetRef(
                post_id=item["pk"],
                target_id=item["sk"].removeprefix("TARGET#"),
                workspace_id=item["workspace_id"],
                wake_at=instant(item["wake_at"]),
            )
