"""Lambda's runtime API on loopback, and functions that Amazon's own client of it runs.

    with RuntimeApi() as api, api.started("tick", folder, environment) as tick:
        tick.asked({"version": "0", …})

Source: the guide's "Using the Lambda runtime API for custom runtimes", version 2018-06-01. What
takes an event, calls the handler and writes its answer is `awslambdaric`, which the managed runtime
has, too.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any, Self

_PATIENCE_S = 60
_REQUEST_ID = "8476a536-e9f4-11e8-9739-2dfe598c3fcd"


@dataclass(frozen=True, slots=True)
class Answered:
    """What the runtime's client sent for one event: `response` or `error`, and the document."""

    kind: str
    document: Any


@dataclass(slots=True)
class RuntimeApi:
    """Gives out one event at a time."""

    _events: Queue[bytes] = field(default_factory=Queue)
    _answers: Queue[Answered] = field(default_factory=Queue)
    _server: ThreadingHTTPServer = field(init=False)

    def __post_init__(self) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self._events, self._answers))

    def __enter__(self) -> Self:
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def asked(self, event: object) -> Answered:
        """Give out an event; return what comes back, and raise queue.Empty if nothing does."""
        self._events.put(json.dumps(event).encode())
        return self._answers.get(timeout=_PATIENCE_S)

    @contextmanager
    def started(
        self, function: str, folder: Path, environment: Mapping[str, str]
    ) -> Iterator[Path]:
        """Run a function of the unpacked package meanwhile; yield where what it says is kept."""
        log = folder.with_name(f"{function}.log")
        with log.open("wb") as said:
            process = subprocess.Popen(
                [sys.executable, "-m", "awslambdaric", f"app.{function}"],
                cwd=folder,
                env={
                    "PATH": os.environ["PATH"],
                    **environment,
                    "AWS_LAMBDA_RUNTIME_API": f"127.0.0.1:{self._server.server_port}",
                    "AWS_LAMBDA_FUNCTION_NAME": function,
                    "AWS_LAMBDA_FUNCTION_VERSION": "1",
                    "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "1024",
                    "LAMBDA_TASK_ROOT": str(folder),
                    "_HANDLER": f"app.{function}",
                },
                stdout=said,
                stderr=subprocess.STDOUT,
            )
        try:
            yield log
        finally:
            process.kill()
            process.wait()


def _handler(events: "Queue[bytes]", answers: "Queue[Answered]") -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            event = events.get()
            deadline = int(1000 * (time.time() + _PATIENCE_S))
            self.send_response(200)
            self.send_header("Lambda-Runtime-Aws-Request-Id", _REQUEST_ID)
            self.send_header("Lambda-Runtime-Deadline-Ms", str(deadline))
            self.send_header("Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:::function:f")
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(event)))
            self.end_headers()
            self.wfile.write(event)

        def do_POST(self) -> None:
            body = b"".join(self._pieces())
            self.send_response(202)
            self.send_header("Content-Length", "0")
            self.end_headers()
            answers.put(Answered(self.path.rpartition("/")[2], json.loads(body)))

        def _pieces(self) -> Iterator[bytes]:
            if "Content-Length" in self.headers:
                yield self.rfile.read(int(self.headers["Content-Length"]))
                return
            while size := int(self.rfile.readline(), 16):
                yield self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its own name
            """Say nothing."""

    return Handler
