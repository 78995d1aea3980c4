"""Pulled files inside one process: the clock, the log, clients that leave, a bucket that fails."""

import asyncio
import json
import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, cast
from urllib.parse import quote, unquote

import pytest
from botocore.exceptions import EndpointConnectionError

from chalicelib.api.doors.crowd import strangers
from chalicelib.api.doors.platform_files import BODIES_OF_A_WORKSPACE, PIECE_BYTES, Pulling
from chalicelib.api.http.key_gatekeeper import KeyGatekeeper
from chalicelib.api.paths import every_endpoint
from chalicelib.domain.media.types import MediaType
from chalicelib.http.pipeline import Pipeline
from chalicelib.kit.asgi.exchange import Exchange, Receive, Scope, Send
from chalicelib.services.media.pulled_files import PulledFiles
from chalicelib.storage.media.addresses import GRACE
from chalicelib.storage.media.pull_links import PullLink, PullLinks
from chalicelib.storage.media.store import S3MediaStore
from chalicelib.storage.tables import Tables
from tests.api.doors.pull_room import HOUR, Client, PullRoom, a_pull_room, an_app, answered, path_of
from tests.api.http.pipelines import StubServices, a_request, error_code
from tests.support.emulator import EmulatorProcess
from tests.support.frozen_clock import FrozenClock

if TYPE_CHECKING:
    from chalicelib.bootstrap.deployment import Deployment

DATA = bytes(range(250)) * 20
SECOND = timedelta(seconds=1)


@pytest.fixture(scope="module")
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture(scope="module")
def room(emulator: EmulatorProcess, clock: FrozenClock) -> PullRoom:
    return a_pull_room(emulator, clock=clock)


class CountingStore(S3MediaStore):
    """A bucket that counts what is read."""

    reads = 0

    def read(self, key: str, offset: int, length: int) -> bytes:
        self.reads += 1
        return super().read(key, offset, length)


def with_store(room: PullRoom, store: S3MediaStore) -> PulledFiles:
    return PulledFiles(links=room.rooms.links, store=store, clock=room.door.clock)


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_an_address_ends_by_the_clock_whatever_the_table_remembers(
    room: PullRoom, clock: FrozenClock, method: str
) -> None:
    path = path_of(room.stored(DATA))
    clock.pass_time(HOUR + GRACE - SECOND)
    last = answered(room, path, method)

    clock.pass_time(SECOND)
    late = answered(room, path, method)

    assert (200, 404) == (last.status, late.status)


def test_nobody_keeps_a_file_longer_than_its_address(room: PullRoom, clock: FrozenClock) -> None:
    path = path_of(room.stored(DATA))
    clock.pass_time(HOUR + GRACE - 5 * SECOND)

    assert "private, max-age=5" == answered(room, path).headers["cache-control"]


def test_a_log_line_names_the_template_and_never_the_address(
    room: PullRoom, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="chalicelib")
    stored = room.stored(DATA)
    path = path_of(stored)

    answered(room, path)
    answered(room, path, "DELETE")
    answered(room, path.replace("oven", "other"))

    lines = [vars(record) for record in caplog.records if record.name.startswith("chalicelib")]
    assert [("GET", 200), ("DELETE", 405), ("GET", 404)] == [
        (line["method"], line["status"]) for line in lines
    ]
    assert {"/v1/pulled/{token}/{name}"} == {line["route"] for line in lines}
    secrets = (path.split("/")[3], stored.key, "oven")
    assert not [secret for secret in secrets for line in lines if secret in repr(line)]


def test_where_there_is_no_front_an_address_is_a_path_like_any_unknown_one() -> None:
    pipeline = Pipeline(
        KeyGatekeeper(cast("Deployment", StubServices()), every_endpoint(), clock=FrozenClock())
    )

    answer = pipeline.answer(a_request(path=f"/v1/pulled/{'0' * 32}/oven.mp4", key=None))

    assert (404, "not_found") == (answer.status, error_code(answer))


@pytest.mark.parametrize(
    "path", ["/v1/pulled", "/v1/pulled/x", "/v1/pulled/x/", "/v1/pulled/x/y/z"]
)
def test_a_path_beside_the_addresses_goes_on_to_the_api(room: PullRoom, path: str) -> None:
    assert {"path": path} == json.loads(answered(room, path, "POST").body)


def test_a_range_is_read_and_sent_to_the_byte(room: PullRoom) -> None:
    """A server cuts off what is too much, so only from within it can be seen."""
    client = answered(room, path_of(room.stored(DATA)), headers=[(b"range", b"bytes=10-19")])

    assert DATA[10:20] == client.body


def test_a_request_with_two_lengths_is_no_pull(room: PullRoom) -> None:
    headers = [(b"content-length", b"5"), (b"transfer-encoding", b"chunked")]

    client = answered(room, path_of(room.stored(DATA)), headers=headers)

    assert 400 == client.status


def test_a_client_that_leaves_ends_the_reading(room: PullRoom) -> None:
    store = CountingStore(room.rooms.s3, room.rooms.settings.media_bucket)
    path = path_of(room.stored(bytes(PIECE_BYTES) for _ in range(10)))

    async def leaving() -> None:
        client = Client(an_app(room, with_store(room, store)), most_pieces=3)
        fetching = asyncio.create_task(client.ask(path))
        await client.full.wait()
        client.gone.set()
        await fetching

    asyncio.run(leaving())

    assert 3 == store.reads


