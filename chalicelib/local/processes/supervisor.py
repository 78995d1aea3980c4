"""Starts the processes of the local stack, restarts those that die, and ends all in order.

A process that dies again and again before the API answered ends the start. Later it does not: one
post may be what kills the publishing process, and it can be cancelled only while the API answers.

Small on purpose (standard library only): it runs as long as the stack does. No child survives it,
even after `kill -9`, because every child asks the kernel to die with its parent.
"""

import math
import os
import selectors
import signal
import socket
import sys
import time
from contextlib import suppress
from types import FrameType

from chalicelib.local.data_directory import (
    CannotStart,
    check_answers,
    empty_logs,
    forget_former,
    listen,
    note_address,
    note_deaths,
    note_sync,
    why_unwritable,
)
from chalicelib.local.front import demo
from chalicelib.local.options import Options
from chalicelib.local.processes.process import READY, Child, Program
from chalicelib.local.stack_modules import STACK_MODULES
from chalicelib.local.variables import untold
from chalicelib.settings import own_command

_END_WITHIN_S = 3.5
_FIRST_ANSWER_WITHIN_S = 60.0
_TOLD = 4096
_TAKES_LONG = (
    "The data is brought up to date for this version before the API answers; until then it says "
    f"503. `{own_command()} engine status` tells how far it is.\n"
)
_PAUSE_S = 0.05
_HELD_UP_PAUSE_S = 0.8
_TOLD_AGAIN_AFTER_S = 60.0
_UNWRITABLE = (
    "The data directory {} cannot be written{}. Changes are refused until it can be; "
    "nothing that was answered is lost.\n"
)
_DIES_OFTEN = (
    "The {} process dies again and again. It is started every ten seconds; `{} post stuck` names "
    "the posts that it may die of.\n"
)
_NO_PROCESS = (
    "The {} cannot be started: {}. It is tried again until it can be; nothing that was answered "
    "is lost.\n"
)
_STOPS = "The stack stops: {}. Nothing that was answered is lost.\n"
_NO_THREADS = (
    "The system gives the {} no further thread or process (`ulimit -u`, or the limit of its "
    "container). It is tried again until there is one; nothing that was answered is lost.\n"
)


