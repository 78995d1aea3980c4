"""Bluesky's video service as its lexicons describe it: one request, or parts of a fixed size.

docs.bsky.app/docs/api/app-bsky-video-start-upload and its neighbours. What is complete goes to
`store`, as the real service stores it on the account's own server: the fake's, or the real one.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.connectors.support.fake_platform import Answer, Received, Value, Wrong

STATES = ("JOB_STATE_CREATED", "JOB_STATE_ENCODING", "JOB_STATE_SOMETHING_NEW")
SMALL_PART, LARGE_PART = 40_000, 10_000_000


@dataclass(slots=True)
class Upload:
    """An upload in parts."""

    size: int
    part_bytes: int
    parts: dict[int, Received] = field(default_factory=dict)
    state: str = "created"
    job_id: str | None = None

    @property
    def part_count(self) -> int:
        """Return how many parts make the file."""
        return -(-self.size // self.part_bytes)

    def length_of(self, number: int) -> int:
        """Return how long a part must be, to the byte."""
        return min(self.part_bytes, self.size - (number - 1) * self.part_bytes)


@dataclass(slots=True)
class PlayedVideoService:
    """The service; `refuse` raises for a call without a pass, `store` keeps a complete file."""

    refuse: Callable[[Received], None]
    store: Callable[[Received], Value]
    did: str
    takes_parts: bool = True
    part_bytes: int | None = None
    failure: str | None = None
    refuses: str | None = None
    loses_parts: set[int] = field(default_factory=set)
    jobs: dict[str, dict[str, Value]] = field(default_factory=dict)
    uploads: dict[str, Upload] = field(default_factory=dict)
    polls: dict[str, int] = field(default_factory=dict)

    def answer(self, call: Received) -> Answer | None:
        """Answer a call to the service, None for one to somebody else."""
        match call.path.removeprefix("/xrpc/app.bsky.video."):
            case "uploadVideo":
                return Answer(200, self._upload(call))
            case "getJobStatus":
                return Answer(200, self._job_status(call))
            case "startUpload" | "uploadPart" | "finishUpload" | "getUploadStatus" | "abortUpload":
                return Answer(200, self._in_parts(call))
        return None

    def _upload(self, call: Received) -> Value:
        self.refuse(call)
        _require(call.query["did"] == self.did)
        _require(call.query["name"].endswith(".mp4"))
        _require(call.headers["content-type"] == "video/mp4")
        _require(int(call.headers["content-length"]) == call.size)
        return {"jobStatus": self._begin(call)}

    def _begin(self, whole: Received) -> dict[str, Value]:
        """Begin to encode; a file that is there already is the job that it was."""
        for job_id, job in self.jobs.items():
            if job["digest"] == whole.digest:
                return {"jobId": job_id, "did": self.did, "state": STATES[0]}
        job_id = f"job{len(self.jobs) + 51}"
        blob = self.store(whole)
        self.jobs[job_id] = {"size": whole.size, "digest": whole.digest, "blob": blob}
        return {"jobId": job_id, "did": self.did, "state": STATES[0]}

    def _job_status(self, call: Received) -> Value:
        _require("authorization" not in call.headers)
        job_id = call.query["jobId"]
        polls = self.polls[job_id] = self.polls.get(job_id, 0) + 1
        status: dict[str, Value] = {"jobId": job_id, "did": self.did}
        if polls < len(STATES):
            return {"jobStatus": {**status, "state": STATES[polls], "progress": 40}}
        if self.failure is not None:
            failed = {"state": "JOB_STATE_FAILED", "failureCode": self.failure}
            return {"jobStatus": {**status, **failed}}
        return {**status, "state": "JOB_STATE_COMPLETED", "blob": self.jobs[job_id]["blob"]}

    def _in_parts(self, call: Received) -> Value:
        name = call.path.rpartition(".")[2]
        if not self.takes_parts:
            raise Wrong(Answer(501, {"error": "MethodNotImplemented", "message": name}))
        self.refuse(call)
        if name == "startUpload":
            return self._start(call.json)
        if name == "uploadPart":
            return self._part(call)
        job_id = call.query["jobId"] if name == "getUploadStatus" else call.json["jobId"]
        upload = self._known(job_id)
        match name:
            case "finishUpload":
                return self._finish(upload, call)
            case "abortUpload":
                if upload.state == "created":
                    upload.state = "aborted"
                return self._ended(upload) | {"state": upload.state}
        return {
            "jobId": job_id,
            "partSizeBytes": upload.part_bytes,
            "partCount": upload.part_count,
            "receivedParts": sorted(upload.parts),
            "expiresAt": "2026-11-21T12:00:00Z",
            "state": upload.state,
            **self._ended(upload),
        }

    def _start(self, body: Value) -> Value:
        _require(set(body) == {"sizeBytes", "mimeType", "name"})
        _require(body["mimeType"] == "video/mp4")
        _require(self.refuses is None, str(self.refuses))
        size = body["sizeBytes"]
        part_bytes = self.part_bytes or (SMALL_PART if size < LARGE_PART else LARGE_PART)
        upload = Upload(size=size, part_bytes=part_bytes)
        job_id = f"upload{len(self.uploads) + 1}"
        self.uploads[job_id] = upload
        return {
            "jobId": job_id,
            "partSizeBytes": part_bytes,
            "partCount": upload.part_count,
            "expiresAt": "2026-11-21T12:00:00Z",
        }

    def _part(self, call: Received) -> Value:
        upload, number = self._known(call.query["jobId"]), int(call.query["partNumber"])
        _require(call.headers["content-type"] == "application/octet-stream")
        _require(upload.state == "created", "UploadNotReady")
        _require(1 <= number <= upload.part_count, "InvalidPartNumber")
        _require(call.size == upload.length_of(number), "PartSizeMismatch")
        if number in self.loses_parts:
            self.loses_parts.discard(number)
        else:
            upload.parts[number] = call
        return {"partNumber": number, "sizeBytes": call.size}

    def _finish(self, upload: Upload, call: Received) -> Value:
        if upload.state == "completed":
            return self._ended(upload)
        _require(upload.state == "created", f"Upload{upload.state.capitalize()}")
        _require(len(upload.parts) == upload.part_count, "MissingParts")
        pieces = [upload.parts[number] for number in sorted(upload.parts)]
        whole = b"".join(piece.body for piece in pieces)
        digest = hashlib.sha256(b"".join(piece.digest.encode() for piece in pieces)).hexdigest()
        joined = Received(
            method="POST",
            path=call.path,
            query={},
            headers={**call.headers, "content-type": "video/mp4"},
            body=whole,
            size=upload.size,
            digest=digest,
        )
        upload.job_id = self._begin(joined)["jobId"]
        upload.state = "completed"
        return self._ended(upload)

    def _ended(self, upload: Upload) -> dict[str, Value]:
        if upload.job_id is None:
            return {}
        status = {"jobId": upload.job_id, "did": self.did, "state": STATES[0]}
        return {"completedJobId": upload.job_id, "jobStatus": status}

    def _known(self, job_id: str) -> Upload:
        _require(job_id in self.uploads, "UploadNotFound")
        return self.uploads[job_id]


def _require(holds: bool, error: str = "InvalidRequest") -> None:  # noqa: FBT001 - a claim
    if not holds:
        raise Wrong(Answer(400, {"error": error, "message": "not what this service takes"}))
