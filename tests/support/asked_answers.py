"""CONTRACT 7's `sandbox:answer`: a caption that asks a test account for an answer."""

import base64
import json

# docs.x.com/x-api/fundamentals/response-codes-and-errors: 402 when credits are used up.
CREDITS_DEPLETED = {
    "title": "CreditsDepleted",
    "detail": "Your enrolled account does not have any credits to fulfill this request.",
    "type": "https://api.x.com/2/problems/credits",
    "status": 402,
}


def answered(status: int, said: object, retry_after: str = "") -> str:
    """Return a caption that has the platform answer so: with these bytes, or this as JSON."""
    body = said if isinstance(said, bytes) else json.dumps(said).encode()
    word = base64.urlsafe_b64encode(body).decode().rstrip("=")
    seconds = f":{retry_after}" if retry_after else ""
    return f"Rye sandbox:answer:{status}:{word}{seconds}"
