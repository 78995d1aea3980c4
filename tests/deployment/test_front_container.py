"""The upload front as its container starts it: the program of the Dockerfile, on an emulated stage.

No image is built here; what the Dockerfile runs and copies is what is checked.
"""

import json
import os
import re
import shlex
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta

import pytest

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.domain.clock import system_clock
from chalicelib.domain.media.types import MediaType
from chalicelib.domain.workspace.access import Plan
from chalicelib.storage.media.addresses import OwnDoor
from chalicelib.storage.media.stored_file import StoredFile
from chalicelib.web.messages import SESSION_COOKIE
from infra.packaging.libraries import PROJECT
from tests.api.doors.forms import FORM_TYPE, part
from tests.api.http.endpoint_cases import a_photo
from tests.support.emulator import EmulatorProcess, make_resources

FORM = part(a_photo(), 'name="file"; filename="bread.jpg"') + b"------one-of-a-kind--\r\n"
DOCKERFILE = PROJECT / "infra" / "front" / "Dockerfile"


def _command(port: int) -> list[str]:
    """Return the Dockerfile's command, on a port of ours."""
    text = DOCKERFILE.read_text(encoding="utf-8").replace("\\\n", "")
    found = re.search(r"^CMD \[(.*)\]", text, re.MULTILINE)
    assert found is not None
    words = [word.strip(",") for word in shlex.split(found[1])]
    words[words.index("0.0.0.0")] = "127.0.0.1"
    words[words.index("8000")] = str(port)
    return [sys.executable, "-m", *words]


@dataclass(frozen=True, slots=True)
class Front:
    """Where the front answers, a key and a member for it, and the stage behind it."""

    url: str
    key: str
    stage: Deployment
    member_id: str


@pytest.fixture(scope="module")
def front(emulator: EmulatorProcess) -> Iterator[Front]:
    settings = make_resources(emulator.endpoint)
    stage = Deployment(settings)
    administration = stage.people.administration
    _, owner = administration.create_workspace(
        name="Bakery", plan=Plan.STUDIO, timezone="UTC", approvals=False, owner_name="Ada"
    )
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    environment = {
        **os.environ,
        "GOLDENHOUR_RESOURCE_PREFIX": settings.resource_prefix,
        "AWS_ENDPOINT_URL": emulator.endpoint,
    }
    process = subprocess.Popen(_command(port), cwd=PROJECT, env=environment)
    try:
        _wait(port)
        key = administration.create_key(owner.id).secret
        yield Front(f"http://127.0.0.1:{port}", key, stage, owner.id)
    finally:
        process.terminate()
        process.wait(15)


def _wait(port: int) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/health", timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    pytest.fail("The front did not start.")


def test_the_container_s_program_takes_an_upload(front: Front) -> None:
    headers = {"Authorization": f"Bearer {front.key}", "Content-Type": FORM_TYPE}

    request = urllib.request.Request(f"{front.url}/v1/media", data=FORM, headers=headers)  # noqa: S310
    with urllib.request.urlopen(request) as answer:  # noqa: S310 - our own front
        status = answer.status

    assert status == 201


def test_the_container_s_program_takes_an_upload_of_a_page(front: Front) -> None:
    sessions, links = front.stage.people.sessions, front.stage.people.sign_in_links
    cookie = links.redeem(links.make(front.member_id))
    signed_in = sessions.read(cookie)
    assert signed_in is not None
    headers = {
        "Cookie": f"{SESSION_COOKIE}={cookie}",
        "Content-Type": FORM_TYPE,
        "Accept": "application/json",
    }

    address = f"{front.url}/app/media?form_token={signed_in.form_token}"
    request = urllib.request.Request(address, data=FORM, headers=headers)  # noqa: S310 - our own
    with urllib.request.urlopen(request) as answer:  # noqa: S310 - our own front
        made = json.load(answer)

    assert (answer.status, made["filename"]) == (201, "bread.jpg")


@pytest.mark.parametrize(("method", "body"), [("GET", b"x" * 3_000_000), ("HEAD", b"")])
def test_the_container_s_program_hands_out_a_file(front: Front, method: str, body: bytes) -> None:
    store = front.stage.media.store
    store.put("media/a/b", b"x" * 3_000_000, MediaType.MP4)
    door = OwnDoor(links=front.stage.media.pull_links, url=front.url, clock=system_clock)
    file = StoredFile(
        store=store,
        key="media/a/b",
        mime=MediaType.MP4,
        filename="oven.mp4",
        size_bytes=3_000_000,
        addresses=door,
    )

    address = str(file.public_url(timedelta(hours=1)))
    request = urllib.request.Request(address, method=method)  # noqa: S310 - our own front
    with urllib.request.urlopen(request) as answer:  # noqa: S310 - our own front
        got = answer.read()

    assert body == got
    assert "3000000" == answer.headers["Content-Length"]


def test_the_image_copies_what_the_program_needs_and_runs_as_nobody_special() -> None:
    text = DOCKERFILE.read_text(encoding="utf-8")

    for needed in ("app.py", "chalicelib", "infra/front", "requirements.lock"):
        assert re.search(rf"^COPY .*{re.escape(needed)}", text, re.MULTILINE), needed
    assert re.search(r"^USER 1000$", text, re.MULTILINE)
