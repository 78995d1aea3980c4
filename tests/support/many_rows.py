"""Rows by the thousand, written past the service: what a large workspace has."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from chalicelib.domain.ids import new_id
from chalicelib.kit.dynamodb.items import attributes, plain
from chalicelib.kit.dynamodb.table import Table, partition
from chalicelib.storage.tables import media_key, post_key
from tests.api.http_room import Room
from tests.support.frozen_clock import NOON


def copy_file(room: Room, media_id: str, count: int) -> None:
    """Write the rows of so many newer files, under another name."""
    deployment = room.house.deployment
    key = attributes(media_key(media_id))
    found = deployment.clients.dynamodb.get_item(TableName=deployment.tables.media, Key=key)
    row = plain(found["Item"])
    ids = [new_id(NOON + timedelta(seconds=1)) for _ in range(count)]
    rows = [{**row, "pk": copy_id, "filename": "bun.jpg"} for copy_id in ids]
    write_rows(room, deployment.tables.media, rows)


def copy_post(room: Room, post_id: str, count: int) -> None:
    """Write the rows of so many posts that are as this one."""
    deployment = room.house.deployment
    table = Table(deployment.clients.dynamodb, deployment.tables.posts)
    rows = list(table.rows(partition(post_key(post_id)["pk"])))
    ids = [new_id(NOON) for _ in range(count)]
    copies = [
        {name: _renamed(value, post_id, copy_id) for name, value in row.items()}
        for copy_id in ids
        for row in rows
    ]
    write_rows(room, deployment.tables.posts, copies)


def _renamed(value: object, before: str, after: str) -> object:
    return value.replace(before, after) if isinstance(value, str) else value


def write_rows(room: Room, table: str, rows: Sequence[Mapping[str, object]]) -> None:
    """Write rows as they are."""
    client = room.house.deployment.clients.dynamodb
    for place in range(0, len(rows), 25):
        puts: Any = [{"PutRequest": {"Item": attributes(row)}} for row in rows[place : place + 25]]
        client.batch_write_item(RequestItems={table: puts})
