"""YouTube's resumable uploads, in the order in which its sessions take bytes.

developers.google.com/youtube/v3/guides/using_resumable_upload_protocol: a session takes one video's
bytes, in order, and shows the video as soon as it has the last of them. It never makes two of it:
whoever asks a session that is complete gets the same video again. So another session is opened only
when the one before provably did not get the last byte.
"""

from datetime import timedelta

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.shared.calls.failures import UnlistedError
from chalicelib.connectors.shared.calls.http import UPLOAD_DEADLINE
from chalicelib.connectors.youtube.api import COMPLETE, INCOMPLETE, SESSION_OVER, YouTubeApi
from chalicelib.connectors.youtube.post import title_of
from chalicelib.connectors.youtube.refusals import YouTubeRefusal
from chalicelib.domain.outcome import Checkpoint, Outcome, Unanswered, Wait
from chalicelib.kit.json_value import Json, whole_number
from chalicelib.kit.transport.failures import UnansweredError
from chalicelib.kit.transport.responses import PlatformResponse, count, split_address

CHUNK = 8_388_608
"""A multiple of 262,144, as YouTube wants it (using_resumable_upload_protocol). A crash costs no
more than one chunk, and the last, which shows the video, goes through within CALL_DEADLINE on any
line of 3 Mbit/s. What comes before it is sent ahead of time."""

LAST = "last"
OVER = "over"
"""Marks a session that YouTube has no more: True if it said so of the last bytes themselves, so
that it did not take them."""

_MOST_SESSIONS = 3
_LONGEST_REST = timedelta(minutes=10)
_LONGEST_NUMBER = 9


class YouTubeUpload:
    """The steps from a file to a video that YouTube has."""

    def __init__(self, api: YouTubeApi) -> None:
        self._api = api

    def session(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Open a session; nothing can be seen of it."""
        if count(data, "sessions") >= _MOST_SESSIONS:
            return YouTubeRefusal.LOST.end()
        opened: dict[str, Json] = {
            # The address alone authorizes the upload, and it is told once: it has to be kept, or
            # nobody could ask after a crash whether the video is there.
            "session": _location(self._api.open(publication)),
            "sessions": count(data, "sessions") + 1,
            "since": publication.now.isoformat(),
            "title": title_of(publication, publication.text),
        }
        return Wait(_next(publication, {**opened, "offset": 0, "tries": publication.tries}))

    def chunk(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Send the next chunk, not the last."""
        if _was_cut_off(publication, data):
            return Wait(Checkpoint("offset", data))
        start = count(data, "offset")
        place = (start, start + CHUNK)
        try:
            response = self._api.put(
                publication, str(data["session"]), place, deadline=UPLOAD_DEADLINE
            )
        except UnlistedError:
            # YouTube takes no bytes that it has, nor any that do not follow on them.
            if data.get("asked_at") == start:
                raise
            return Wait(Checkpoint("offset", {**data, "asked_at": start}))
        if response.status in SESSION_OVER:
            return Wait(Checkpoint("session", {"sessions": data["sessions"]}))
        return _after_bytes(publication, data, response)

    def offset(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Ask how much of the file has arrived, and go on there."""
        response = self._api.ask(publication, str(data["session"]))
        if response.status in COMPLETE:
            return after_upload(publication, response)
        if response.status in SESSION_OVER:
            return Wait(Checkpoint("session", {"sessions": data["sessions"]}))
        return Wait(_next(publication, progress(publication, data, response)))

    def last(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Send what is left: with the last byte the video is there."""
        if OVER in data:
            return Wait(Checkpoint("session", {"sessions": data["sessions"]}))
        if "video" in data:
            kept: dict[str, Json] = {name: data[name] for name in ("video", "since")}
            return Wait(Checkpoint("processing", kept))
        if _was_cut_off(publication, data):
            return Wait(Checkpoint("offset", data))
        if _next(publication, data).step != LAST:
            return Wait(_next(publication, data))
        return self._rest(publication, data)

    def _rest(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        start, end = count(data, "offset"), publication.require_media().size_bytes
        if start == end:
            response = self._api.ask(publication, str(data["session"]))
        else:
            response = self._api.put(publication, str(data["session"]), (start, end))
        if response.status in SESSION_OVER:
            return Unanswered(Checkpoint(LAST, {**data, OVER: start < end}))
        if response.status == INCOMPLETE and arrived_bytes(response) >= end:
            return Unanswered(Checkpoint(LAST, progress(publication, data, response)))
        return _after_bytes(publication, data, response)


def after_upload(publication: Publication, response: PlatformResponse) -> Wait:
    """Return what follows once YouTube has named the video."""
    data: dict[str, Json] = {
        "video": response.identifier("id"),
        "since": publication.now.isoformat(),
    }
    return Wait(Checkpoint("processing", data))


def progress(
    publication: Publication, data: dict[str, Json], response: PlatformResponse
) -> dict[str, Json]:
    """Return where to go on after an answer that not all bytes have arrived."""
    moved = response.headers.get("Location")
    kept = data if moved is None else {**data, "session": moved}
    return {**kept, "offset": arrived_bytes(response), "tries": publication.tries}


def arrived_bytes(response: PlatformResponse) -> int:
    """Return how many bytes YouTube has, from `Range: bytes=0-524287`. Raises UnansweredError."""
    stored = response.headers.get("Range")
    if stored is None:
        return 0
    last = whole_number(stored.rpartition("-")[2])
    if last is None:
        raise UnansweredError("YouTube named a range that is none.")
    return last + 1


def _after_bytes(
    publication: Publication, data: dict[str, Json], response: PlatformResponse
) -> Outcome:
    """Return what follows after bytes were sent, whatever YouTube has kept of them."""
    if response.status in COMPLETE:
        return after_upload(publication, response)
    known = progress(publication, data, response)
    if count(known, "offset") <= count(data, "offset"):
        raise YouTubeRefusal.STUCK.error()
    return Wait(_next(publication, known), _asked_delay(response))


def _next(publication: Publication, data: dict[str, Json]) -> Checkpoint:
    left = publication.require_media().size_bytes - count(data, "offset")
    return Checkpoint(LAST if left <= CHUNK else "chunk", data)


def _was_cut_off(publication: Publication, data: dict[str, Json]) -> bool:
    """Tell whether a try ended since it was known how much has arrived."""
    return count(data, "tries") != publication.tries


def _asked_delay(response: PlatformResponse) -> timedelta:
    named = whole_number(response.headers.get("Retry-After"), _LONGEST_NUMBER) or 0
    return min(timedelta(seconds=named), _LONGEST_REST)


def _location(response: PlatformResponse) -> str:
    named = response.headers.get("Location")
    if not named:
        raise UnansweredError("YouTube opened a session and did not say where.")
    split_address(named)
    return named
