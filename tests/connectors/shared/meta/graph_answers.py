"""How Meta's Graph answers when it does not do what it was asked; three fakes speak so."""

import json
from collections.abc import Iterable, Mapping

from tests.connectors.support.fake_platform import Answer, Received, Value, Wrong

BUSY = {
    "X-Business-Use-Case-Usage": json.dumps(
        {"17840000000000001": [{"type": "instagram", "estimated_time_to_regain_access": 3}]}
    )
}


def graph_error(
    code: int, subcode: int | None = None, *, message: str = "No.", status: int = 400
) -> Answer:
    """Return an error as Graph words it."""
    error: dict[str, Value] = {
        "message": message,
        "type": "OAuthException",
        "code": code,
        "is_transient": False,
        "fbtrace_id": "A1",
    }
    if subcode is not None:
        error["error_subcode"] = subcode
    return Answer(status, {"error": error})


TOKEN_REFUSED = graph_error(190, 463, message="Session has expired", status=401)
LIMITED = Answer(400, graph_error(4, message="Request limit reached").body, BUSY)


def refuse(code: int, subcode: int | None = None, *, message: str = "No.") -> Wrong:
    """Return what a fake raises."""
    return Wrong(graph_error(code, subcode, message=message))


def places(call: Received, *, flat: bool = False) -> Value:
    """Answer a search for places: two have an address, and one Page is no place."""
    require_fields(call.query, needed=("q", "fields"), known=("limit",))
    where: Value = {"city": "Nice", "country": "France"}
    found: Value = [
        {"id": "61", "name": f"{call.query['q']} 1", **(where if flat else {"location": where})},
        {"id": "62", "name": "A band that is no place"},
    ]
    return {"data": found[:1] if flat else found}


Script = dict[str, list[Answer]]
"""What is answered next whatever the call says, by its method and the end of its path."""


def follow(script: Script, call: Received) -> None:
    """Answer as the script says, if it says anything of such a call."""
    answers = script.get(f"{call.method} {call.path.rpartition('/')[2]}")
    if answers:
        raise Wrong(answers.pop(0))


def require(holds: bool, message: str = "Invalid parameter") -> None:  # noqa: FBT001  # a claim
    """Refuse what does not hold as a wrong parameter."""
    if not holds:
        raise refuse(100, message=f"(#100) {message}")


def require_fields(
    given: Iterable[str], *, needed: Iterable[str], known: Iterable[str] = ()
) -> None:
    """Refuse what lacks a parameter or has one that nobody knows."""
    fields, must = set(given), set(needed)
    require(must <= fields, f"Param {sorted(must - fields)} is required")
    require(fields <= must | set(known), f"Unknown {sorted(fields - must - set(known))}")


def require_token(call: Received, tokens: Iterable[str], scheme: str = "Bearer") -> None:
    """Refuse a call without a token that holds."""
    if call.headers.get("authorization") not in {f"{scheme} {token}" for token in tokens}:
        raise Wrong(TOKEN_REFUSED)


def sample(
    key: str, wordings: Mapping[str, str] | None = None
) -> tuple[int, Mapping[str, str], bytes]:
    """Return an answer for one row of an ERRORS table, by its key."""
    if key in ("HTTP 401", "HTTP 429"):
        return int(key.removeprefix("HTTP ")), {}, b"{}"
    worded = {ours: part for part, ours in (wordings or {}).items()}
    if key in worded:
        error: dict[str, Value] = {"message": f"(#100) Param {worded[key]} here.", "code": 100}
    elif key == "transient":
        error = {"message": "Again.", "code": 77, "is_transient": True}
    elif "__" in key:
        error = {"message": f"Error {key} happened", "code": 100}
    elif key.replace("/", "").replace("-", "").isdigit():
        code, _, subcode = key.partition("/")
        error = {"message": "No.", "code": int(code or 99)}
        error |= {"error_subcode": int(subcode)} if subcode else {}
    else:
        body = {"status": "ERROR", "error_message": key, "id": "1"}
        return 400, {}, json.dumps(body).encode()
    return 400, {}, json.dumps({"error": error}).encode()
