"""How the operator's commands reach the local stack, whether it runs or not.

A running stack is used as it is. Without one the command starts the emulator on the same data
directory for as long as it takes; commands that do so take turns.
"""

import fcntl
import os
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from chalicelib.local import data_directory, resources
from chalicelib.local.data_directory import CannotStart, listen_for_emulator
from chalicelib.local.emulator import launch
from chalicelib.local.options import Options
from chalicelib.local.processes.process import Child, Program
from chalicelib.settings import Settings

_ENDS_WITHIN_S = 10.0


class NoStack(Exception):
    """There is no local stack to work on; the message says where it was looked for."""


@contextmanager
def attached(outer: Mapping[str, str]) -> Iterator[Settings]:
    """Yield the settings of the local stack, which answers meanwhile.

    The process has the stack's credentials for that time. Raises NoStack, WrongOptions.
    """
    options = Options.from_environment(outer)
    if options.localstack_url is not None:
        with _environment_of(options.child_environment(outer, None)) as settings:
            yield settings
        return
    if not options.data_dir.is_dir():
        raise NoStack(f"There is no local stack in {options.data_dir}: `make run` makes one.")
    with (
        _taking_turns(options.data_dir),
        _answering(options) as port,
        _environment_of(options.child_environment(outer, port)) as settings,
    ):
        yield settings


def runs(outer: Mapping[str, str]) -> bool:
    """Tell whether the local stack runs, not only answers for the length of a command."""
    options = Options.from_environment(outer)
    if options.localstack_url is not None:
        return True
    if not options.data_dir.is_dir():
        return False
    try:
        with _taking_turns(options.data_dir), data_directory.take(options.data_dir):
            return False
    except CannotStart:
        return True


@contextmanager
def _taking_turns(data_dir: Path) -> Iterator[None]:
    with (data_dir / "command.lock").open("a+", encoding="utf-8") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        yield


@contextmanager
def _answering(options: Options) -> Iterator[int]:
    """Yield the port of the running stack's emulator, or of one that runs for the while."""
    try:
        lock = data_directory.take(options.data_dir)
    except CannotStart as failure:
        yield _running(options.data_dir, failure)
        return
    with lock, listen_for_emulator(options.data_dir) as listener:
        child = _start(options, listener)
        try:
            yield int(listener.getsockname()[1])
        finally:
            child.ask_to_end()
            child.end(time.monotonic() + _ENDS_WITHIN_S)


def _running(data_dir: Path, failure: CannotStart) -> int:
    try:
        port = int((data_dir / "emulator.port").read_text(encoding="ascii"))
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except (OSError, ValueError):
        raise NoStack(str(failure)) from failure
    return port


def _start(options: Options, listener: socket.socket) -> Child:
    folder = options.data_dir / "emulator"
    return Child(
        Program(
            name="emulator",
            command=launch.command(listener, folder, synced=options.synced),
            environment=launch.environment(
                os.environ, temporary_folder=str(options.data_dir / "tmp"), data_dir=folder
            ),
            descriptors=[listener.fileno()],
        )
    )


@contextmanager
def _environment_of(environment: Mapping[str, str]) -> Iterator[Settings]:
    """Give this process the stack's environment, credentials before all, and take it back."""
    before = dict(os.environ)
    _replace_environment(environment)
    settings = Settings.from_environment(environment)
    resources.make(settings)
    try:
        yield settings
    finally:
        _replace_environment(before)


def _replace_environment(environment: Mapping[str, str]) -> None:
    os.environ.clear()
    os.environ.update(environment)
