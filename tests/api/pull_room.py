"""Files with addresses at a door, for tests of those who fetch them.

    room = a_pull_room(emulator, clock=clock)
    path = room.path(room.stored(b"...", MediaType.MP4))

The media table forgets nothing here: the emulator's clock is the real one.
"""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import urlsplit

from chalicelib.domain.clock import Clock, system_clock
from chalicelib.domain.media_types import MediaType
from chalicelib.storage.media_source import StoredFile
from chalicelib.storage.media_store import file_key
from chalicelib.storage.public_addresses import OwnDoor
from tests.emulator import EmulatorProcess, make_resources
from tests.media_rooms import WORKSPACE, MediaRooms, media_rooms

HOUR = timedelta(hours=1)


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
    rooms.dynamodb.update_time_to_live(
        TableName=rooms.settings.media_table,
        TimeToLiveSpecification={"Enabled": False, "AttributeName": "expires_at"},
    )
    return PullRoom(rooms, OwnDoor(links=rooms.links, url="https://post.example", clock=clock))
