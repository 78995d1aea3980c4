"""The process that answers HTTP: the API, and the sandbox platform's pages beside it.

    python -m chalicelib.local.front.program --fd 5 --ready-fd 6 [--stack-modules MODULE]

It makes the resources first, since only this process knows when the API may answer; while a start
rebuilds indexes, all requests are refused. Then it tells the supervisor, shows `demo.json` and says
on the terminal how to call it.
"""

import argparse
import asyncio
import contextlib
import logging
import math
import os
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from pathlib import Path
from subprocess import Popen
from urllib.parse import urlsplit
from urllib.request import urlopen

from botocore.exceptions import EndpointConnectionError

from chalicelib.api.doors.crowd import strangers
from chalicelib.domain.workspace.passkeys import page_address
from chalicelib.json_log import logs_to_stdout, start_logging
from chalicelib.kit.aws_on_sqlite.address import is_embedded
from chalicelib.local.docs_site import DocsSite
from chalicelib.local.embedded_resources import make_embedded
from chalicelib.local.front import demo
from chalicelib.local.front.connections import Connections, room
from chalicelib.local.front.demo import Demo
from chalicelib.local.front.entrance import Entrance
from chalicelib.local.front.inherited_socket import InheritedSocketServer
from chalicelib.local.front.proxies import TrustedProxies
from chalicelib.local.options import Options
from chalicelib.local.processes.process import (
    PARENT,
    READY,
    TAKES_LONG,
    die_with_parent,
    end_if_a_thread_never_begins,
    give_memory_back,
    needing_disk,
    needing_threads,
)
from chalicelib.local.sandbox_pages import SandboxPages
from chalicelib.local.stack_modules import STACK_MODULES, StackModules, load_stack_modules
from chalicelib.local.telemetry import start_telemetry
from chalicelib.settings import Settings, own_command
from chalicelib.storage.sandbox_here import SandboxHere

_POLL_S = 0.02
_PATIENCE_S = 15.0
_FULL_DISK_S = 1.0
_MENDED = {(3, 11): (3, 11, 10), (3, 12): (3, 12, 6)}

log = logging.getLogger(__name__)
_GREETING = """
goldenhour answers at {base_url}
  the app    {link}
             signs you in once, within 15 minutes; for another link:
             {command} member sign-in {member}
  demo key   {key}
  try it     curl -H 'Authorization: Bearer {key}' {base_url}/v1/accounts
  what went out on the test accounts: {base_url}/sandbox
  Ctrl-C stops it; everything is kept.

"""
_SILENT = """The service cannot reach itself at {base_url}/v1/health: {why}.
Nothing is sent until it can.
"""
_PAUSED = """  The engine is paused: nothing is sent until
             {command} engine resume

"""


class Front:
    """The HTTP server of the local stack: the API and the sandbox's pages."""

    def __init__(
        self,
        stack_modules: StackModules,
        settings: Settings,
        data_dir: Path,
        options: Options,
        making: "Popen[bytes] | None",
    ) -> None:
        self._options = options
        self._making = making
        self._stack_modules = stack_modules
        self._settings = settings
        self._data_dir = data_dir
        self._opened = contextlib.ExitStack()

    async def serve(self, descriptor: int, ready: int) -> None:
        """Make missing resources, then answer until SIGTERM."""
        with self._opened:
            await self._serve(descriptor, ready)

    async def _serve(self, descriptor: int, ready: int) -> None:
        entrance, most = Entrance(), room()
        connections = Connections(
            entrance, self._options.port, self._options.trusted_proxies, most=most
        )
        server = InheritedSocketServer(connections, descriptor, most)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, server.stop)
        watching = asyncio.create_task(connections.watch())
        serving = asyncio.create_task(server.serve())
        opening = asyncio.create_task(self._open(entrance, ready))
        await asyncio.wait({serving, opening}, return_when=asyncio.FIRST_COMPLETED)
        if not opening.done():
            os._exit(0)  # stopped while it rebuilds indexes: the next start continues there
        announcing = asyncio.create_task(self._announce(opening.result(), ready))
        await serving
        for task in (watching, announcing):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def _open(self, entrance: Entrance, ready: int) -> Demo | None:
        """Make missing resources, then accept requests; return the demo workspace if one is wanted.

        The supervisor is told when that takes long.
        """
        loop = asyncio.get_running_loop()

        def take_long() -> None:
            loop.call_soon_threadsafe(entrance.refuse)
            os.write(ready, TAKES_LONG)

        workspace = await asyncio.to_thread(self._prepare, take_long)
        store, crowd = SandboxHere(self._data_dir), strangers()
        self._opened.callback(store.close)
        pages = SandboxPages(
            self._stack_modules.create_front(crowd),
            store,
            self._stack_modules.media_links(),
            self._stack_modules.sandbox_accounts(),
            crowd,
            is_exposed=self._options.is_for_others,
        )
        entrance.open(TrustedProxies(DocsSite(pages, crowd), self._options.trusted_proxies))
        return workspace

    def _prepare(self, take_long: Callable[[], None]) -> Demo | None:
        if self._making is None:
            self._make_embedded(take_long)
        elif self._making.wait() != 0:
            raise SystemExit("The resources of the local stack could not be made.")
        if not self._options.demo:
            return None
        workspace = demo.read(self._data_dir)
        if workspace is None or not self._stack_modules.knows_demo(workspace):
            workspace = self._stack_modules.make_demo()
            demo.keep(self._data_dir, workspace)
        return workspace

    def _make_embedded(self, take_long: Callable[[], None]) -> None:
        """Make the engine's resources; while the disk is full, wait."""
        while True:
            try:
                make_embedded(self._settings, begun=take_long)
            except EndpointConnectionError:
                take_long()
                time.sleep(_FULL_DISK_S)
            else:
                return

    async def _announce(self, workspace: Demo | None, ready: int) -> None:
        base_url = self._settings.base_url
        await asyncio.to_thread(wait_for_answer, base_url, partial(_why_silent, base_url))
        if workspace is not None:
            demo.show(self._data_dir, workspace, base_url)
        os.write(ready, READY)
        if workspace is not None and not logs_to_stdout():  # a key must not get into a log
            await asyncio.to_thread(self._greet, workspace)

    def _greet(self, workspace: Demo) -> None:
        base_url = self._settings.base_url
        member, token = self._stack_modules.sign_in(workspace)
        greeting = _GREETING.format(
            command=own_command(),
            base_url=base_url,
            key=workspace.api_key,
            link=f"{page_address(base_url)}/app/sign-in/{token}",
            member=member,
        )
        sys.stdout.write(greeting)
        if self._stack_modules.is_paused():
            sys.stdout.write(_PAUSED.format(command=own_command()))
        advice = advice_on_python(sys.version_info[:3])
        if advice is not None:
            sys.stdout.write(f"  {advice}\n\n")
        sys.stdout.flush()


