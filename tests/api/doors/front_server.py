"""The streaming front as a real server process over the emulator, for tests from outside.

    front = start_front(settings)             # granian on a free loopback port
    front = start_front(settings, now=NOON)   # its clock stands still then
    front.address, front.stop()

Authentication is a stub that knows one key; all about media is real. As a module it is the server.
"""

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, cast

from chalicelib.api.doors.front import StreamedFiles, create_front
from chalicelib.api.http.key_gatekeeper import KeyGatekeeper
from chalicelib.api.http.response_headers import ResponseHeaders
from chalicelib.api.paths import PATHS
from chalicelib.domain.clock import system_clock
from chalicelib.http.pipeline import Pipeline
from chalicelib.local.front.inherited_socket import InheritedSocketServer
from chalicelib.settings import Settings
from tests.api.http.pipelines import OneKey, StubServices
from tests.support.frozen_clock import FrozenClock
from tests.support.media_rooms import media_rooms

if TYPE_CHECKING:
    from chalicelib.bootstrap.deployment import Deployment

PROJECT = Path(__file__).parents[3]
_NOW = "TEST_FRONT_NOW"
SITE = "https://tools.example"
"""The site whose pages may call."""


@dataclass(frozen=True, slots=True)
class FrontProcess:
    """A running front and where it answers."""

    address: tuple[str, int]
    process: "subprocess.Popen[bytes]" = field(repr=False)

    @property
    def url(self) -> str:
        return f"http://{self.address[0]}:{self.address[1]}"

    def peak_mb(self) -> float:
        """Return the most memory the process has held, in MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) / 1000

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


def start_front(settings: Settings, *, now: datetime | None = None) -> FrontProcess:
    """Start the server; the socket listens before it does, so nobody needs to wait."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    environment: Mapping[str, str] = {
        **os.environ,
        "GOLDENHOUR_RESOURCE_PREFIX": settings.resource_prefix,
        "AWS_ENDPOINT_URL": settings.endpoint_url or "",
        "AWS_ENDPOINT_URL_DYNAMODB": settings.dynamodb_url or "",
        _NOW: "" if now is None else now.isoformat(),
    }
    with listener:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.api.doors.front_server", str(listener.fileno())],
            env=environment,
            cwd=PROJECT,
            pass_fds=[listener.fileno()],
        )
        return FrontProcess(listener.getsockname(), process)


async def _serve(descriptor: int) -> None:
    now = os.environ.get(_NOW)
    clock = FrozenClock(datetime.fromisoformat(now)) if now else system_clock
    rooms = media_rooms(Settings.from_environment(), clock, door="")
    parts = {"library": rooms.library, "direct_uploads": rooms.direct}
    services = cast("Deployment", StubServices(OneKey(), parts, rooms.repeats))
    headers = ResponseHeaders(base_url="", origins=frozenset({SITE}), follows_request=True)
    endpoints = [one for at, find in PATHS.items() if at.startswith("/v1/media") for one in find()]
    pipeline = Pipeline(KeyGatekeeper(services, endpoints, clock=clock, headers=headers))
    front = create_front(
        pipeline,
        StreamedFiles(library=rooms.library, pulled=rooms.pulled, direct=rooms.direct),
        pipeline.answer,
    )
    await InheritedSocketServer(front, descriptor).serve()


if __name__ == "__main__":
    asyncio.run(_serve(int(sys.argv[1])))
