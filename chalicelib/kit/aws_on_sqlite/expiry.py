"""Removes expired rows and messages, and old files by the bucket's rules.

DynamoDB and S3 do so by themselves, within days; here a caller runs `sweep` now and then. Files
that no object names were left by killed processes.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from sqlite3 import Connection
from typing import Any

from chalicelib.kit.aws_on_sqlite.engine import Engine
from chalicelib.kit.aws_on_sqlite.failures import exceptions
from chalicelib.kit.aws_on_sqlite.nameless_files import Removal
from chalicelib.kit.aws_on_sqlite.objects import EmbeddedS3
from chalicelib.kit.aws_on_sqlite.steady_clock import machine_clock
from chalicelib.kit.aws_on_sqlite.tables.client import EmbeddedDynamoDB
from chalicelib.kit.aws_on_sqlite.tables.rows import row_of
from chalicelib.kit.aws_on_sqlite.tables.shapes import Shapes

_AT_ONCE = 200
_LOOKED_AT = 100
_DAY_S = 86_400
_LONGEST_HIDDEN_S = 900
"""No queue hides a message for longer, except by its own visibility timeout."""


def sweep(engine: Engine, clock: Callable[[], float] = machine_clock) -> None:
    """Sweep once."""
    Sweeper(engine, clock).sweep()


class Sweeper:
    """Sweeps an engine's expired rows, messages, objects, parts and files.

    A sweep costs the same however many messages and files there are: it checks some of them, and
    the next sweep continues there.
    """

    def __init__(self, engine: Engine, clock: Callable[[], float] = machine_clock) -> None:
        self._engine = engine
        self._clock = clock
        self._removal = Removal(engine, clock)
        self._message = 0

    def sweep(self) -> None:
        """Remove what has expired among those checked this time."""
        now = self._clock()
        while _expire_rows(self._engine, now):
            continue
        with self._engine.writing(lasting=False) as connection:
            for queue, about in _rows_made(connection, "queue"):
                _show_hidden(connection, queue, about, now)
            self._remove_messages(connection, now)
        _abort_uploads(self._engine, now)
        self._removal.step()

    def _remove_messages(self, connection: Connection, now: float) -> None:
        """Remove the next messages that are older than their queue's retention period."""
        found = connection.execute(
            "SELECT message.id, sent_at, json_extract(about, '$.MessageRetentionPeriod') + 0"
            " FROM message CROSS JOIN made ON made.id = message.queue WHERE message.id > ?"
            " ORDER BY message.id LIMIT ?",
            (self._message, _LOOKED_AT),
        ).fetchall()
        over = [(number,) for number, sent, kept in found if kept is not None and sent < now - kept]
        connection.executemany("DELETE FROM message WHERE id = ?", over)
        self._message = found[-1][0] if len(found) == _LOOKED_AT else 0


def _rows_made(connection: Connection, kind: str) -> list[tuple[int, Any]]:
    text = "SELECT id, about FROM made WHERE kind = ?"
    return [(number, json.loads(about)) for number, about in connection.execute(text, (kind,))]


def _show_hidden(connection: Connection, queue: int, about: Any, now: float) -> None:  # noqa: ANN401 - JSON
    """Make messages visible that are hidden for longer than any queue hides one.

    Their times came from a clock that was ahead.
    """
    longest_s = max(_LONGEST_HIDDEN_S, float(about.get("VisibilityTimeout", 0)))
    connection.execute(
        "UPDATE message SET visible_at = ? WHERE queue = ? AND visible_at > ?",
        (now, queue, now + longest_s),
    )


def _expire_rows(engine: Engine, now: float) -> bool:
    """Remove some rows; tell whether there may be more."""
    with engine.reading() as connection:
        rows = connection.execute(
            "SELECT made.name, body FROM item JOIN made ON made.id = tbl"
            " WHERE expires <= ? ORDER BY expires LIMIT ?",
            (int(now), _AT_ONCE),
        ).fetchall()
    tables, shapes = EmbeddedDynamoDB(engine), Shapes(engine)
    for name, body in rows:
        shape, row = shapes[name], row_of(body)
        with suppress(exceptions.ConditionalCheckFailedException):
            tables.delete_item(
                TableName=name,
                Key=shape.spell_key(shape.key_of(row)),
                ConditionExpression="#expiry <= :now",
                ExpressionAttributeNames={"#expiry": shape.expiry},
                ExpressionAttributeValues={":now": {"N": str(int(now))}},
            )
    return len(rows) == _AT_ONCE


def _abort_uploads(engine: Engine, now: float) -> None:
    """Abort uploads that are too old by their bucket's rules; few are under way at a time."""
    files = EmbeddedS3(engine)
    with engine.reading() as connection:
        uploads = connection.execute(
            "SELECT name, about, key, upload.id, begun FROM upload JOIN made ON made.id = bucket"
        ).fetchall()
    for name, about, key, upload, begun in uploads:
        for rule in json.loads(about).get("Lifecycle", []):
            days = rule.get("AbortIncompleteMultipartUpload", {}).get("DaysAfterInitiation")
            if days and key.startswith(rule.get("Prefix", "")) and begun < now - days * _DAY_S:
                files.abort_multipart_upload(Bucket=name, Key=key, UploadId=upload)
                break
