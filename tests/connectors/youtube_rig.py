"""The YouTube connector over its fake, signed in to lumenbakes' channel: for every test of it."""

from dataclasses import replace
from datetime import timedelta

from chalicelib.connectors.youtube.api import YouTubeHosts
from chalicelib.connectors.youtube.connector import YouTubeConnector
from chalicelib.connectors.youtube.errors import ERRORS
from chalicelib.domain.accounts import Account
from chalicelib.domain.outcome import Checkpoint, Finding, Json, Sent
from chalicelib.domain.platforms import Platform
from chalicelib.domain.tokens import Tokens
from tests.connectors.driving import Drive
from tests.connectors.fake_youtube import (
    CHANNEL,
    CLIENT,
    HANDLE,
    PLAYLIST,
    SECRET,
    UPLOADS,
    FakeYouTube,
)
from tests.connectors.rig import Rig, a_publication, a_video
from tests.connectors.youtube_answers import sample
from tests.frozen_clock import NOON, FrozenClock

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


def a_rig(*, only: str | None = None) -> Rig:
    """Return the connector over a fake with lumenbakes' channel, signed in for days."""
    clock = FrozenClock()
    platform = FakeYouTube(clock)
    url = platform.url
    connector = YouTubeConnector(
        YouTubeHosts(youtube=url, youtube_upload=url, youtube_analytics=url, youtube_tokens=url),
        clock=clock,
    )
    account = Account(
        id="0193491b0c4a7b2e9f3a5d6c7e8f9a99",
        workspace_id="0193491b0c4a7b2e9f3a5d6c7e8f9a98",
        platform=Platform.YOUTUBE,
        handle=HANDLE,
        test=False,
        created_at=NOON,
        remote_identity=CHANNEL,
        token_version=1,
        settings={"uploads": UPLOADS},
    )
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


def fake_of(rig: Rig) -> FakeYouTube:
    """Return the rig's platform as what it is."""
    assert isinstance(rig.platform, FakeYouTube)
    return rig.platform


def youtube_of(rig: Rig) -> YouTubeConnector:
    """Return the rig's connector as what it is."""
    assert isinstance(rig.connector, YouTubeConnector)
    return rig.connector


def at_step(rig: Rig, shape: str, step: str) -> Drive:
    """Bring a target to a step, and stop before it."""
    drive = rig.drive(shape)
    while drive.checkpoint is None or drive.checkpoint.step != step:
        assert drive._step() is None
    return drive


def confirm(rig: Rig, shape: str, checkpoint: Checkpoint, *, after: timedelta) -> Finding:
    """Ask what became of last bytes that were sent at noon."""
    publication = rig.shapes[shape]
    rig.clock.now = NOON + after
    account = rig.keeper.signed(rig.account, rig.connector)
    sent = Sent(text=publication.text, media_ids=(), at=NOON)
    asked = replace(publication, account=account, now=NOON + after)
    return rig.connector.confirm(asked, checkpoint, sent)
