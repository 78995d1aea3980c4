"""How a video gets to Bluesky's video service: in parts if it is large, else in one request.

docs.bsky.app/docs/api/app-bsky-video-start-upload, -upload-part, -finish-upload, -get-upload-status
and -abort-upload. Bluesky's own client sends files of 16 MiB and more in parts, each up to three
times, asks which have arrived when the end is refused, and falls back to one request wherever
the service takes no parts. Nothing here is visible: a part sent twice is the same part.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Final

from chalicelib.connectors.bluesky.media import BlueskyVideo, file_name, follow, job_failure
from chalicelib.connectors.connector import Data, Publication, Step
from chalicelib.connectors.shared.calls.failures import UnlistedError
from chalicelib.domain.outcome import Checkpoint, Outcome, Wait
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.bodies import FileBody
from chalicelib.kit.transport.failures import UnansweredError
from chalicelib.kit.transport.responses import PlatformResponse, count

PARTS_FROM: Final = 16 * 1_048_576
"""Files of this size and more go in parts."""

_PART_MIME: Final = "application/octet-stream"
_MOST_PARTS: Final = 1_000
_MOST_MISSES: Final = 3
_MOST_ROUNDS: Final = 20
_SOON: Final = timedelta(seconds=1)
_LATER: Final = timedelta(seconds=5)
_OF_UPLOAD: Final = frozenset({"upload", "part_bytes", "left", "misses", "rounds"})


class VideoUpload:
    """The steps from a file to a job that encodes it."""

    def __init__(self, service: BlueskyVideo, parts_from_bytes: int = PARTS_FROM) -> None:
        self._service = service
        self._parts_from_bytes = parts_from_bytes

    def steps(self) -> Mapping[str, Step]:
        """Return the steps by the checkpoints that lead to them."""
        return {
            "video": self._video,
            "part": self._part,
            "finish": self._finish,
            "received": self._send_missing,
            "give_up": self._give_up,
            "encoding": self._encoding,
        }

    def _video(self, publication: Publication, data: Data) -> Outcome:
        is_large = publication.require_media().size_bytes >= self._parts_from_bytes
        if is_large and "whole" not in data:
            return self._announce(publication, data)
        return follow(self._service.upload(publication), data)

    def _announce(self, publication: Publication, data: Data) -> Outcome:
        """Announce the parts; a service that takes none leaves one request."""
        media = publication.require_media()
        about: Data = {
            "sizeBytes": media.size_bytes,
            "mimeType": "video/mp4",
            "name": file_name(publication),
        }
        try:
            response = self._service.ask(publication, "startUpload", about)
            upload, part_bytes = response.text("jobId"), count(response.json(), "partSizeBytes")
        except UnansweredError:
            return _in_one_request(data)
        parts = -(-media.size_bytes // part_bytes) if part_bytes > 0 else 0
        known: Data = {**data, "upload": upload, "part_bytes": part_bytes}
        if not 0 < parts <= _MOST_PARTS or parts != count(response.json(), "partCount"):
            return Wait(Checkpoint("give_up", known))
        return _send_next(known, list(range(1, parts + 1)))

    def _part(self, publication: Publication, data: Data) -> Outcome:
        left, size = _parts_left(data), publication.require_media().size_bytes
        offset = (left[0] - 1) * count(data, "part_bytes")
        body = FileBody(
            file=publication.require_media(),
            mime=_PART_MIME,
            offset=offset,
            length=min(count(data, "part_bytes"), size - offset),
        )
        params = {"jobId": str(data["upload"]), "partNumber": str(left[0])}
        try:
            self._service.send_part(publication, params, body).json()
        except UnansweredError as error:
            return _try_again("part", data, error)
        return _send_next({**data, "misses": 0}, left[1:])

    def _finish(self, publication: Publication, data: Data) -> Outcome:
        """End the upload; whatever is answered but an end, the service says what it has."""
        try:
            response = self._service.ask(publication, "finishUpload", {"jobId": data["upload"]})
            return follow(response, {**_without_upload(data), "job_id": _completed_job(response)})
        except UnansweredError:
            return Wait(Checkpoint("received", data))

    def _send_missing(self, publication: Publication, data: Data) -> Outcome:
        """Ask what has arrived, and send what has not."""
        try:
            response = self._service.upload_status(publication, str(data["upload"]))
            state = response.text("state")
        except UnansweredError as error:
            return _try_again("received", data, error)
        rounds = count(data, "rounds") + 1
        known: Data = {**data, "rounds": rounds, "misses": 0}
        again: dict[str, Callable[[], Outcome]] = {
            "completed": lambda: _wait_for_encoding(response, data),
            "failed": lambda: job_failure(response.find("failureReason")),
            "created": lambda: _send_next(known, _missing_parts(response), _SOON),
            "finishing": lambda: Wait(Checkpoint("finish", known), _LATER),
        }
        if state not in again:
            return _in_one_request(data)
        if rounds > _MOST_ROUNDS and state in ("created", "finishing"):
            return Wait(Checkpoint("give_up", data))
        return again[state]()

    def _give_up(self, publication: Publication, data: Data) -> Outcome:
        """Take an upload in parts back, unless it proves to be complete."""
        try:
            response = self._service.ask(publication, "abortUpload", {"jobId": data["upload"]})
        except UnansweredError:
            return _in_one_request(data)
        if response.find("state") == "completed" and response.find("completedJobId"):
            return _wait_for_encoding(response, data)
        return _in_one_request(data)

    def _encoding(self, publication: Publication, data: Data) -> Outcome:
        del publication
        return follow(self._service.status(str(data["job_id"])), data)


def _send_next(data: Data, left: list[int], delay: timedelta = timedelta(0)) -> Wait:
    numbers: list[Json] = [*left]
    return Wait(Checkpoint("part" if left else "finish", {**data, "left": numbers}), delay)


def _parts_left(data: Data) -> list[int]:
    left = data["left"]
    return [number for number in left if isinstance(number, int)] if isinstance(left, list) else []


def _missing_parts(response: PlatformResponse) -> list[int]:
    received = response.items("receivedParts")
    return [
        part for part in range(1, count(response.json(), "partCount") + 1) if part not in received
    ]


def _try_again(step: str, data: Data, error: UnansweredError) -> Wait:
    """Make a step again, three times in all; an upload that is refused is given up at once."""
    misses = count(data, "misses") + 1
    if misses >= _MOST_MISSES or isinstance(error, UnlistedError):
        return Wait(Checkpoint("give_up", data))
    return Wait(Checkpoint(step, {**data, "misses": misses}), _SOON)


def _completed_job(response: PlatformResponse) -> str:
    """Return the job that encodes the file: another one's, if the service has the same file."""
    return response.text("completedJobId")


def _wait_for_encoding(response: PlatformResponse, data: Data) -> Wait:
    return Wait(
        Checkpoint("encoding", {**_without_upload(data), "job_id": _completed_job(response)})
    )


def _in_one_request(data: Data) -> Wait:
    return Wait(Checkpoint("video", {**_without_upload(data), "whole": True}))


def _without_upload(data: Data) -> Data:
    return {name: value for name, value in data.items() if name not in _OF_UPLOAD}
