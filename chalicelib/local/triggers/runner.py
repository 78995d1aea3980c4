"""The process that plays EventBridge and Lambda's queue reading for the handlers of `app.py`.

    python -m chalicelib.local.triggers.runner [--parts MODULE]

Started by the supervisor once the resources exist; ends by SIGTERM within a few seconds.
"""

import argparse
import os
import signal
import sys
import threading
from pathlib import Path

from chalicelib.domain.clock import system_clock
from chalicelib.json_log import log_to_file
from chalicelib.local.process import die_with_parent
from chalicelib.local.stack_modules import PARTS, Parts, load_parts
from chalicelib.local.triggers.handlers import queue_handlers, scheduled_handlers
from chalicelib.local.triggers.queue_poller import QueuePoller
from chalicelib.local.triggers.schedules import Scheduler
from chalicelib.settings import Settings

_GRACE_S = 2.5


class Player:
    """Everything that wakes the handlers of one app."""

    def __init__(self, parts: Parts, settings: Settings) -> None:
        app, sqs, region = parts.app, parts.queues(settings), settings.region
        self._parts: list[Scheduler | QueuePoller] = [
            *(Scheduler(each, region, system_clock) for each in scheduled_handlers(app)),
            *(QueuePoller(each, sqs, region) for each in queue_handlers(app)),
        ]

    def start(self) -> None:
        """Start all schedules and queues."""
        for part in self._parts:
            part.start()

    def stop(self) -> None:
        """Stop them all, giving what runs a moment to end."""
        for part in self._parts:
            part.stop()
        for part in self._parts:
            part.join(_GRACE_S)


def main() -> None:
    """Play until SIGTERM."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--parts", default=PARTS)
    arguments = parser.parse_args()
    die_with_parent()
    log_to_file(Path(os.environ.get("GOLDENHOUR_DATA_DIR", ".")) / "player.log")
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    player = Player(load_parts(arguments.parts), Settings.from_environment())
    player.start()
    stopping.wait()
    player.stop()
    sys.stderr.flush()
    # Threads of the pool may sit in a platform call: their lease takes care of them.
    os._exit(0)


if __name__ == "__main__":
    main()
