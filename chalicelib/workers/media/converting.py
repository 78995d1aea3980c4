"""The convert lane: one message, one file, one child process; it can access nothing but files.

`app.py` calls `run` with a queue message. The lane has no token, no key and no account: it reads a
file in ranges, writes its copy directly to S3, and stores the result in the copy's row, which
whoever waits for the copy reads. It is safe to run twice, anywhere, at any moment. It needs neither
/tmp nor the whole file in memory. Pictures that must be encoded again are stored in pieces, so that
the next run goes on after a crash. FFmpeg and Pillow run in a child process for each file
(`isolated`), never in the worker itself; a deployment without them still posts files as they are.
"""

import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from chalicelib.domain.clock import Clock
from chalicelib.domain.errors import UnsupportedMedia
from chalicelib.domain.media.media import Media
from chalicelib.domain.media.probing import probe
from chalicelib.domain.media.recipes import CleanRecipe, Recipe, VideoRecipe
from chalicelib.domain.outcome import FailureCode
from chalicelib.kit.dataclass import dataclass
from chalicelib.storage.media.conversions import AskedFor, Conversion, Conversions
from chalicelib.storage.media.copy_files import CopyPlaces, CopyUnwritableError
from chalicelib.storage.media.prepared_copies import PreparedCopy, copy_of
from chalicelib.storage.media.queues import ConvertQueue, read_convert_message
from chalicelib.storage.media.store import S3MediaStore
from chalicelib.storage.media.stored_file import MediaUnreadableError
from chalicelib.workers.media.clean_copy import clean_copy
from chalicelib.workers.media.isolated.converter import (
    Ended,
    LibraryMissingError,
    MemoryShortError,
    convert,
)

Alive = Callable[[], None]
"""Called again and again while a copy is made; raises to stop it."""


@dataclass(frozen=True, slots=True)
class CopyMaker:
    """Makes copies of stored files."""

    store: S3MediaStore

    def make(self, media: Media, recipe: Recipe, alive: Alive, now: datetime) -> PreparedCopy:
        """Make the copy and return the result: the copy, the file itself, or a refusal.

        Raises MediaUnreadableError, CopyUnwritableError, LibraryMissingError, MemoryShortError.
        """
        places = CopyPlaces(self.store, media, recipe.name)
        size = self._write_copy(media, recipe, places, alive)
        match size:
            case FailureCode():
                return PreparedCopy(recipe=recipe.name, made_at=now, refused=size)
            case None:
                return PreparedCopy(recipe=recipe.name, made_at=now, same=True)
        try:
            probed = probe(places.read_copy, size)
        except UnsupportedMedia:
            return PreparedCopy(
                recipe=recipe.name, made_at=now, refused=FailureCode.PROCESSING_FAILED
            )
        copy = copy_of(recipe.name, probed, size_bytes=size, now=now)
        return _never_longer(copy, recipe)

    def _write_copy(
        self, media: Media, recipe: Recipe, places: CopyPlaces, alive: Alive
    ) -> int | FailureCode | None:
        """Return the copy's size, None if the file needs no change, or why it cannot be made."""
        if isinstance(recipe, CleanRecipe):
            return clean_copy(media, places, alive)
        match convert(media, recipe, places, alive):
            case Ended.SAME:
                return None
            case Ended.UNREADABLE:
                return FailureCode.MEDIA_REJECTED
            case size:
                return size


def _never_longer(copy: PreparedCopy, recipe: Recipe) -> PreparedCopy:
    """Refuse a copy that is longer than asked: better not sent than refused by the platform."""
    longest_ms = recipe.longest_ms if isinstance(recipe, VideoRecipe) else None
    if longest_ms is None or (copy.duration_s or 0) * 1000 <= longest_ms:
        return copy
    return PreparedCopy(
        recipe=copy.recipe, made_at=copy.made_at, refused=FailureCode.PROCESSING_FAILED
    )


MOST_TRIES: Final = 8
"""How often a conversion may be begun: a file that kills its worker each time is refused."""
_PUT_BACK_S: Final = (1, 1, 2, 2, 3, 3, 4, 4, 5)
_VIDEO_PUT_BACK_S: Final = (2, 3, 5, 8, 10)
"""How long a message waits in the queue each time that its workspace has no place for it."""
_LOOKS, _LOOK_EVERY_S = 5, 0.2
"""How often a message that is new looks for a place: most copies are made in less than a second."""
_RENEW_EVERY = timedelta(seconds=15)
_MISSING = (
    "This service cannot convert files at the moment: {}. Its operator has to mend that; retry "
    "after it."
)
_NO_MEMORY = (
    "Converting this file needs more memory than this service has. Upload a smaller file, or ask "
    "its operator for more memory and retry then."
)
_TRIES_WITHOUT_MEMORY = 3
_LOG = logging.getLogger(__name__)


