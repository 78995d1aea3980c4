"""The YouTube connector over its fake, signed in to lumenbakes' channel: for every test of it."""

from dataclasses import replace
from datetime import timedelta

from chalicelib.connectors.youtube.api import YouTubeHosts
from chalicelib.connectors.youtube.connector import YouTubeConnector
from chalicelib.connectors.youtube.errors import ERRORS
from chalicelib.domain.outcome import Checkpoint, Reconciliation
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.json_value import Json
from tests.connectors.support.driving import Drive
from tests.connectors.support.limits import Quota
from tests.connectors.support.rig import (
    Rig,
    a_publication,
    a_video,
    an_account,
)
from tests.connectors.youtube.answers import refusal, sample
from tests.connectors.youtube.fake import (
    CHANNEL,
    CLIENT,
    HANDLE,
    PLAYLIST,
    SECRET,
    UPLOADS,
    FakeYouTube,
)
from tests.support.frozen_clock import NOON, FrozenClock

TEXT = "Harbour at dawn\nRye, salt & fog #bread"
WIDE_BYTES = 18_000_000
OPTIONS: dict[str, Json] = {
    "title": "Dawn",
    "privacy": "unlisted",
    "made_for_kids": True,
    "category": "22",
    "tags": ["rye", "sour dough"],
    "playlist": PLAYLIST,
    "notify_subscribers": False,
    "synthetic_media": False,
    "embeddable": False,
    "license": "creativeCommon",
}

YouTubeRig = Rig[YouTubeConnector, FakeYouTube]


# developers.google.com/youtube/v3/docs/errors: uploadLimitExceeded.
QUOTA = Quota(
    15, timedelta(days=1), r"POST /upload/youtube/v3/videos", refusal(400, "uploadLimitExceeded")
)


def a_rig(*, only: str | None = None) -> YouTubeRig:
    """Return the connector over a fake with lumenbakes' channel, signed in for days."""
    clock = FrozenClock()
    platform = FakeYouTube(clock)
    url = platform.url
    connector = YouTubeConnector(
        YouTubeHosts(youtube=url, youtube_upload=url, youtube_analytics=url, youtube_tokens=url),
        clock=clock,
    )
    account = an_account(Platform.YOUTUBE, HANDLE, CHANNEL, {"uploads": UPLOADS})
    wide = replace(a_video(WIDE_BYTES), width=1920, height=1080)
    shapes = {
        "video": a_publication(account, TEXT, a_video()),
        "wide": a_publication(account, TEXT, wide),
        "options": a_publication(account, TEXT, a_video(), OPTIONS),
    }
    return Rig(
        connector=connector,
        platform=platform,
        tokens=Tokens(
            access=platform.access,
            refresh="1//first",
            expires_at=NOON + timedelta(days=3),
            extra={"client_id": CLIENT, "client_secret": SECRET},
        ),
        shapes=shapes if only is None else {only: shapes[only]},
        clock=clock,
        account=account,
        secrets=["ya29", "1//first", SECRET, "UPL77", "UPL78"],
        http=connector._http,
        refusals={key: sample(key) for key in ERRORS},
    )


def at_step(rig: YouTubeRig, shape: str, step: str) -> Drive:
    """Bring a target to a step, and stop before it."""
    drive = rig.drive(shape)
    while drive.checkpoint is None or drive.checkpoint.step != step:
        assert drive._step() is None
    return drive


def reconcile(
    rig: YouTubeRig, shape: str, checkpoint: Checkpoint, *, after: timedelta
) -> Reconciliation:
    """Ask what became of last bytes that were sent at noon."""
    return rig.ask(shape, checkpoint, after=after)
