"""A Page's videos, reels and video stories: developers.facebook.com/docs/video-api/guides.

Uploading shows nothing and goes on where it was cut off: a video in chunks that Facebook dictates,
a reel in one stream whose progress can be asked for. Finishing is what shows it, once processed.
"""

from collections.abc import Mapping
from datetime import timedelta

from chalicelib.connectors.connector import Publication, ask_again
from chalicelib.connectors.facebook.api import FacebookApi, upload_path
from chalicelib.connectors.facebook.errors import ERRORS, error_codes
from chalicelib.connectors.facebook.post import Route, finish_fields, route_of
from chalicelib.connectors.shared.calls.failures import (
    ErrorEntry,
    complete_entry,
    failure_of,
    find_entry,
)
from chalicelib.connectors.shared.calls.platform_words import read_platform_answer
from chalicelib.connectors.shared.meta.graph import GraphRejectedError
from chalicelib.domain.outcome import Checkpoint, FailureCode, Outcome, PlatformAnswer, Wait
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import PlatformResponse, count, find

_FAILED = frozenset({"error", "expired", "upload_failed"})
_DONE = frozenset({"complete", "completed", "published"})
_PHASES = ("uploading_phase", "processing_phase", "publishing_phase")
_AGAIN = timedelta(seconds=5)
_PACE = (5,) * 11 + (15,)
_MOST_SESSIONS, _MOST_STALLS = 2, 5