class NotWantedError(Exception):
    """Another worker has the claim now, or the file was removed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvertWorker:
    """Makes the copies that messages name; a workspace has `places` for videos.

    It has one more place for photos, so that neither kind waits for the other.
    """

    rows: Conversions
    queue: ConvertQueue
    maker: CopyMaker
    clock: Clock
    places: int
    wait: Callable[[float], None] = time.sleep

    def run(self, body: str) -> None:
        """Make the copy that a message names, unless it is done or another worker makes it."""
        asked, maker = read_convert_message(body), secrets.token_hex(16)
        place = self._take_place(asked, maker)
        if place is None:
            return
        try:
            conversion = self.rows.claim(asked, maker, now=self.clock())
            if conversion is not None:
                self._convert(_Hold(self.rows, asked, maker, place), conversion)
        finally:
            self.rows.places.leave(asked.workspace_id, place, maker)

    def _take_place(self, asked: AskedFor, maker: str) -> int | None:
        """Take a place within a second, or put the message back until there is one.

        A message that was put back before tries only once, so that a workspace with many waiting
        files does not occupy the function.
        """
        is_long = asked.recipe.startswith(VideoRecipe.PREFIX)
        for look in range(1 if asked.put_back else _LOOKS):
            if look:
                self.wait(_LOOK_EVERY_S)
            place = self._free_place(asked, maker, is_long=is_long)
            if place is not None:
                return place
        now, waits = self.clock(), _VIDEO_PUT_BACK_S if is_long else _PUT_BACK_S
        delay_s = waits[min(asked.put_back, len(waits) - 1)]
        if self.rows.put_back(asked, now=now):
            again = replace(asked, asked_at=now, put_back=asked.put_back + 1)
            self.queue.send(again, delay=timedelta(seconds=delay_s))
        return None

    def _free_place(self, asked: AskedFor, maker: str, *, is_long: bool) -> int | None:
        videos = range(self.places)
        places = videos if is_long else (self.places, *videos)
        return self.rows.places.take(asked.workspace_id, maker, places=places, now=self.clock())

    def _convert(self, hold: "_Hold", conversion: Conversion) -> None:
        try:
            copy = self._make_copy(hold, conversion)
        except NotWantedError:
            self._drop_if_gone(hold, conversion)
            return
        except MemoryShortError:
            hold.give_up()  # memory may be short for a moment: it is tried again
            return
        except (MediaUnreadableError, CopyUnwritableError) as error:
            hold.give_up()
            facts = {"action": "media.unavailable", "media_id": hold.asked.media_id}
            _LOG.warning("A file or its copy could not be reached: %s.", error, extra=facts)
            return
        except BaseException:
            hold.give_up()
            raise
        if not hold.keep(copy):
            self._drop_if_gone(hold, conversion)

    def _make_copy(self, hold: "_Hold", conversion: Conversion) -> PreparedCopy:
        now, recipe = self.clock(), conversion.recipe
        if conversion.tries > MOST_TRIES:
            return _refused_copy(recipe.name, now, None)
        try:
            return self.maker.make(conversion.media, recipe, lambda: hold.alive(self.clock()), now)
        except LibraryMissingError as error:
            facts = {"action": "media.missing", "error": str(error)}
            _LOG.error("Files cannot be converted: %s.", error, extra=facts)
            return _refused_copy(recipe.name, now, _MISSING.format(error))
        except MemoryShortError:
            if conversion.tries < _TRIES_WITHOUT_MEMORY:
                raise
            facts = {"action": "media.memory", "media_id": hold.asked.media_id}
            _LOG.error("A file needs more memory than there is to be converted.", extra=facts)
            return _refused_copy(recipe.name, now, _NO_MEMORY)

    def _drop_if_gone(self, hold: "_Hold", conversion: Conversion) -> None:
        """Delete a copy whose file was removed; the copy of another worker stays."""
        if hold.is_gone():
            media = conversion.media
            CopyPlaces(self.maker.store, media, conversion.recipe.name).drop()


def _refused_copy(recipe: str, now: datetime, detail: str | None) -> PreparedCopy:
    return PreparedCopy(
        recipe=recipe, made_at=now, refused=FailureCode.PROCESSING_FAILED, detail=detail
    )


class _Hold:
    """One claim, and the place that belongs to it, held for as long as `alive` is called."""

    def __init__(self, rows: Conversions, asked: AskedFor, maker: str, place: int) -> None:
        self._rows = rows
        self.asked = asked
        self._maker = maker
        self._place = place
        self._renewed_at: datetime | None = None

    def alive(self, now: datetime) -> None:
        """Renew the claim when it is time to. Raises NotWantedError when it is lost."""
        if self._renewed_at is None:
            self._renewed_at = now
        if now - self._renewed_at < _RENEW_EVERY:
            return
        self._renewed_at = now
        if not self._rows.still_making(self.asked, self._maker, now=now):
            raise NotWantedError
        self._rows.places.hold(self.asked.workspace_id, self._place, self._maker, now=now)

    def keep(self, copy: PreparedCopy) -> bool:
        """Store the result of the recipe."""
        return self._rows.keep(self.asked, self._maker, copy)

    def give_up(self) -> None:
        """Give the claim back, so that another worker can try."""
        self._rows.give_up(self.asked, self._maker)

    def is_gone(self) -> bool:
        """Tell whether the row was deleted with its file."""
        return self._rows.is_gone(self.asked)
