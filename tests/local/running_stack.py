"""Starts real stacks for the tests of this room and looks at them from outside."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import requests
from botocore.config import Config

from chalicelib.cli.engine import LOCAL_WORKER
from chalicelib.kit.aws_on_sqlite.address import address_of
from chalicelib.settings import Settings
from tests.support.clients import a_client
from tests.support.emulator import CREDENTIALS, REGION
from tests.support.free_port import free_port

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_kms import KMSClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sqs import SQSClient

PROJECT = Path(__file__).parents[2]
T = TypeVar("T")
_NO_RETRIES = Config(retries={"max_attempts": 0}, connect_timeout=2, read_timeout=30)
TINY = "tests.local.tiny_stack"
_STARTS_WITHIN_S = 240.0
"""An engine of others makes the first resources in more than a minute on a machine that is busy."""


def eventually(look: Callable[[], T], *, within_s: float = 15.0) -> T:
    """Return what `look` says as soon as it is truthy."""
    deadline = time.monotonic() + within_s
    while True:
        with contextlib.suppress(OSError, ValueError):
            if found := look():
                return found
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.03)


CHILDREN = {
    "chalicelib.local.front.program": "front",
    LOCAL_WORKER: "triggers",
    "chalicelib.local.triggers.convert_lane": "convert",
}


class Stack:
    """One data directory and the stack that runs on it, or does not."""

    def __init__(self, data_dir: Path, stack_modules: str = TINY, **environment: str) -> None:
        os.environ.update(CREDENTIALS)
        self.data_dir = data_dir
        self.port = free_port()
        self._stack_modules = stack_modules
        self._environment = environment
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> "Stack":
        """Start it and wait until the API answers, as long as it lives: LocalStack may be busy."""
        self.process = self.launch()
        eventually(self._has_started, within_s=_STARTS_WITHIN_S)
        return self

    def _has_started(self) -> bool:
        assert self.process is not None
        if self.process.poll() is not None:
            said = "\n".join(self.process.communicate())
            raise AssertionError(f"the stack ended while it started:\n{said}")
        return self.answers() and (self.data_dir / "demo.json").exists()

    def launch(self) -> "subprocess.Popen[str]":
        """Start it without waiting."""
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        return subprocess.Popen(
            [sys.executable, "-m", "chalicelib.local", "--stack-modules", self._stack_modules],
            cwd=PROJECT,
            env={
                **kept,
                "GOLDENHOUR_PORT": str(self.port),
                "GOLDENHOUR_DATA_DIR": str(self.data_dir),
                **self._environment,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def end(self, number: int = signal.SIGTERM) -> int:
        """Send a signal to the supervisor and wait for its end."""
        assert self.process is not None
        self.process.send_signal(number)
        self.process.communicate(timeout=240)
        return self.process.returncode

    def children(self) -> dict[str, int]:
        """Return the process ids of the stack's children by name."""
        assert self.process is not None
        found = {}
        for entry in Path("/proc").iterdir():
            with contextlib.suppress(OSError, IndexError, ValueError):
                parent = (entry / "stat").read_text().rpartition(")")[2].split()[1]
                words = (entry / "cmdline").read_text().split("\0")
                if int(parent) == self.process.pid and "-m" in words:
                    module = words[words.index("-m") + 1]
                    found[CHILDREN.get(module, module)] = int(entry.name)
        return found

    def answers(self) -> bool:
        """Tell whether the API answers."""
        try:
            answer = requests.get(f"http://127.0.0.1:{self.port}/v1/health", timeout=2)
        except OSError:
            return False
        return answer.status_code == 200

    @property
    def settings(self) -> Settings:
        """Settings that name the stack's resources."""
        address = address_of(self.data_dir / "engine", synced=False)
        return Settings.from_environment(
            {"AWS_ENDPOINT_URL": address, "AWS_DEFAULT_REGION": REGION}
        )

    @property
    def dynamodb(self) -> "DynamoDBClient":
        """A client of the stack's tables."""
        endpoint = self.settings.endpoint_url
        return a_client("dynamodb", endpoint, _NO_RETRIES)

    @property
    def sqs(self) -> "SQSClient":
        """A client of the stack's queues."""
        return a_client("sqs", self.settings.endpoint_url, _NO_RETRIES)

    @property
    def s3(self) -> "S3Client":
        """A client of the stack's bucket."""
        return a_client("s3", self.settings.endpoint_url, _NO_RETRIES)

    @property
    def kms(self) -> "KMSClient":
        """A client of the stack's key."""
        return a_client("kms", self.settings.endpoint_url, _NO_RETRIES)

    def send(self, *orders: dict[str, object], group: str = "w", delay_s: int = 0) -> None:
        """Send messages to the publish queue."""
        sqs = self.sqs
        url = sqs.get_queue_url(QueueName=self.settings.publish_queue)["QueueUrl"]
        for order in orders:
            sqs.send_message(
                QueueUrl=url,
                MessageBody=json.dumps(order),
                MessageGroupId=group,
                DelaySeconds=delay_s,
            )

    def noted(self, kind: str) -> list[tuple[str, str]]:
        """Return what the tiny app noted: when and what, in order."""
        found = self.dynamodb.query(
            TableName=self.settings.posts_table,
            KeyConditionExpression="pk = :kind",
            ExpressionAttributeValues={":kind": {"S": kind}},
            ConsistentRead=True,
        )["Items"]
        return [(item["sk"]["S"].partition("#")[0], item["text"]["S"]) for item in found]


@contextmanager
def running(stack: Stack) -> Iterator[Stack]:
    """Start a stack and make sure that it is gone afterwards."""
    try:
        yield stack.start()
    finally:
        if stack.process is not None and stack.process.poll() is None:
            stack.process.kill()
            stack.process.communicate(timeout=240)