class FacebookVideos:
    """The steps from a file to a video that is live."""

    def __init__(self, api: FacebookApi) -> None:
        self._api = api

    def open(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Begin an upload."""
        route, account = route_of(publication), publication.account
        kept: dict[str, Json] = {"sessions": count(data, "sessions") + 1}
        if route is Route.VIDEO:
            response = self._api.open_chunks(account, publication.require_media().size_bytes)
            kept |= {
                "start": response.whole_number("start_offset"),
                "end": response.whole_number("end_offset"),
                "video": response.text("video_id"),
                "session": response.text("upload_session_id"),
            }
            return Wait(Checkpoint("chunk", kept))
        response = self._api.open_reel(account, route)
        kept |= {"video": response.text("video_id"), "path": upload_path(response)}
        return Wait(Checkpoint("send", {**kept, "offset": 0}))

    def chunk(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Send the next chunk."""
        place = (count(data, "start"), count(data, "end"))
        if place[0] == place[1]:
            return Wait(Checkpoint("finish", data))
        media, session = publication.require_media(), str(data["session"])
        try:
            start, end = self._api.chunk(publication.account, media, session, place)
        except GraphRejectedError as error:
            return _another_session(error, data)
        kept = _count_stalls(data, has_moved=start > place[0])
        delay = _AGAIN if kept["stalls"] else timedelta(0)
        return _go_on("chunk", {**kept, "start": start, "end": end}, delay)

    def send(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Send what is left of the file; a story's must have arrived before it is finished."""
        offset, path = count(data, "offset"), str(data["path"])
        try:
            whole = self._api.send(publication.account, path, publication.require_media(), offset)
        except GraphRejectedError as error:
            return _another_session(error, data)
        if whole and not route_of(publication).is_story:
            return Wait(Checkpoint("finish", data))
        return Wait(Checkpoint("offset", {**data, "whole": whole}))

    def offset(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Ask how much of the file has arrived."""
        response = self._api.read(publication.account, str(data["video"]), "status")
        if has_failed(response):
            return _on_failure(response, data)
        phase = response.find("status", "uploading_phase")
        arrived = count(phase, "bytes_transfered") or count(phase, "bytes_transferred")
        if arrived >= publication.require_media().size_bytes or str(find(phase, "status")) in _DONE:
            return Wait(Checkpoint("finish", data))
        if data.get("whole") is True:
            return Wait(Checkpoint("offset", data), _AGAIN)
        kept = _count_stalls(data, has_moved=arrived > count(data, "offset"))
        return _go_on("send", {**kept, "offset": arrived}, _AGAIN)

    def finish(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Let everybody see it."""
        fields = finish_fields(publication, data)
        response = self._api.finish(publication.account, route_of(publication), fields)
        kept = {name: data[name] for name in ("video", "sessions")}
        post = response.find("post_id")
        return Wait(Checkpoint("processing", kept if post is None else {**kept, "post": str(post)}))

    def processing(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Follow it until it can be seen."""
        response = self._api.video(publication.account, str(data["video"]))
        if is_live(response):
            return Wait(
                Checkpoint("live", {**data, **self.where_seen(publication, response, data)})
            )
        if has_failed(response):
            return _on_failure(response, data)
        return ask_again("processing", data, _PACE)

    def where_seen(
        self, publication: Publication, response: PlatformResponse, data: Mapping[str, Json]
    ) -> dict[str, Json]:
        """Return where a live video is seen, and the post that it is in.

        `data` names the video, and the post if finishing it did.
        """
        link, post = response.find("permalink_url"), response.find("post_id") or data.get("post")
        page, video = publication.account.remote_id, str(data["video"])
        method = (
            f"/reel/{video}" if route_of(publication) is Route.REEL else f"/{page}/videos/{video}"
        )
        return {
            "remote": video,
            "url": self._api.web(link if isinstance(link, str) else method),
            "about": video if post is None else f"{page}_{post}",
        }


def is_live(response: PlatformResponse) -> bool:
    """Tell whether a video can be seen."""
    return response.find("status", "video_status") == "ready" and _is_published(response)


def is_accepted(response: PlatformResponse) -> bool:
    """Tell whether a video's upload was finished, so that it goes live by itself."""
    status = response.find("status")
    told = (find(status, "video_status"), find(status, "processing_phase", "status"))
    return told[0] == "processing" or told[1] == "in_progress" or _is_published(response)


def has_failed(response: PlatformResponse) -> bool:
    """Tell whether a video will never be seen."""
    status = response.find("status")
    phases = [find(status, phase, "status") for phase in _PHASES]
    return str(find(status, "video_status")) in _FAILED or "error" in phases


def _is_published(response: PlatformResponse) -> bool:
    phase = response.find("status", "publishing_phase")
    if phase is None:
        return response.find("published") is True
    return not _DONE.isdisjoint(str(find(phase, key)) for key in ("status", "publish_status"))


def _count_stalls(data: dict[str, Json], *, has_moved: bool) -> dict[str, Json]:
    """Count how often in a row nothing of the file arrived."""
    return {**data, "stalls": 0 if has_moved else count(data, "stalls") + 1}


def _go_on(step: str, data: dict[str, Json], delay: timedelta) -> Outcome:
    """Go on with an upload, or begin another one if this goes nowhere."""
    if count(data, "stalls") < _MOST_STALLS:
        return Wait(Checkpoint(step, data), delay)
    entry = complete_entry(Platform.FACEBOOK, FailureCode.PROCESSING_FAILED)
    return _anew(entry, data)


def _another_session(error: GraphRejectedError, data: dict[str, Json]) -> Outcome:
    """Begin another upload where that can help. Raises the error elsewhere."""
    if error.code is not FailureCode.PROCESSING_FAILED:
        raise error
    return _anew(ErrorEntry(error.code, error.message, blame=error.blame), data, error.answer)


def _anew(
    entry: ErrorEntry, data: dict[str, Json], answer: PlatformAnswer | None = None
) -> Outcome:
    if count(data, "sessions") < _MOST_SESSIONS:
        return Wait(Checkpoint("open", {"sessions": data["sessions"]}), _AGAIN)
    return failure_of(entry, answer)


def _on_failure(response: PlatformResponse, data: dict[str, Json]) -> Outcome:
    """Upload once more what could not be processed, unless the file itself is at fault."""
    row = find_entry(ERRORS, error_codes(response)) or FailureCode.PROCESSING_FAILED
    entry, answer = complete_entry(Platform.FACEBOOK, row), read_platform_answer(response)
    if entry.code is FailureCode.PROCESSING_FAILED:
        return _anew(entry, data, answer)
    return failure_of(entry, answer)
