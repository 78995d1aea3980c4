"""A file on its whole way to a platform that fetches it: engine, address, door, platform.

The platform is Threads' fake, which here really goes and gets what it is given, HEAD first.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import pytest
import requests

from chalicelib.connectors.shared.registry import Connectors
from chalicelib.connectors.threads.account import ThreadsHosts
from chalicelib.connectors.threads.connector import ThreadsConnector
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.drafting import NewPost, NewTarget
from chalicelib.domain.posts.post import Post
from chalicelib.domain.workspace.accounts import SignIn
from chalicelib.domain.workspace.tokens import Tokens
from tests.api.doors.front_server import FrontProcess, start_front
from tests.connectors.shared.meta.graph_answers import refuse
from tests.connectors.support.fake_platform import Answer, Received
from tests.connectors.threads.fake import HANDLE, USER, FakeThreads
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room
from tests.support.frozen_clock import FrozenClock
from tests.support.sample_media import Clip, encode, samples

SOON = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Fetched:
    """What the platform got, HEAD and GET."""

    address: str
    head: requests.Response = field(repr=False)
    got: requests.Response = field(repr=False)


class FetchingThreads(FakeThreads):
    """Threads, which makes no container of what it cannot fetch."""

    def __init__(self, clock: FrozenClock) -> None:
        super().__init__(clock)
        self.fetched: list[Fetched] = []

    def answer(self, call: Received) -> Answer:
        if call.name == f"POST /v1.0/{USER}/threads":
            address = call.form.get("image_url") or call.form["video_url"]
            self._fetch(address)
        return super().answer(call)

    def _fetch(self, address: str) -> None:
        head, got = (requests.request(m, address, timeout=240) for m in ("HEAD", "GET"))
        if (head.status_code, got.status_code) != (200, 200):
            raise refuse(100, 2207052, message="The media could not be fetched from this URI")
        self.fetched.append(Fetched(address, head, got))


@dataclass(frozen=True, slots=True)
class Studio:
    """An engine, the door of its files, and a platform that comes for them."""

    room: EngineRoom
    threads: FetchingThreads
    account_id: str

    def sent(self, data: bytes, filename: str) -> Post:
        """Upload a file, post it and let it go out."""
        services, caller = self.room.deployment, self.room.caller
        media = services.media.library.upload(caller, filename, data)
        targets = (NewTarget(account_id=self.account_id),)
        draft = NewPost(caption="Fresh bread", media_ids=(media.id,), targets=targets)
        post, _ = services.posting.drafts.create(caller, draft, idempotency_key=None)
        services.posting.scheduling.schedule(caller, post.id, at=self.room.clock() + SOON)
        self.room.pass_time(2 * SOON)
        return self.room.post(post)

    def stored(self, where: str) -> bytes:
        """Return the one object in a part of the bucket."""
        store = self.room.deployment.media.store
        (key,) = store.keys(where)
        return store.whole(key)

    def addresses_given(self) -> int:
        """Return how many rows of addresses there are."""
        table = self.room.deployment.tables.media
        rows = self.room.deployment.clients.dynamodb.scan(TableName=table)["Items"]
        return len([row for row in rows if row["pk"]["S"].startswith("PULL#")])


@pytest.fixture
def room(emulator: EmulatorProcess, tmp_path: Path) -> EngineRoom:
    return an_engine_room(emulator, tmp_path)


@pytest.fixture
def front(room: EngineRoom) -> Iterator[FrontProcess]:
    started = start_front(room.deployment.settings, now=room.clock())
    yield started
    started.stop()


@pytest.fixture
def studio(room: EngineRoom) -> Iterator[Studio]:
    threads = FetchingThreads(room.clock)
    hosts = ThreadsHosts(
        threads=threads.url, threads_login=threads.url, threads_web="https://www.threads.com"
    )
    connector = ThreadsConnector(hosts, clock=room.clock)
    room.deployment.connectors = Connectors(sandbox={}, real={Platform.THREADS: connector})
    sign_in = SignIn(
        platform=Platform.THREADS,
        remote_identity=USER,
        handle=HANDLE,
        tokens=Tokens(access=threads.token, expires_at=room.clock() + timedelta(days=50)),
        settings={},
    )
    connections = room.deployment.people.connections
    account = connections.connect(room.caller.workspace_id, sign_in)
    room.caller = replace(room.caller, accounts={account.id: ()})
    yield Studio(room, threads, account.id)
    threads.close()


@pytest.fixture
def open_studio(studio: Studio, front: FrontProcess) -> Studio:
    """Return a studio whose door the platform can reach."""
    deployment = studio.room.deployment
    deployment.settings = replace(deployment.settings, pull_url=front.url)
    return studio


@pytest.mark.parametrize(
    ("data", "filename", "name", "mime", "where"),
    [
        (samples()["plain.jpg"].data, "Été.JPEG", "Ete.jpg", "image/jpeg", "media/"),
        (samples()["plain.webp"].data, "b.webp", "b.jpg", "image/jpeg", "prepared/"),
        (encode(Clip()), "oven film.mp4", "oven-film.mp4", "video/mp4", "prepared/"),
    ],
    ids=["a photo as it is", "a photo's copy", "a video's copy"],
)
def test_a_platform_gets_the_file_that_is_posted(
    open_studio: Studio, data: bytes, filename: str, name: str, mime: str, where: str
) -> None:
    post = open_studio.sent(data, filename)

    assert ["published"] == [target.status for target in post.targets], post.targets
    (fetched,) = open_studio.threads.fetched
    assert name == fetched.address.rpartition("/")[2]
    assert mime == fetched.got.headers["Content-Type"] == fetched.head.headers["Content-Type"]
    assert str(len(fetched.got.content)) == fetched.head.headers["Content-Length"]
    assert open_studio.stored(where) == fetched.got.content


def test_a_run_makes_one_address_however_often_it_is_asked(open_studio: Studio) -> None:
    open_studio.sent(samples()["plain.jpg"].data, "bread.jpg")

    assert 1 == open_studio.addresses_given() == len(open_studio.threads.fetched)


def test_without_an_address_of_its_own_nothing_is_promised(studio: Studio) -> None:
    (target,) = studio.sent(samples()["plain.jpg"].data, "bread.jpg").targets

    assert ("failed", "media_unavailable") == (target.status, target.error_code)
    assert "GOLDENHOUR_PUBLIC_URL" in str(target.error_message)
    assert [] == studio.threads.calls
    assert 0 == studio.addresses_given()
