"""The process that plays AWS: ministack on a loopback socket that the parent opened.

    python -m chalicelib.local.emulator.program --fd 5 [--data-dir DIR [--synced]]

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
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ministack import app as ministack

from chalicelib.local.emulator import conditions, fair_queues, packed_items
from chalicelib.local.emulator.durable_services import DurableServices
from chalicelib.local.emulator.durable_tables import DurableTables
from chalicelib.local.emulator.durable_uploads import DurableUploads
from chalicelib.local.emulator.objects_on_disk import ObjectsOnDisk
from chalicelib.local.emulator.state_file import GroupCommit, StateFile
from chalicelib.local.front.inherited_socket import InheritedSocketServer
from chalicelib.local.processes.process import (
    die_with_parent,
    give_memory_back,
    leave_out_of_collections,
)

_WORKER_THREADS = 16


async def serve(fd: int, data_dir: Path | None, *, synced: bool) -> None:
    """Answer requests until SIGTERM."""
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.set_default_executor(ThreadPoolExecutor(_WORKER_THREADS))
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    save = _prepare(loop, data_dir, synced=synced)
    leave_out_of_collections()
    give_memory_back()
    server = InheritedSocketServer(ministack.app, fd)
    serving = asyncio.create_task(server.serve())
    await stopping.wait()
    # Long polls are cut off now; asyncio would log each of them.
    logging.disable(logging.CRITICAL)
    server.stop()  # type: ignore[no-untyped-call]  # granian types it not
    await serving
    save()


def _prepare(
    loop: asyncio.AbstractEventLoop, data_dir: Path | None, *, synced: bool
) -> Callable[[], None]:
    """Put our wrappers around ministack and load the last state; return what saves it."""
    ministack._MAIN_LOOP = loop  # noqa: SLF001 - its own lifespan would start timers as well
    fair_queues.install()
    packed_items.install()
    conditions.install()
    objects = ObjectsOnDisk((data_dir or Path(tempfile.gettempdir())) / "parts", synced=synced)
    objects.install()
    if data_dir is None:
        return lambda: None
    _take_alone(data_dir)
    state = StateFile(data_dir / "state.db", synced=synced)
    group = GroupCommit(state, loop) if synced else None
    services, tables = DurableServices(state), DurableTables(state, loop, group)
    uploads = DurableUploads(state, objects.folder)
    services.restore()
    tables.restore()
    uploads.restore()
    tables.install()
    uploads.install()
    services.install()

    def save() -> None:
        tables.flush()
        if group is not None:
            group.write_now()
        services.save(messages=True)
        state.close()

    return save


def _take_alone(data_dir: Path) -> None:
    """Wait for an emulator that is just being killed with its stack to let go of the state."""
    lock = os.open(data_dir / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)


def main() -> None:
    """Serve the socket given by `--fd`."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--fd", type=int, required=True)
    parser.add_argument("--data-dir", type=Path)
    parser.add_argument("--synced", action="store_true")
    arguments = parser.parse_args()
    die_with_parent()
    os.umask(0o077)
    asyncio.run(serve(arguments.fd, arguments.data_dir, synced=arguments.synced))


if __name__ == "__main__":
    main()
