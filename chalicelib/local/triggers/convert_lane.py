"""The process that runs only the convert function: strangers' files are read apart.

    python -m chalicelib.local.triggers.convert_lane --go-fd 9 [--stack-modules MODULE]

It has the lowest priority, so that no conversion delays a post. Until the first copy is wanted it
only asks how many messages wait, and has a third of the memory that the app takes.
"""

import argparse
import os
import signal
import threading
from contextlib import suppress

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.kit.aws_on_sqlite.address import is_embedded
from chalicelib.kit.aws_on_sqlite.engine import open_engine
from chalicelib.kit.aws_on_sqlite.queues import EmbeddedSqs
from chalicelib.local.processes.process import await_end, die_with_parent
from chalicelib.settings import Settings

_NICENESS = 10
_LOOK_EVERY_S = 0.2
_WAITING = "ApproximateNumberOfMessages"


def await_work(
    settings: Settings, stopping: threading.Event, *, every_s: float = _LOOK_EVERY_S
) -> None:
    """Return when a copy is wanted, when only the app's own client can tell, or at a stop."""
    address = settings.endpoint_url
    if address is None or not is_embedded(address):
        return
    with suppress(BotoCoreError, ClientError):
        queues = EmbeddedSqs(open_engine(address))
        url = queues.get_queue_url(QueueName=settings.convert_queue)["QueueUrl"]
        while not stopping.wait(every_s):
            told = queues.get_queue_attributes(QueueUrl=url, AttributeNames=[_WAITING])
            if told["Attributes"][_WAITING] != "0":
                return


def main() -> None:
    """Wait for work, then run the function until SIGTERM."""
    os.nice(_NICENESS)
    parser = argparse.ArgumentParser()
    parser.add_argument("--go-fd", type=int, required=True)
    arguments, _ = parser.parse_known_args()
    die_with_parent()
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    await_end(arguments.go_fd, stopping)
    await_work(Settings.from_environment(), stopping)
    if stopping.is_set():
        return
    from chalicelib.local.triggers.runner import play  # noqa: PLC0415 - it takes 40 MB

    play(converts=True)


if __name__ == "__main__":
    main()
