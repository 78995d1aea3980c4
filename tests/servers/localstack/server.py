"""Finds a LocalStack as localstack-client does, or starts one on this machine without Docker.

    .venv/bin/python -m tests.servers.localstack.server 4566     # in the foreground

One that the caller names (`AWS_ENDPOINT_URL`, or `LOCALSTACK_HOST` with `USE_SSL`) must answer.
Without a name, one at localhost:4566 is used if it is there; else our own runs in a folder of its
own under the system's temporary folder, and is gone with the test run.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import localstack_client.config

from chalicelib.local.data_directory import check_answers
from chalicelib.local.processes.process import PARENT, die_with_parent
from tests.servers.dynamodb_local.installation import PROJECT
from tests.servers.localstack.installation import hand_over_packages, interpreter
from tests.support.emulator import CREDENTIALS, EmulatorProcess
from tests.support.free_port import free_port

_NAMED_BY = ("AWS_ENDPOINT_URL", "LOCALSTACK_HOST")
_STARTS_WITHIN_S = 400.0
_LOOKS_EVERY_S = 0.2


def found_or_started() -> EmulatorProcess:
    """Return the LocalStack to test on. Raises CannotStart, NotInstallable."""
    os.environ.update(CREDENTIALS)
    url = localstack_client.config.get_service_endpoint("dynamodb")
    if any(os.environ.get(name) for name in _NAMED_BY):
        check_answers(url)
        return EmulatorProcess(url)
    return EmulatorProcess(url) if _is_localstack(url) else start(free_port())


def start(port: int) -> EmulatorProcess:
    """Start a LocalStack that dies with this process, and wait until it answers."""
    interpreter()
    folder = tempfile.mkdtemp(prefix="goldenhour-localstack-")
    hand_over_packages(Path(folder))
    with (Path(folder) / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", __spec__.name, str(port), folder],
            cwd=PROJECT,
            env={**os.environ, PARENT: str(os.getpid())},
            stdout=log,
            stderr=log,
        )
    url = f"http://127.0.0.1:{port}"
    deadline = time.monotonic() + _STARTS_WITHIN_S
    while not _is_localstack(url):
        if process.poll() is not None or time.monotonic() > deadline:
            process.kill()
            said = (Path(folder) / "log").read_text(encoding="utf-8", errors="replace")
            raise RuntimeError(f"LocalStack did not start:\n{said}")
        time.sleep(_LOOKS_EVERY_S)
    return EmulatorProcess(url, process, folder)


def _is_localstack(url: str) -> bool:
    try:
        with urlopen(f"{url}/_localstack/health", timeout=5) as answer:  # noqa: S310 - loopback
            return bool(answer.status == 200)
    except (URLError, ConnectionError, TimeoutError):
        return False


def environment(folder: str, port: int) -> dict[str, str]:
    """Return what keeps a LocalStack on loopback, offline and inside its folder."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return {
        **kept,
        "GATEWAY_LISTEN": f"127.0.0.1:{port}",
        "FILESYSTEM_ROOT": folder,
        "TMPDIR": folder,
        "XDG_CACHE_HOME": folder,
        "OVERRIDE_IN_DOCKER": "0",  # it takes some containers for its own
        "DISABLE_EVENTS": "1",
        "SKIP_SSL_CERT_DOWNLOAD": "1",
        "DNS_ADDRESS": "0",
        "DYNAMODB_IN_MEMORY": "1",
        "DYNAMODB_HEAP_SIZE": "1g",
        "EAGER_SERVICE_LOADING": "1",
        "SERVICES": "cloudformation,dynamodb,kms,s3,sqs,sts,cloudwatch,events,lambda",
    }


def become_localstack(port: int, folder: str) -> None:
    """Turn this process into LocalStack: whom the kernel was asked to end stays the same."""
    python = str(interpreter())
    line = [python, "-m", "localstack.runtime.main"]
    die_with_parent()
    os.execve(python, line, environment(folder, port))  # noqa: S606 - our own command line


def main() -> None:
    """Run one until it is stopped; with a folder, be the one that `start` began."""
    port, *folder = sys.argv[1:]
    if folder:
        become_localstack(int(port), folder[0])
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    emulator = start(int(port))
    try:
        sys.stdout.write(f"LocalStack answers at {emulator.endpoint}; Ctrl-C ends it.\n")
        sys.stdout.flush()
        signal.pause()
    except KeyboardInterrupt:
        emulator.stop()


if __name__ == "__main__":
    main()
