"""The Facebook connector over its fake: posts of text and photos, or videos."""

from dataclasses import replace
from datetime import timedelta

from chalicelib.connectors.facebook.api import FacebookHosts
from chalicelib.connectors.facebook.connector import FacebookConnector
from chalicelib.connectors.facebook.errors import ERRORS, WORDINGS
from chalicelib.connectors.shared.calls.failures import PLAIN_NO
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.json_value import Json
from tests.connectors.facebook.fake import CLIENT, HANDLE, PAGE, SECRET, FakeFacebook
from tests.connectors.shared.meta.fake_login import PERSON
from tests.connectors.shared.meta.graph_answers import graph_error, sample
from tests.connectors.support.limits import Quota
from tests.connectors.support.rig import (
    Rig,
    a_photo,
    a_publication,
    a_video,
    an_account,
)
from tests.support.frozen_clock import FrozenClock

TEXT = "Rye day #bread"

FacebookRig = Rig[FacebookConnector, FakeFacebook]


# developers.facebook.com/docs/graph-api/guides/error-handling: 1390008, posting too fast.
QUOTA = Quota(
    30,
    timedelta(days=1),
    r"POST .*/(feed|photo_stories|video_reels|videos)",
    graph_error(368, 1390008, message="Too fast"),
)


def a_rig(*, videos: bool = False) -> FacebookRig:
    """Return the connector over a fake with lumenbakes' Page.

    Whether a lost answer of `/feed` brought a post, only a list can show, which may lag behind.
    """
    clock = FrozenClock()
    platform = FakeFacebook(clock)
    url = platform.url
    connector = FacebookConnector(
        FacebookHosts(facebook=f"{url}/fb", facebook_upload=f"{url}/up"), clock=clock
    )
    account = an_account(Platform.FACEBOOK, HANDLE, PAGE)
    upright, film = a_video(), replace(a_video(), width=1280, height=720)
    story: dict[str, Json] = {"post_type": "story"}
    comment: dict[str, Json] = {"first_comment": "Recipe below"}
    if videos:
        shapes = {
            "video": a_publication(account, TEXT, upright),
            "film": a_publication(account, TEXT, film),
        }
    else:
        shapes = {
            "text": a_publication(account, TEXT),
            "photo": a_publication(account, TEXT, a_photo(), {"alt_text": "a loaf"}),
            "story": a_publication(account, "", a_photo(), story),
            "commented": a_publication(account, TEXT, options=comment),
        }
    return Rig(
        connector=connector,
        platform=platform,
        tokens=Tokens(
            access=platform.token,
            refresh=PERSON,
            extra={"client_id": CLIENT, "client_secret": SECRET},
        ),
        shapes=shapes,
        clock=clock,
        account=account,
        secrets=[platform.token, SECRET, PERSON],
        http=connector._http,
        refusals={key: _sample(key) for key in ERRORS},
        cannot_tell=not videos,
    )


def a_rig_for(shape: str) -> FacebookRig:
    """Return a rig that has the shape: videos go another way."""
    return a_rig(videos=shape in ("video", "film"))


def _sample(key: str) -> tuple[int, dict[str, str], bytes]:
    if key.endswith("Error"):
        body = f'{{"debug_info": {{"retriable": false, "type": "{key}", "message": "No."}}}}'
        return 400, {}, body.encode()
    if key == PLAIN_NO:
        key = "9998"
    status, headers, content = sample(key, WORDINGS)
    return status, dict(headers), content


def paths(rig: FacebookRig) -> list[str]:
    """Return what was called, with the Page's own paths in short."""
    shorter = (call.name.replace("/fb/v26.0", "") for call in rig.platform.calls)
    return [name.replace(f"/{PAGE}/", "/page/") for name in shorter]
