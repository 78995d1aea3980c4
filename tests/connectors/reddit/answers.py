"""How the fake Reddit says no, and how it reads a form: what its rooms share."""

import json
from collections.abc import Mapping

from chalicelib.connectors.shared.calls.failures import PLAIN_NO
from tests.connectors.support.fake_platform import Answer, Received, Value, Wrong

LIMITS = {
    "x-ratelimit-used": "3",
    "x-ratelimit-remaining": "97.0",
    "x-ratelimit-reset": "307",
}
_FLAGS = {"true", "false"}


def refused(*errors: tuple[str, str, str], **more: Value) -> Answer:
    """Return a list of errors, which comes with status 200."""
    return Answer(200, {"json": {"errors": [list(error) for error in errors], **more}}, LIMITS)


def bad_request(reason: str | None = None, field: str = "title") -> Answer:
    """Return a 400, with a reason if a rule of the community is at fault."""
    if reason is None:
        return Answer(400, {"message": "Bad Request", "error": 400}, LIMITS)
    body = {
        "fields": [field],
        "explanation": "No.",
        "message": "Bad Request",
        "reason": reason,
        "error_type": "SUBMIT_VALIDATION_ERROR",
    }
    return Answer(400, body, LIMITS)


def forbidden() -> Answer:
    """Return the page that nameless callers get."""
    return Answer(403, b"<html><body>whoa there, pardner!</body></html>")


def form_of(call: Received, known: set[str]) -> dict[str, str]:
    """Return a form's fields, all of them known and sent as Reddit wants them."""
    sent = call.form
    if call.headers.get("content-type") != "application/x-www-form-urlencoded":
        raise Wrong(bad_request())
    if sent.get("api_type") != "json" or not set(sent) <= known:
        raise Wrong(bad_request())
    return sent


def flag(sent: Mapping[str, str], name: str, *, default: bool = False) -> bool:
    """Return a flag as Reddit reads it, whatever its capitals."""
    text = sent.get(name, str(default)).lower()
    if text not in _FLAGS:
        raise Wrong(refused(("INVALID_OPTION", "that option is not valid", name)))
    return text == "true"


def a_refusal(code: str) -> tuple[int, Mapping[str, str], bytes]:
    """Spell a row of the connector's table as Reddit does."""
    if code in {"invalid_token", "insufficient_scope"}:
        status = 401 if code == "invalid_token" else 403
        challenge = f'Bearer realm="reddit", error="{code}"'
        body = {"message": "No.", "error": status}
        return status, {"WWW-Authenticate": challenge}, json.dumps(body).encode()
    if code == "403 page":
        return 403, {"Content-Type": "text/html"}, b"<html><body>whoa there, pardner!</body></html>"
    if code == PLAIN_NO:
        return 422, {}, b'{"message": "Not this one.", "error": 422}'
    if code.isdigit():
        body = {"message": "No.", "error": int(code)}
        return int(code), {}, json.dumps(body).encode()
    if code.startswith("SUBMIT_VALIDATION"):
        name = code if code.endswith("REQUIRED") else f"{code}_BLACKLISTED_STRING"
        return 400, {}, json.dumps(bad_request(name).body).encode()
    name = "A_NEW_ONE" if code.startswith("errors") else code
    field = "text" if code == "errors in the text" else "sr"
    return 200, {}, json.dumps(refused((name, "No.", field)).body).encode()
