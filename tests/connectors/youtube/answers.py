"""How Google's interfaces say no, as YouTube's fact sheet has it."""

import json
from collections.abc import Mapping

from tests.connectors.support.fake_platform import Answer, Value, Wrong

_STATUSES = {401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND"}
_OF_STATUS = {
    401: ("youtubeSignupRequired",),
    404: ("playlistNotFound",),
    413: ("uploadTooLarge",),
    400: (
        *("uploadLimitExceeded", "invalidTitle", "invalidDescription", "invalidTags"),
        *("invalidVideoMetadata", "invalidCategoryId", "invalidPublishAt"),
        *("invalidRecordingDetails", "defaultLanguageNotSet", "mediaBodyRequired"),
        *("invalidFilename", "badContent"),
    ),
}


def refusal(status: int, reason: str, *, message: str = "No.") -> Answer:
    """Return an error as Google words it."""
    error: dict[str, Value] = {
        "code": status,
        "message": message,
        "errors": [{"domain": "youtube.video", "reason": reason, "message": message}],
    }
    if status in _STATUSES:
        error["status"] = _STATUSES[status]
    return Answer(status, {"error": error})


def require(holds: bool, reason: str, message: str = "No.") -> None:  # noqa: FBT001  # a claim
    """Refuse what does not hold."""
    if not holds:
        raise Wrong(refusal(400, reason, message=message))


def sample(key: str) -> tuple[int, Mapping[str, str], bytes]:
    """Return an answer for one row of the ERRORS table, by its key."""
    kind, _, reason = key.partition(" ")
    if kind in {"failed", "rejected", "deleted"}:
        name = "failureReason" if kind == "failed" else "rejectionReason"
        video = {"id": "v", "status": {"uploadStatus": kind, name: reason}}
        return 200, {}, json.dumps({"items": [video]}).encode()
    if key.isdigit():
        return int(key), {}, b""
    if key == "ACCESS_TOKEN_SCOPE_INSUFFICIENT":
        error = {"code": 403, "status": "PERMISSION_DENIED", "details": [{"reason": key}]}
        return 403, {}, json.dumps({"error": error}).encode()
    code = next((code for code, named in _OF_STATUS.items() if key in named), 403)
    return code, {}, json.dumps(refusal(code, key).body).encode()
