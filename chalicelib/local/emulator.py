"""The process that plays AWS: ministack on a loopback socket that the parent opened.

Started by the supervisor (with a data directory) and by tests (without: everything in memory).
The parent hands over the listening socket, so a restart loses no connection and no port.
"""

import argparse
import asyncio
import os
import signal
import socket
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

from chalicelib.local.parent import die_with_parent

_WORKER_THREADS = 16


def environment(outer: Mapping[str, str], *, port: int, temporary_folder: str) -> dict[str, str]:
    """Return the environment the emulator needs: quiet, alone, no listeners of its own."""
    return {
        **{name: text for name, text in outer.items() if name in ("PATH", "PYTHONPATH", "HOME")},
        "TMPDIR": temporary_folder,
        "LOG_LEVEL": "ERROR",
        "IOT_MTLS_ENABLED": "0",
        "SFTP_ENABLED": "0",
        "MINISTACK_TEST_NO_AUTOSTART": "1",
        "DOCKER_HOST": f"unix://{temporary_folder}/no-docker",
        "MINISTACK_HOST": "127.0.0.1",
        "GATEWAY_PORT": str(port),
    }


def command(listener: socket.socket) -> list[str]:
    """Return the command line of an emulator that serves this inherited socket."""
    return [sys.executable, "-m", "chalicelib.local.emulator", "--fd", str(listener.fileno())]


async def serve(fd: int) -> None:
    """Answer requests until SIGTERM; none of ministack's own timers and listeners are started."""
    from hypercorn.asyncio import serve as hypercorn_serve  # noqa: PLC0415 (after the environment)
    from hypercorn.config import Config  # noqa: PLC0415
    from ministack import app as ministack  # noqa: PLC0415

    loop = asyncio.get_running_loop()
    loop.set_default_executor(ThreadPoolExecutor(_WORKER_THREADS))
    ministack._MAIN_LOOP = loop  # noqa: SLF001 (its lifespan would start timers of its own, too)
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    config = Config()
    config.bind = [f"fd://{fd}"]
    config.keep_alive_timeout = 75
    config.graceful_timeout = 1
    config.loglevel = "ERROR"
    await hypercorn_serve(
        _without_lifespan(ministack.app), config, shutdown_trigger=stopping.wait, mode="asgi"
    )


def _without_lifespan(app):
    async def served(scope, receive, send):
        if scope["type"] == "lifespan":
            raise NotImplementedError
        await app(scope, receive, send)

    return served


def main() -> None:
    """Serve the socket given by `--fd`."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--fd", type=int, required=True)
    arguments = parser.parse_args()
    die_with_parent()
    os.umask(0o077)
    asyncio.run(serve(arguments.fd))


if __name__ == "__main__":
    main()
