"""The process that plays the convert function alone: what reads strangers' files is apart.

    python -m chalicelib.local.triggers.convert_lane --go-fd 9 [--stack-modules MODULE]

It gives way to all other processes, so that no conversion delays a post. Until the first copy is
wanted it only asks how many messages wait, and has a third of the memory that the app takes.
"""

import argparse
import json
import os
import signal
import threading
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

from chalicelib.local.processes.process import await_end, die_with_parent
from chalicelib.settings import Settings

_NICENESS = 10
_LOOK_EVERY_S = 1.0
_ANSWERED_WITHIN_S = 10.0
_WAITING = "ApproximateNumberOfMessages"


class _Unexpected(Exception):
    """The queue was not told as expected: the app's own client is to ask."""


def await_work(
    settings: Settings, stopping: threading.Event, *, every_s: float = _LOOK_EVERY_S
) -> None:
    """Return when a copy is wanted, when the queue cannot be asked here, or to stop."""
    try:
        url = _asked(settings, "GetQueueUrl", QueueName=settings.convert_queue)["QueueUrl"]
        while not stopping.wait(every_s):
            if _waiting(settings, str(url)):
                return
    except (_Unexpected, OSError, HTTPException, KeyError, ValueError):
        return


def _waiting(settings: Settings, url: str) -> bool:
    try:
        told = _asked(settings, "GetQueueAttributes", QueueUrl=url, AttributeNames=[_WAITING])
    except (OSError, HTTPException):
        return False  # the emulator is being started again
    attributes = told["Attributes"]
    return isinstance(attributes, dict) and attributes[_WAITING] != "0"


def _asked(settings: Settings, action: str, **body: object) -> dict[str, object]:
    """Make one call of SQS, in its own JSON, without a client that would take 30 MB."""
    at = urlsplit(settings.endpoint_url or "")
    kind = HTTPSConnection if at.scheme == "https" else HTTPConnection
    connection = kind(at.netloc, timeout=_ANSWERED_WITHIN_S)
    scope = f"test/20260101/{settings.region}/sqs/aws4_request"
    headers = {
        "Content-Type": "application/x-amz-json-1.0",
        "X-Amz-Target": f"AmazonSQS.{action}",
        "Authorization": f"AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host, Signature=0",
    }
    try:
        connection.request("POST", "/", json.dumps(body), headers)
        answer = connection.getresponse()
        text = answer.read()
    finally:
        connection.close()
    if answer.status != HTTPStatus.OK:
        raise _Unexpected(answer.status)
    told = json.loads(text)
    return told if isinstance(told, dict) else {}


def main() -> None:
    """Wait for work, then play the function until SIGTERM."""
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
