"""Signing in to Instagram, by Instagram's own page or by Facebook's.

developers.facebook.com/docs/instagram-platform: instagram-api-with-instagram-login and
…-with-facebook-login. Each has a host of its own; which one it was is kept with the tokens, so a
person may sign in again the other way. Instagram's live 60 days and renew themselves, Pages' last.
"""

from dataclasses import replace
from datetime import datetime

from chalicelib.connectors.connector import ConnectedAccount
from chalicelib.connectors.instagram.refusals import InstagramRefusal
from chalicelib.connectors.shared.auth.oauth import OAuthClient, OAuthConfiguration
from chalicelib.connectors.shared.auth.sign_in import Identity
from chalicelib.connectors.shared.auth.withheld import require_granted
from chalicelib.connectors.shared.meta.graph import Graph
from chalicelib.connectors.shared.meta.login import (
    FacebookLogin,
    FacebookLoginHosts,
    FacebookPage,
)
from chalicelib.domain.clock import Clock
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.setting import META_GRAPH
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.transport.responses import find

BY_FACEBOOK = "facebook"
BY_INSTAGRAM = "instagram"
_SCOPES = tuple(
    f"instagram_business_{name}"
    for name in ("basic", "content_publish", "manage_insights", "manage_comments")
)
_NEEDED = ("instagram_business_basic", "instagram_business_content_publish")
_FACEBOOK_NEEDED = (
    *("instagram_basic", "instagram_content_publish"),
    *("pages_show_list", "pages_read_engagement"),
)
_FACEBOOK_SCOPES = (
    *_FACEBOOK_NEEDED,
    *("instagram_manage_insights", "instagram_manage_comments", "business_management"),
)
_PAGE_FIELDS = "id,name,access_token,tasks,instagram_business_account{id,username}"
_DEAD = frozenset({"190", "100"})
_GRANTS = "ig"
_PERMISSIONS = "permissions"
_PRIVATE = "PERSONAL"
_NO_ACCOUNT = "No professional Instagram account is linked to this Page."


@dataclass(frozen=True, slots=True, kw_only=True)
class InstagramHosts:
    """Where both flavours answer and sign people in, and where posts are seen."""

    instagram: str = "https://graph.instagram.com"
    instagram_exchange: str = "https://api.instagram.com"
    instagram_login: str = "https://www.instagram.com"
    instagram_web: str = "https://www.instagram.com"
    facebook: str = "https://graph.facebook.com"
    facebook_login: str = "https://www.facebook.com"
    facebook_upload: str = "https://rupload.facebook.com"
    graph_version: str = META_GRAPH.default

    def api(self, account: ConnectedAccount) -> str:
        """Return where an account's calls go."""
        host = self.facebook if is_by_facebook(account) else self.instagram
        return f"{host}/{self.graph_version}"


def is_by_facebook(account: ConnectedAccount) -> bool:
    """Tell which flavour an account's tokens are."""
    return account.extra.get("login") == BY_FACEBOOK


class ByInstagram:
    """Sign-in with Instagram's own page."""

    def __init__(self, graph: Graph, hosts: InstagramHosts, clock: Clock) -> None:
        self._graph = graph
        self._host = hosts.instagram
        self._version = hosts.graph_version
        self.oauth = OAuthClient(
            OAuthConfiguration(
                platform=Platform.INSTAGRAM,
                authorize_url=f"{hosts.instagram_login}/oauth/authorize",
                token_url=f"{hosts.instagram_exchange}/oauth/access_token",
                scopes=_SCOPES,
                scope_separator=",",
                pkce=False,
                dead=_DEAD,
                nested=("data", 0),
                keeps=(_PERMISSIONS,),
            ),
            clock=clock,
        )

    def identities(self, tokens: Tokens, now: datetime) -> list[Identity]:
        """Return the account that signed in, with a token of 60 days.

        Raises RejectedError for an account, or with permissions, that cannot be posted by.
        """
        require_granted(Platform.INSTAGRAM, _NEEDED, _names_in(tokens.extra.get(_PERMISSIONS)))
        long = self._graph.exchange(self._host, _GRANTS, tokens, now)
        fields = {"fields": "user_id,username,account_type"}
        me = self._graph.get(f"{self._host}/{self._version}/me", long.access, fields)
        path = ("data", 0) if me.items("data") else ()  # Meta's pages show both shapes
        if str(me.find(*path, "account_type")).upper() == _PRIVATE:
            raise InstagramRefusal.NOT_PROFESSIONAL.error()
        return [
            Identity(
                remote_identity=me.text(*path, "user_id"),
                handle=me.text(*path, "username"),
                tokens=replace(long, extra={**long.extra, "login": BY_INSTAGRAM}),
                settings={"login": BY_INSTAGRAM},
            )
        ]

    def renew_tokens(self, tokens: Tokens, now: datetime) -> Tokens:
        """Return the token with 60 more days; it must be a day old and still hold."""
        return self._graph.prolong(self._host, _GRANTS, tokens, now)


class ByFacebook:
    """Sign-in with Facebook's page: the accounts behind the person's Pages."""

    def __init__(self, graph: Graph, hosts: InstagramHosts, clock: Clock) -> None:
        places = FacebookLoginHosts(
            api=hosts.facebook, login=hosts.facebook_login, version=hosts.graph_version
        )
        scopes, needed = _FACEBOOK_SCOPES, _FACEBOOK_NEEDED
        self._login = FacebookLogin(graph, places, Platform.INSTAGRAM, scopes, needed, clock)
        self.oauth = self._login.oauth

    def identities(self, tokens: Tokens, now: datetime) -> list[Identity]:
        """Return the professional account behind each Page; a Page without one says so."""
        pages = self._login.pages(tokens, now, _PAGE_FIELDS)
        return sorted(map(_behind, pages), key=lambda found: found.barred is not None)

    def renew_tokens(self, tokens: Tokens) -> Tokens:
        """Return the Page's token anew."""
        return self._login.page_tokens(tokens, tokens.extra["page_id"])


def _names_in(permissions: str | None) -> list[str]:
    """Return what the token's answer lists: names with commas between, or a list of names."""
    return (permissions or "").replace(",", " ").split()


def _behind(page: FacebookPage) -> Identity:
    account = find(page.fields, "instagram_business_account")
    kept = {"login": BY_FACEBOOK, "page_id": str(page.fields["id"])}
    if account is None:
        return Identity(
            remote_identity=f"page-{page.fields['id']}",
            handle=str(find(page.fields, "name")),
            tokens=page.tokens,
            barred=_NO_ACCOUNT,
        )
    return Identity(
        remote_identity=str(find(account, "id")),
        handle=str(find(account, "username")),
        tokens=replace(page.tokens, extra={**page.tokens.extra, **kept}),
        settings={"login": BY_FACEBOOK},
        barred=page.barred,
    )