def _resources_being_made() -> "Popen[bytes]":
    """Make them in LocalStack in a process of its own: the clients need 20 MB for a second."""
    return Popen(
        [sys.executable, "-m", "chalicelib.local.resources"],
        env={**os.environ, PARENT: str(os.getpid())},
    )


def wait_for_answer(
    base_url: str, ask: Callable[[], str | None], *, patience_s: float = _PATIENCE_S
) -> None:
    """Return once `ask` returns None; what it returns instead is told once after a while."""
    told_at = time.monotonic() + patience_s
    while (why := ask()) is not None:
        if time.monotonic() >= told_at:
            sys.stderr.write(_SILENT.format(base_url=base_url, why=why))
            told_at = math.inf
        time.sleep(_POLL_S)


def _why_silent(base_url: str) -> str | None:
    try:
        with urlopen(f"{base_url}/v1/health", timeout=1) as answer:  # noqa: S310 (our own address)
            return None if answer.status == HTTPStatus.OK else f"status {answer.status}"
    except OSError as failure:
        return str(getattr(failure, "reason", failure))


def advice_on_python(version: tuple[int, int, int]) -> str | None:
    """Return a warning if this Python lacks security fixes, such as for CVE-2024-7592."""
    mended = _MENDED.get(version[:2])
    if mended is None or version >= mended:
        return None
    now, later = (".".join(map(str, one)) for one in (version, mended))
    return (
        f"This is Python {now}. It works; {later} and later have security fixes that it lacks,"
        " unless your system added them."
    )


def main() -> None:
    """Answer on the socket given by `--fd` until SIGTERM."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--fd", type=int, required=True)
    parser.add_argument("--ready-fd", type=int, required=True)
    parser.add_argument("--stack-modules", default=STACK_MODULES)
    arguments = parser.parse_args()
    die_with_parent()
    start_logging("front")
    advice = advice_on_python(sys.version_info[:3])
    if advice is not None and logs_to_stdout():
        log.warning(advice)
    settings = Settings.from_environment()
    scheme = urlsplit(settings.outer_url).scheme
    end_telemetry = start_telemetry("front", settings.otlp_endpoint, scheme=scheme)
    making = None if is_embedded(settings.endpoint_url) else _resources_being_made()
    data_dir = Path(settings.data_dir or ".")
    stack_modules, options = load_stack_modules(arguments.stack_modules), Options.from_environment()
    front = Front(stack_modules, settings, data_dir, options, making)
    with needing_threads(), needing_disk():
        give_memory_back()
        end_if_a_thread_never_begins()
        asyncio.run(front.serve(arguments.fd, arguments.ready_fd))
    end_telemetry()
    # Threads may still wait for a client's bytes: they have nothing unsaved.
    os._exit(0)


if __name__ == "__main__":
    main()
