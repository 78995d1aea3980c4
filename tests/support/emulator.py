"""An AWS for tests: one engine per session, resources per test.

    emulator = start_embedded()                     # inside this process; share it
    settings = make_resources(emulator.endpoint, "posts-test-7f3a")   # 1 ms; tables, bucket, …
    emulator.stop()

Prefixes keep tests apart: use a fresh one each.
"""

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from secrets import token_hex

from chalicelib.kit.aws_on_sqlite.address import address_of, is_embedded
from chalicelib.kit.aws_on_sqlite.engine import open_engine
from chalicelib.local import resources
from chalicelib.local.embedded_resources import make_embedded
from chalicelib.local.resources import Clients
from chalicelib.settings import Settings
from tests.servers.moto_resources import make_moto_resources

_ENDS_WITHIN_S = 15
_QUICK = Path("/dev/shm")  # noqa: S108 - in memory where there is such a place
PROJECT = Path(__file__).parents[2]
REGION = "us-east-1"
DYNAMODB_URL = "AWS_ENDPOINT_URL_DYNAMODB"
INSIDE_THIS_PROCESS = ""
"""No endpoint: moto answers clients that name none (`moto_aws.py`)."""
CREDENTIALS = {
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_DEFAULT_REGION": REGION,
}


@dataclass(frozen=True, slots=True)
class EmulatorProcess:
    """A running emulator and where it answers; one that was there already has no process."""

    endpoint: str
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)
    folder: str = field(default="", repr=False)

    def stop(self) -> None:
        """End the process and remove its temporary folder."""
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(_ENDS_WITHIN_S)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if not self.folder:
            return
        if is_embedded(self.endpoint):  # of another's address it would make a folder here
            open_engine(self.endpoint).close()
        shutil.rmtree(self.folder, ignore_errors=True)


def start_embedded() -> EmulatorProcess:
    """Return an embedded engine of this process, in a folder of its own."""
    os.environ.update(CREDENTIALS)
    folder = tempfile.mkdtemp(prefix="goldenhour-engine-", dir=_QUICK if _QUICK.is_dir() else None)
    return EmulatorProcess(address_of(Path(folder), synced=False), folder=folder)


def make_resources(
    endpoint: str, prefix: str | None = None, *, rows_expire: bool = False
) -> Settings:
    """Make all resources under a prefix of their own and return settings that name them.

    An emulator goes by the machine's clock and a test by its own: with `rows_expire` it removes
    what a test's clock still keeps, from a few days after the date that the test was given.
    """
    settings = Settings.from_environment(
        {
            "GOLDENHOUR_RESOURCE_PREFIX": prefix or f"test-{token_hex(6)}",
            "AWS_ENDPOINT_URL": endpoint,
            **_own_dynamodb(),
            "AWS_DEFAULT_REGION": REGION,
        }
    )
    if is_embedded(endpoint):
        make_embedded(settings, rows_expire=rows_expire)
        return settings
    aws = _clients(endpoint)
    if endpoint == INSIDE_THIS_PROCESS:
        make_moto_resources(settings, aws)
    else:
        resources.make_all(settings, aws)
        if rows_expire:
            resources.enable_expiry(settings, aws.dynamodb)
    return settings


def dynamodb_url(emulator: EmulatorProcess) -> str | None:
    """Return where an emulator's tables are; None is moto, which needs no address."""
    return os.environ.get(DYNAMODB_URL) or emulator.endpoint or None


def _own_dynamodb() -> dict[str, str]:
    """Return where `engines.py` said that tables are kept, if not in the emulator."""
    url = os.environ.get(DYNAMODB_URL)
    return {} if url is None else {DYNAMODB_URL: url}


@cache
def _clients(endpoint: str) -> Clients:
    """Return the clients that make resources; building them takes longer than using them."""
    return resources.clients(
        Settings.from_environment({"AWS_ENDPOINT_URL": endpoint, **_own_dynamodb()})
    )
