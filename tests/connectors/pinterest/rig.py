"""The Pinterest connector over its fake, signed in as a shop: for every test of it."""

import json
from collections.abc import Mapping
from datetime import timedelta

from chalicelib.connectors.pinterest.api import PinterestHosts
from chalicelib.connectors.pinterest.connector import PinterestConnector
from chalicelib.connectors.pinterest.errors import BLOCKED_LINK, ERRORS, TRIAL, UNREACHED
from chalicelib.connectors.shared.calls.failures import PLAIN_NO
from chalicelib.domain.outcome import Checkpoint, Reconciliation
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.json_value import Json
from tests.connectors.pinterest.fake import (
    ACCOUNT_ID,
    BOARD,
    CLIENT_ID,
    CLIENT_SECRET,
    FakePinterest,
)
from tests.connectors.pinterest.fake_media import POLICY, SIGNATURE, xml_error
from tests.connectors.pinterest.fake_pins import SECTION, USERNAME
from tests.connectors.support.limits import Quota
from tests.connectors.support.rig import (
    Rig,
    a_photo,
    a_publication,
    a_video,
    an_account,
)
from tests.support.frozen_clock import NOON, FrozenClock

TEXT = "Dawn over the harbour"
ON_BOARD: dict[str, Json] = {"board": BOARD}
ALL_OPTIONS: dict[str, Json] = {
    "board": BOARD,
    "board_section": SECTION,
    "title": "Harbour",
    "link": "https://shop.example/harbour",
    "alt_text": "boats in a row",
    "dominant_color": "#6E7874",
}

PinterestRig = Rig[PinterestConnector, FakePinterest]


# developers.pinterest.com/docs/reference/ratelimits: 1,000 requests a day on trial access.
QUOTA = Quota(250, timedelta(days=1), r"POST /v5/pins")


def a_rig(fake: FakePinterest | None = None) -> PinterestRig:
    """Return the connector over a fake with the shop's account, signed in for a month."""
    platform = fake or FakePinterest(FrozenClock())
    clock = platform.clock
    connector = PinterestConnector(PinterestHosts(pinterest=platform.url), clock=clock)
    account = an_account(Platform.PINTEREST, USERNAME, ACCOUNT_ID)
    tokens = Tokens(
        access="pina_1",
        refresh="pinr_1",
        expires_at=NOON + timedelta(days=30),
        extra={"client_id": CLIENT_ID, "client_secret": CLIENT_SECRET},
    )
    shapes = {
        "photo": a_publication(account, TEXT, a_photo(), ON_BOARD),
        "photo with all options": a_publication(account, TEXT, a_photo(), ALL_OPTIONS),
        "wordless": a_publication(account, "", a_photo(), ON_BOARD),
        "video": a_publication(account, TEXT, a_video(), {**ON_BOARD, "cover_second": 3}),
    }
    return Rig(
        connector=connector,
        platform=platform,
        tokens=tokens,
        shapes=shapes,
        clock=clock,
        account=account,
        secrets=["pina_", "pinr_", CLIENT_SECRET, SIGNATURE, POLICY],
        http=connector._http,
        refusals={code: a_refusal(code) for code in ERRORS} | {PLAIN_NO: _UNLISTED},
        cannot_tell=True,
    )


_WORDED = {
    UNREACHED: (400, 1, "Sorry! Unable to reach the URL. Please check it and try again."),
    "400 link": (400, 1, "Whoops! It looks like you entered an invalid URL."),
    BLOCKED_LINK: (400, 2426, "Sorry! We blocked this link because it may lead to spam."),
    TRIAL: (403, 29, "Apps with Trial access may not create Pins in production"),
    "404 board": (404, 404, "Board not found."),
    "404 section": (404, 404, "Board section not found."),
    "404 pin": (404, 404, "Pin not found."),
}


_UNLISTED: tuple[int, Mapping[str, str], bytes] = (
    422,
    {},
    b'{"code": 9999, "message": "Not this pin."}',
)


def a_refusal(code: str) -> tuple[int, Mapping[str, str], bytes]:
    """Spell a row as Pinterest does, or S3: a number, a blamed field, a sentence, a status."""
    status, _, rest = code.partition(" ")
    if code == "failed":
        return 200, {}, b'{"media_id": "1", "media_type": "video", "status": "failed"}'
    if code in _WORDED:
        answered, number, said = _WORDED[code]
        return answered, {}, json.dumps({"code": number, "message": said}).encode()
    if not status.isdigit() and status != "code":
        return 403, {}, bytes(xml_error(403, code).body)
    if rest.isdigit():
        answered = 403 if status == "code" else int(status)
        return answered, {}, json.dumps({"code": int(rest), "message": "No."}).encode()
    said = f"'{rest}' value 'it' must match the pattern: ^\\d+$"
    message = rest if " " in rest else said if rest else "Invalid request: ..."
    return int(status), {}, json.dumps({"code": 1, "message": message}).encode()


def reconcile(
    rig: PinterestRig,
    shape: str,
    checkpoint: Checkpoint | None = None,
    *,
    after: timedelta = timedelta(seconds=2),
) -> Reconciliation:
    """Ask what became of a call made at noon."""
    return rig.ask(shape, checkpoint or Checkpoint("pin"), after=after)
