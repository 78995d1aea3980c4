"""The TikTok connector over its fake, signed in as Lumen: for every test of it."""

import json
from collections.abc import Mapping
from datetime import timedelta

from chalicelib.connectors.shared.calls.failures import PLAIN_NO
from chalicelib.connectors.tiktok.api import TikTokHosts
from chalicelib.connectors.tiktok.connector import TikTokConnector
from chalicelib.connectors.tiktok.errors import ERRORS
from chalicelib.connectors.tiktok.post import ChunkSizes
from chalicelib.domain.outcome import Checkpoint, Reconciliation
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.json_value import Json
from tests.connectors.support.fake_platform import Answer, Fault
from tests.connectors.support.limits import Quota
from tests.connectors.support.rig import (
    Rig,
    a_photo,
    a_publication,
    a_video,
    an_account,
)
from tests.connectors.tiktok.fake import (
    CLIENT,
    OPEN_ID,
    SCOPES,
    SECRET,
    UPLOAD_TOKEN,
    USERNAME,
    FakeTikTok,
)
from tests.connectors.tiktok.fake_uploads import enveloped
from tests.support.frozen_clock import NOON, FrozenClock

TEXT = "Rye day #bread"
SMALL = ChunkSizes(whole_bytes=2_000_000, chunk_bytes=1_000_000)
"""Chunks of a fifth of TikTok's least, so that many can be sent."""

OPTIONS: Mapping[str, Json] = {
    "privacy_level": "PUBLIC_TO_EVERYONE",
    "allow_comment": True,
    "allow_stitch": True,
    "disclose_commercial": True,
    "your_brand": True,
}
_FAILURES = frozenset(
    {
        *("file_format_check_failed", "duration_check_failed", "frame_rate_check_failed"),
        *("picture_size_check_failed", "video_pull_failed", "photo_pull_failed", "internal"),
        *("auth_removed", "spam_risk_text", "spam_risk", "publish_cancelled"),
    }
)

TikTokRig = Rig[TikTokConnector, FakeTikTok]


# developers.tiktok.com/doc/content-sharing-guidelines: about 15 in 24 hours for a creator.
QUOTA = Quota(
    15,
    timedelta(days=1),
    r"POST .*/(video|content)/init/",
    Answer(403, {"error": {"code": "spam_risk_too_many_posts", "message": "No."}, "data": {}}),
)


def a_rig(
    *shapes: str, sizes: ChunkSizes | None = None, options: Mapping[str, Json] = OPTIONS
) -> TikTokRig:
    """Return the connector over a fake with Lumen's account, signed in for a day."""
    clock = FrozenClock()
    platform = FakeTikTok(clock)
    if sizes is not None:
        platform.smallest_chunk = sizes.chunk_bytes
    connector = TikTokConnector(TikTokHosts(tiktok=platform.url), clock=clock, sizes=sizes)
    account = an_account(Platform.TIKTOK, USERNAME, OPEN_ID)
    extra = {"client_id": CLIENT, "client_secret": SECRET, "scope": SCOPES, "open_id": OPEN_ID}
    tokens = Tokens(access="ACT1", refresh="RFT1", expires_at=NOON + timedelta(days=2), extra=extra)
    every = {
        "video": a_publication(account, TEXT, a_video(), options),
        "chunks": a_publication(account, TEXT, a_video(3_600_123), options),
        "photo": a_publication(account, TEXT, a_photo(), options),
    }
    return Rig(
        connector=connector,
        platform=platform,
        tokens=tokens,
        shapes={name: every[name] for name in shapes or ("video",)},
        clock=clock,
        account=account,
        secrets=["Bearer ACT", "RFT1", "RFT2", SECRET, UPLOAD_TOKEN],
        http=connector._http,
        refusals={code: a_refusal(code) for code in ERRORS},
    )


def a_rig_for(shape: str) -> TikTokRig:
    """Return the connector with a video and a photo to post."""
    del shape
    return a_rig("video", "photo")


def a_refusal(code: str) -> tuple[int, Mapping[str, str], bytes]:
    """Spell a row as TikTok does: as an error, or as the reason of a post that failed."""
    if code in _FAILURES:
        data = {"status": "FAILED", "fail_reason": code, "publicaly_available_post_id": []}
        return 200, {}, json.dumps(enveloped(data)).encode()
    if code == PLAIN_NO:
        return 403, {}, json.dumps(enveloped(code="a_new_code")).encode()
    statuses = {"access_token_invalid": 401, "rate_limit_exceeded": 429}
    statuses |= {"scope_not_authorized": 401, "scope_permission_missed": 401}
    status = statuses.get(code, 400 if code.startswith("invalid") else 403)
    return status, {}, json.dumps(enveloped(code=code)).encode()


def names(rig: TikTokRig) -> list[str]:
    """Return the calls that arrived, without what they have in common."""
    called = [call.name.removeprefix("POST /v2/").strip("/") for call in rig.platform.calls]
    return [name.removeprefix("post/publish/") for name in called]


def reconcile(
    rig: TikTokRig, shape: str, checkpoint: Checkpoint, *, after: timedelta = timedelta(seconds=2)
) -> Reconciliation:
    """Ask what became of a call made at noon."""
    return rig.ask(shape, checkpoint, after=after)


def in_doubt(rig: TikTokRig, fault: Fault, shape: str = "video") -> Checkpoint:
    """Lose the answer of the call that publishes; return where that left it."""
    drive = rig.drive(shape)
    while drive.checkpoint is None or drive.checkpoint.step not in rig.connector.irreversible:
        drive._step()
    rig.platform.strike(0, fault)
    drive._step()
    assert drive.unanswered
    return drive.checkpoint
