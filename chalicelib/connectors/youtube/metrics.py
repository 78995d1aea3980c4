"""How videos do: …/youtube/v3/docs/videos#statistics, developers.google.com/youtube/analytics.

Up to 50 videos cost one unit of the day's 10,000. What only Analytics counts comes days later and
from a quota of its own; without it the rest is told all the same.
"""

from collections.abc import Sequence
from datetime import timedelta

from chalicelib.connectors.connector import LivePost
from chalicelib.connectors.youtube.api import YouTubeApi
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.kit.json_value import Json, whole_number
from chalicelib.kit.transport.failures import PlatformError, UnansweredError
from chalicelib.kit.transport.responses import find

FRESH = timedelta(hours=1)
"""How long a video that is not listed may be one that is not listed yet."""

_DAY = timedelta(days=1)
Gained = dict[str, tuple[int | None, int | None]]


def metrics(api: YouTubeApi, lives: Sequence[LivePost]) -> list[Metrics | None]:
    """Return the figures of up to 50 videos of one channel."""
    response = api.statistics(lives[0].account, [live.remote_id for live in lives])
    videos = response.find("items")
    if not isinstance(videos, list):
        raise UnansweredError("YouTube's list of videos is none.")
    counts = {str(find(video, "id")): find(video, "statistics") for video in videos}
    gained = _read_gains(api, [live for live in lives if live.remote_id in counts])
    return [_of(live, counts, gained) for live in lives]


def _of(live: LivePost, counts: dict[str, Json], gained: Gained) -> Metrics | None:
    if live.remote_id not in counts:
        return Metrics() if live.now - live.published_at < FRESH else None
    found = counts[live.remote_id]
    shares, followers = gained.get(live.remote_id, (None, None))
    return Metrics(
        views=_number(find(found, "viewCount")),
        likes=_number(find(found, "likeCount")),
        comments=_number(find(found, "commentCount")),
        shares=shares,
        followers=followers,
    )


def _read_gains(api: YouTubeApi, lives: Sequence[LivePost]) -> Gained:
    """Return shares and subscribers, by video; nothing where YouTube Analytics does not answer."""
    if not lives:
        return {}
    first = min(live.published_at for live in lives) - _DAY
    try:
        response = api.report(
            lives[0].account,
            [live.remote_id for live in lives],
            (first.date(), lives[0].now.date()),
        )
    except PlatformError:
        return {}
    return {
        str(find(row, 0)): (_number(find(row, 1)), _number(find(row, 2)))
        for row in response.items("rows")
    }


def _number(told: Json) -> int | None:
    """Read a count: numbers in Analytics, text elsewhere, and missing where it is hidden."""
    return int(told) if isinstance(told, float) else whole_number(told)
