"""Removes what nobody wants any more: rows after their time, old files by the bucket's rules.

DynamoDB and S3 do so by themselves, within days; here somebody calls `sweep` now and then. A file
that no object names is what a killed process left.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from chalicelib.kit.aws_on_sqlite.engine import FILES, Engine
from chalicelib.kit.aws_on_sqlite.failures import exceptions
from chalicelib.kit.aws_on_sqlite.objects import EmbeddedS3
from chalicelib.kit.aws_on_sqlite.steady_clock import machine_clock
from chalicelib.kit.aws_on_sqlite.tables.client import EmbeddedDynamoDB
from chalicelib.kit.aws_on_sqlite.tables.rows import row_of
from chalicelib.kit.aws_on_sqlite.tables.shapes import Shapes

_TOKEN_KEPT_S = 600
_AT_ONCE = 200
_DAY_S = 86_400
_LEFT_BEHIND_S = 3_600
_LONGEST_HIDDEN_S = 900
"""No queue hides a message for longer, but one whose visibility timeout says so."""


def sweep(engine: Engine, clock: Callable[[], float] = machine_clock) -> None:
    """Remove rows, tokens, objects, parts and files whose time is over."""
    now = clock()
    while _expire_rows(engine, now):
        continue
    with engine.writing(lasting=False) as connection:
        connection.execute("DELETE FROM token WHERE at < ?", (now - _TOKEN_KEPT_S,))
        connection.execute(
            "DELETE FROM message WHERE sent_at < ? - (SELECT json_extract(about,"
            " '$.MessageRetentionPeriod') FROM made WHERE made.id = message.queue)",
            (now,),
        )
        # What is hidden for longer was stamped by a clock that ran ahead.
        connection.execute(
            "UPDATE message SET visible_at = :now WHERE visible_at > :now + max(:longest, (SELECT"
            " coalesce(json_extract(about, '$.VisibilityTimeout'), 0) + 0 FROM made"
            " WHERE made.id = message.queue))",
            {"now": now, "longest": _LONGEST_HIDDEN_S},
        )
    _expire_objects(engine, now)
    _remove_nameless(engine, now)


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


def _expire_objects(engine: Engine, now: float) -> None:
    files = EmbeddedS3(engine)
    with engine.reading() as connection:
        buckets = connection.execute(
            "SELECT id, name, about FROM made WHERE kind = 'bucket'"
        ).fetchall()
    for number, name, about in buckets:
        for rule in json.loads(about).get("Lifecycle", []):
            _apply(engine, files, (number, name), rule, now)


def _apply(
    engine: Engine,
    files: EmbeddedS3,
    bucket: tuple[int, str],
    rule: Any,  # noqa: ANN401 - JSON
    now: float,
) -> None:
    number, name = bucket
    prefix = rule.get("Prefix", "")
    aborted = rule.get("AbortIncompleteMultipartUpload", {}).get("DaysAfterInitiation")
    with engine.reading() as connection:
        place = (number, prefix, f"{prefix}\U0010ffff")
        old = "bucket = ? AND key >= ? AND key < ? AND"
        keys = connection.execute(
            f"SELECT key FROM object WHERE {old} modified < ?",  # noqa: S608 - our own words
            (*place, now - rule.get("ExpirationInDays", now) * _DAY_S),
        ).fetchall()
        uploads = connection.execute(
            f"SELECT key, id FROM upload WHERE {old} begun < ?",  # noqa: S608 - our own words
            (*place, now - (aborted or now) * _DAY_S),
        ).fetchall()
    for (key,) in keys:
        files.delete_object(Bucket=name, Key=key)
    for key, upload in uploads:
        files.abort_multipart_upload(Bucket=name, Key=key, UploadId=upload)


def _remove_nameless(engine: Engine, now: float) -> None:
    with engine.reading() as connection:
        text = "SELECT value ->> 0 FROM object, json_each(files) UNION ALL SELECT file FROM part"
        named = {name for (name,) in connection.execute(text)}
    for file in (engine.folder / FILES).iterdir():
        if file.name not in named and file.stat().st_ctime < now - _LEFT_BEHIND_S:
            file.unlink(missing_ok=True)
