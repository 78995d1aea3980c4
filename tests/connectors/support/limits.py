"""What a platform does to a busy account: it shows posts late, and refuses them when enough went.

    limits = Limits.of(Platform.X, seed=7)

Each rig names its platform's `QUOTA`, the platform's own where it names any; a lag is drawn
from the seed for each post, up to what the service waits for (`Facts.read_lag`).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from importlib import import_module
from random import Random

from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from tests.connectors.support.fake_platform import Answer, Received

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
        quota: Quota = import_module(f"tests.connectors.{platform.name.lower()}.rig").QUOTA
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
