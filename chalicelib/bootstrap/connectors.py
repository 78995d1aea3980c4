"""Every real platform that this build can publish to, and what keeps its accounts signed in.

`bootstrap` makes the one registry of it. A new connector is one line here.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from chalicelib.connectors.bluesky.connector import BlueskyConnector
from chalicelib.connectors.bluesky.sessions import BlueskyHosts
from chalicelib.connectors.connector import Connector
from chalicelib.connectors.facebook.api import FacebookHosts
from chalicelib.connectors.facebook.connector import FacebookConnector
from chalicelib.connectors.google_business_profile.api import GoogleBusinessProfileHosts
from chalicelib.connectors.google_business_profile.connector import GoogleBusinessProfileConnector
from chalicelib.connectors.instagram.account import InstagramHosts
from chalicelib.connectors.instagram.connector import InstagramConnector
from chalicelib.connectors.linkedin.connector import LinkedInConnector
from chalicelib.connectors.linkedin.rest import LinkedInHosts
from chalicelib.connectors.pinterest.api import PinterestHosts
from chalicelib.connectors.pinterest.connector import PinterestConnector
from chalicelib.connectors.reddit.api import RedditHosts
from chalicelib.connectors.reddit.connector import RedditConnector
from chalicelib.connectors.shared.auth.tokens import TokenKeeper, TokenStore
from chalicelib.connectors.shared.transport.hosts import hosts
from chalicelib.connectors.threads.account import ThreadsHosts
from chalicelib.connectors.threads.connector import ThreadsConnector
from chalicelib.connectors.tiktok.api import TikTokHosts
from chalicelib.connectors.tiktok.connector import TikTokConnector
from chalicelib.connectors.x.connector import XConnector, XHosts
from chalicelib.connectors.youtube.api import YouTubeHosts
from chalicelib.connectors.youtube.connector import YouTubeConnector
from chalicelib.domain.clock import Clock
from chalicelib.domain.platforms.platform import Platform
from chalicelib.storage.workspace.accounts import AccountRepository
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.token_encryption import TokenEncryption
from chalicelib.storage.workspace.token_rows import TokenRows
from chalicelib.storage.workspace.token_store import SealedTokenStore

if TYPE_CHECKING:
    from mypy_boto3_kms import KMSClient


def real_connectors(
    addresses: Mapping[str, str], clock: Clock, trusted: frozenset[str] = frozenset()
) -> dict[Platform, Connector]:
    """Return the connectors, at the addresses that the settings name (`transport/hosts.py`).

    `trusted` are origins that an account's identity may name though they are not public.
    """
    return {
        Platform.BLUESKY: BlueskyConnector(
            hosts(BlueskyHosts, addresses), clock=clock, trusted=trusted
        ),
        Platform.X: XConnector(hosts(XHosts, addresses), clock=clock),
        Platform.LINKEDIN: LinkedInConnector(
            hosts(LinkedInHosts, addresses), clock=clock, trusted=trusted
        ),
        Platform.THREADS: ThreadsConnector(hosts(ThreadsHosts, addresses), clock=clock),
        Platform.INSTAGRAM: InstagramConnector(hosts(InstagramHosts, addresses), clock=clock),
        Platform.FACEBOOK: FacebookConnector(hosts(FacebookHosts, addresses), clock=clock),
        Platform.TIKTOK: TikTokConnector(hosts(TikTokHosts, addresses), clock=clock),
        Platform.YOUTUBE: YouTubeConnector(hosts(YouTubeHosts, addresses), clock=clock),
        Platform.PINTEREST: PinterestConnector(hosts(PinterestHosts, addresses), clock=clock),
        Platform.REDDIT: RedditConnector(hosts(RedditHosts, addresses), clock=clock),
        Platform.GOOGLE_BUSINESS_PROFILE: GoogleBusinessProfileConnector(
            hosts(GoogleBusinessProfileHosts, addresses), clock=clock
        ),
    }


def make_token_store(table: WorkspaceTable, kms: "KMSClient", key: str) -> SealedTokenStore:
    """Return the accounts' tokens, sealed by a KMS key."""
    return SealedTokenStore(TokenRows(table), AccountRepository(table), TokenEncryption(kms, key))


def make_token_keeper(store: TokenStore, clock: Clock) -> TokenKeeper:
    """Return what hands out accounts with a working token."""
    return TokenKeeper(store, clock)
