"""Facebook Login, for Pages and for the Instagram accounts behind them.

developers.facebook.com/docs/facebook-login/guides/access-tokens/get-long-lived. A person's token is
traded for one of 60 days; each Page has a token of its own that does not end by itself, and can be
had again from the person's token as long as that holds.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from chalicelib.connectors.http import Call
from chalicelib.connectors.meta_graph import VERSION, Graph, client_of
from chalicelib.connectors.oauth import OAuthClient, OAuthPlatform
from chalicelib.connectors.replies import RejectedError, TokenRejectedError, UnansweredError
from chalicelib.connectors.reply import find
from chalicelib.domain.clock import Clock
from chalicelib.domain.outcome import Json
from chalicelib.domain.platforms import NAMES, Platform
from chalicelib.domain.tokens import Tokens

_DEAD = frozenset({"190", "100"})
_MOST_PAGES_OF_LIST = 20
_MAY_POST = "CREATE_CONTENT"


@dataclass(frozen=True, slots=True, kw_only=True)
class FacebookLoginHosts:
    """Where Graph answers and where people sign in."""

    api: str
    login: str


class FacebookLogin:
    """One platform's sign-in by Facebook; `scopes` are what it needs."""

    def __init__(
        self,
        graph: Graph,
        hosts: FacebookLoginHosts,
        platform: Platform,
        scopes: tuple[str, ...],
        clock: Clock,
    ) -> None:
        self._graph = graph
        self._api = f"{hosts.api}/{VERSION}"
        self._platform = platform
        self.oauth = OAuthClient(
            OAuthPlatform(
                platform=platform,
                authorize_url=f"{hosts.login}/{VERSION}/dialog/oauth",
                token_url=f"{self._api}/oauth/access_token",
                scopes=scopes,
                scope_separator=",",
                pkce=False,
                dead=_DEAD,
            ),
            clock=clock,
        )

    def pages(
        self, tokens: Tokens, now: datetime, fields: str
    ) -> Iterator[tuple[dict[str, Json], Tokens]]:
        """Yield the Pages that the person may post to, each with its own tokens."""
        person = self._long_lived(tokens, now)
        url = f"{self._api}/me/accounts"
        params: dict[str, str] = {"fields": fields, "limit": "100"}
        for _ in range(_MOST_PAGES_OF_LIST):
            reply = self._graph.get(url, person.access, params)
            for page in reply.items("data"):
                tasks, access = find(page, "tasks"), find(page, "access_token")
                may_post = not isinstance(tasks, list) or _MAY_POST in tasks
                if isinstance(page, dict) and isinstance(access, str) and may_post:
                    yield page, _of_page(person, access)
            after = reply.find("paging", "cursors", "after")
            if not isinstance(after, str) or reply.find("paging", "next") is None:
                return
            params = {**params, "after": after}

    def page_tokens(self, tokens: Tokens, page_id: str) -> Tokens:
        """Return a Page's tokens anew from the person's.

        Raises TokenRejectedError when that holds no longer.
        """
        try:
            url = f"{self._api}/{page_id}"
            reply = self._graph.get(url, tokens.refresh, {"fields": "access_token"})
        except RejectedError as error:
            raise UnansweredError(f"The Page's token was not given ({error.code}).") from error
        access = reply.find("access_token")
        if not isinstance(access, str):
            name = NAMES[self._platform]
            raise TokenRejectedError(f"{name} gives no token for the Page any more. Reconnect it.")
        return replace(tokens, access=access)

    def _long_lived(self, tokens: Tokens, now: datetime) -> Tokens:
        params = (
            ("grant_type", "fb_exchange_token"),
            *client_of(tokens),
            ("fb_exchange_token", tokens.access),
        )
        call = Call(method="GET", url=f"{self._api}/oauth/access_token", params=params)
        return self._graph.renew(call, tokens, now)


def _of_page(person: Tokens, access: str) -> Tokens:
    """Return a Page's tokens, renewed by the person's when they are refused."""
    return Tokens(access=access, refresh=person.access, extra=person.extra)
