"""Files with addresses at a door, and clients inside this process that fetch them.

    room = a_pull_room(emulator, clock=clock)
    path = path_of(room.stored(b"..."))
    assert answered(room, path).status == 200

The media table forgets nothing here: the emulator's clock is the real one.
"""

import asyncio
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from urllib.parse import urlsplit

from chalicelib.api.doors.front import StreamedFiles, create_front
from chalicelib.domain.clock import Clock, system_clock
from chalicelib.domain.media.types import MediaType
from chalicelib.http.messages import json_response
from chalicelib.kit.asgi.exchange import AsgiApp, Message
from chalicelib.kit.asgi.messages import Request, Response
from chalicelib.services.media.pulled_files import PulledFiles
from chalicelib.storage.media.addresses import OwnDoor
from chalicelib.storage.media.store import file_key
from chalicelib.storage.media.stored_file import StoredFile
from tests.api.http.pipelines import a_pipeline
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.media_rooms import WORKSPACE, MediaRooms, media_rooms

HOUR = timedelta(hours=1)
Headers = Sequence[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class PullRoom:
    """A bucket, and addresses of what lies in it."""

    rooms: MediaRooms
    door: OwnDoor

    def stored(
        self,
        pieces: bytes | Iterable[bytes],
        mime: MediaType = MediaType.MP4,
        filename: str = "oven.mp4",
    ) -> StoredFile:
        """Put a file into the bucket."""
        key, size = file_key(WORKSPACE, secrets.token_hex(16)), 0
        writer = self.rooms.store.writer(key, mime)
        for piece in [pieces] if isinstance(pieces, bytes) else pieces:
            writer.write(piece)
            size += len(piece)
        writer.finish()
        return StoredFile(
            store=self.rooms.store,
            key=key,
            mime=mime,
            filename=filename,
            size_bytes=size,
            addresses=self.door,
        )


def path_of(stored: StoredFile, lifetime: timedelta = HOUR) -> str:
    """Return the path of a file's address."""
    return urlsplit(str(stored.public_url(lifetime))).path


def a_pull_room(emulator: EmulatorProcess, *, clock: Clock = system_clock) -> PullRoom:
    """Return a room in which addresses are made by this clock."""
    rooms = media_rooms(make_resources(emulator.endpoint), clock)
    return PullRoom(rooms, OwnDoor(links=rooms.links, url="https://post.example", clock=clock))


@dataclass(slots=True)
class Client:
    """A client that reads so many pieces, and then reads no more until it is told to leave."""

    app: AsgiApp
    most_pieces: int = 1_000
    sent: list[Message] = field(default_factory=list)
    full: asyncio.Event = field(default_factory=asyncio.Event)
    gone: asyncio.Event = field(default_factory=asyncio.Event)

    async def ask(self, path: str, method: str = "GET", headers: Headers = ()) -> None:
        scope = {"type": "http", "method": method, "path": path, "query_string": b""}
        await self.app({**scope, "headers": headers}, self._receive, self._send)

    async def _receive(self) -> Message:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        self.sent.append(message)
        if len(self.sent) > self.most_pieces:
            self.full.set()
            await self.gone.wait()

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"])

    @property
    def headers(self) -> dict[str, str]:
        return {name.decode(): value.decode() for name, value in self.sent[0]["headers"]}

    @property
    def body(self) -> bytes:
        return b"".join(message["body"] for message in self.sent[1:])


def an_app(room: PullRoom, pulled: PulledFiles | None = None) -> AsgiApp:
    """Return a front that echoes the paths of all other requests."""

    def echoed(request: Request) -> Response:
        return json_response(200, {"path": request.path})

    files = StreamedFiles(library=room.rooms.library, pulled=pulled or room.rooms.pulled)
    return create_front(a_pipeline(), files, echoed)


def answered(room: PullRoom, path: str, method: str = "GET", headers: Headers = ()) -> Client:
    """Let a client ask once; return it with what it got."""
    client = Client(an_app(room))
    asyncio.run(client.ask(path, method, headers))
    return client
