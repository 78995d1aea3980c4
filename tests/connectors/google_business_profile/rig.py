"""The Google Business Profile connector over its fake, for a cafe: for every test of it."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

from chalicelib.connectors.google_business_profile.api import GoogleBusinessProfileHosts
from chalicelib.connectors.google_business_profile.connector import GoogleBusinessProfileConnector
from chalicelib.connectors.google_business_profile.errors import ERRORS
from chalicelib.connectors.shared.calls.failures import PLAIN_NO
from chalicelib.domain.outcome import Checkpoint, Reconciliation
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.json_value import Json
from tests.connectors.google_business_profile.answers import (
    HTML_404,
    LIMITED,
    NOT_FOUND,
    error,
    info,
    unfit,
)
from tests.connectors.google_business_profile.fake import (
    CLIENT,
    LOCATION,
    REFRESH,
    SECRET,
    FakeGoogleBusinessProfile,
)
from tests.connectors.support.fake_platform import Answer, Value
from tests.connectors.support.limits import Quota
from tests.connectors.support.rig import (
    PatternSource,
    Rig,
    a_photo,
    a_publication,
    an_account,
)
from tests.support.frozen_clock import NOON, FrozenClock

TEXT = "New winter menu from Friday"
PHOTO_URL = "https://media.ours.example/p/abc.jpg?sig=5igned"
MAPS = "https://maps.google.com/maps?cid=9"
BUTTON: dict[str, Json] = {"type": "LEARN_MORE", "url": "https://fakecafe.example/menu"}
EVENT: dict[str, Json] = {"title": "Jazz night", "start": "2026-12-04T19:30", "end": "2026-12-04"}
OFFER: dict[str, Json] = {"coupon": "RYE10", "url": "https://fakecafe.example/rye"}
PHOTO = replace(a_photo(60_000), source=PatternSource(60_000, PHOTO_URL))

GoogleRig = Rig[GoogleBusinessProfileConnector, FakeGoogleBusinessProfile]


# developers.google.com/my-business/content/limits: 10 edits a minute for a profile.
QUOTA = Quota(10, timedelta(minutes=1), r"POST .*/localPosts")


def a_rig() -> GoogleRig:
    """Return the connector over a fake with the cafe's location, signed in for an hour or more."""
    clock = FrozenClock()
    platform = FakeGoogleBusinessProfile(clock)
    account = an_account(
        Platform.GOOGLE_BUSINESS_PROFILE, "Fake Cafe, 1 High Street", LOCATION, {"maps_uri": MAPS}
    )
    connector = connector_at(platform, insights=platform.url)
    shapes = {
        "text": a_publication(account, TEXT),
        "photo": a_publication(account, TEXT, PHOTO, {"call_to_action": BUTTON, "language": "en"}),
        "wordless": a_publication(account, "", PHOTO),
        "event": a_publication(account, TEXT, None, {"topic_type": "EVENT", "event": EVENT}),
        "offer": a_publication(
            account, TEXT, PHOTO, {"topic_type": "OFFER", "event": EVENT, "offer": OFFER}
        ),
    }
    return Rig(
        connector=connector,
        platform=platform,
        tokens=Tokens(
            access=platform.tokens[0],
            refresh=REFRESH,
            expires_at=NOON + timedelta(days=2),
            extra={"client_id": CLIENT, "client_secret": SECRET},
        ),
        shapes=shapes,
        clock=clock,
        account=account,
        secrets=["ya29", REFRESH, SECRET, "5igned"],
        http=connector._http,
        refusals={code: _sample(code) for code in ERRORS},
        cannot_tell=True,
    )


def connector_at(
    platform: FakeGoogleBusinessProfile, *, insights: str = "off"
) -> GoogleBusinessProfileConnector:
    """Return the connector over a fake."""
    url = platform.url
    hosts = GoogleBusinessProfileHosts(
        google_business_posts=url,
        google_business_insights=insights,
        google_business_accounts=url,
        google_business_locations=url,
        google_business_tokens=url,
    )
    return GoogleBusinessProfileConnector(hosts, clock=platform.clock)


def _sample(code: str) -> tuple[int, Mapping[str, str], bytes]:
    answer = _spelled(code)
    content = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
    return answer.status, answer.headers, content


_ODD = {
    "error 1000": unfit(None, 1000),
    "photo error": unfit(None, 1001),
    "PHOTO_FETCH_FAILED": unfit(None, "PHOTO_FETCH_FAILED"),
    "PHOTO_UPLOAD_FAILED": unfit(None, "PHOTO_UPLOAD_FAILED"),
    "no quota": info(403, "PERMISSION_DENIED", "RATE_LIMIT_EXCEEDED", quota_limit_value="0"),
    "error 1301": unfit(None, 1301),
    "error 1302": unfit(None, 1302),
    "location error": unfit(None, 1303),
    "ABORTED": error(409, "ABORTED"),
    "404": NOT_FOUND,
    "404 page": HTML_404,
    "429": LIMITED,
}


def _spelled(code: str) -> Answer:
    """Spell a row as Google does: a field, a number, a reason or a bare status."""
    kind, _, name = code.partition(" ")
    if code == PLAIN_NO:
        return error(412, "SOMETHING", reason="something")
    if code in _ODD:
        return _ODD[code]
    if kind == "field":
        return unfit(name)
    if code.isdigit():
        return error(int(code), "SOMETHING", reason="something")
    return info(403, "PERMISSION_DENIED", code)


def keep_post(fake: FakeGoogleBusinessProfile, number: int, **differs: Value) -> str:
    """Put a post at the location, as if somebody had made it at noon; return its name."""
    post: dict[str, Value] = {
        "name": f"{LOCATION}/localPosts/{number}",
        "summary": TEXT,
        "topicType": "STANDARD",
        "state": "LIVE",
        "createTime": "2026-11-20T12:00:00.123456789Z",
    }
    fake._keep({**post, **differs})
    return str(post["name"])


def keep_newer(fake: FakeGoogleBusinessProfile, number: int = 99) -> None:
    """Put something newer than any call at the location: its list has come that far."""
    name = keep_post(fake, number, summary="Something newer", createTime="2026-11-20T12:01:00Z")
    del fake.posts[name]  # nobody asks what became of it


def reconcile(
    rig: GoogleRig,
    checkpoint: Checkpoint | None = None,
    *,
    shape: str = "text",
    after: timedelta = timedelta(seconds=2),
    sent_at: timedelta = timedelta(0),
) -> Reconciliation:
    """Ask, some time after noon, what became of a call."""
    return rig.ask(shape, checkpoint or Checkpoint("publish"), after=after, sent_at=sent_at)
