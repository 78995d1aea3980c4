"""The Picnic connector over its fake, signed in as Ada: for every test of it."""

from datetime import timedelta

from chalicelib.connectors.picnic.account import PicnicHosts
from chalicelib.connectors.picnic.connector import PicnicConnector
from chalicelib.connectors.picnic.errors import ERRORS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.json_value import Json
from tests.connectors.picnic.fake import (
    BLANKET,
    CLIENT_ID,
    CLIENT_SECRET,
    NAME,
    USER,
    FakePicnic,
)
from tests.connectors.support.limits import Quota
from tests.connectors.support.rig import Rig, a_photo, a_publication, an_account
from tests.support.frozen_clock import NOON, FrozenClock

QUOTA = Quota(20, timedelta(hours=1), r"POST /posts")
OPTIONS: dict[str, Json] = {"blanket": BLANKET, "basket": {"bread": "rye", "pieces": 2}}

PicnicRig = Rig[PicnicConnector, FakePicnic]


def a_rig() -> PicnicRig:
    """Return the connector over a fake with Ada's account, signed in for two days."""
    clock = FrozenClock()
    platform = FakePicnic(clock)
    connector = PicnicConnector(PicnicHosts(picnic=platform.url), clock=clock)
    account = an_account(Platform.PICNIC, NAME, USER)
    tokens = Tokens(
        access="access1",
        refresh="refresh1",
        expires_at=NOON + timedelta(days=2),
        extra={"client_id": CLIENT_ID, "client_secret": CLIENT_SECRET},
    )
    return Rig(
        connector=connector,
        platform=platform,
        tokens=tokens,
        shapes={
            "text": a_publication(account, "Rye for everybody", None, OPTIONS),
            "photo": a_publication(account, "Rye", a_photo(), OPTIONS),
        },
        clock=clock,
        account=account,
        secrets=["Bearer access", "refresh1", CLIENT_SECRET],
        cannot_tell=True,
        http=connector._http,
        refusals={code: (400, {}, f'{{"error": "{code}"}}'.encode()) for code in ERRORS},
    )
