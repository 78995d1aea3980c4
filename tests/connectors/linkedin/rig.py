"""The LinkedIn connector over its fake, as a page and as a member: for every test of it."""

import json
from collections.abc import Mapping
from datetime import timedelta

from chalicelib.connectors.linkedin.api import LinkedInHosts
from chalicelib.connectors.linkedin.connector import LinkedInConnector
from chalicelib.connectors.linkedin.errors import ERRORS
from chalicelib.connectors.shared.calls.failures import PLAIN_NO
from chalicelib.domain.outcome import Checkpoint, Reconciliation
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.json_value import Json
from tests.connectors.linkedin.fake import CLIENT_ID, CLIENT_SECRET, PAGE, FakeLinkedIn
from tests.connectors.support.limits import Quota
from tests.connectors.support.rig import (
    Rig,
    a_photo,
    a_publication,
    a_video,
    an_account,
)
from tests.support.frozen_clock import NOON, FrozenClock

TEXT = "Rye (fresh) today at https://bakery.example/a_b #bread"
ALT: dict[str, Json] = {"alt": "a rocket on its pad"}
VIDEO_BYTES = 9_000_000

LinkedInRig = Rig[LinkedInConnector, FakeLinkedIn]


# learn.microsoft.com/linkedin/consumer/integrations/self-serve/share-on-linkedin: 150 a day.
QUOTA = Quota(150, timedelta(days=1), r"POST /rest/posts")


def a_rig(author: str = PAGE) -> LinkedInRig:
    """Return the connector over a fake, signed in for two days, posting as that author."""
    clock = FrozenClock()
    platform = FakeLinkedIn(clock)
    hosts = LinkedInHosts(linkedin=platform.url, linkedin_oauth=platform.url)
    connector = LinkedInConnector(hosts, clock=clock)
    account = an_account(Platform.LINKEDIN, "noras-bakery", author)
    tokens = Tokens(
        access="AT1",
        refresh="RT1",
        expires_at=NOON + timedelta(days=2),
        extra={"client_id": CLIENT_ID, "client_secret": CLIENT_SECRET},
    )
    shapes = {
        "text": a_publication(account, TEXT, None, {"link": False}),
        "photo": a_publication(account, "Launch day", a_photo(), ALT),
        "wordless": a_publication(account, "", a_photo()),
        "video": a_publication(account, "Launch day", a_video(VIDEO_BYTES), {"title": "Launch"}),
    }
    return Rig(
        connector=connector,
        platform=platform,
        tokens=tokens,
        shapes=shapes,
        clock=clock,
        account=account,
        secrets=["Bearer AT", "RT1", "RT2", CLIENT_SECRET, "sau="],
        http=connector._http,
        refusals={code: a_refusal(code) for code in ERRORS} | {PLAIN_NO: _UNLISTED},
        untold_shapes=frozenset({"wordless"}),
    )


_UNLISTED: tuple[int, Mapping[str, str], bytes] = (
    402,
    {},
    b'{"status": 402, "message": "Not today."}',
)


_WORDED = {
    "said restricted": (403, "The member's account is restricted."),
    "said role": (403, "The viewer is not authorized to act as the organization."),
    "said size": (400, "Param fileSizeBytes is out of range."),
    "said lost file": (404, "Video urn:li:video:D4FAKE1 is not found."),
    "application's day": (
        429,
        "Resource level throttle APPLICATION DAY limit for calls to this resource is reached.",
    ),
}
_REASONS = {
    "DUPLICATE_POST": (422, "DUPLICATE_POST", "No."),
    "FIELD_LENGTH_TOO_LONG of an option": (400, "FIELD_LENGTH_TOO_LONG", "altText is too long."),
}


def a_refusal(code: str) -> tuple[int, Mapping[str, str], bytes]:
    """Spell a row of the table as LinkedIn does."""
    if code in _WORDED:
        status, said = _WORDED[code]
        return status, {}, json.dumps({"status": status, "message": said}).encode()
    if code in _REASONS:
        status, name, said = _REASONS[code]
        reasons = {"inputErrors": [{"code": name, "description": said, "input": {}}]}
        return status, {}, json.dumps({"errorDetails": reasons, "status": status}).encode()
    if code.isdigit():
        return int(code), {}, b""
    if code == "PROCESSING_FAILED":
        return 200, {}, json.dumps({"status": code}).encode()
    status = 429 if code == "TOO_MANY_REQUESTS" else 400
    return status, {}, json.dumps({"status": status, "code": code, "message": "No."}).encode()


def reconcile(
    rig: LinkedInRig,
    shape: str,
    checkpoint: Checkpoint,
    *,
    after: timedelta = timedelta(minutes=1),
) -> Reconciliation:
    """Ask what became of a call made at noon."""
    return rig.ask(shape, checkpoint, after=after)