@pytest.mark.parametrize(("pieces", "outcomes"), [(2, []), (3, ["media.pull"])])
def test_only_who_leaves_before_the_end_is_said_to_have_left(
    room: PullRoom, caplog: pytest.LogCaptureFixture, pieces: int, outcomes: list[str]
) -> None:
    caplog.set_level(logging.INFO, logger="chalicelib")
    path = path_of(room.stored(bytes(PIECE_BYTES) for _ in range(pieces)))

    async def leaving() -> None:
        client = Client(an_app(room), most_pieces=2)
        fetching = asyncio.create_task(client.ask(path))
        await client.full.wait()
        client.gone.set()
        await fetching

    asyncio.run(leaving())

    actions = [vars(record)["action"] for record in caplog.records if "action" in vars(record)]
    assert ["request", *outcomes] == actions


def test_a_client_that_reads_nothing_has_one_piece_read_for_it(room: PullRoom) -> None:
    store = CountingStore(room.rooms.s3, room.rooms.settings.media_bucket)
    path = path_of(room.stored(bytes(PIECE_BYTES) for _ in range(10)))

    async def stalling() -> int:
        client = Client(an_app(room, with_store(room, store)), most_pieces=1)
        fetching = asyncio.create_task(client.ask(path))
        await client.full.wait()
        reads = store.reads
        client.gone.set()
        await fetching
        return reads

    assert 1 == asyncio.run(stalling())


def test_one_too_many_is_asked_to_come_again(room: PullRoom) -> None:
    path = path_of(room.stored(DATA))

    async def crowd() -> Client:
        pulling = Pulling(room.rooms.pulled, strangers(), patience_s=0.05)

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            await pulling.serve(Exchange(scope, receive, send))

        slow = [Client(app, most_pieces=1) for _ in range(BODIES_OF_A_WORKSPACE)]
        fetching = [asyncio.create_task(client.ask(path)) for client in slow]
        for client in slow:
            await client.full.wait()
        late = Client(app)
        await late.ask(path)
        for client in slow:
            client.gone.set()
        await asyncio.gather(*fetching)
        return late

    late = asyncio.run(crowd())

    assert (503, "busy") == (late.status, json.loads(late.body)["error"]["code"])
    assert "10" == late.headers["retry-after"]


def _lost_bucket(room: PullRoom) -> S3MediaStore:
    return S3MediaStore(room.rooms.s3, "no-such-bucket")


class BrokenStore(S3MediaStore):
    """A bucket that does not answer; botocore's error says where the object would be."""

    def size(self, key: str) -> int | None:
        raise EndpointConnectionError(endpoint_url=f"http://127.0.0.1/bucket/{key}")


def _broken_bucket(room: PullRoom) -> S3MediaStore:
    return BrokenStore(room.rooms.s3, room.rooms.settings.media_bucket)


@pytest.mark.parametrize(
    ("store", "status"),
    [(_lost_bucket, 404), (_broken_bucket, 503)],
    ids=["nothing there", "the bucket cannot be asked"],
)
def test_a_bucket_that_fails_shows_nothing_of_the_inside(
    room: PullRoom,
    store: Callable[[PullRoom], S3MediaStore],
    status: int,
    caplog: pytest.LogCaptureFixture,
) -> None:
    stored = room.stored(DATA)
    path = path_of(stored)
    client = Client(an_app(room, with_store(room, store(room))))

    asyncio.run(client.ask(path))

    assert status == client.status
    assert set(json.loads(client.body)["error"]) == {"code", "message"}
    assert stored.key not in caplog.text


class SilentLinks(PullLinks):
    """Addresses in a table that does not answer."""

    def find(self, token: str) -> PullLink | None:
        raise EndpointConnectionError(endpoint_url=f"http://127.0.0.1/{token}")


def test_a_table_that_is_silent_asks_a_platform_to_come_again(room: PullRoom) -> None:
    path = path_of(room.stored(DATA))
    silent = SilentLinks(room.rooms.dynamodb, Tables(posts="", directory="", media=""))
    client = Client(an_app(room, replace(with_store(room, room.rooms.store), links=silent)))

    asyncio.run(client.ask(path))

    assert (503, "unwritable") == (client.status, json.loads(client.body)["error"]["code"])
    assert "5" == client.headers["retry-after"]


def test_a_person_saves_a_file_under_its_own_name(room: PullRoom) -> None:
    """Browsers name what they save after the address's last part."""
    stored = room.stored(DATA, filename="朝 50% のパン?.mp4")
    to_people = replace(stored, addresses=replace(room.door, is_for_people=True))

    path = path_of(to_people)

    assert path.rpartition("/")[2] == quote("朝 50% のパン?.mp4", safe="")
    assert 200 == answered(room, unquote(path)).status


def test_a_row_that_cannot_be_read_is_an_answer_too(room: PullRoom) -> None:
    link = PullLink(
        key="k", mime=MediaType.MP4, filename="x.mp4", size_bytes=1, expires_at=room.door.clock()
    )
    token = room.rooms.links.make(link)
    room.rooms.dynamodb.update_item(
        TableName=room.rooms.settings.media_table,
        Key={"pk": {"S": f"PULL#{token}"}, "sk": {"S": "PULL"}},
        UpdateExpression="REMOVE mime",
    )

    assert 500 == answered(room, f"/v1/pulled/{token}/x.mp4").status
