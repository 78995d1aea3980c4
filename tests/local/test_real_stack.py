"""What `make run` starts, with the real app behind it: one post's way out, also across a kill.

The stack runs on the directory that the first release left, so that it opens is tested with it.
"""

import json
import os
import signal
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import TypedDict
from urllib.parse import urlsplit

import pytest
import requests

from chalicelib.domain.platforms.platform import Platform
from chalicelib.local.attachment import attach
from chalicelib.local.stack_modules import STACK_MODULES
from tests.local.caller import Caller
from tests.local.running_stack import PROJECT, Stack, eventually, running
from tests.local.server.kept_directory import FIRST, unpack
from tests.support.sample_media import samples


class Account(TypedDict):
    """One account of `demo.json`."""

    id: str
    platform: str
    handle: str


class Demo(TypedDict):
    """What `demo.json` holds."""

    base_url: str
    api_key: str
    workspace_id: str
    accounts: list[Account]


class Target(TypedDict):
    """What these tests look at of a target."""

    id: str
    status: str
    url: str
    published_at: str


class Post(TypedDict):
    """What these tests look at of a post."""

    id: str
    targets: list[Target]


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    data_dir = unpack(FIRST, tmp_path_factory.mktemp("real"))
    with running(Stack(data_dir, STACK_MODULES)) as started:
        yield started


def demo_of(stack: Stack) -> Demo:
    found: Demo = json.loads((stack.data_dir / "demo.json").read_text())
    return found


def call(stack: Stack, method: str, path: str, body: object = None) -> Post:
    demo = demo_of(stack)
    request = urllib.request.Request(  # noqa: S310 - our own stack
        demo["base_url"] + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Authorization": f"Bearer {demo['api_key']}",
            "Content-Type": "application/json",
        },
    )
    with urllib.request.urlopen(request) as answer:  # noqa: S310 - our own stack
        found: Post = json.load(answer)
        return found


def scheduled_post(stack: Stack, caption: str, in_s: float) -> tuple[str, datetime]:
    account = next(a for a in demo_of(stack)["accounts"] if a["platform"] == "bluesky")
    body = {"caption": caption, "targets": [{"account_id": account["id"]}]}
    post = call(stack, "POST", "/v1/posts", body)
    at = datetime.now(UTC) + timedelta(seconds=in_s)
    call(stack, "POST", f"/v1/posts/{post['id']}/schedule", {"at": at.isoformat()})
    return post["id"], at


def published(stack: Stack, post_id: str) -> Target | None:
    target = call(stack, "GET", f"/v1/posts/{post_id}")["targets"][0]
    return target if target["status"] == "published" else None


def received(stack: Stack, caption: str) -> int:
    address = demo_of(stack)["base_url"] + "/sandbox/posts"
    with urllib.request.urlopen(address) as answer:  # noqa: S310 - our own stack
        return sum(post["caption"] == caption for post in json.load(answer)["data"])


def test_the_demo_has_a_test_account_on_every_platform_in_order(stack: Stack) -> None:
    accounts = demo_of(stack)["accounts"]

    assert [account["platform"] for account in accounts] == [each.value for each in Platform]


def test_a_command_that_is_told_no_port_gives_links_that_lead_here(stack: Stack) -> None:
    with attach({**os.environ, "GOLDENHOUR_DATA_DIR": str(stack.data_dir)}) as settings:
        address = settings.outer_url

    assert address == demo_of(stack)["base_url"]


def test_a_post_goes_out_at_its_second_and_can_be_looked_at(stack: Stack) -> None:
    post_id, at = scheduled_post(stack, "On time", in_s=5)

    target = eventually(lambda: published(stack, post_id))

    assert target is not None
    lateness = datetime.fromisoformat(target["published_at"]) - at
    assert timedelta() <= lateness < timedelta(seconds=1.5)
    with urllib.request.urlopen(target["url"]) as page:  # noqa: S310 - our own stack
        assert "On time" in page.read().decode()


def test_a_kill_of_everything_loses_no_post_and_sends_none_twice(stack: Stack) -> None:
    key = demo_of(stack)["api_key"]
    post_id, _ = scheduled_post(stack, "Across a kill", in_s=4)

    stack.end(signal.SIGKILL)
    stack.start()
    target = eventually(lambda: published(stack, post_id), within_s=30)

    assert target is not None
    assert received(stack, "Across a kill") == 1
    assert demo_of(stack)["api_key"] == key


def test_what_the_first_release_left_is_there(stack: Stack) -> None:
    caller = Caller(stack.data_dir)

    kept = {post["caption"]: post for post in caller.call("GET", "/v1/posts?limit=50")["data"]}

    expected = {
        "A draft with a photo": "draft",
        "Due in ten years": "scheduled",
        "Cancelled": "cancelled",
        "Published": "published",
    }
    assert {caption: kept[caption]["status"] for caption in expected} == expected
    (photo,) = kept["A draft with a photo"]["media_ids"]
    address = f"{caller.base_url}/v1/media/{photo}/file"
    file = requests.get(address, headers=caller.headers, timeout=240)
    assert urlsplit(file.url).netloc != urlsplit(caller.base_url).netloc
    assert file.content == (PROJECT / "docs" / "sample.jpg").read_bytes()
    assert caller.sandbox()["Published"] == 2


def test_addresses_lead_to_where_the_service_was_asked(stack: Stack) -> None:
    """Another machine asks by a name or address that the service does not know of itself."""
    caller, here = Caller(stack.data_dir), demo_of(stack)["base_url"]
    video, asked = samples()["index_last.mp4"].data, {"Host": "bakery.lan:8000"}
    headers = {**caller.headers, **asked}

    begun = requests.post(
        f"{here}/v1/media/uploads",
        json={"filename": "oven.mp4", "size_bytes": len(video)},
        headers=headers,
        timeout=240,
    ).json()
    sent = requests.put(begun["url"].replace("http://bakery.lan:8000", here), video, timeout=240)
    state = f"/v1/media/uploads/{begun['media_id']}"
    eventually(lambda: caller.call("GET", state)["state"] == "ready")
    file = f"{here}/v1/media/{begun['media_id']}/file"
    link = requests.get(file, headers=headers, timeout=240, allow_redirects=False)
    found = link.headers["Location"].replace("http://bakery.lan:8000", here)
    described = requests.get(f"{here}/v1/openapi.json", headers=asked, timeout=240).json()

    assert begun["url"].startswith("http://bakery.lan:8000/v1/uploads/")
    assert sent.status_code == 200
    assert link.headers["Location"].startswith("http://bakery.lan:8000/v1/pulled/")
    assert video == requests.get(found, timeout=240).content
    assert described["servers"] == [{"url": "http://bakery.lan:8000/"}]


def test_nothing_that_is_kept_names_the_address_that_was_asked(stack: Stack) -> None:
    caller, here = Caller(stack.data_dir), demo_of(stack)["base_url"]
    hostile = {**caller.headers, "Host": "evil.example"}
    body = {"caption": "Hosted", "targets": [{"account_id": caller.account}]}
    post = requests.post(f"{here}/v1/posts", json=body, headers=hostile, timeout=240).json()

    requests.post(f"{here}/v1/posts/{post['id']}/publish-now", headers=hostile, timeout=240)
    target = eventually(lambda: published(stack, post["id"]))

    assert target is not None
    assert target["url"].startswith(here)
    kept = b"".join(path.read_bytes() for path in stack.data_dir.glob("*.db*"))
    assert b"evil.example" not in kept
