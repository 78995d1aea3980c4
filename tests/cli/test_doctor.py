"""What the doctor says of a healthy deployment, and of ailing ones."""

import json
from dataclasses import replace

import boto3
import pytest

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.settings import Settings
from tests.cli.operator import Operator
from tests.emulator import EmulatorProcess, make_resources


@pytest.fixture
def settings(emulator: EmulatorProcess) -> Settings:
    """Make a deployment of one test's own."""
    return make_resources(emulator.endpoint)


def _findings(settings: Settings) -> tuple[int, dict[str, tuple[str, str]]]:
    """Return the exit status, and verdict and message of each finding that is not ok."""
    result = Operator(Deployment(settings)).run("doctor", "--json")
    found = json.loads(result.stdout)["findings"]
    ailing = {
        one["subject"]: (one["verdict"], one["message"]) for one in found if one["verdict"] != "ok"
    }
    assert all(one["advice"] for one in found if one["verdict"] != "ok")
    return result.exit_code, ailing


def test_a_healthy_deployment_with_an_address_has_nothing_to_say(settings: Settings) -> None:
    reachable = replace(settings, public_url="https://post.example")

    assert _findings(reachable) == (0, {})


def test_a_deployment_without_an_address_is_only_warned(settings: Settings) -> None:
    status, ailing = _findings(settings)

    assert status == 0
    assert {subject: verdict for subject, (verdict, _) in ailing.items()} == {
        "GOLDENHOUR_PUBLIC_URL": "warning"
    }


def test_a_missing_table_is_wrong(settings: Settings) -> None:
    tables = boto3.client("dynamodb", endpoint_url=settings.endpoint_url)
    tables.update_table(TableName=settings.media_table, DeletionProtectionEnabled=False)
    tables.delete_table(TableName=settings.media_table)

    status, ailing = _findings(settings)

    assert status == 1
    assert ailing[f"table {settings.media_table}"][0] == "wrong"


def test_a_missing_index_is_wrong(settings: Settings) -> None:
    tables = boto3.client("dynamodb", endpoint_url=settings.endpoint_url)
    tables.update_table(
        TableName=settings.directory_table,
        GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "by_id"}}],
    )

    status, ailing = _findings(settings)

    assert status == 1
    assert ailing[f"table {settings.directory_table}"] == (
        "wrong",
        "The index by_id is missing.",
    )


def test_rows_that_do_not_expire_are_wrong(settings: Settings) -> None:
    tables = boto3.client("dynamodb", endpoint_url=settings.endpoint_url)
    tables.update_time_to_live(
        TableName=settings.directory_table,
        TimeToLiveSpecification={"Enabled": False, "AttributeName": "expires_at"},
    )

    status, ailing = _findings(settings)

    assert status == 1
    assert ailing == {
        f"table {settings.directory_table}": ("wrong", "Rows do not expire by expires_at."),
        "GOLDENHOUR_PUBLIC_URL": ailing["GOLDENHOUR_PUBLIC_URL"],
    }


def test_a_missing_queue_is_wrong(settings: Settings) -> None:
    queues = boto3.client("sqs", endpoint_url=settings.endpoint_url)
    url = queues.get_queue_url(QueueName=settings.uploads_queue)["QueueUrl"]
    queues.delete_queue(QueueUrl=url)

    status, ailing = _findings(settings)

    assert status == 1
    assert ailing[f"queue {settings.uploads_queue}"][0] == "wrong"


def test_dead_letters_are_a_warning(settings: Settings) -> None:
    queues = boto3.client("sqs", endpoint_url=settings.endpoint_url)
    url = queues.get_queue_url(QueueName=settings.publish_dead_queue)["QueueUrl"]
    queues.send_message(QueueUrl=url, MessageBody="{}")

    status, ailing = _findings(settings)

    assert status == 0
    assert ailing[f"queue {settings.publish_dead_queue}: messages"] == (
        "warning",
        "1 could not be worked off.",
    )


def test_uploads_that_nobody_hears_of_are_wrong(settings: Settings) -> None:
    store = boto3.client("s3", endpoint_url=settings.endpoint_url)
    store.put_bucket_notification_configuration(
        Bucket=settings.media_bucket, NotificationConfiguration={}
    )

    status, ailing = _findings(settings)

    assert status == 1
    assert ailing[f"bucket {settings.media_bucket}: uploads"][0] == "wrong"


def test_a_missing_key_is_wrong(settings: Settings) -> None:
    keys = boto3.client("kms", endpoint_url=settings.endpoint_url)
    keys.delete_alias(AliasName=settings.tokens_key)

    status, ailing = _findings(settings)

    assert status == 1
    assert ailing[f"key {settings.tokens_key}"][0] == "wrong"


def test_a_paused_engine_is_a_warning(settings: Settings) -> None:
    Operator(Deployment(settings)).ask("engine", "pause")

    status, ailing = _findings(settings)

    assert status == 0
    assert ailing["engine"] == ("warning", "Nothing is sent: it is paused.")


def test_an_examination_leaves_nothing_behind(settings: Settings) -> None:
    _findings(settings)

    store = boto3.client("s3", endpoint_url=settings.endpoint_url)
    tables = boto3.client("dynamodb", endpoint_url=settings.endpoint_url)
    assert store.list_objects_v2(Bucket=settings.media_bucket)["KeyCount"] == 0
    assert tables.scan(TableName=settings.directory_table)["Count"] == 0
