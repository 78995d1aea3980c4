"""Bluesky's video service: takes a file, encodes it and stores it on the account's own server.

docs.bsky.app/docs/tutorials/video. It acts under a token that the account's server gives out for
this one purpose; the token is secret and short-lived, so it is never kept between steps.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from chalicelib.connectors.bluesky.errors import ERRORS
from chalicelib.connectors.bluesky.repository import AccountCalls
from chalicelib.connectors.bluesky.sessions import method
from chalicelib.connectors.connector import ConnectedAccount, MediaFile, Publication
from chalicelib.connectors.shared.transport.bodies import FileBody
from chalicelib.connectors.shared.transport.failures import (
    RejectedError,
    TokenRejectedError,
    UnansweredError,
    complete_entry,
)
from chalicelib.connectors.shared.transport.http import UPLOAD_DEADLINE, Call, PlatformHttp
from chalicelib.connectors.shared.transport.responses import PlatformResponse, count, find
from chalicelib.domain.outcome import Checkpoint, Failed, FailureCode, Json, Wait
from chalicelib.domain.platforms.platform import Platform

_NOT_LET_IN = "Bluesky's video service did not take the pass of the account's server."
_STORE = "com.atproto.repo.uploadBlob"
_TOKEN_LIFE = timedelta(minutes=30)
_POLL_SOON, _POLL_LATER, _SOON_POLLS = timedelta(seconds=2), timedelta(seconds=5), 5
_TAKES = frozenset({200, 409})
"""409 says that it has the very same video; the job that it names is as good as a new one."""


class BlueskyVideo:
    """Uploads and follows encoding jobs."""

    def __init__(self, http: PlatformHttp, calls: AccountCalls, host: str) -> None:
        self._http = http
        self._calls = calls
        self._host = host

    def upload(self, publication: Publication, media: MediaFile) -> PlatformResponse:
        """Send the whole file; return the job's status."""
        account = publication.account
        return self._send(
            Call(
                method="POST",
                url=method(self._host, "app.bsky.video.uploadVideo"),
                token=self._leave_to_store(account, publication.now),
                params={"did": account.remote_id or "", "name": f"{publication.target_id}.mp4"},
                body=FileBody(file=media, mime="video/mp4"),
                takes=_TAKES,
                deadline=UPLOAD_DEADLINE,
            )
        )

    def _leave_to_store(self, account: ConnectedAccount, now: datetime) -> str:
        asked = {
            "aud": self._calls.server_did(account),
            "lxm": _STORE,
            "exp": str(int((now + _TOKEN_LIFE).timestamp())),
        }
        place = self._calls.address(account, "com.atproto.server.getServiceAuth")
        response = self._calls.send(account, Call(method="GET", url=place, params=asked))
        return response.text("token")

    def status(self, job_id: str) -> PlatformResponse:
        """Return how far a job is; anybody may ask."""
        place = method(self._host, "app.bsky.video.getJobStatus")
        return self._send(Call(method="GET", url=place, params={"jobId": job_id}))

    def _send(self, call: Call) -> PlatformResponse:
        """Make a call to the service; that it refuses a pass says nothing of the sign-in."""
        try:
            return self._http.send(call)
        except TokenRejectedError as error:
            raise RejectedError(FailureCode.PLATFORM_UNAVAILABLE, _NOT_LET_IN) from error


def encoded(response: PlatformResponse) -> dict[str, Json] | None:
    """Return the stored video that a job's status names, or None while there is none."""
    blob = find(_status(response), "blob")
    return blob if isinstance(blob, dict) else None


def failed(response: PlatformResponse) -> Failed | None:
    """Return why a job failed, or None while it has not."""
    status = _status(response)
    if find(status, "state") != "JOB_STATE_FAILED":
        return None
    named = find(status, "failureCode") or find(status, "error")
    row = ERRORS.get(str(named), FailureCode.PROCESSING_FAILED)
    entry = complete_entry(Platform.BLUESKY, row)
    return Failed(code=entry.code, message=entry.sentence)


def poll_later(response: PlatformResponse, known: Mapping[str, Json]) -> Wait:
    """Return when to ask for the job again."""
    job_id = known.get("job_id") or find(_status(response), "jobId")
    if not isinstance(job_id, str):
        raise UnansweredError("The video service named no job.")
    polls = count(dict(known), "polls") + 1
    data = {**known, "job_id": job_id, "polls": polls}
    delay = _POLL_SOON if polls <= _SOON_POLLS else _POLL_LATER
    return Wait(Checkpoint("encoding", data), delay)


def _status(response: PlatformResponse) -> Json:
    """Return the status itself: it comes bare or wrapped."""
    return response.find("jobStatus") or response.json()
