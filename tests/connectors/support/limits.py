"""What a platform does to a busy account: it shows posts late, and refuses them when enough went.

    limits = Limits.of(Platform.X, seed=7)

Numbers are the platforms' own where they name any (the page stands beside each); a lag is drawn
from the seed for each post, up to what the service waits for (`Facts.read_lag`).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from random import Random

from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from tests.connectors.reddit.answers import refused
from tests.connectors.shared.meta.graph_answers import graph_error
from tests.connectors.support.fake_platform import Answer, Received
from tests.connectors.youtube.answers import refusal

_DAY = timedelta(hours=24)
_LIKELY_LAG = 0.6
"""How much of the time that the service waits is used: readings are not late to the last second."""


@dataclass(frozen=True, slots=True)
class Quota:
    """How many posts fit into a time, which call is refused then, and in which words.

    `answer` is None where it is the platform's plain 429.
    """

    posts: int
    window: timedelta
    call: str
    answer: Answer | None = None


QUOTAS: Mapping[Platform, Quota] = {
    # docs.x.com/x-api/fundamentals/rate-limits: POST /2/tweets, 100 in 15 minutes for a user.
    Platform.X: Quota(100, timedelta(minutes=15), r"POST /2/tweets"),
    # developers.facebook.com/docs/instagram-platform/content-publishing: 100 in 24 hours.
    Platform.INSTAGRAM: Quota(
        100, _DAY, r"POST .*/media_publish", graph_error(9, 2207042, message="Limit reached")
    ),
    # developers.facebook.com/docs/threads/overview: 250 in 24 hours.
    Platform.THREADS: Quota(
        250, _DAY, r"POST .*/threads_publish", graph_error(4, message="Limit reached")
    ),
    # developers.facebook.com/docs/graph-api/guides/error-handling: 1390008, posting too fast.
    Platform.FACEBOOK: Quota(
        30,
        _DAY,
        r"POST .*/(feed|photo_stories|video_reels|videos)",
        graph_error(368, 1390008, message="Too fast"),
    ),
    # developers.tiktok.com/doc/content-sharing-guidelines: about 15 in 24 hours for a creator.
    Platform.TIKTOK: Quota(
        15,
        _DAY,
        r"POST .*/(video|content)/init/",
        Answer(403, {"error": {"code": "spam_risk_too_many_posts", "message": "No."}, "data": {}}),
    ),
    # developers.google.com/youtube/v3/docs/errors: uploadLimitExceeded.
    Platform.YOUTUBE: Quota(
        15, _DAY, r"POST /upload/youtube/v3/videos", refusal(400, "uploadLimitExceeded")
    ),
    # learn.microsoft.com/linkedin/consumer/integrations/self-serve/share-on-linkedin: 150 a day.
    Platform.LINKEDIN: Quota(150, _DAY, r"POST /rest/posts"),
    # developers.pinterest.com/docs/reference/ratelimits: 1,000 requests a day on trial access.
    Platform.PINTEREST: Quota(250, _DAY, r"POST /v5/pins"),
    # docs.bsky.app/docs/advanced-guides/rate-limits: 5,000 points an hour, 3 for a record.
    Platform.BLUESKY: Quota(
        1_666, timedelta(hours=1), r"POST /xrpc/com\.atproto\.repo\.(putRecord|applyWrites)"
    ),
    # Reddit slows young accounts down; it says for how long.
    Platform.REDDIT: Quota(
        10,
        timedelta(minutes=10),
        r"POST /api/submit",
        refused(("RATELIMIT", "Take a break for 9 minutes before trying again.", "ratelimit")),
    ),
    # developers.google.com/my-business/content/limits: 10 edits a minute for a profile.
    Platform.GOOGLE_BUSINESS_PROFILE: Quota(10, timedelta(minutes=1), r"POST .*/localPosts"),
}


@dataclass(slots=True)
class Limits:
    """The limits of one account on a fake; `quota` may be made smaller for a short story."""

    quota: Quota
    lag: timedelta
    seed: int
    made: dict[str, datetime] = field(default_factory=dict)
    refusals: int = 0

    @classmethod
    def of(cls, platform: Platform, *, seed: int, posts: int | None = None) -> "Limits":
        """Return a platform's limits; `posts` stand in for its own number."""
        quota = QUOTAS[platform]
        lag = FACTS[platform].read_lag * _LIKELY_LAG
        return cls(quota if posts is None else replace(quota, posts=posts), lag, seed)

    def refuse(self, call: Received, limited: Answer, now: datetime) -> Answer | None:
        """Return what a call is refused with while the account has posted enough."""
        recent = sum(at > now - self.quota.window for at in self.made.values())
        if recent < self.quota.posts or re.fullmatch(self.quota.call, call.name) is None:
            return None
        self.refusals += 1
        return self.quota.answer or limited

    def note(self, posts: Iterable[str], now: datetime) -> None:
        """Remember when posts became visible."""
        for post in posts:
            self.made.setdefault(post, now)

    def is_listed(self, post: str, now: datetime) -> bool:
        """Tell whether the platform's lists show a post yet."""
        lag = self.lag * Random(f"{self.seed} {post}").random()
        return self.made.get(post, now - self.lag) + lag <= now
