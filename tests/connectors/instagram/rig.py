"""The Instagram connector over its fake, in both flavours of account."""

from dataclasses import replace
from datetime import timedelta

from chalicelib.connectors.instagram.account import BY_FACEBOOK, BY_INSTAGRAM, InstagramHosts
from chalicelib.connectors.instagram.connector import InstagramConnector
from chalicelib.connectors.instagram.errors import ERRORS, WORDINGS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.json_value import Json
from tests.connectors.instagram.fake import CLIENT, HANDLE, PAGE, SECRET, USER, FakeInstagram
from tests.connectors.shared.meta.fake_login import PERSON
from tests.connectors.shared.meta.graph_answers import graph_error, sample
from tests.connectors.support.limits import Quota
from tests.connectors.support.rig import (
    PatternSource,
    Rig,
    a_photo,
    a_publication,
    a_video,
    an_account,
)
from tests.support.frozen_clock import NOON, FrozenClock

TEXT = "Rye day #bread"

InstagramRig = Rig[InstagramConnector, FakeInstagram]


# developers.facebook.com/docs/instagram-platform/content-publishing: 100 in 24 hours.
QUOTA = Quota(
    100,
    timedelta(days=1),
    r"POST .*/media_publish",
    graph_error(9, 2207042, message="Limit reached"),
)


def a_rig(*, by_facebook: bool = False) -> InstagramRig:
    """Return the connector over a fake with lumenbakes' account.

    By Facebook, files have no public address: the reel is sent.
    """
    clock = FrozenClock()
    platform = FakeInstagram(clock, by_facebook=by_facebook)
    connector = InstagramConnector(hosts_of(platform), clock=clock)
    account = an_account(Platform.INSTAGRAM, HANDLE, USER)
    extra = {"client_id": CLIENT, "client_secret": SECRET, "login": BY_INSTAGRAM}
    tokens = Tokens(
        access=platform.token,
        refresh=platform.token,
        expires_at=NOON + timedelta(days=50),
        renew_at=NOON + timedelta(days=20),
        extra=extra,
    )
    if by_facebook:
        extra |= {"login": BY_FACEBOOK, "page_id": PAGE}
        tokens = Tokens(access=platform.token, refresh=PERSON, extra=extra)
    video = a_video()
    if by_facebook:
        video = replace(video, source=PatternSource(video.size_bytes, link=None))
    comment: dict[str, Json] = {"first_comment": "Recipe below"}
    shapes = {
        "photo": a_publication(account, TEXT, a_photo(), {"alt_text": "a loaf"}),
        "video": a_publication(account, TEXT, video),
    }
    if not by_facebook:
        story: dict[str, Json] = {"post_type": "story"}
        shapes["story"] = a_publication(account, "", a_photo(), story)
        shapes["commented"] = a_publication(account, TEXT, a_photo(), comment)
    return Rig(
        connector=connector,
        platform=platform,
        tokens=tokens,
        shapes=shapes,
        clock=clock,
        account=account,
        secrets=[platform.token, SECRET, PERSON],
        http=connector._http,
        refusals={key: sample(key, WORDINGS) for key in ERRORS},
    )


def hosts_of(platform: FakeInstagram) -> InstagramHosts:
    """Return one fake as all of Instagram's hosts."""
    url = platform.url
    return InstagramHosts(
        instagram=f"{url}/ig",
        instagram_exchange=f"{url}/ex",
        facebook=f"{url}/fb",
        facebook_upload=f"{url}/up",
    )
