"""The Bluesky connector over its fake, with an account that is signed in for two hours."""

import json
from collections.abc import Mapping
from datetime import timedelta

from chalicelib.connectors.bluesky.account import BlueskyHosts
from chalicelib.connectors.bluesky.connector import BlueskyConnector
from chalicelib.connectors.bluesky.errors import ERRORS
from chalicelib.connectors.shared.calls.failures import PLAIN_NO
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.json_value import Json
from tests.connectors.bluesky.fake import (
    DID,
    HANDLE,
    PASSWORD,
    SERVER_DID,
    FakeBluesky,
)
from tests.connectors.support.limits import Quota
from tests.connectors.support.rig import (
    Rig,
    a_photo,
    a_publication,
    a_video,
    an_account,
)
from tests.support.frozen_clock import NOON, FrozenClock

PARTS_FROM_BYTES = 100_000
RATE_LIMITED = {"RateLimit-Reset": "1795176060"}

BlueskyRig = Rig[BlueskyConnector, FakeBluesky]


# docs.bsky.app/docs/advanced-guides/rate-limits: 5,000 points an hour, 3 for a record.
QUOTA = Quota(1_666, timedelta(hours=1), r"POST /xrpc/com\.atproto\.repo\.(putRecord|applyWrites)")


def a_rig() -> BlueskyRig:
    """Return the connector over a fake with Nora's account, signed in for two hours."""
    clock = FrozenClock()
    platform = FakeBluesky(clock)
    url = platform.url
    connector = BlueskyConnector(
        BlueskyHosts(bluesky=url, bluesky_directory=url, bluesky_appview=url, bluesky_video=url),
        clock=clock,
        parts_from_bytes=PARTS_FROM_BYTES,
    )
    account = an_account(Platform.BLUESKY, HANDLE, DID, {"pds": url, "pds_did": SERVER_DID})
    tokens = Tokens(
        access=platform.access(),
        refresh=platform.refresh(),
        expires_at=NOON + timedelta(hours=2),
    )
    gates: dict[str, Json] = {"reply_settings": "mentioned", "disable_quotes": True}
    shapes = {
        "text": a_publication(account, "Fresh #bread by @pia.test at https://bakery.example"),
        "gated": a_publication(account, "Only for those named", options=gates),
        "photo": a_publication(account, "Launch day", a_photo(), {"alt": "rocket"}),
        "video": a_publication(account, "Launch day", a_video(30_000), {"alt": "rocket"}),
        "film": a_publication(account, "Launch day", a_video(PARTS_FROM_BYTES), {"alt": "rocket"}),
    }
    return Rig(
        connector=connector,
        platform=platform,
        tokens=tokens,
        shapes=shapes,
        clock=clock,
        account=account,
        secrets=[platform.access(), platform.refresh(), PASSWORD, "c2lnbmVk"],
        http=connector._http,
        refusals={code: _refusal(code) for code in ERRORS},
    )


_WRONG_SERVER = b"OAuth tokens are meant for PDS access only"


def _refusal(code: str) -> tuple[int, Mapping[str, str], bytes]:
    if code == PLAIN_NO:
        return 422, {}, b'{"error": "NewlyNamed", "message": "Not this one."}'
    if code == "wrong server":
        return 400, {}, b'{"error": "InvalidToken", "message": "%s"}' % _WRONG_SERVER
    name, _, field = code.partition(" ")
    message = f"Invalid record: string too big (maximum 3000, got 4000) at $.{field}"
    if code.isdigit():
        return int(code), {}, b'{"error": "Forbidden or so", "message": "No."}'
    status = 429 if name == "RateLimitExceeded" else 400
    body = json.dumps({"error": name, "message": message if field else "No."})
    return status, RATE_LIMITED if status == 429 else {}, body.encode()
