"""How Google's Business Profile APIs say no: recorded shapes, for fakes and for tests of rows."""

from tests.connectors.support.fake_platform import Answer, Value, Wrong

HTML_404 = Answer(404, b"<!DOCTYPE html><title>Error 404 (Not Found)!!1</title>")
_VALIDATION = "type.googleapis.com/google.mybusiness.v4.ValidationError"
_INFO = "type.googleapis.com/google.rpc.ErrorInfo"


def error(status: int, name: str, *details: Value, reason: str | None = None) -> Answer:
    """Return Google's error with its details; `reason` is how the old front door names it."""
    body: dict[str, Value] = {"code": status, "message": f"{name}.", "status": name}
    if details:
        body["details"] = list(details)
    if reason is not None:
        body["errors"] = [{"message": f"{name}.", "domain": "global", "reason": reason}]
    return Answer(status, {"error": body})


def unfit(field: str | None, code: int | str = 2) -> Answer:
    """Return the refusal of a field; a photo that could not be fetched names none."""
    detail: dict[str, Value] = {"code": code, "message": "No."}
    if field is not None:
        detail["field"] = field
    named = {"@type": _VALIDATION, "errorDetails": [detail]}
    return error(400, "INVALID_ARGUMENT", named, reason="badRequest")


def info(status: int, name: str, reason: str, **metadata: str) -> Answer:
    """Return the refusal for a named reason."""
    detail = {"@type": _INFO, "reason": reason, "domain": "googleapis.com", "metadata": metadata}
    return error(status, name, detail)


NOT_FOUND = error(404, "NOT_FOUND", reason="notFound")
TWIN = error(409, "ALREADY_EXISTS", reason="alreadyExists")
NO_QUOTA = info(429, "RESOURCE_EXHAUSTED", "RATE_LIMIT_EXCEEDED", quota_limit_value="0")
LIMITED = info(429, "RESOURCE_EXHAUSTED", "RATE_LIMIT_EXCEEDED", quota_limit_value="300")
TOKEN_REFUSED = error(401, "UNAUTHENTICATED", reason="authError")


def require(is_so: bool, answer: Answer) -> None:  # noqa: FBT001 - what is demanded
    """Answer so unless it is so."""
    if not is_so:
        raise Wrong(answer)
