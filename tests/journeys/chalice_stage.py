"""`app.py` as whoever knows Chalice tests an app: `chalice.test.Client` over whatever plays AWS.

Requests go through Chalice's routes; messages are taken from the queues and handed to the functions
that `on_sqs_message` names, until no queue has one that is ready.
"""

import importlib.util
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest
from chalice.app import SQSEventConfig
from chalice.test import Client, HTTPResponse

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.access import Plan
from chalicelib.settings import Settings
from infra.packaging.libraries import PROJECT
from tests.support.frozen_clock import FrozenClock
from tests.support.people import a_written_workspace

_BOUNDARY = "one-of-a-kind"


@dataclass(frozen=True, slots=True)
class ChaliceStage:
    """The functions of one `app.py`, a clock that stands still, and a workspace."""

    module: ModuleType
    client: Client
    clock: FrozenClock
    workspace_id: str
    key: str

    @property
    def deployment(self) -> Deployment:
        made: Deployment = self.module.deployment()
        return made

    def ask(self, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401 - JSON
        """Send a request and return the JSON of its answer."""
        sent = b"" if body is None else json.dumps(body).encode()
        return _good(
            self.client.http.request(method, path, self._headers("application/json"), sent)
        )

    def upload(self, data: bytes, filename: str) -> str:
        """Upload a file as a form; return its id."""
        disposition = f'Content-Disposition: form-data; name="file"; filename="{filename}"'
        head, end = f"--{_BOUNDARY}\r\n{disposition}\r\n\r\n", f"\r\n--{_BOUNDARY}--\r\n"
        headers = self._headers(f"multipart/form-data; boundary={_BOUNDARY}")
        form = head.encode() + data + end.encode()
        return str(_good(self.client.http.post("/v1/media", headers=headers, body=form))["id"])

    def connect(self, platform: Platform) -> str:
        """Connect a test account, as the operator does; return its id."""
        connections = self.deployment.people.connections
        account = connections.connect_test_account(
            self.workspace_id, platform=platform, handle="@lighthouse"
        )
        return account.id

    def tick(self) -> None:
        """Invoke the tick as its rule does."""
        event = self.client.events.generate_cw_event(
            source="aws.events", detail_type="Scheduled Event", detail={}, resources=[]
        )
        self.client.lambda_.invoke("tick", event)

    def work(self) -> list[str]:
        """Hand messages to their functions until none is ready; return whom each woke."""
        woken: list[str] = []
        readers = [one for one in self.module.app.event_sources if isinstance(one, SQSEventConfig)]
        while found := [one for reader in readers for one in self._worked(reader)]:
            woken += found
        return woken

    def _worked(self, reader: SQSEventConfig) -> Iterator[str]:
        sqs = self.deployment.clients.sqs
        url = sqs.get_queue_url(QueueName=str(reader.queue))["QueueUrl"]
        for message in sqs.receive_message(QueueUrl=url).get("Messages", []):
            event = self.client.events.generate_sqs_event([message["Body"]])
            answer = self.client.lambda_.invoke(reader.name, event).payload
            assert answer == {"batchItemFailures": []}
            sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
            yield reader.name

    def _headers(self, content_type: str) -> dict[str, str]:
        return {"authorization": f"Bearer {self.key}", "content-type": content_type}


@contextmanager
def chalice_stage(settings: Settings, environment: pytest.MonkeyPatch) -> Iterator[ChaliceStage]:
    """Load `app.py` as a function does, over resources that are there."""
    environment.setenv("GOLDENHOUR_RESOURCE_PREFIX", settings.resource_prefix)
    environment.setenv("AWS_ENDPOINT_URL", settings.endpoint_url or "")
    environment.delenv("GOLDENHOUR_DATA_DIR", raising=False)
    spec = importlib.util.spec_from_file_location("app_of_chalice", PROJECT / "app.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    clock = FrozenClock()
    with _own_log():
        module.deployment().clock = module.deployment().wall = clock
        table = module.deployment().stores.directory_table
        workspace_id, key = a_written_workspace(
            table, clock(), plan=Plan.STUDIO, timezone="UTC", approvals=False
        )
        with Client(module.app, project_dir=str(PROJECT)) as client:
            yield ChaliceStage(module, client, clock, workspace_id, key)


@contextmanager
def _own_log() -> Iterator[None]:
    """Give pytest its log back, which a function takes for itself."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        yield
    finally:
        root.handlers[:], root.level = handlers, level


def _good(answer: HTTPResponse) -> Any:  # noqa: ANN401 - JSON
    assert answer.status_code < 300, answer.body
    return answer.json_body
