"""The process that plays EventBridge and Lambda's queue reading for the handlers of `app.py`.

    python -m chalicelib.local.triggers.runner [--stack-modules MODULE]

Started by the supervisor once the resources exist; ends by SIGTERM within a few seconds.
"""

import argparse
import os
import signal
import sys
import threading

from chalicelib.domain.clock import system_clock
from chalicelib.local.processes.logs import start_logging
from chalicelib.local.processes.process import die_with_parent
from chalicelib.local.stack_modules import STACK_MODULES, StackModules, load_stack_modules
from chalicelib.local.triggers.handlers import queue_handlers, scheduled_handlers
from chalicelib.local.triggers.queue_poller import QueuePoller
from chalicelib.local.triggers.schedules import Scheduler
from chalicelib.settings import Settings

_GRACE_S = 2.5


class TriggerRunner:
    """Everything that wakes the handlers of one app."""

    def __init__(self, stack_modules: StackModules, settings: Settings) -> None:
        app, sqs, region = stack_modules.app, stack_modules.queues(settings), settings.region
        self._stack_modules: list[Scheduler | QueuePoller] = [
            *(Scheduler(each, region, system_clock) for each in scheduled_handlers(app)),
            *(QueuePoller(each, sqs, region) for each in queue_handlers(app)),
        ]

    def start(self) -> None:
        """Start all schedules and queues."""
        for part in self._stack_modules:
            part.start()

    def stop(self) -> None:
        """Stop them all, giving what runs a moment to end."""
        for part in self._stack_modules:
            part.stop()
        for part in self._stack_modules:
            part.join(_GRACE_S)


def main() -> None:
    """Play until SIGTERM."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--stack-modules", default=STACK_MODULES)
    arguments = parser.parse_args()
    die_with_parent()
    start_logging("triggers")
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    settings = Settings.from_environment()
    stack_modules = load_stack_modules(arguments.stack_modules)
    stack_modules.take_over(settings)
    runner = TriggerRunner(stack_modules, settings)
    runner.start()
    stopping.wait()
    runner.stop()
    sys.stderr.flush()
    # Threads of the pool may sit in a platform call: their lease takes care of them.
    os._exit(0)


if __name__ == "__main__":
    main()
