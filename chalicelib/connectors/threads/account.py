"""Signing in to Threads: developers.facebook.com/docs/threads/get-started/long-lived-tokens.

A code brings a token of an hour, which is traded for one of 60 days; that one renews itself, so it
is kept as its own refresh token. The application's id and secret are those of its Threads use case.
"""

from dataclasses import dataclass, replace
from datetime import datetime

from chalicelib.connectors.shared.auth.oauth import OAuthClient, OAuthConfiguration
from chalicelib.connectors.shared.auth.sign_in import Identity
from chalicelib.connectors.shared.meta.graph import Graph, client_of
from chalicelib.connectors.shared.transport.http import Call
from chalicelib.domain.clock import Clock
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens

API = "v1.0"
_SCOPES = (
    "threads_basic",
    "threads_content_publish",
    "threads_manage_insights",
    "threads_delete",
    "threads_manage_replies",
    "threads_location_tagging",
)
_DEAD = frozenset({"190", "100"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadsHosts:
    """Where Threads answers, where people sign in, and where its posts are seen."""

    threads: str = "https://graph.threads.net"
    threads_login: str = "https://threads.net"
    threads_web: str = "https://www.threads.com"


def threads_oauth(hosts: ThreadsHosts, clock: Clock) -> OAuthClient:
    """Return the way to Threads' sign-in page and back."""
    habits = OAuthConfiguration(
        platform=Platform.THREADS,
        authorize_url=f"{hosts.threads_login}/oauth/authorize",
        token_url=f"{hosts.threads}/oauth/access_token",
        scopes=_SCOPES,
        scope_separator=",",
        pkce=False,
        dead=_DEAD,
        keeps=("user_id",),
    )
    return OAuthClient(habits, clock=clock)


class ThreadsSignIn:
    """Trades tokens for longer ones, and tells whose they are."""

    def __init__(self, graph: Graph, hosts: ThreadsHosts) -> None:
        self._graph = graph
        self._host = hosts.threads

    def identity(self, tokens: Tokens, now: datetime) -> Identity:
        """Return the person's profile, with a token of 60 days."""
        secret = dict(client_of(tokens))["client_secret"]
        params = (
            ("grant_type", "th_exchange_token"),
            ("client_secret", secret),
            ("access_token", tokens.access),
        )
        long = self._graph.renew(
            Call(method="GET", url=f"{self._host}/access_token", params=params), tokens, now
        )
        fields = {"fields": "id,username,name"}
        me = self._graph.get(f"{self._host}/{API}/me", long.access, fields)
        return Identity(remote_identity=me.text("id"), handle=me.text("username"), tokens=long)

    def renew_tokens(self, tokens: Tokens, now: datetime) -> Tokens:
        """Return the token with 60 more days; it must be a day old and still hold."""
        params = (("grant_type", "th_refresh_token"), ("access_token", tokens.access))
        call = Call(method="GET", url=f"{self._host}/refresh_access_token", params=params)
        return self._graph.renew(call, replace(tokens, refresh=tokens.access), now)
