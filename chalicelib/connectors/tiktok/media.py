"""A video's way up: developers.tiktok.com/doc/content-posting-api-media-transfer-guide.

An upload shows nothing until its last chunk, which cannot be taken back. All chunks go to one
address, good for an hour; where it stands TikTok tells, and an upload that can never be completed
is begun anew.
"""

from datetime import datetime, timedelta

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.connectors.shared.calls.http import UPLOAD_DEADLINE
from chalicelib.connectors.shared.prechecks import refuse
from chalicelib.connectors.tiktok.api import TikTokApi
from chalicelib.connectors.tiktok.post import (
    ChunkPlan,
    ChunkSizes,
    arrived_bytes,
    is_draft,
    video_body,
)
from chalicelib.connectors.tiktok.processing import (
    Progress,
    Stage,
    anew,
    progress_of,
    step_after_upload,
)
from chalicelib.connectors.tiktok.refusals import TikTokRefusal
from chalicelib.domain.outcome import Checkpoint, FailureCode, Outcome, Wait
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.bodies import FileBody
from chalicelib.kit.transport.responses import PlatformResponse, count

LAST_CHUNK = "last_chunk"
_ADDRESS_LASTS = timedelta(hours=1)
_BUDGET = timedelta(hours=1)
_STORED = frozenset({200, 201, 206})
_COMPLETED = frozenset({200, 201})
_MISCUT, _ELSEWHERE = 400, frozenset({206, 416})
_MOST_RESYNCS = 5
_LOOK_AGAIN = timedelta(seconds=60)


class TikTokMedia:
    """Makes the steps between a file and an upload that is complete."""

    def __init__(self, api: TikTokApi, sizes: ChunkSizes) -> None:
        self._api = api
        self._sizes = sizes

    def init(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Open an upload: one whose answer is lost shows nothing and can be opened again."""
        plan = self._plan(publication)
        account, body = publication.account, video_body(publication, data, plan)
        begin = self._api.init_draft if is_draft(publication) else self._api.init_video
        publish_id, address = begin(account, body)
        opened: dict[str, Json] = {
            **data,
            "inits": count(data, "inits") + 1,
            "publish_id": publish_id,
            # It holds the upload's own token: TikTok tells it once and offers no other way to send
            # the rest after a crash. It is good for this one upload and for an hour, and is
            # dropped as soon as the file has arrived. Checkpoints show in no log and no repr.
            "upload_url": address,
            "until": (publication.now + _ADDRESS_LASTS).isoformat(),
        }
        return _at(plan, 0, opened)

    def chunk(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Send one of the chunks before the last."""
        plan, place = self._plan(publication), count(data, "place")
        response = self._send_chunk(publication, data, UPLOAD_DEADLINE)
        if response.status in _STORED:
            return _at(plan, place + 1, data)
        arrived = arrived_bytes(response) if response.status in _ELSEWHERE else None
        after = None if arrived is None else plan.place_after(arrived)
        if after is not None and after not in (place, plan.chunks):
            return _at(plan, after, data)
        return Wait(Checkpoint("resync", {**data, "refused": response.status}))

    def last_chunk(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Complete the upload, which publishes the video."""
        if "failed" in data:
            return step_after_upload(data)
        response = self._send_chunk(publication, data, self._plan(publication).last_deadline)
        if response.status in _COMPLETED:
            return step_after_upload(data)
        return Wait(Checkpoint("resync", {**data, "refused": response.status}))

    def resync(self, publication: Publication, data: dict[str, Json]) -> Outcome:
        """Ask how much has arrived, and go on from there; changes nothing."""
        plan = self._plan(publication)
        try:
            response = self._api.status(publication.account, str(data["publish_id"]))
        except RejectedError:
            if "tried" in data:
                raise
            return anew(data)
        progress = progress_of(response)
        after = _place_after(plan, progress)
        if progress.stage is not Stage.UPLOADING or after == plan.chunks:
            return _after_upload(progress, data)
        if data["refused"] == _MISCUT:
            return refuse(Platform.TIKTOK, FailureCode.PROCESSING_FAILED)
        resyncs = count(data, "resyncs") + 1
        may_go_on = data["refused"] in _ELSEWHERE and resyncs <= _MOST_RESYNCS
        if may_go_on and after is not None and publication.now < _until(data):
            return _at(plan, after, {**data, "resyncs": resyncs})
        return self._begin_anew_once_certain(publication, data, progress)

    def _begin_anew_once_certain(
        self, publication: Publication, data: dict[str, Json], progress: Progress
    ) -> Outcome:
        """Begin anew, once it is certain that this upload will never be completed.

        When the last chunk was tried, that takes TikTok's word that it lacks bytes, after the
        address has ended.
        """
        if "tried" not in data:
            return anew(data)
        if publication.now < _until(data):
            return Wait(Checkpoint("resync", data), _LOOK_AGAIN)
        if not progress.lacks_bytes(publication.require_media().size_bytes):
            return TikTokRefusal.UNTOLD.open_end()
        if publication.now > publication.due_at + _BUDGET:
            return TikTokRefusal.INCOMPLETE.end()
        return anew(data)

    def last_deadline(self, publication: Publication) -> timedelta:
        """Return how long the call with the last chunk may take."""
        return self._plan(publication).last_deadline

    def _send_chunk(
        self, publication: Publication, data: dict[str, Json], deadline: timedelta
    ) -> PlatformResponse:
        plan, media, place = (
            self._plan(publication),
            publication.require_media(),
            count(data, "place"),
        )
        offset, length = plan.span(place)
        chunk = FileBody(file=media, mime=media.mime, offset=offset, length=length)
        return self._api.put(str(data["upload_url"]), chunk, plan.content_range(place), deadline)

    def _plan(self, publication: Publication) -> ChunkPlan:
        return self._sizes.plan(publication.require_media().size_bytes)


def _at(plan: ChunkPlan, place: int, data: dict[str, Json]) -> Wait:
    """Return the step that sends the chunk at a place."""
    known: dict[str, Json] = {**data, "place": place}
    if not plan.is_last(place):
        return Wait(Checkpoint("chunk", known))
    return Wait(Checkpoint(LAST_CHUNK, {**known, "tried": True}))


def _place_after(plan: ChunkPlan, progress: Progress) -> int | None:
    arrived = progress.arrived_bytes
    return None if arrived is None else plan.place_after(arrived)


def _after_upload(progress: Progress, data: dict[str, Json]) -> Outcome:
    """Follow an upload that is over, but for one that failed before it was complete."""
    has_failed = progress.stage is Stage.FAILED
    return anew(data) if has_failed and "tried" not in data else step_after_upload(data)


def _until(data: dict[str, Json]) -> datetime:
    return datetime.fromisoformat(str(data["until"]))
