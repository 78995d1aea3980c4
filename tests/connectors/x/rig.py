"""The X connector over its fake, signed in as Nora: for every test of it."""

import json
from collections.abc import Mapping
from datetime import timedelta

from chalicelib.connectors.shared.calls.failures import PLAIN_NO
from chalicelib.connectors.x.account import XHosts
from chalicelib.connectors.x.connector import XConnector
from chalicelib.connectors.x.errors import ERRORS, WORDINGS
from chalicelib.domain.outcome import Checkpoint, Reconciliation
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.json_value import Json
from tests.connectors.support.limits import Quota
from tests.connectors.support.rig import (
    Rig,
    a_photo,
    a_publication,
    a_video,
    an_account,
)
from tests.connectors.x.fake import CLIENT_ID, CLIENT_SECRET, USER_ID, USERNAME, FakeX
from tests.support.frozen_clock import NOON, FrozenClock

TEXT = "Rye & spelt <today> at bakery.com/menu and https://oven.example/"
ALT: dict[str, Json] = {"alt": "a rocket on its pad"}

XRig = Rig[XConnector, FakeX]


# docs.x.com/x-api/fundamentals/rate-limits: POST /2/tweets, 100 in 15 minutes for a user.
QUOTA = Quota(100, timedelta(minutes=15), r"POST /2/tweets")


def a_rig() -> XRig:
    """Return the connector over a fake with Nora's account, signed in for two hours."""
    clock = FrozenClock()
    platform = FakeX(clock)
    connector = XConnector(XHosts(x=platform.url), clock=clock)
    account = an_account(Platform.X, USERNAME, USER_ID)
    tokens = Tokens(
        access="AT1",
        refresh="RT1",
        expires_at=NOON + timedelta(days=2),
        extra={"client_id": CLIENT_ID, "client_secret": CLIENT_SECRET},
    )
    shapes = {
        "text": a_publication(account, TEXT),
        "photo": a_publication(account, "Launch day", a_photo(), ALT),
        "wordless": a_publication(account, "", a_photo()),
        "video": a_publication(account, "Launch day", a_video(), ALT),
    }
    return Rig(
        connector=connector,
        platform=platform,
        tokens=tokens,
        shapes=shapes,
        clock=clock,
        account=account,
        secrets=["Bearer AT", "RT1", "RT2", CLIENT_SECRET],
        http=connector._http,
        refusals={code: a_refusal(code) for code in ERRORS}
        | {"application's day": _LIMITED, PLAIN_NO: _UNLISTED},
        untold_shapes=frozenset({"wordless"}),
    )


def a_refusal(code: str) -> tuple[int, Mapping[str, str], bytes]:
    """Spell a row as X does: a number, a blamed field, a problem, a sentence or a bare status."""
    first, _, rest = code.partition(" ")
    if first == "said":
        part = next(part for part, key in WORDINGS.items() if key == code)
        said = {"detail": f"A Tweet: {part.upper()}.", "type": "about:blank", "status": 403}
        return 403, {}, json.dumps(said).encode()
    if code in {"InvalidMedia", "UnsupportedMedia", "processing failed"}:
        info = {"state": "failed", "error": {"code": 1, "name": code, "message": "No."}}
        return 200, {}, json.dumps({"data": {"id": "1", "processing_info": info}}).encode()
    if first == "400" and rest:
        errors = [{"message": "No.", "parameters": {f"$.{rest}": ["it"]}}]
        kind = "https://api.x.com/2/problems/invalid-request"
        return 400, {}, json.dumps({"errors": errors, "type": kind}).encode()
    if not code.removeprefix("HTTP ").isdigit():
        kind = f"https://api.twitter.com/2/problems/{code}"
        return 403, {}, json.dumps({"type": kind, "title": "Forbidden"}).encode()
    if first == "HTTP" or int(code) in {400, 401, 402, 403, 413}:
        bare = first == "HTTP" or code == "413"
        return int(rest or code), {}, b"" if bare else b'{"type":"about:blank"}'
    return 403, {}, json.dumps({"errors": [{"code": int(code), "message": "No."}]}).encode()


_SPENT = {"x-app-limit-24hour-remaining": "0", "x-app-limit-24hour-reset": "1795400000"}
_UNLISTED: tuple[int, Mapping[str, str], bytes] = (
    451,
    {},
    b'{"title":"No","detail":"Not here.","type":"about:blank","status":451}',
)
_LIMITED = (429, _SPENT, b'{"title":"Too Many Requests","status":429}')


def reconcile(
    rig: XRig,
    shape: str,
    checkpoint: Checkpoint | None = None,
    *,
    after: timedelta = timedelta(seconds=2),
) -> Reconciliation:
    """Ask what became of a call made at noon."""
    return rig.ask(shape, checkpoint or Checkpoint("publish"), after=after)