class Supervisor:
    """The stack, from start to end; `run` returns the exit status."""

    def __init__(self, options: Options, stack_modules: str = STACK_MODULES) -> None:
        self._options = options
        self._stack_modules = stack_modules
        self._children: dict[str, Child] = {}
        self._wake_read, self._wake_write = socket.socketpair()
        self._sockets: list[socket.socket] = []  # kept open: a restarted child inherits them again
        self._stopping = False
        self._told_at = -_TOLD_AGAIN_AFTER_S

    def run(self) -> int:
        """Run until SIGINT, SIGTERM or a failure that restarts do not mend."""
        self._watch_signals()
        try:
            self._start()
            self._supervise()
        except CannotStart as failure:
            _say(f"{failure}\n")
            return 1
        except OSError as failure:
            _say(_STOPS.format(failure))
            return 1
        finally:
            self._end()
        forget_former(self._options.data_dir)
        return 0

    def _watch_signals(self) -> None:
        self._wake_read.settimeout(0)
        self._wake_write.settimeout(0)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._ask_to_stop)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wake_write.fileno(), warn_on_full_buffer=False)

    def _ask_to_stop(self, _number: int, _frame: FrameType | None) -> None:
        self._stopping = True

    def _start(self) -> None:
        options = self._options
        _say("".join(f"{sentence}\n" for sentence in untold(os.environ)))
        if options.demo:
            demo.hide(options.data_dir)
        note_sync(options.data_dir, synced=options.synced)
        listener = listen(options.host, options.port)
        note_address(options.data_dir, options.host, options.port)
        self._sockets.append(listener)
        if options.localstack_url is not None:
            check_answers(options.localstack_url)
        environment = options.child_environment(os.environ)
        ready_read, ready_write = os.pipe()
        front = _module(
            "front.program",
            "--fd",
            str(listener.fileno()),
            "--stack-modules",
            self._stack_modules,
        )
        self._children["front"] = Child(
            Program(
                name="front",
                command=[*front, "--ready-fd", str(ready_write)],
                environment=environment,
                descriptors=[listener.fileno(), ready_write],
            )
        )
        go_read, go_write = os.pipe()
        for name, module in (("triggers", "triggers.runner"), ("convert", "triggers.convert_lane")):
            command = _module(
                module, "--stack-modules", self._stack_modules, "--go-fd", str(go_read)
            )
            self._children[name] = Child(
                Program(name=name, command=command, environment=environment, descriptors=[go_read])
            )
        self._await_ready(ready_read)
        if self._stopping:
            return  # no work may begin: there may be no resources yet
        os.close(go_write)  # the waiting processes begin; a restarted one never waits

    def _await_ready(self, ready: int) -> None:
        """Wait for the API; without a time limit once the front says that it takes long."""
        deadline = time.monotonic() + _FIRST_ANSWER_WITHIN_S
        with selectors.DefaultSelector() as selector:
            selector.register(ready, selectors.EVENT_READ)
            selector.register(self._wake_read, selectors.EVENT_READ)
            while not self._stopping:
                left_s = None if deadline == math.inf else max(0.0, deadline - time.monotonic())
                events = selector.select(left_s)
                told = os.read(ready, _TOLD) if any(key.fd == ready for key, _ in events) else b""
                if READY in told:
                    return
                if told and deadline != math.inf:
                    deadline = math.inf
                    _say(_TAKES_LONG)
                if time.monotonic() >= deadline:
                    raise CannotStart("The API did not answer within a minute of its start.")
                self._drain_wakeups()
                self._restart_dead()
                self._require_lives()

    def _supervise(self) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._wake_read, selectors.EVENT_READ)
            while not self._stopping:
                rests = [child.rests_s for child in self._children.values()]
                selector.select(min((rest for rest in rests if rest is not None), default=None))
                self._drain_wakeups()
                self._restart_dead()

    def _drain_wakeups(self) -> None:
        try:
            while self._wake_read.recv(4096):
                pass
        except BlockingIOError:
            return

    def _restart_dead(self) -> None:
        for child in self._children.values():
            if self._stopping:
                return
            if child.has_died():
                time.sleep(_PAUSE_S)
                child.note_death()
                self._tell_of(child)
            if child.rests_s == 0.0:
                self._restart(child)

    def _restart(self, child: Child) -> None:
        """Start a child again, or leave that to the next time if the system refuses it now."""
        try:
            child.restart()
        except OSError as failure:
            self._hold_up(_NO_PROCESS.format(child.program.name, failure))

    def _require_lives(self) -> None:
        for child in self._children.values():
            if child.dies_often:
                raise CannotStart(
                    f"The {child.program.name} dies again and again, so the stack stops."
                )

    def _tell_of(self, child: Child) -> None:
        """Say that a program ended; once only for a cause that repeats with each start or write."""
        name, folder = child.program.name, self._options.data_dir
        if child.could_not_write:
            said = _UNWRITABLE.format(folder, why_unwritable(folder))
        elif child.had_no_thread:
            said = _NO_THREADS.format(name)
        else:
            self._tell_of_death(child)
            return
        self._hold_up(said)

    def _hold_up(self, said: str) -> None:
        """Say why something has to wait, unless that was said of late, and wait."""
        now = time.monotonic()
        if now - self._told_at > _TOLD_AGAIN_AFTER_S:
            _say(said)
        self._told_at = now
        time.sleep(_HELD_UP_PAUSE_S)

    def _tell_of_death(self, child: Child) -> None:
        name = child.program.name
        if not child.dies_often:
            _say(f"The {name} process ended unexpectedly. Starting it again.\n")
            return
        note_deaths(self._options.data_dir, name)
        _say(_DIES_OFTEN.format(name, own_command()))

    def _end(self) -> None:
        """Give all of them a while to finish their work."""
        if self._options.demo:
            with suppress(OSError):  # a disk that takes nothing must not keep them from it
                demo.hide(self._options.data_dir)
        for child in self._children.values():
            child.ask_to_end()
        until = time.monotonic() + _END_WITHIN_S
        for child in self._children.values():
            child.end(until)
        empty_logs(self._options.data_dir)


def _say(text: str) -> None:
    """Write to standard error, which may be a file on a full disk: then nothing is said."""
    with suppress(OSError):
        os.write(sys.stderr.fileno(), text.encode())


def _module(name: str, *arguments: str) -> list[str]:
    return [sys.executable, "-m", f"chalicelib.local.{name}", *arguments]
