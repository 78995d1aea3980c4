"""What YouTube and Google Business Profile share: Google's sign-in, and its APIs' errors.

developers.google.com/identity/protocols/oauth2/web-server. Refresh tokens do not rotate; `consent`
is asked for each time, because Google gives a refresh token with a consent only.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from chalicelib.connectors.shared.auth.oauth import OAuthClient, OAuthConfiguration
from chalicelib.domain.clock import Clock
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.transport.responses import PlatformResponse, find

_QUOTA_ZONE = ZoneInfo("America/Los_Angeles")


@dataclass(frozen=True, slots=True, kw_only=True)
class GoogleSignInHosts:
    """Google's addresses for sign-in and tokens."""

    login: str
    tokens: str


def google_oauth(
    platform: Platform, hosts: GoogleSignInHosts, scopes: tuple[str, ...], clock: Clock
) -> OAuthClient:
    """Return the sign-in of one of Google's platforms; `scopes` are what it needs."""
    return OAuthClient(
        OAuthConfiguration(
            platform=platform,
            authorize_url=f"{hosts.login}/o/oauth2/v2/auth",
            token_url=f"{hosts.tokens}/token",
            scopes=scopes,
            authorize_params={"access_type": "offline", "prompt": "consent"},
            keeps=("scope",),
        ),
        clock=clock,
    )


def missing_scopes(tokens: Tokens, needed: Iterable[str]) -> list[str]:
    """Return the scopes that the person unticked on Google's page, which allows that for each."""
    granted = tokens.extra.get("scope")
    return [] if granted is None else [one for one in needed if one not in granted.split()]


def reasons(response: PlatformResponse) -> Iterator[str]:
    """Yield the codes of an error, most specific first: details, reasons, status, number."""
    for part in ("details", "errors"):
        named = [find(each, "reason") for each in response.items("error", part)]
        yield from (reason for reason in named if isinstance(reason, str))
    status = response.find("error", "status")
    if isinstance(status, str):
        yield status
    yield str(response.status)


def until_quota_returns(now: datetime) -> timedelta:
    """Return how long until Google's daily quotas are reset, at midnight Pacific time.

    developers.google.com/youtube/v3/determine_quota_cost; the zone has daylight saving time.
    """
    tomorrow = now.astimezone(_QUOTA_ZONE).date() + timedelta(days=1)
    return datetime.combine(tomorrow, time.min, _QUOTA_ZONE) - now
