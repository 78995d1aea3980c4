"""A call that DynamoDB throttles is told in the log, also if botocore's next try succeeds."""

import json
import logging
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest

from chalicelib.bootstrap.clients import a_session, make_client
from tests.support.emulator import CREDENTIALS, REGION

CALL = {"TableName": "bread", "Key": {"pk": {"S": "a"}}}


class Throttling(HTTPServer):
    """Answers with what it is given, then with an empty row."""

    answers: list[dict[str, Any]]


class _Answer(BaseHTTPRequestHandler):
    server: Throttling

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        refusal = self.server.answers.pop(0) if self.server.answers else None
        body = json.dumps(refusal or {}).encode()
        self.send_response(400 if refusal else 200)
        self.send_header("content-type", "application/x-amz-json-1.0")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[Throttling]:
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    with Throttling(("127.0.0.1", 0), _Answer) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def _client(table: Throttling) -> Any:  # noqa: ANN401 - botocore's
    url = f"http://127.0.0.1:{table.server_port}"
    return make_client(a_session(), "dynamodb", REGION, url=url)


def _refusal(name: str, **more: object) -> dict[str, object]:
    return {"__type": f"com.amazonaws.dynamodb.v20120810#{name}", **more}


def _told(caplog: pytest.LogCaptureFixture) -> list[object]:
    told = [one for one in caplog.records if getattr(one, "action", "") == "table.throttled"]
    return [vars(one)["operation"] for one in told]


@pytest.mark.parametrize("name", ["ProvisionedThroughputExceededException", "ThrottlingException"])
def test_a_throttled_try_is_told_though_the_call_succeeds(
    table: Throttling, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    table.answers = [_refusal(name)]

    with caplog.at_level(logging.WARNING):
        _client(table).get_item(**CALL)

    assert ["GetItem"] == _told(caplog)


def test_a_transaction_of_which_one_part_is_throttled_is_told(
    table: Throttling, caplog: pytest.LogCaptureFixture
) -> None:
    reasons = [{"Code": "None"}, {"Code": "ThrottlingError", "Message": "Throughput exceeds"}]
    table.answers = [_refusal("TransactionCanceledException", CancellationReasons=reasons)]
    client = _client(table)

    with caplog.at_level(logging.WARNING), pytest.raises(client.exceptions.ClientError):
        client.transact_write_items(TransactItems=[{"Delete": CALL}])

    assert ["TransactWriteItems"] == _told(caplog)


def test_other_refusals_are_not_told(table: Throttling, caplog: pytest.LogCaptureFixture) -> None:
    table.answers = [_refusal("ConditionalCheckFailedException")]
    client = _client(table)

    with caplog.at_level(logging.WARNING), pytest.raises(client.exceptions.ClientError):
        client.delete_item(**CALL)
    client.get_item(**CALL)

    assert [] == _told(caplog)
