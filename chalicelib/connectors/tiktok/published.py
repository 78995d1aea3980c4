"""What is published as we name it: with its id where TikTok tells one, else with the upload's.

developers.tiktok.com/doc/content-posting-api-reference-get-video-status,
publicly_available_post_id: posts that not everybody can see have no id and no link of their own,
and public ones get theirs late: those stand under the profile until `metrics.py` finds the id.
"""

from datetime import datetime, timedelta

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.shared.reconciliation import normalize_text
from chalicelib.connectors.shared.transport.failures import PlatformError
from chalicelib.connectors.shared.transport.responses import count, find
from chalicelib.connectors.tiktok.api import TikTokApi
from chalicelib.connectors.tiktok.post import is_public
from chalicelib.domain.outcome import Checkpoint, Done, Json, Wait
from chalicelib.domain.platforms.platform import MediaKind

_MOST_LOOKS, _LOOK_AGAIN = 12, timedelta(seconds=5)
_CLOCKS_DIFFER = timedelta(minutes=1)
_CUT_AT = 100
"""TikTok's list cuts captions at 150, and counts in it knows what: so much surely stands there."""


def named(api: TikTokApi, publication: Publication, checkpoint: Checkpoint, post_id: str) -> Done:
    """Return a post under its own id."""
    kind = "video" if publication.require_media().kind is MediaKind.VIDEO else "photo"
    return Done(remote_id=post_id, url=f"{_profile(api, publication, checkpoint)}/{kind}/{post_id}")


def once_named(
    api: TikTokApi,
    publication: Publication,
    checkpoint: Checkpoint,
    publish_id: str,
    post_ids: tuple[str, ...],
) -> Done | Wait:
    """Return a complete post; a public one gets a minute for its id."""
    if post_ids:
        return named(api, publication, checkpoint, post_ids[0])
    looks = count(dict(checkpoint.data), "looks")
    if is_public(publication) and looks < _MOST_LOOKS:
        data: dict[str, Json] = {**checkpoint.data, "looks": looks + 1}
        return Wait(Checkpoint(checkpoint.step, data), _LOOK_AGAIN)
    found = _listed_quietly(api, publication, checkpoint)
    if found is not None:
        return found
    return Done(remote_id=publish_id, url=_profile(api, publication, checkpoint))


def listed(
    api: TikTokApi,
    publication: Publication,
    checkpoint: Checkpoint,
    videos: list[Json],
    since: datetime,
) -> Done | None:
    """Return the first of the newest public posts that has this text and came since then."""
    earliest = (since - _CLOCKS_DIFFER).timestamp()
    ours = [
        video
        for video in videos
        if count(video, "create_time") >= earliest
        and _is_cut_of(find(video, "video_description"), publication.text)
    ]
    if not ours:
        return None
    first = min(ours, key=lambda video: count(video, "create_time"))
    found = named(api, publication, checkpoint, str(find(first, "id")))
    link = find(first, "share_url")
    if not isinstance(link, str) or not link.startswith("https://"):
        return found
    # What follows is where the link was shared from, our application's key among it.
    return Done(remote_id=found.remote_id, url=link.partition("?")[0])


def _listed_quietly(
    api: TikTokApi, publication: Publication, checkpoint: Checkpoint
) -> Done | None:
    """Look through the list for a post that is live in any case."""
    since = checkpoint.data.get("checked_at")
    if not is_public(publication) or not isinstance(since, str):
        return None
    try:
        videos = api.videos(publication.account)
    except PlatformError:
        return None
    return listed(api, publication, checkpoint, videos, datetime.fromisoformat(since))


def _is_cut_of(description: Json, text: str) -> bool:
    told, ours = _plain(str(description or "")), _plain(text)
    return told == ours or (len(told) >= _CUT_AT and ours.startswith(told))


def _plain(text: str) -> str:
    return normalize_text(text.rstrip("….")).rstrip()


def _profile(api: TikTokApi, publication: Publication, checkpoint: Checkpoint) -> str:
    username = checkpoint.data.get("username")
    return api.profile(username if isinstance(username, str) else publication.account.handle)
