"""A cloud for the whole stack: ministack with its own timers, pollers and Lambda runtime.

Unlike `tests/support/emulator.py`, which only holds resources, this one runs what is deployed:
it calls the zip for requests of API Gateway, fires rules and drains queues.
"""

import os
import shutil
import socket
import subprocess
import sys
import sysconfig
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import boto3

from infra.deploy import Aws
from tests.support.emulator import CREDENTIALS, REGION

_STARTS_WITHIN_S = 60.0
_START = (
    "import runpy, sys; sys.path.append(sys.argv.pop()); "
    "runpy.run_module('ministack', {}, '__main__')"
)
_ACCOUNT = "000000000000"


@dataclass(frozen=True, slots=True)
class Cloud:
    """Where the cloud answers."""

    endpoint: str

    @property
    def aws(self) -> Aws:
        """The cloud as the deploy tool sees an account."""
        return Aws(
            formation=boto3.client("cloudformation"),
            s3=boto3.client("s3"),
            functions=boto3.client("lambda"),
            registry=boto3.client("ecr"),
            account=_ACCOUNT,
            region=REGION,
        )


@contextmanager
def a_cloud(interpreter: str = sys.executable) -> Iterator[Cloud]:
    """Yield a cloud that is empty, and end it with everything it started.

    It runs functions in its own interpreter. Another than the tests' sees the emulator's packages
    at the very end of its path, and functions do not see them at all.

    Meanwhile clients of this process that are told no endpoint reach it.
    """
    os.environ.update(CREDENTIALS)
    folder = tempfile.mkdtemp(prefix="goldenhour-cloud-")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    process = subprocess.Popen(
        [interpreter, "-c", _START, sysconfig.get_path("purelib")],
        env={
            **kept,
            **CREDENTIALS,
            "TMPDIR": folder,
            "GATEWAY_PORT": str(port),
            "BIND_HOST": "127.0.0.1",
            "MINISTACK_HOST": "127.0.0.1",
            "LOG_LEVEL": "ERROR",
            "IOT_MTLS_ENABLED": "0",
            "SFTP_ENABLED": "0",
            "DOCKER_HOST": f"unix://{folder}/no-docker",
            "S3_DATA_DIR": str(Path(folder) / "objects"),
        },
        cwd=folder,
        start_new_session=True,
    )
    try:
        _wait_for(port, process)
        os.environ["AWS_ENDPOINT_URL"] = f"http://127.0.0.1:{port}"
        yield Cloud(f"http://127.0.0.1:{port}")
    finally:
        os.environ.pop("AWS_ENDPOINT_URL", None)
        process.terminate()
        try:
            process.wait(240)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _STARTS_WITHIN_S
    while time.monotonic() < deadline and process.poll() is None:
        try:
            address = f"http://127.0.0.1:{port}/_ministack/health"
            urllib.request.urlopen(address, timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError("The emulator did not start.")
