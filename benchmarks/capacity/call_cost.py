"""What a call of AWS costs the processor that makes it: botocore against a server on loopback.

The embedded engine, over which all else is counted, is called without botocore, HTTP or signature.
"""

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from statistics import median
from typing import Any

from botocore.config import Config
from botocore.session import Session

_CALLS = 100
_ROUNDS = 5


class _Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", "application/x-amz-json-1.0")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name
        """Say nothing."""


def call_cpu_s() -> float:
    """Return the processor seconds of one put of a small row, by a client as deployed."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Answers)
    serving = threading.Thread(target=server.serve_forever, daemon=True)
    serving.start()
    try:
        client: Any = Session().create_client(
            "dynamodb",
            region_name="us-east-1",
            endpoint_url=f"http://127.0.0.1:{server.server_port}",
            aws_access_key_id="none",
            aws_secret_access_key="none",  # noqa: S106 - nobody checks it
            config=Config(user_agent="goldenhour", parameter_validation=False),
        )
        row = {f"name_{n}": {"S": "x" * 40} for n in range(20)} | {"pk": {"S": "a"}}
        rounds = []
        for _ in range(_ROUNDS):
            began = time.thread_time()
            for _ in range(_CALLS):
                client.put_item(TableName="posts", Item=row)
            rounds.append((time.thread_time() - began) / _CALLS)
        return median(rounds)
    finally:
        server.shutdown()
        server.server_close()
        serving.join()
