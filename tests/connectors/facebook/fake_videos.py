"""The videos of a Facebook Page on loopback: chunked uploads, reels, stories, processing.

The server dictates chunks and takes a reel from where it stands; it shows a video only after its
upload was finished and some looks have gone by.
"""

from dataclasses import dataclass, field

from chalicelib.domain.clock import Clock
from tests.connectors.shared.meta.graph_answers import graph_error, refuse, require, require_fields
from tests.connectors.support.fake_platform import Answer, Received, Value, Wrong

CHUNK = 1_000_000
LARGE, LARGE_CHUNK = 50_000_000, 10_000_000
LOOKS = 3


@dataclass(slots=True, kw_only=True)
class Video:
    """One video: how much of it has arrived, whether it was finished, how often looked at."""

    kind: str
    size: int | None = None
    arrived: int = 0
    digests: list[str] = field(default_factory=list)
    finished: dict[str, Value] | None = None
    finishes: int = 0
    looks: int = 0


class Videos:
    """Every video of the Page; a live one stands in `posts` under its id."""

    def __init__(self, posts: dict[str, Value], clock: Clock) -> None:
        self.posts = posts
        self.clock = clock
        self.kept: dict[str, Video] = {}
        self.failures: list[int] = []
        self.cut_at: int | None = None

    def chunked(self, call: Received) -> Value:
        """Take one call of a chunked upload."""
        if call.headers["content-type"].startswith("multipart/"):
            return self._chunk(call)
        form = call.form
        if form.get("upload_phase") == "start":
            require_fields(form, needed=("upload_phase", "file_size"))
            video = self._new(Video(kind="video", size=int(form["file_size"])))
            return {"upload_session_id": f"s{video}", "video_id": video, **self._next(video)}
        require(form.get("upload_phase") == "finish", "Unknown phase")
        known = ("title", "description", "targeting", "is_ai_generated")
        require_fields(form, needed=("upload_phase", "upload_session_id"), known=known)
        return self._finish(form["upload_session_id"].removeprefix("s"), form)

    def _chunk(self, call: Received) -> Value:
        video, start, size = self._read(call)
        kept = self.kept[video]
        if start != kept.arrived:
            answer = graph_error(6001, 1363037, message="Wrong offset")
            answer.body["error"]["error_data"] = self._next(video)
            raise Wrong(answer)
        require(size == int(self._next(video)["end_offset"]) - start, "Not the chunk asked for")
        kept.arrived += size
        kept.digests.append(call.digest)
        return self._next(video)

    def _read(self, call: Received) -> tuple[str, int, int]:
        """Read a chunk; of one that is too big to be kept, believe that it is the next."""
        if not call.body:
            video, kept = list(self.kept.items())[-1]
            size = int(self._next(video)["end_offset"]) - kept.arrived
            require(size < call.size < size + 2_000, "Not the chunk asked for")
            return video, kept.arrived, size
        parts = {part.name: part.content for part in call.parts}
        fields = ("upload_phase", "upload_session_id", "start_offset", "video_file_chunk")
        require(tuple(parts) == fields, "Unknown parts")
        video = parts["upload_session_id"].decode().removeprefix("s")
        return video, int(parts["start_offset"]), len(parts["video_file_chunk"])

    def _next(self, video: str) -> dict[str, str]:
        kept = self.kept[video]
        size = kept.size or 0
        end = min(kept.arrived + (CHUNK if size < LARGE else LARGE_CHUNK), size)
        return {"start_offset": str(kept.arrived), "end_offset": str(end)}

    def streamed(self, call: Received, *, story: bool) -> Value:
        """Begin or finish a reel or a story."""
        if call.headers["content-type"].startswith("application/json"):
            require(call.json == {"upload_phase": "start"})
            video = self._new(Video(kind="story" if story else "reel"))
            url = f"https://rupload.facebook.com/video-upload/v26.0/{video}"
            return {"video_id": video, "upload_url": url}
        form = call.form
        require(form.get("upload_phase") == "finish", "Unknown phase")
        if story:
            require_fields(form, needed=("upload_phase", "video_id"), known=("is_ai_generated",))
            return {**self._finish(form["video_id"], form), "post_id": 1234}
        known = ("description", "title", "place", "targeting", "is_ai_generated")
        require_fields(form, needed=("upload_phase", "video_id", "video_state"), known=known)
        require(form["video_state"] == "PUBLISHED")
        return self._finish(form["video_id"], form)

    def receive(self, path: str, call: Received) -> Value:
        """Take a reel's bytes from where it stands."""
        kept = self.kept[path.removeprefix("video-upload/v26.0/")]
        offset, size = int(call.headers["offset"]), int(call.headers["file_size"])
        if offset != kept.arrived:
            raise Wrong(_debug("OffsetInvalidError"))
        require(call.size == size - offset, "Not the rest of the file")
        kept.size = size
        if self.cut_at is not None and offset < self.cut_at:
            kept.arrived, self.cut_at = self.cut_at, None
            raise Wrong(_debug("PartialRequestError"))
        kept.arrived = size
        kept.digests.append(call.digest)
        return {"success": True}

    def _new(self, video: Video) -> str:
        name = str(4000004 + len(self.kept))
        self.kept[name] = video
        return name

    def _finish(self, video: str, form: dict[str, str]) -> Value:
        kept = self.kept[video]
        if kept.size is None or kept.arrived < kept.size:
            raise refuse(6000, 1363130, message="It was not uploaded yet")
        kept.finished = form
        kept.finishes += 1
        if not self.failures:
            self.posts[video] = {"form": form, "kind": kept.kind, "at": self.clock()}
        return {"success": True}

    def status(self, video: str, fields: str) -> Value:
        """Return how far a video is."""
        require(fields in {"status", "status,published,post_id,permalink_url", "id"})
        kept = self.kept[video]
        whole = kept.size is not None and kept.arrived >= kept.size
        kept.looks += kept.finished is not None
        arrived = {"status": "complete" if whole else "in_progress"}
        status: dict[str, Value] = {
            "video_status": "upload_complete" if whole else "uploading",
            "uploading_phase": {**arrived, "bytes_transfered": kept.arrived},
            "processing_phase": {"status": "not_started"},
            "publishing_phase": {"status": "not_started"},
        }
        if kept.finished is None:
            return {"status": status, "id": video}
        if kept.looks < LOOKS:
            status |= {"video_status": "processing", "processing_phase": {"status": "in_progress"}}
            return {"status": status, "id": video}
        if self.failures and video not in self.posts:
            error = {"code": self.failures.pop(0), "message": "No."}
            status |= {"video_status": "error"}
            status["processing_phase"] = {"status": "error", "errors": [error]}
            return {"status": status, "id": video}
        status |= {"video_status": "ready", "processing_phase": {"status": "complete"}}
        status["publishing_phase"] = {"status": "complete", "publish_status": "published"}
        method = f"/reel/{video}/" if kept.kind == "reel" else f"/lumenbakes/videos/{video}/"
        return {"status": status, "permalink_url": method, "post_id": "3000009", "id": video}

    def listed(self, reels: bool) -> list[Value]:  # noqa: FBT001  # which of two lists
        """Return the Page's videos, or its reels."""
        kind, time = ("reel", "updated_time") if reels else ("video", "created_time")
        return [
            {
                "id": name,
                "description": kept["form"].get("description"),
                time: kept["at"].strftime("%Y-%m-%dT%H:%M:%S+0000"),
                "permalink_url": f"/{kind}/{name}/",
            }
            for name, kept in self.posts.items()
            if kept.get("kind") == kind
        ]

    def post_of(self, thing: str) -> str | None:
        """Return the video that a post's name stands for."""
        if thing in self.kept:
            return thing
        return next(iter(self.kept), None) if thing.endswith("_3000009") else None


def _debug(kind: str) -> Answer:
    return Answer(400, {"debug_info": {"retriable": True, "type": kind, "message": "No."}})
