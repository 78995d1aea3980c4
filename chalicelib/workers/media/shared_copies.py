"""Copies of files that targets and posts share: each is made once for a file and a recipe.

`Preparation` asks for them, and asks again later; the convert lane makes them (`converting`).
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from chalicelib.domain.clock import Clock
from chalicelib.domain.media.media import Media
from chalicelib.domain.media.recipes import Recipe
from chalicelib.domain.outcome import Failed, FailureCode
from chalicelib.kit.dataclass import dataclass
from chalicelib.storage.media.conversions import AskedFor, Conversions
from chalicelib.storage.media.prepared_copies import AskedCopy, PreparedCopies, PreparedCopy
from chalicelib.storage.media.queues import ConvertQueue

_FIRST_WAIT, _LONGEST_WAIT = timedelta(seconds=0.25), timedelta(seconds=30)

_SENTENCES: Final[Mapping[FailureCode, str]] = {
    FailureCode.FILE_REMOVED: "The file was removed before the post went out.",
    FailureCode.VIDEO_TOO_LONG: (
        'The video is longer than the platform allows. Set options.trim to "start" or "end".'
    ),
    FailureCode.MEDIA_REJECTED: (
        "The file is damaged or of a kind that cannot be converted. Upload another one."
    ),
    FailureCode.PROCESSING_FAILED: (
        "The service could not convert the file for the platform. Upload another one."
    ),
    FailureCode.MEDIA_UNAVAILABLE: "The file could not be read from storage.",
    FailureCode.PLATFORM_UNAVAILABLE: "TikTok did not say how long a video may be.",
}


class NotPreparedError(Exception):
    """There is no file to send; `failed` says why, and whether it is worth trying again."""

    def __init__(self, code: FailureCode, detail: str | None = None) -> None:
        super().__init__(code)
        self.failed = Failed(code=code, message=detail or _SENTENCES[code])


class BeingMadeError(Exception):
    """The copy was requested: ask again after `wait`, which grows with the time since then."""

    def __init__(self, since: datetime, now: datetime) -> None:
        super().__init__()
        self.since = since
        self.wait = min(max((now - since) / 2, _FIRST_WAIT), _LONGEST_WAIT)


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedCopies:
    """Finds copies or asks for them; safe to run twice, anywhere."""

    rows: PreparedCopies
    conversions: Conversions
    queue: ConvertQueue
    clock: Clock

    def find(self, media_id: str, recipe: str) -> PreparedCopy | None:
        """Return the result of a recipe, None if it was never tried or is too old."""
        return self.rows.find(media_id, recipe, now=self.clock())

    def find_or_request(self, media: Media, recipe: Recipe) -> PreparedCopy:
        """Return the result of a recipe; request it if that was not done.

        Raises BeingMadeError until it is there, NotPreparedError when the file or the bucket
        could not be reached.
        """
        now = self.clock()
        found = self.rows.state(media.id, recipe.name, now=now)
        if isinstance(found, PreparedCopy):
            return found
        if found is None:
            if self.conversions.ask(media, recipe, now=now):
                self._send(media, recipe, now)
            raise BeingMadeError(now, now)
        self._ask_again(media, recipe, found, now)
        raise BeingMadeError(now if found.is_forgotten(now) else found.since, now)

    def _ask_again(self, media: Media, recipe: Recipe, asked: AskedCopy, now: datetime) -> None:
        if not asked.is_overlooked(now):
            return
        if self.conversions.ask_again(media.id, asked, now=now):
            self._send(media, recipe, now)
            if asked.failed:
                raise NotPreparedError(FailureCode.MEDIA_UNAVAILABLE)

    def _send(self, media: Media, recipe: Recipe, now: datetime) -> None:
        self.queue.send(
            AskedFor(
                workspace_id=media.workspace_id,
                media_id=media.id,
                recipe=recipe.name,
                asked_at=now,
            )
        )
