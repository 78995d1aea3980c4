"""A data directory as this release writes it, packed: the next releases must open it.

    python -m tests.local.server.kept_directory tests/local/server/kept/form-1.tar.xz

makes it anew by a real stack. Do that for a new form of the directory only, beside the old ones:
a kept directory is never made again by a later release. Its keys open nothing else.
"""

import sys
import tarfile
import tempfile
from pathlib import Path

import requests

from chalicelib.local.server.restoring import extract
from chalicelib.local.stack_modules import STACK_MODULES
from tests.local.caller import Caller
from tests.local.running_stack import PROJECT, Stack, eventually, running

FIRST = Path(__file__).with_name("kept") / "form-1.tar.xz"
SECOND = Path(__file__).with_name("kept") / "form-2.tar.xz"
"""As commit bf9c0b9b wrote it; `client/tests/test_service_wheel.py` upgrades it."""

FAR = 10 * 365 * 24 * 3600
"""Seconds until the scheduled post of the directory is due."""

_LEFT_OUT = {"tmp", "lock", "command.lock", "emulator.port"}


def unpack(packed: Path, folder: Path) -> Path:
    """Unpack a kept directory into a folder and return the folder."""
    extract(packed, folder)
    return folder


def make(packed: Path) -> None:
    """Run a stack, leave some of everything in its directory, stop it and pack the directory."""
    with tempfile.TemporaryDirectory() as temporary:
        stack = Stack(Path(temporary) / "data", STACK_MODULES)
        with running(stack):
            _fill(Caller(stack.data_dir))
            stack.end()
        with tarfile.open(packed, "w:xz") as tar:
            for path in sorted(stack.data_dir.rglob("*")):
                name = path.relative_to(stack.data_dir)
                if path.is_file() and name.parts[0] not in _LEFT_OUT and path.suffix != ".log":
                    tar.add(path, name.as_posix())
    sys.stdout.write(f"{packed}: {packed.stat().st_size / 1024:.0f} KB\n")


def _fill(caller: Caller) -> None:
    with (PROJECT / "docs" / "sample.jpg").open("rb") as photo:
        made = requests.post(
            f"{caller.base_url}/v1/media",
            headers=caller.headers,
            files={"file": ("sample.jpg", photo, "image/jpeg")},
            timeout=240,
        ).json()
    accounts = list(caller.accounts.values())[:3]
    targets = [{"account_id": account} for account in accounts[:1]]
    body = {"caption": "A draft with a photo", "targets": targets, "media_ids": [made["id"]]}
    caller.call("POST", "/v1/posts", body)
    caller.scheduled("Due in ten years", FAR, caller.account)
    cancelled = caller.scheduled("Cancelled", FAR, caller.account)
    caller.call("POST", f"/v1/posts/{cancelled}/cancel")
    published = caller.scheduled("Published", 1, caller.account, caller.accounts["bluesky"])
    eventually(lambda: set(caller.statuses(published)) == {"published"}, within_s=120)


if __name__ == "__main__":
    make(Path(sys.argv[1]))
