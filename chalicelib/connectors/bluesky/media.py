"""Bluesky's video service: takes a file, encodes it and stores it on the account's own server.

docs.bsky.app/docs/tutorials/video. It acts under a token that the account's server gives out for
this one purpose; the token is secret and short-lived, so it is never kept between steps. A large
file goes in parts (`media_parts.py`), a small one in one request.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from chalicelib.connectors.bluesky.account import method
from chalicelib.connectors.bluesky.api import AccountCalls
from chalicelib.connectors.bluesky.errors import ERRORS
from chalicelib.connectors.bluesky.refusals import BlueskyRefusal
from chalicelib.connectors.connector import (
    ConnectedAccount,
    Data,
    MediaFile,
    Publication,
    ask_again,
)
from chalicelib.connectors.shared.calls.failures import (
    RejectedError,
    TokenRejectedError,
    UnlistedError,
)
from chalicelib.connectors.shared.calls.http import UPLOAD_DEADLINE, Call, PlatformHttp
from chalicelib.connectors.shared.prechecks import refuse
from chalicelib.domain.outcome import Checkpoint, Failed, FailureCode, Outcome, Wait
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.kit.json_value import Json, whole_number
from chalicelib.kit.transport.bodies import FileBody, JsonBody
from chalicelib.kit.transport.failures import UnansweredError
from chalicelib.kit.transport.responses import PlatformResponse, find, token_of

_STORE = "com.atproto.repo.uploadBlob"
_TOKEN_LIFE = timedelta(minutes=30)
_PACE = (2, 2, 3, 4, 5, 6, 8, 10)
_TAKES = frozenset({200, 409})
"""409 says that it has the very same video; the job that it names is as good as a new one."""

LARGEST_PHOTO = FACTS[Platform.BLUESKY].require_photos().most_bytes
"""What the record's lexicon allows of a blob: app.bsky.embed.images."""
LARGEST_VIDEO = 300_000_000


def most_bytes(media: MediaFile) -> int:
    """Return how large a file of its kind may be."""
    return LARGEST_VIDEO if media.kind is MediaKind.VIDEO else LARGEST_PHOTO


class BlueskyVideo:
    """Calls to the service, most of them for an account."""

    def __init__(self, http: PlatformHttp, calls: AccountCalls, host: str) -> None:
        self._http = http
        self._calls = calls
        self._host = host

    def upload(self, publication: Publication) -> PlatformResponse:
        """Send the whole file; return the job's status."""
        account = publication.account
        return self._send(
            Call(
                method="POST",
                url=self._address("uploadVideo"),
                token=self._leave_to_store(account, publication.now),
                params={"did": account.remote_id or "", "name": file_name(publication)},
                body=FileBody(file=publication.require_media(), mime="video/mp4"),
                takes=_TAKES,
                deadline=UPLOAD_DEADLINE,
            )
        )

    def send_part(
        self, publication: Publication, params: Mapping[str, str], part: FileBody
    ) -> PlatformResponse:
        """Send one part of a file that was announced."""
        return self._send_for_parts(
            Call(
                method="POST",
                url=self._address("uploadPart"),
                token=self._leave_to_store(publication.account, publication.now),
                params=params,
                body=part,
                deadline=UPLOAD_DEADLINE,
            )
        )

    def ask(
        self, publication: Publication, name: str, body: Mapping[str, Json]
    ) -> PlatformResponse:
        """Announce, finish or abort an upload in parts."""
        token = self._leave_to_store(publication.account, publication.now)
        call = Call(method="POST", url=self._address(name), token=token, body=JsonBody(dict(body)))
        return self._send_for_parts(call)

    def upload_status(self, publication: Publication, job_id: str) -> PlatformResponse:
        """Return which parts have arrived."""
        token = self._leave_to_store(publication.account, publication.now)
        place = self._address("getUploadStatus")
        call = Call(method="GET", url=place, token=token, params={"jobId": job_id})
        return self._send_for_parts(call)

    def status(self, job_id: str) -> PlatformResponse:
        """Return how far a job is; anybody may ask."""
        place = self._address("getJobStatus")
        return self._send(Call(method="GET", url=place, params={"jobId": job_id}))

    def _leave_to_store(self, account: ConnectedAccount, now: datetime) -> str:
        asked = {
            "aud": self._calls.server_did(account),
            "lxm": _STORE,
            "exp": str(int((now + _TOKEN_LIFE).timestamp())),
        }
        place = self._calls.address(account, "com.atproto.server.getServiceAuth")
        response = self._calls.send(account, Call(method="GET", url=place, params=asked))
        return response.token("token")

    def _address(self, name: str) -> str:
        return method(self._host, f"app.bsky.video.{name}")

    def _send_for_parts(self, call: Call) -> PlatformResponse:
        """Make a call of an upload in parts: what is refused without a reason goes another way."""
        try:
            return self._send(call)
        except RejectedError as error:
            if error.code is FailureCode.UNKNOWN:
                raise UnlistedError(error.message) from error
            raise

    def _send(self, call: Call) -> PlatformResponse:
        """Make a call to the service; that it refuses a pass says nothing of the sign-in."""
        try:
            return self._http.send(call)
        except TokenRejectedError as error:
            raise BlueskyRefusal.NOT_LET_IN.error() from error


def file_name(publication: Publication) -> str:
    """Return a name that no other upload has."""
    return f"{publication.target_id}.mp4"


def follow(response: PlatformResponse, data: Data) -> Outcome:
    """Go on with a video that is ready, fail with one that is not to be, else ask again later."""
    blob = blob_of(find(_status(response), "blob"))
    if blob is not None:
        return Wait(Checkpoint("record", {**data, "blob": blob}))
    if find(_status(response), "state") == "JOB_STATE_FAILED":
        named = find(_status(response), "failureCode") or find(_status(response), "error")
        return job_failure(named)
    return _poll_later(response, data)


def blob_of(value: Json) -> Json:
    """Return a file as records name it (atproto.com/specs/data-model), None for what is none.

    A checkpoint keeps it, whatever else a stranger's server says of it.
    """
    link, mime = token_of(find(value, "ref", "$link")), token_of(find(value, "mimeType"))
    size = whole_number(find(value, "size"))
    if link is None or mime is None or size is None:
        return None
    return {"$type": "blob", "ref": {"$link": link}, "mimeType": mime, "size": size}


def job_failure(named: Json) -> Failed:
    """Return the end of a post whose video the service will not make."""
    row = ERRORS.get(str(named), FailureCode.PROCESSING_FAILED)
    return replace(refuse(Platform.BLUESKY, row), final=False)


def _poll_later(response: PlatformResponse, known: Mapping[str, Json]) -> Wait:
    job_id = known.get("job_id") or find(_status(response), "jobId")
    if not isinstance(job_id, str):
        raise UnansweredError("The video service named no job.")
    return ask_again("encoding", {**known, "job_id": job_id}, _PACE)


def _status(response: PlatformResponse) -> Json:
    """Return the status itself: it comes bare or wrapped."""
    return response.find("jobStatus") or response.json()
