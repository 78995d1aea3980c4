"""Things to test with: show only what matters to the claim, the rest is believable.

a_post(targets=[a_target(status=TargetStatus.SCHEDULED)])
"""

from collections.abc import Sequence
from datetime import datetime

from chalicelib.domain.ids import new_id
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.posts.post import Approval, Attachment, Post
from chalicelib.domain.posts.progress import AT_REST, Progress
from chalicelib.domain.posts.target import Target, TargetStatus
from tests.support.frozen_clock import NOON

WORKSPACE = "0" * 31 + "a"


def a_target(  # noqa: PLR0913 - a builder shows what a test names
    *,
    platform: Platform = Platform.LINKEDIN,
    status: TargetStatus = TargetStatus.DRAFT,
    account_id: str | None = None,
    scheduled_at: datetime | None = None,
    caption_override: str | None = None,
    progress: Progress = AT_REST,
    place: int = 0,
) -> Target:
    """Return a target; its account is made up."""
    return Target(
        id=new_id(NOON),
        account_id=account_id or new_id(NOON),
        platform=platform,
        handle="@lighthouse",
        place=place,
        status=status,
        caption_override=caption_override,
        scheduled_at=scheduled_at,
        due_at=scheduled_at,
        progress=progress,
    )


def a_post(
    *,
    targets: Sequence[Target] | None = None,
    caption: str = "Fresh bread at seven",
    attachment: Attachment | None = None,
    approval: Approval | None = None,
    workspace_id: str = WORKSPACE,
) -> Post:
    """Return a post of the Lighthouse Bakery, made at noon."""
    return Post(
        id=new_id(NOON),
        workspace_id=workspace_id,
        caption=caption,
        attachment=attachment,
        approval=approval,
        created_at=NOON,
        created_by="Ada",
        targets=tuple(targets) if targets is not None else (a_target(),),
    )


def a_video(*, duration_s: float = 12.0) -> Attachment:
    """Return a video as a post keeps it."""
    return Attachment(
        id=new_id(NOON),
        kind=MediaKind.VIDEO,
        mime="video/mp4",
        filename="oven.mp4",
        size_bytes=1_000_000,
        width=1080,
        height=1920,
        duration_s=duration_s,
    )
