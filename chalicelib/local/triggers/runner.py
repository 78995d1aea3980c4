"""The process that runs the handlers of `app.py`, as EventBridge and Lambda would.

    python -m chalicelib.local.triggers.runner --go-fd 9 [--stack-modules MODULE]

The supervisor starts it with the front, so that its code is loaded when the first post is due; it
begins when the other end of `--go-fd` is closed: the resources exist then. It ends within a few
seconds of SIGTERM. The one function that reads strangers' files runs in another process
(`convert_lane`).
"""

import argparse
import os
import signal
import sys
import threading

from chalicelib.json_log import start_logging
from chalicelib.kit.aws_on_sqlite.address import is_embedded
from chalicelib.kit.limits.machine_places import open_files_for
from chalicelib.local.processes.process import (
    await_end,
    die_with_parent,
    end_if_a_thread_never_begins,
    give_memory_back,
    keep_waiting_threads_apart,
    leave_out_of_collections,
    needing_disk,
    needing_threads,
)
from chalicelib.local.stack_modules import (
    STACK_MODULES,
    Part,
    StackModules,
    load_stack_modules,
)
from chalicelib.local.telemetry import start_telemetry
from chalicelib.local.triggers.handlers import queue_handlers, scheduled_handlers
from chalicelib.local.triggers.queue_poller import QueuePoller
from chalicelib.local.triggers.schedules import schedule
from chalicelib.local.triggers.sweeps import sweeps
from chalicelib.settings import Settings

CONVERT = "convert"
"""The function that runs in a process of its own."""
_CONVERSIONS = 4
"""Conversions at once on one machine: each may take 400 MB; one workspace has at most two."""
_GRACE_S = 2.5


class TriggerRunner:
    """Invokes one app's handlers: that of the convert lane, or all others."""

    def __init__(
        self, stack_modules: StackModules, settings: Settings, *, converts: bool = False
    ) -> None:
        app, sqs, region = stack_modules.app, stack_modules.queues(), settings.region
        lane = [each for each in queue_handlers(app) if (each.handler.name == CONVERT) is converts]
        most = _CONVERSIONS if converts else None
        self._parts: list[Part] = [
            *(QueuePoller(each, sqs, region, most=most) for each in lane),
        ]
        if not converts:
            self._parts += [
                schedule(each, region, stack_modules.clock_was_set)
                for each in scheduled_handlers(app)
            ]
            address = settings.endpoint_url
            self._parts += [sweeps(address)] if address and is_embedded(address) else []
            self._parts += stack_modules.watch()

    def start(self) -> None:
        """Start all schedules and queues."""
        for part in self._parts:
            part.start()

    def stop(self) -> None:
        """Stop them all, and give running calls a moment to end."""
        for part in self._parts:
            part.stop()
        for part in self._parts:
            part.join(_GRACE_S)


def play(*, converts: bool = False) -> None:
    """Run until SIGTERM."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--stack-modules", default=STACK_MODULES)
    parser.add_argument("--go-fd", type=int, required=True)
    arguments = parser.parse_args()
    die_with_parent()
    name = CONVERT if converts else "triggers"
    start_logging(name)
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    settings = Settings.from_environment()
    end_telemetry = start_telemetry(name, settings.otlp_endpoint)
    open_files_for(settings.calls_at_once)
    stack_modules = load_stack_modules(arguments.stack_modules)
    if not converts:
        keep_waiting_threads_apart()
        stack_modules.load_ahead()
    leave_out_of_collections()
    await_end(arguments.go_fd, stopping)
    if stopping.is_set():
        os._exit(0)  # the stack stops before it began: there may be no resources yet
    with needing_threads(), needing_disk():
        if not converts:
            stack_modules.take_over()
        runner = TriggerRunner(stack_modules, settings, converts=converts)
        give_memory_back()
        end_if_a_thread_never_begins()
        runner.start()
    stopping.wait()
    runner.stop()
    end_telemetry()
    sys.stderr.flush()
    # Threads of the pool may sit in a platform call: their lease takes care of them.
    os._exit(0)


if __name__ == "__main__":
    play()
