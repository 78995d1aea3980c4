"""The process that plays AWS: ministack on a loopback socket that the parent opened.

Started by the supervisor (with a data directory: everything is durable) and by tests (without:
everything in memory). The parent hands over the listening socket, so a restart loses no
connection and no port. None of ministack's own timers and listeners run, but its TTL reaper.
"""

import argparse
import asyncio
import fcntl
import logging
import os
import signal
import socket
import sys
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from chalicelib.local.parent import die_with_parent

_WORKER_THREADS = 16
_KEEP_ALIVE_S = 75
_GRACE_S = 1


def environment(
    outer: Mapping[str, str], *, temporary_folder: str, data_dir: Path | None = None
) -> dict[str, str]:
    """Return the environment the emulator needs: quiet, alone, no listeners of its own."""
    kept = {name: text for name, text in outer.items() if name in ("PATH", "PYTHONPATH", "HOME")}
    quiet = {
        "TMPDIR": temporary_folder,
        "LOG_LEVEL": "ERROR",
        "IOT_MTLS_ENABLED": "0",
        "SFTP_ENABLED": "0",
        "MINISTACK_TEST_NO_AUTOSTART": "1",
        "DOCKER_HOST": f"unix://{temporary_folder}/no-docker",
    }
    objects = (data_dir or Path(temporary_folder)) / "objects"
    return kept | quiet | {"S3_PERSIST": "1", "S3_DATA_DIR": str(objects)}


def command(listener: socket.socket, data_dir: Path | None = None) -> list[str]:
    """Return the command line of an emulator that serves this inherited socket."""
    line = [sys.executable, "-m", "chalicelib.local.emulator", "--fd", str(listener.fileno())]
    return line if data_dir is None else [*line, "--data-dir", str(data_dir)]


async def serve(fd: int, data_dir: Path | None) -> None:
    """Answer requests until SIGTERM."""
    from hypercorn.asyncio import serve as hypercorn_serve  # noqa: PLC0415 (slow: not for --help)
    from hypercorn.config import Config  # noqa: PLC0415
    from ministack import app as ministack  # noqa: PLC0415

    from chalicelib.local import fair_queues  # noqa: PLC0415
    from chalicelib.local.objects_on_disk import ObjectsOnDisk  # noqa: PLC0415

    loop = asyncio.get_running_loop()
    loop.set_default_executor(ThreadPoolExecutor(_WORKER_THREADS))
    ministack._MAIN_LOOP = loop
    fair_queues.install()
    objects = ObjectsOnDisk((data_dir or Path(tempfile.gettempdir())) / "parts")
    objects.install()
    save = _make_durable(loop, data_dir, objects.folder) if data_dir else lambda: None
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    config = Config()
    config.bind = [f"fd://{fd}"]
    config.keep_alive_timeout = _KEEP_ALIVE_S
    config.graceful_timeout = _GRACE_S
    config.loglevel = "ERROR"
    served = _without_lifespan(ministack.app)
    await hypercorn_serve(served, config, shutdown_trigger=_quietly(stopping), mode="asgi")
    save()


def _quietly(stopping: asyncio.Event):
    async def stopped() -> None:
        await stopping.wait()
        # Long polls are cut off now; asyncio would log each of them.
        logging.disable(logging.CRITICAL)

    return stopped


def _make_durable(loop, data_dir: Path, parts: Path):
    from chalicelib.local.durable_services import DurableServices  # noqa: PLC0415
    from chalicelib.local.durable_tables import DurableTables  # noqa: PLC0415
    from chalicelib.local.durable_uploads import DurableUploads  # noqa: PLC0415
    from chalicelib.local.state_file import StateFile  # noqa: PLC0415

    _take_alone(data_dir)
    state = StateFile(data_dir / "state.db")
    services, tables = DurableServices(state), DurableTables(state)
    uploads = DurableUploads(state, parts)
    services.restore()
    tables.restore()
    uploads.restore()
    tables.install(loop)
    uploads.install()
    services.install()

    def save() -> None:
        tables.flush()
        services.save(messages=True)
        state.close()

    return save


def _take_alone(data_dir: Path) -> None:
    """Wait for an emulator that is just being killed with its stack to let go of the state."""
    lock = os.open(data_dir / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)


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
    parser.add_argument("--data-dir", type=Path)
    arguments = parser.parse_args()
    die_with_parent()
    os.umask(0o077)
    asyncio.run(serve(arguments.fd, arguments.data_dir))


if __name__ == "__main__":
    main()
