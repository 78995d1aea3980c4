"""A batch of a hundred targets asks for as much at once; the next finds the connections open.

In AWS each new connection is a TLS handshake, on the one processor of a batch, before the second.
"""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

import app
from chalicelib.bootstrap import clients
from chalicelib.bootstrap.clients import Clients
from chalicelib.settings import Settings
from tests.support.emulator import CREDENTIALS

CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "dynamodb": ("get_item", {"TableName": "posts", "Key": {"pk": {"S": "bread"}}}),
    "kms": ("decrypt", {"CiphertextBlob": b"sealed"}),
    "sqs": ("send_message", {"QueueUrl": "http://127.0.0.1/queue", "MessageBody": "bread"}),
}

BATCH_WITHIN_S = 240
"""A loaded machine needs longer to begin a hundred threads than a call waits for its answer."""


class CountingServer(ThreadingHTTPServer):
    """Answers calls when a whole batch of them has come, and counts connections."""

    request_queue_size = 2 * app.ARMED_TOGETHER
    daemon_threads = True

    def __init__(self, batch: int) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.together = threading.Barrier(batch, timeout=BATCH_WITHIN_S)
        self.opened = 0

    def get_request(self) -> Any:  # noqa: ANN401 - a socket and its address
        self.opened += 1
        return super().get_request()


class _Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: CountingServer

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.together.wait()
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def a_counting_server(batch: int) -> Iterator[CountingServer]:
    with CountingServer(batch) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.mark.parametrize("service", CALLS)
def test_the_second_batch_of_a_hundred_opens_no_connection(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    for wait in ("_CONNECT_S", "_READ_S", "_QUICK_READ_S"):
        monkeypatch.setattr(clients, wait, BATCH_WITHIN_S)
    operation, params = CALLS[service]
    opened = []

    with (
        a_counting_server(app.ARMED_TOGETHER) as server,
        ThreadPoolExecutor(app.ARMED_TOGETHER) as threads,
    ):
        url = f"http://127.0.0.1:{server.server_port}"
        client = getattr(Clients(Settings.from_environment({"AWS_ENDPOINT_URL": url})), service)
        for _ in range(3):
            before = server.opened
            calls = [
                threads.submit(getattr(client, operation), **params)
                for _ in range(app.ARMED_TOGETHER)
            ]
            for call in calls:
                call.result()
            opened.append(server.opened - before)
        client.close()

    assert opened == [app.ARMED_TOGETHER, 0, 0]
