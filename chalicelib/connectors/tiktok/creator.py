"""What a creator lets a post choose, read fresh before each one, and what of it goes along.

developers.tiktok.com/doc/content-posting-api-reference-query-creator-info. The domain's rules are
held against the answer once more: a draft may be months old.
"""

from chalicelib.connectors.connector import ConnectedAccount, Publication
from chalicelib.connectors.reply import Reply, count, find
from chalicelib.connectors.tiktok.errors import OK
from chalicelib.domain.errors import TiktokRules
from chalicelib.domain.outcome import Failed, FailureCode, Json
from chalicelib.domain.platforms import MediaKind
from chalicelib.domain.tiktok import CreatorOptions, Interactions, check_ready, privacy_level

LONGEST_VIDEO_S = 600
"""What TikTok takes of anybody; an answer for somebody who cannot post now may say nothing."""

_TOO_LONG = "TikTok takes videos of at most {0} seconds from this creator."


def creator_options(account: ConnectedAccount, reply: Reply) -> CreatorOptions:
    """Return what the creator can choose for the next post."""
    data, can_post = reply.find("data"), reply.find("error", "code") == OK
    handle = _text(data, "creator_username") or account.handle
    levels = reply.items("data", "privacy_level_options")

    def may(interaction: str) -> bool:
        return can_post and find(data, f"{interaction}_disabled") is not True

    return CreatorOptions(
        account_id=account.id,
        handle=handle,
        nickname=_text(data, "creator_nickname") or handle.removeprefix("@"),
        can_post=can_post,
        privacy_levels=tuple(privacy_level(level) for level in levels if isinstance(level, str)),
        max_video_seconds=count(data, "max_video_post_duration_sec") or LONGEST_VIDEO_S,
        interactions=Interactions(comment=may("comment"), duet=may("duet"), stitch=may("stitch")),
    )


def refusal_of(creator: CreatorOptions, publication: Publication) -> Failed | None:
    """Return why the creator's settings do not let this post go out, None if they do."""
    try:
        check_ready(publication.options, field="options", offered=creator.offered)
    except TiktokRules as error:
        return Failed(code=FailureCode.INVALID_OPTIONS, message=error.message)
    media, longest_s = publication.media, creator.max_video_seconds
    if media is None or media.kind is not MediaKind.VIDEO or media.duration_s is None:
        return None
    if media.duration_s <= longest_s:
        return None
    return Failed(code=FailureCode.VIDEO_TOO_LONG, message=_TOO_LONG.format(longest_s))


def allowed(creator: CreatorOptions) -> list[Json]:
    """Name what viewers may do with a post, for the checkpoint."""
    may = creator.interactions
    named = {"comment": may.comment, "duet": may.duet, "stitch": may.stitch}
    return [name for name, is_allowed in named.items() if is_allowed]


def _text(data: Json, name: str) -> str | None:
    value = find(data, name)
    return value if isinstance(value, str) and value else None
