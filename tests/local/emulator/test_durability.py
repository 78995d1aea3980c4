"""Nothing that the emulator acknowledged is lost, whatever is killed and whenever."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.local import resources
from tests.local.running_stack import Stack, eventually, running

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

KILLS = {
    "the emulator": lambda stack: os.kill(stack.children()["emulator"], signal.SIGKILL),
    "everything": lambda stack: (stack.end(signal.SIGKILL), stack.start()),
    "nothing, but a stop": lambda stack: (stack.end(), stack.start()),
}
QUICK = "the emulator"
"""Which kill the ordinary suite tries: nothing else of the stack holds state."""


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with running(Stack(tmp_path_factory.mktemp("durable"))) as started:
        yield started


class Writer(threading.Thread):
    """Puts, counts and removes until told to stop; remembers what was acknowledged."""

    def __init__(self, stack: Stack, name: str) -> None:
        super().__init__(daemon=True)
        self._stack = stack
        self._mark = name
        self.acknowledged: list[str] = []
        self.removed: list[str] = []
        self.stopping = threading.Event()

    def run(self) -> None:
        table, tables = self._stack.settings.posts_table, self._stack.dynamodb
        turn = 0
        while not self.stopping.is_set():
            turn += 1
            key = f"{self._mark}-{turn}"
            try:
                self._write(tables, table, key)
            except (BotoCoreError, ClientError):
                time.sleep(0.05)

    def _write(self, tables: "DynamoDBClient", table: str, key: str) -> None:
        items = [{"pk": {"S": key}, "sk": {"S": part}} for part in ("POST", "TARGET#1")]
        tables.transact_write_items(
            TransactItems=[{"Put": {"TableName": table, "Item": item}} for item in items]
        )
        self.acknowledged.append(key)
        if key.endswith("7"):
            self.acknowledged.remove(key)
            for item in items:
                tables.delete_item(TableName=table, Key=item)
            self.removed.append(key)


def _rows(stack: Stack, key: str) -> int:
    return stack.dynamodb.query(
        TableName=stack.settings.posts_table,
        KeyConditionExpression="pk = :pk",
        ExpressionAttributeValues={":pk": {"S": key}},
        ConsistentRead=True,
    )["Count"]


def _acknowledged(writers: list[Writer]) -> int:
    return sum(len(writer.acknowledged) for writer in writers)


@pytest.mark.parametrize(
    "kill",
    [
        pytest.param(kill, id=name, marks=() if name == QUICK else pytest.mark.prove)
        for name, kill in KILLS.items()
    ],
)
def test_every_acknowledged_write_survives(
    stack: Stack, kill: Callable[[Stack], object], request: pytest.FixtureRequest
) -> None:
    writers = [Writer(stack, f"{request.node.name}-{n}") for n in range(4)]
    for writer in writers:
        writer.start()
    eventually(lambda: _acknowledged(writers) > 60)

    kill(stack)
    before = _acknowledged(writers)
    eventually(lambda: _acknowledged(writers) > before)
    for writer in writers:
        writer.stopping.set()
    for writer in writers:
        writer.join(20)
    eventually(stack.answers)

    acknowledged = [key for writer in writers for key in writer.acknowledged]
    removed = [key for writer in writers for key in writer.removed]
    assert [key for key in acknowledged if _rows(stack, key) != 2] == []
    assert [key for key in removed if _rows(stack, key) != 0] == []


@dataclass(frozen=True, slots=True)
class Kept:
    """What a stack was given before everything of it was killed and started again."""

    big: bytes
    secret: bytes
    part: bytes
    upload_id: str
    first_part: str


@pytest.fixture(scope="module")
def kept(stack: Stack) -> Kept:
    """Give a stack files, a sealed secret, half an upload and a transaction, and kill it."""
    settings, s3 = stack.settings, stack.s3
    bucket, big, part = settings.media_bucket, os.urandom(3 << 20), os.urandom(5 << 20)
    secret = stack.kms.encrypt(KeyId=settings.tokens_key, Plaintext=b"token")["CiphertextBlob"]
    s3.put_object(Bucket=bucket, Key="media/w/small", Body=b"small", ContentType="image/png")
    s3.put_object(Bucket=bucket, Key="media/w/big", Body=big)
    upload_id = s3.create_multipart_upload(Bucket=bucket, Key=_PARTS)["UploadId"]
    first = s3.upload_part(Bucket=bucket, Key=_PARTS, UploadId=upload_id, PartNumber=1, Body=part)
    _add_one_hit(stack, token="the-same-token")

    stack.end(signal.SIGKILL)
    stack.start()
    return Kept(big, secret, part, upload_id, first["ETag"])


_PARTS = "media/w/parts"


def test_files_survive_a_kill(stack: Stack, kept: Kept) -> None:
    bucket = stack.settings.media_bucket

    small = stack.s3.get_object(Bucket=bucket, Key="media/w/small")
    part = stack.s3.get_object(Bucket=bucket, Key="media/w/big", Range="bytes=100-199")["Body"]

    assert (small["Body"].read(), small["ContentType"]) == (b"small", "image/png")
    assert part.read() == kept.big[100:200]


def test_keys_and_settings_survive_a_kill(stack: Stack, kept: Kept) -> None:
    settings = stack.settings

    ttl = stack.dynamodb.describe_time_to_live(TableName=settings.posts_table)
    told = stack.s3.get_bucket_notification_configuration(Bucket=settings.media_bucket)

    assert stack.kms.decrypt(CiphertextBlob=kept.secret)["Plaintext"] == b"token"
    assert ttl["TimeToLiveDescription"]["TimeToLiveStatus"] == "ENABLED"
    assert told["QueueConfigurations"][0]["Events"] == ["s3:ObjectCreated:*"]


def test_an_unfinished_upload_goes_on_after_a_kill(stack: Stack, kept: Kept) -> None:
    s3, bucket, upload_id = stack.s3, stack.settings.media_bucket, kept.upload_id

    second = s3.upload_part(
        Bucket=bucket, Key=_PARTS, UploadId=upload_id, PartNumber=2, Body=b"the end"
    )["ETag"]
    s3.complete_multipart_upload(
        Bucket=bucket,
        Key=_PARTS,
        UploadId=upload_id,
        MultipartUpload={
            "Parts": [
                {"PartNumber": 1, "ETag": kept.first_part},
                {"PartNumber": 2, "ETag": second},
            ]
        },
    )

    found = s3.get_object(Bucket=bucket, Key=_PARTS)["Body"].read()
    assert found == kept.part + b"the end"


@pytest.mark.usefixtures("kept")
def test_a_retry_of_a_transaction_across_a_kill_is_applied_once(stack: Stack) -> None:
    _add_one_hit(stack, token="the-same-token")

    found = stack.dynamodb.get_item(
        TableName=stack.settings.posts_table, Key=_COUNTER, ConsistentRead=True
    )["Item"]
    assert found["hits"] == {"N": "1"}


_COUNTER: Mapping[str, "AttributeValueTypeDef"] = {"pk": {"S": "counter"}, "sk": {"S": "POST"}}


def _add_one_hit(stack: Stack, *, token: str) -> None:
    stack.dynamodb.transact_write_items(
        TransactItems=[
            {
                "Update": {
                    "TableName": stack.settings.posts_table,
                    "Key": _COUNTER,
                    "UpdateExpression": "ADD hits :one",
                    "ExpressionAttributeValues": {":one": {"N": "1"}},
                }
            }
        ],
        ClientRequestToken=token,
    )


def test_what_a_newer_template_adds_is_made_in_an_old_data_directory(
    stack: Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    newer = resources.TEMPLATE.read_text().replace('"by_workspace"', '"by_workspace_too"')
    template = tmp_path / "newer.json"
    template.write_text(newer)
    monkeypatch.setattr(resources, "TEMPLATE", template)

    resources.make(stack.settings)

    described = stack.dynamodb.describe_table(TableName=stack.settings.media_table)["Table"]
    assert "by_workspace_too" in [i["IndexName"] for i in described["GlobalSecondaryIndexes"]]
