"""Signing in to Reddit: github.com/reddit-archive/reddit/wiki/OAuth2.

`duration=permanent` is what brings a refresh token, which then works until it is withdrawn. Reddit
wants to be told who calls here too, so each call goes out under the application's own name.
"""

from datetime import datetime

from chalicelib.connectors.auth.oauth import (
    Client,
    ClientAuth,
    OAuthClient,
    OAuthConfiguration,
    PendingSignIn,
)
from chalicelib.connectors.auth.sign_in import Identity
from chalicelib.connectors.connector import ConnectedAccount
from chalicelib.connectors.reddit.api import Caller, RedditApi, RedditHosts, agent
from chalicelib.connectors.transport.failures import RejectedError
from chalicelib.connectors.transport.responses import PlatformResponse
from chalicelib.domain.clock import Clock
from chalicelib.domain.outcome import FailureCode
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens

SCOPES = ("identity", "submit", "read", "history", "flair", "edit")
_NEEDED = frozenset({"identity", "submit", "read", "history"})
_ALL = "*"
_DEAD = frozenset({"invalid_grant", "invalid_request", "400"})
"""A withdrawn refresh token is answered with {"message": "Bad Request", "error": 400}."""

_UNAUTHORIZED = 401
_SUSPENDED = "Reddit has suspended the account. Sign in there to see why."


class RedditSignIn:
    """The way to Reddit's sign-in page and back, and to the next token."""

    def __init__(self, hosts: RedditHosts, clock: Clock) -> None:
        self._hosts = hosts
        self._clock = clock

    def begin(self, client: Client, redirect_uri: str, handle: str | None = None) -> PendingSignIn:
        """Return the page to open, and what to remember until its redirect comes back."""
        return self._as(agent(client.id, None)).begin(client, redirect_uri, handle)

    def finish(self, pending: PendingSignIn, redirected_to: str) -> Tokens:
        """Trade the code in a redirect for tokens. Raises TokenRejectedError."""
        return self._as(agent(pending.client.id, None)).finish(pending, redirected_to)

    def refresh(self, account: ConnectedAccount, tokens: Tokens) -> Tokens:
        """Return the next access token. Raises TokenRejectedError when there will be none."""
        name = agent(tokens.extra.get("client_id", ""), account.handle)
        return self._as(name).refresh(tokens)

    def _as(self, name: str) -> OAuthClient:
        """Return what calls under a name; once a day for an account, so none is kept."""
        settings = OAuthConfiguration(
            platform=Platform.REDDIT,
            authorize_url=f"{self._hosts.reddit_sign_in}/api/v1/authorize",
            token_url=f"{self._hosts.reddit_sign_in}/api/v1/access_token",
            scopes=SCOPES,
            client_auth=ClientAuth.BASIC,
            pkce=False,
            authorize_params={"duration": "permanent"},
            headers={"User-Agent": name},
            dead=_DEAD,
            error_codes=_error_codes,
            keeps=("scope",),
        )
        return OAuthClient(settings, clock=self._clock)


def identity(api: RedditApi, tokens: Tokens, now: datetime) -> Identity:
    """Return who signed in. Raises RejectedError for who cannot post with that."""
    del now
    missing = _NEEDED - _granted(tokens)
    if missing:
        message = f"The sign-in to Reddit lacks permissions: {', '.join(sorted(missing))}."
        raise RejectedError(FailureCode.PERMISSION_MISSING, message)
    who = Caller(tokens.access, agent(tokens.extra.get("client_id", ""), None))
    me = api.get(who, "/api/v1/me")
    if me.find("is_suspended") is True:
        raise RejectedError(FailureCode.ACCOUNT_RESTRICTED, _SUSPENDED)
    return Identity(remote_identity=me.text("id"), handle=me.text("name"), tokens=tokens)


def _error_codes(response: PlatformResponse) -> tuple[str, ...]:
    """Read `error`, a word or the status; a wrong client has no word for it, only a 401."""
    if response.status == _UNAUTHORIZED:
        return ("invalid_client",)
    return (str(response.find("error")),)


def _granted(tokens: Tokens) -> frozenset[str]:
    granted = frozenset(tokens.extra.get("scope", "").split())
    return _NEEDED if _ALL in granted else granted
