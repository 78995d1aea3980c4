"""Every real platform that this build can publish to.

`use_cases` makes the one registry of it. A new connector is one case here; each is imported when an
account of its platform is first met, because a function seldom meets all eleven.
"""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock
from typing import TYPE_CHECKING, assert_never

from chalicelib.connectors.connector import Connector
from chalicelib.connectors.shared.transport.hosts import hosts
from chalicelib.domain.platforms.platform import Platform

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chalicelib.domain.clock import Clock


class MadeWhenMet(Mapping[Platform, Connector]):
    """Connectors by platform, each made when it is first asked for."""

    def __init__(self, make: Callable[[Platform], Connector]) -> None:
        self._make = make
        self._made: dict[Platform, Connector] = {}
        self._lock = Lock()

    def __getitem__(self, platform: Platform) -> Connector:
        with self._lock:
            if platform not in self._made:
                self._made[platform] = self._make(platform)
            return self._made[platform]

    def __iter__(self) -> Iterator[Platform]:
        return iter(Platform)

    def __len__(self) -> int:
        return len(Platform)


def real_connectors(
    addresses: Mapping[str, str], clock: Clock, trusted: frozenset[str] = frozenset()
) -> Mapping[Platform, Connector]:
    """Return the connectors, at the addresses that the settings name (`transport/hosts.py`).

    `trusted` are origins that an account's identity may name though they are not public.
    """
    return MadeWhenMet(lambda platform: _real_connector(platform, addresses, clock, trusted))


def _real_connector(  # noqa: C901, PLR0911 - one case for each platform
    platform: Platform, addresses: Mapping[str, str], clock: Clock, trusted: frozenset[str]
) -> Connector:
    match platform:
        case Platform.BLUESKY:
            from chalicelib.connectors.bluesky.account import BlueskyHosts
            from chalicelib.connectors.bluesky.connector import BlueskyConnector

            return BlueskyConnector(hosts(BlueskyHosts, addresses), clock=clock, trusted=trusted)
        case Platform.X:
            from chalicelib.connectors.x.account import XHosts
            from chalicelib.connectors.x.connector import XConnector

            return XConnector(hosts(XHosts, addresses), clock=clock)
        case Platform.LINKEDIN:
            from chalicelib.connectors.linkedin.api import LinkedInHosts
            from chalicelib.connectors.linkedin.connector import LinkedInConnector

            return LinkedInConnector(hosts(LinkedInHosts, addresses), clock=clock, trusted=trusted)
        case Platform.THREADS:
            from chalicelib.connectors.threads.account import ThreadsHosts
            from chalicelib.connectors.threads.connector import ThreadsConnector

            return ThreadsConnector(hosts(ThreadsHosts, addresses), clock=clock)
        case Platform.INSTAGRAM:
            from chalicelib.connectors.instagram.account import InstagramHosts
            from chalicelib.connectors.instagram.connector import InstagramConnector

            return InstagramConnector(hosts(InstagramHosts, addresses), clock=clock)
        case Platform.FACEBOOK:
            from chalicelib.connectors.facebook.api import FacebookHosts
            from chalicelib.connectors.facebook.connector import FacebookConnector

            return FacebookConnector(hosts(FacebookHosts, addresses), clock=clock)
        case Platform.TIKTOK:
            from chalicelib.connectors.tiktok.api import TikTokHosts
            from chalicelib.connectors.tiktok.connector import TikTokConnector

            return TikTokConnector(hosts(TikTokHosts, addresses), clock=clock)
        case Platform.YOUTUBE:
            from chalicelib.connectors.youtube.api import YouTubeHosts
            from chalicelib.connectors.youtube.connector import YouTubeConnector

            return YouTubeConnector(hosts(YouTubeHosts, addresses), clock=clock)
        case Platform.PINTEREST:
            from chalicelib.connectors.pinterest.api import PinterestHosts
            from chalicelib.connectors.pinterest.connector import PinterestConnector

            return PinterestConnector(hosts(PinterestHosts, addresses), clock=clock)
        case Platform.REDDIT:
            from chalicelib.connectors.reddit.api import RedditHosts
            from chalicelib.connectors.reddit.connector import RedditConnector

            return RedditConnector(hosts(RedditHosts, addresses), clock=clock)
        case Platform.GOOGLE_BUSINESS_PROFILE:
            from chalicelib.connectors.google_business_profile.api import GoogleBusinessProfileHosts
            from chalicelib.connectors.google_business_profile.connector import (
                GoogleBusinessProfileConnector,
            )

            return GoogleBusinessProfileConnector(
                hosts(GoogleBusinessProfileHosts, addresses), clock=clock
            )
        case _:
            assert_never(platform)
