"""What GOLDENHOUR_PUBLIC_URL does to a local stack: platforms that fetch files are given it."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import requests

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.accounts import SignIn
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.local.stack_modules import STACK_MODULES
from tests.connectors.threads.fake import HANDLE, USER, FakeThreads
from tests.local.running_stack import Stack, eventually, running
from tests.support.frozen_clock import FrozenClock
from tests.support.sample_media import samples

PUBLIC_URL = "https://bread.example"
PHOTO = samples()["plain.jpg"].data


@pytest.fixture
def threads() -> Iterator[FakeThreads]:
    fake = FakeThreads(FrozenClock(datetime.now(UTC)))
    yield fake
    fake.close()


@pytest.fixture
def stack(tmp_path_factory: pytest.TempPathFactory, threads: FakeThreads) -> Iterator[Stack]:
    environment = {"GOLDENHOUR_PUBLIC_URL": PUBLIC_URL, "GOLDENHOUR_THREADS_URL": threads.url}
    with running(Stack(tmp_path_factory.mktemp("pulled"), STACK_MODULES, **environment)) as started:
        yield started


def a_signed_account(stack: Stack, workspace_id: str, token: str) -> str:
    expires_at = datetime.now(UTC) + timedelta(days=50)
    sign_in = SignIn(
        platform=Platform.THREADS,
        remote_identity=USER,
        handle=HANDLE,
        tokens=Tokens(access=token, expires_at=expires_at),
        settings={},
    )
    connections = Deployment(stack.settings).people.connections
    return connections.connect(workspace_id, sign_in).id


def test_a_platform_is_given_the_public_address_and_finds_the_file_there(
    stack: Stack, threads: FakeThreads
) -> None:
    demo = json.loads((stack.data_dir / "demo.json").read_text())
    api, key = demo["base_url"] + "/v1", {"Authorization": f"Bearer {demo['api_key']}"}
    account_id = a_signed_account(stack, demo["workspace_id"], threads.token)
    files = {"file": ("bread.jpg", PHOTO)}
    media = requests.post(f"{api}/media", files=files, headers=key, timeout=240).json()
    draft = {"media_ids": [media["id"]], "targets": [{"account_id": account_id}]}
    post = requests.post(f"{api}/posts", json=draft, headers=key, timeout=240).json()

    requests.post(f"{api}/posts/{post['id']}/publish-now", headers=key, timeout=240)
    (container,) = eventually(lambda: list(threads.containers.values()))
    address = container["form"]["image_url"]
    here = address.replace(PUBLIC_URL, demo["base_url"])
    head, got = (requests.request(m, here, timeout=240) for m in ("HEAD", "GET"))

    assert address.startswith(f"{PUBLIC_URL}/v1/pulled/")
    assert (200, str(len(PHOTO))) == (head.status_code, head.headers["Content-Length"])
    assert got.content == PHOTO
    upload = {"filename": "bread.jpg", "size_bytes": len(PHOTO)}
    begun = requests.post(f"{api}/media/uploads", json=upload, headers=key, timeout=240).json()
    assert begun["url"].startswith(f"{PUBLIC_URL}/v1/uploads/{begun['media_id']}/")
    log = (stack.data_dir / "front.log").read_text() + (stack.data_dir / "triggers.log").read_text()
    assert "/v1/pulled/{token}/{name}" in log
    assert address.split("/")[-2] not in log
