"""Signing in to Threads: developers.facebook.com/docs/threads/get-started/long-lived-tokens.

A code brings a token of an hour, which is traded for one of 60 days; that one renews itself, so it
is kept as its own refresh token. The application's id and secret are those of its Threads use case.
"""

from datetime import datetime

from chalicelib.connectors.shared.auth.oauth import OAuthClient, OAuthConfiguration
from chalicelib.connectors.shared.auth.sign_in import Identity
from chalicelib.connectors.shared.auth.withheld import require_granted
from chalicelib.connectors.shared.meta.graph import Graph, GraphRejectedError
from chalicelib.domain.clock import Clock
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.dataclass import dataclass

API, GRANTS = "v1.0", "th"
_NEEDED = ("threads_basic", "threads_content_publish")
_SCOPES = (
    *_NEEDED,
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


def identity(graph: Graph, host: str, tokens: Tokens, now: datetime) -> Identity:
    """Return the profile of the person who signed in, with a token of 60 days.

    Raises RejectedError when the person withheld a permission that posting needs.
    """
    long = graph.exchange(host, GRANTS, tokens, now)
    require_granted(Platform.THREADS, _NEEDED, _granted_permissions(graph, host, long))
    me = graph.get(f"{host}/{API}/me", long.access, {"fields": "id,username,name"})
    return Identity(remote_identity=me.text("id"), handle=me.text("username"), tokens=long)


def _granted_permissions(graph: Graph, host: str, tokens: Tokens) -> list[str]:
    """Return what the person granted: developers.facebook.com/docs/threads, "Debug tokens"."""
    try:
        told = graph.get(f"{host}/{API}/debug_token", tokens.access, {"input_token": tokens.access})
    except GraphRejectedError:
        return []
    return [str(scope) for scope in told.items("data", "scopes")]
