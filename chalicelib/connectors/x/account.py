"""Signing in to X: docs.x.com/fundamentals/authentication/oauth-2-0, with PKCE."""

from datetime import timedelta

from chalicelib.connectors.shared.auth.oauth import ClientAuth, OAuthConfiguration
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class XHosts:
    """Where X answers: its API, and the site that people see; whether it is asked for figures."""

    x: str = "https://api.x.com"
    x_web: str = "https://x.com"
    x_metrics: str = "on"


def oauth_configuration(hosts: XHosts) -> OAuthConfiguration:
    """Return how X signs people in."""
    return OAuthConfiguration(
        platform=Platform.X,
        authorize_url=f"{hosts.x_web}/i/oauth2/authorize",
        token_url=f"{hosts.x}/2/oauth2/token",
        scopes=("tweet.read", "tweet.write", "users.read", "media.write", "offline.access"),
        client_auth=ClientAuth.BASIC,
        # A spent or withdrawn refresh token is answered with either.
        dead=frozenset({"invalid_request", "invalid_grant"}),
        renew_every=timedelta(days=30),
    )
