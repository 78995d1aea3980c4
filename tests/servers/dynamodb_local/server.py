"""Runs DynamoDB Local, everything in memory, on a free port.

    python -m tests.servers.dynamodb_local.server PORT [JAVA OPTION…]   # tests call `start`

Settings are on the page "DynamoDB local usage notes" of the DynamoDB Developer Guide. Its telemetry
is off. It can only listen on all addresses; what tests keep in it is made up.
"""

import contextlib
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from chalicelib.local.processes.process import PARENT, die_with_parent
from tests.servers.dynamodb_local.installation import PROJECT, installed
from tests.support.free_port import free_port

MAIN = "com.amazonaws.services.dynamodbv2.local.main.ServerRunner"
QUICK = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
"""Options for a run of minutes: Java compiles once and simply, and collects in one thread."""
_HEAP = "-Xmx1g"
_STARTS_WITHIN_S = 240.0
"""Two begin at once, beside other steps of the gate: on a busy machine Java takes minutes."""
_LOOKS_EVERY_S = 0.05
_TRIES = 3


@dataclass(frozen=True, slots=True)
class DynamoDBLocal:
    """A running engine and where it answers."""

    url: str
    process: "subprocess.Popen[bytes]" = field(repr=False)

    def stop(self) -> None:
        """End it; it keeps nothing that could be lost."""
        self.process.kill()
        self.process.wait()


def start(*options: str) -> DynamoDBLocal:
    """Start an engine, Java given options, that dies with this process. Raises NotInstallable."""
    installed()
    for _ in range(_TRIES):
        port = free_port()
        process = subprocess.Popen(
            [sys.executable, "-m", __spec__.name, str(port), *options],
            cwd=PROJECT,
            env={**os.environ, PARENT: str(os.getpid())},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        url = f"http://127.0.0.1:{port}"
        if answers(url, process):
            return DynamoDBLocal(url, process)
    raise RuntimeError(f"DynamoDB Local ended {_TRIES} times before it answered.")


def answers(url: str, process: "subprocess.Popen[bytes]", *, patience_s: float = 5) -> bool:
    """Wait for the first answer; False when the process ended, as when its port was taken.

    One that listens already may still be silent for longer than a look waits: it is looked again.
    """
    deadline = time.monotonic() + _STARTS_WITHIN_S
    while process.poll() is None:
        with contextlib.suppress(URLError, ConnectionError, TimeoutError):
            try:
                urlopen(url, timeout=patience_s).close()  # noqa: S310 - our own child on loopback
            except HTTPError as refusal:
                refusal.close()
                return True  # a request without a signature is refused: it answers
        if time.monotonic() > deadline:
            process.kill()
            raise RuntimeError(f"DynamoDB Local did not answer at {url} in time.")
        time.sleep(_LOOKS_EVERY_S)
    return False


def command(folder: Path, port: int, *options: str) -> list[str]:
    """Return the command line of an engine in memory that reports nothing to anybody."""
    java = ["java", _HEAP, *options, f"-Djava.library.path={folder}", "-cp", f"{folder}/*", MAIN]
    return [*java, "-inMemory", "-sharedDb", "-disableTelemetry", "-port", str(port)]


def main() -> None:
    """Become the engine: whom the kernel was asked to end stays the same process."""
    die_with_parent()
    line = command(installed(), int(sys.argv[1]), *sys.argv[2:])
    os.execvp(line[0], line)  # noqa: S606 - our own command line


if __name__ == "__main__":
    main()
