"""A Page's videos, reels and video stories: developers.facebook.com/docs/video-api/guides.

Uploading shows nothing and goes on where it was cut off: a video in chunks that Facebook dictates,
a reel in one stream whose progress can be asked for. Finishing is what shows it, once processed.
"""

from datetime import timedelta

from chalicelib.connectors.connector import MediaFile, Publication
from chalicelib.connectors.facebook.api import FacebookApi, upload_path
from chalicelib.connectors.facebook.errors import ERRORS, codes
from chalicelib.connectors.facebook.post import Route, finish_fields, route_of
from chalicelib.connectors.refusals import find_row, refusal_of
from chalicelib.connectors.reply import Reply, count, find
from chalicelib.domain.outcome import Checkpoint, Failed, FailureCode, Json, Outcome, Wait
from chalicelib.domain.platforms import Platform

FAILED = frozenset({"error", "expired", "upload_failed"})
_DONE = frozenset({"complete", "completed", "published"})
_AGAIN = timedelta(seconds=5)
_QUICK_POLLS, _MOST_SESSIONS = 12, 2


class FacebookVideos:
    """The steps from a file to a video that is live."""

    def __init__(self, api: FacebookApi) -> None:
        self._api = api

    def open(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Begin an upload."""
        route, account = route_of(publication), publication.account
        kept: dict[str, Json] = {"sessions": count(data, "sessions") + 1}
        if route is Route.VIDEO:
            reply = self._api.open_chunks(account, _media(publication).size_bytes)
            start, end = reply.text("start_offset"), reply.text("end_offset")
            kept |= {"video": reply.text("video_id"), "session": reply.text("upload_session_id")}
            return Wait(Checkpoint("chunk", {**kept, "start": int(start), "end": int(end)}))
        reply = self._api.open_reel(account, route)
        kept |= {"video": reply.text("video_id"), "path": upload_path(reply)}
        return Wait(Checkpoint("send", {**kept, "offset": 0}))

    def chunk(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Send the next chunk."""
        place = (count(data, "start"), count(data, "end"))
        if place[0] == place[1]:
            return Wait(Checkpoint("finish", data))
        start, end = self._api.chunk(
            publication.account, _media(publication), str(data["session"]), place
        )
        return Wait(Checkpoint("chunk", {**data, "start": start, "end": end}))

    def send(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Send what is left of the file."""
        offset, media = count(data, "offset"), _media(publication)
        if self._api.send(publication.account, str(data["path"]), media, offset):
            return Wait(Checkpoint("finish", data))
        return Wait(Checkpoint("offset", data))

    def offset(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Ask how much of the file has arrived."""
        reply = self._api.read(publication.account, str(data["video"]), "status")
        phase = reply.find("status", "uploading_phase")
        arrived = count(phase, "bytes_transfered") or count(phase, "bytes_transferred")
        if arrived >= _media(publication).size_bytes:
            return Wait(Checkpoint("finish", data))
        return Wait(Checkpoint("send", {**data, "offset": arrived}), _AGAIN)

    def finish(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Let everybody see it."""
        fields = finish_fields(publication, data)
        reply = self._api.finish(publication.account, route_of(publication), fields)
        kept = {name: data[name] for name in ("video", "sessions")}
        post = reply.find("post_id")
        return Wait(Checkpoint("processing", kept if post is None else {**kept, "post": str(post)}))

    def processing(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Follow it until it can be seen."""
        reply = self._api.video(publication.account, str(data["video"]))
        if is_live(reply):
            return Wait(Checkpoint("live", {**data, **self.seen(publication, reply)}))
        if reply.find("status", "video_status") in FAILED:
            return _failed(reply, data)
        polls = data["polls"] = count(data, "polls") + 1
        delay = timedelta(seconds=5 if polls < _QUICK_POLLS else 15)
        return Wait(Checkpoint("processing", data), delay)

    def seen(self, publication: Publication, reply: Reply) -> dict[str, Json]:
        """Return where a live video is seen, and the post that it is in."""
        link, post = reply.find("permalink_url"), reply.find("post_id")
        page, video = publication.account.remote_id, reply.find("id")
        way = f"/reel/{video}" if route_of(publication) is Route.REEL else f"/{page}/videos/{video}"
        return {
            "remote": str(video),
            "url": self._api.web(link if isinstance(link, str) else way),
            "about": str(video) if post is None else f"{page}_{post}",
        }


def is_live(reply: Reply) -> bool:
    """Tell whether a video can be seen."""
    status = reply.find("status")
    published = {find(status, "publishing_phase", key) for key in ("status", "publish_status")}
    return find(status, "video_status") == "ready" and not _DONE.isdisjoint(map(str, published))


def is_accepted(reply: Reply) -> bool:
    """Tell whether a video's upload was finished, so that it goes live by itself."""
    status = reply.find("status")
    if find(status, "video_status") == "processing":
        return True
    return find(status, "processing_phase", "status") == "in_progress"


def _failed(reply: Reply, data: dict[str, Json]) -> Outcome:
    """Upload once more what could not be processed, unless the file itself is at fault."""
    row = find_row(ERRORS, codes(reply)) or FailureCode.PROCESSING_FAILED
    refusal = refusal_of(Platform.FACEBOOK, row)
    may_help = refusal.code is FailureCode.PROCESSING_FAILED
    if may_help and count(data, "sessions") < _MOST_SESSIONS:
        return Wait(Checkpoint("open", {"sessions": data["sessions"]}), _AGAIN)
    return Failed(code=refusal.code, message=refusal.sentence, final=True)


def _media(publication: Publication) -> MediaFile:
    if publication.media is None:
        raise AssertionError("Only a publication with a file comes to this step.")
    return publication.media
