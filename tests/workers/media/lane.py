"""A convert lane in a test: what is asked, the messages sent, and workers to give them to."""

from collections.abc import Callable
from dataclasses import field
from datetime import datetime, timedelta

from chalicelib.domain.ids import new_id
from chalicelib.domain.media.media import Media
from chalicelib.domain.media.recipes import PhotoRecipe, Recipe, VideoRecipe
from chalicelib.domain.media.types import MediaType
from chalicelib.kit.dataclass import dataclass
from chalicelib.storage.media.conversions import AskedFor
from chalicelib.storage.media.prepared_copies import PreparedCopy
from chalicelib.storage.media.queues import ConvertQueue, convert_message
from chalicelib.storage.media.store import prepared_key
from chalicelib.workers.media.converting import Alive, ConvertWorker, CopyMaker
from chalicelib.workers.media.shared_copies import (
    BeingMadeError,
    SharedCopies,
)
from tests.support.frozen_clock import NOON, FrozenClock
from tests.support.media_rooms import MediaRooms

VIDEO = VideoRecipe()


PHOTO = PhotoRecipe(most_bytes=9, most_width=8, most_height=7)


SECOND = timedelta(seconds=1)


class Kept(ConvertQueue):
    """A queue whose messages a test takes out itself."""

    def __init__(self) -> None:
        self.sent: list[AskedFor] = []
        self.delays: list[timedelta] = []

    def send(self, asked: AskedFor, *, delay: timedelta = timedelta(0)) -> None:
        self.sent.append(asked)
        self.delays.append(delay)


@dataclass(frozen=True, slots=True)
class Making(CopyMaker):
    """Makes copies of nothing; `during` happens while it does."""

    during: Callable[[Media], None] = lambda _: None
    made: list[str] = field(default_factory=list)

    def make(self, media: Media, recipe: Recipe, alive: Alive, now: datetime) -> PreparedCopy:
        self.made.append(media.id)
        key = prepared_key(media.workspace_id, media.id, recipe.name)
        self.store.put(key, b"copy", MediaType.MP4)
        self.during(media)
        alive()
        return PreparedCopy(recipe=recipe.name, made_at=now, size_bytes=4)


class Lane:
    """The convert lane of one test, and who asks it."""

    def __init__(self, rooms: MediaRooms) -> None:
        self.rooms, self.clock, self.queue = rooms, FrozenClock(), Kept()
        self.maker = Making(rooms.store)
        self.copies = SharedCopies(
            rows=rooms.copies, conversions=rooms.conversions, queue=self.queue, clock=self.clock
        )

    def worker(
        self, maker: CopyMaker | None = None, wait: Callable[[float], None] = lambda _: None
    ) -> ConvertWorker:
        return ConvertWorker(
            rows=self.rooms.conversions,
            queue=self.queue,
            maker=maker or self.maker,
            clock=self.clock,
            places=2,
            wait=wait,
        )

    def ask(self, recipe: Recipe = PHOTO, workspace_id: str = "1" * 32) -> Media:
        """Ask for a copy of a new file, as preparation does."""
        media = Media(
            id=new_id(NOON),
            workspace_id=workspace_id,
            mime=MediaType.MP4,
            filename="oven.mp4",
            size_bytes=1,
            width=1,
            height=1,
            created_at=NOON,
        )
        assert self.waits(media, recipe)
        return media

    def waits(self, media: Media, recipe: Recipe = PHOTO) -> bool:
        """Tell whether a target would have to come back."""
        try:
            self.copies.find_or_request(media, recipe)
        except BeingMadeError:
            return True
        return False

    def deliver(self, worker: ConvertWorker | None = None) -> None:
        """Hand over the oldest message."""
        (worker or self.worker()).run(convert_message(self.queue.sent.pop(0)))

    def objects(self, media: Media) -> list[str]:
        return [key for key in self.rooms.objects() if media.id in key]
