"""Resources of a deployment that somebody spoiled, on whatever engine the tests run on."""

import json
from typing import Any

import boto3

from chalicelib.kit.aws_on_sqlite.address import is_embedded
from chalicelib.kit.aws_on_sqlite.engine import Engine, open_engine
from chalicelib.kit.aws_on_sqlite.keys import Keys, keep_keys
from chalicelib.settings import Settings
from tests.support.clients import a_client

_EXPIRY = "TimeToLiveSpecification"


def lose_table(settings: Settings, table: str) -> None:
    """Delete a table."""
    if (engine := _engine(settings)) is not None:
        return _lose(engine, "table", table)
    tables = a_client("dynamodb", settings.dynamodb_url)
    tables.update_table(TableName=table, DeletionProtectionEnabled=False)
    tables.delete_table(TableName=table)
    return None


def lose_index(settings: Settings, table: str, index: str) -> None:
    """Delete an index."""
    if (engine := _engine(settings)) is not None:
        made = _made(engine, "table", table)
        indexes = made["GlobalSecondaryIndexes"]
        made["GlobalSecondaryIndexes"] = [i for i in indexes if i["IndexName"] != index]
        return _make(engine, "table", table, made)
    a_client("dynamodb", settings.dynamodb_url).update_table(
        TableName=table, GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": index}}]
    )
    return None


def stop_expiry(settings: Settings, table: str) -> None:
    """Let no row of a table expire."""
    if (engine := _engine(settings)) is not None:
        return _make(engine, "table", table, {**_made(engine, "table", table), _EXPIRY: {}})
    a_client("dynamodb", settings.dynamodb_url).update_time_to_live(
        TableName=table,
        TimeToLiveSpecification={"Enabled": False, "AttributeName": "expires_at"},
    )
    return None


def lose_queue(settings: Settings, queue: str) -> None:
    """Delete a queue."""
    if (engine := _engine(settings)) is not None:
        return _lose(engine, "queue", queue)
    queues = a_client("sqs", settings.endpoint_url)
    queues.delete_queue(QueueUrl=queues.get_queue_url(QueueName=queue)["QueueUrl"])
    return None


def empty_queue(settings: Settings, queue: str) -> None:
    """Take away all messages of a queue, those that are delayed or held, too."""
    if (engine := _engine(settings)) is not None:
        found = engine.find_made("queue", queue)
        with engine.writing() as connection:
            connection.execute("DELETE FROM message WHERE queue = ?", (found and found[0],))
        return
    queues = a_client("sqs", settings.endpoint_url)
    queues.purge_queue(QueueUrl=queues.get_queue_url(QueueName=queue)["QueueUrl"])


def hide_for(settings: Settings, queue: str, seconds: int) -> None:
    """Let a queue offer a message again after so many seconds."""
    if (engine := _engine(settings)) is not None:
        made = {**_made(engine, "queue", queue), "VisibilityTimeout": str(seconds)}
        return _make(engine, "queue", queue, made)
    queues = a_client("sqs", settings.endpoint_url)
    queues.set_queue_attributes(
        QueueUrl=queues.get_queue_url(QueueName=queue)["QueueUrl"],
        Attributes={"VisibilityTimeout": str(seconds)},
    )
    return None


def silence_bucket(settings: Settings) -> None:
    """Let the bucket tell nobody of its uploads."""
    if (engine := _engine(settings)) is not None:
        return _make(engine, "bucket", settings.media_bucket, {})
    a_client("s3", settings.endpoint_url).put_bucket_notification_configuration(
        Bucket=settings.media_bucket, NotificationConfiguration={}
    )
    return None


def lose_key(settings: Settings) -> None:
    """Take the key's alias away."""
    if (engine := _engine(settings)) is not None:
        return keep_keys(engine.folder, Keys())
    keys = boto3.client("kms", endpoint_url=settings.endpoint_url, region_name=settings.region)
    keys.delete_alias(AliasName=settings.tokens_key)
    return None


def _engine(settings: Settings) -> Engine | None:
    address = settings.endpoint_url
    return None if address is None or not is_embedded(address) else open_engine(address)


def _made(engine: Engine, kind: str, name: str) -> Any:  # noqa: ANN401 - JSON
    found = engine.find_made(kind, name)
    assert found is not None
    return found[1]


def _make(engine: Engine, kind: str, name: str, about: object) -> None:
    with engine.writing() as connection:
        row = (json.dumps(about), kind, name)
        connection.execute("UPDATE made SET about = ? WHERE kind = ? AND name = ?", row)


def _lose(engine: Engine, kind: str, name: str) -> None:
    with engine.writing() as connection:
        connection.execute("DELETE FROM made WHERE kind = ? AND name = ?", (kind, name))
