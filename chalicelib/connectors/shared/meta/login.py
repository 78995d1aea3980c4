"""Facebook Login, for Pages and for the Instagram accounts behind them.

developers.facebook.com/docs/facebook-login/guides/access-tokens/get-long-lived. A person's token is
traded for one of 60 days; each Page has a token of its own that does not expire, and can be read
again with the person's token while that is valid.

developers.facebook.com/docs/pages-api/overview: who has the task CREATE_CONTENT or MANAGE may post.
Pages of the "new experience" name the same tasks with PROFILE_PLUS_ before them and have one more
for full control (the enumeration of page tasks in Meta's own client, facebook-business 26.0.3).
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from urllib.parse import urlencode

from chalicelib.connectors.shared.auth.oauth import (
    Client,
    OAuthClient,
    OAuthConfiguration,
    PendingSignIn,
    code_of,
)
from chalicelib.connectors.shared.auth.withheld import require_granted
from chalicelib.connectors.shared.calls.failures import TokenRejectedError
from chalicelib.connectors.shared.meta.graph import Graph, GraphRejectedError, client_of
from chalicelib.domain.clock import Clock
from chalicelib.domain.outcome import FailureCode
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.failures import UnansweredError
from chalicelib.kit.transport.responses import find, token_of

_MOST_PAGES_OF_LIST = 20
_MAY_POST = frozenset(
    (
        *("CREATE_CONTENT", "MANAGE", "PROFILE_PLUS_CREATE_CONTENT"),
        *("PROFILE_PLUS_FULL_CONTROL", "PROFILE_PLUS_MANAGE"),
    )
)
_NO_TASK = (
    "Your role on this Page does not allow creating posts. Ask its owner for that permission."
)
_NO_TOKEN = "Facebook gave no access to this Page. Select the Page when you sign in."  # noqa: S105 - a sentence
_EDGES_OF_BUSINESS = ("owned_pages", "client_pages")


@dataclass(frozen=True, slots=True, kw_only=True)
class FacebookLoginHosts:
    """Graph's address, and that of the sign-in page."""

    api: str
    login: str
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FacebookPage:
    """A Page with its own tokens; `barred` says why the person cannot post to it."""

    fields: dict[str, Json]
    tokens: Tokens
    barred: str | None


class FacebookLogin:
    """One platform's sign-in by Facebook; `scopes` are asked for, `needed` are those to post."""

    def __init__(
        self,
        graph: Graph,
        hosts: FacebookLoginHosts,
        platform: Platform,
        scopes: tuple[str, ...],
        needed: tuple[str, ...],
        clock: Clock,
    ) -> None:
        self._graph = graph
        self._needed = needed
        self._api = f"{hosts.api}/{hosts.version}"
        self._platform = platform
        settings = OAuthConfiguration(
            platform=platform,
            authorize_url=f"{hosts.login}/{hosts.version}/dialog/oauth",
            token_url=f"{self._api}/oauth/access_token",
            scopes=scopes,
            scope_separator=",",
            pkce=False,
        )
        self.oauth = FacebookSignInPage(graph, settings, clock)

    def pages(self, tokens: Tokens, now: datetime, fields: str) -> list[FacebookPage]:
        """Return the person's Pages, each once, those that can be posted to first.

        Raises RejectedError when the person withheld a permission that posting needs.
        """
        person = self._long_lived(tokens, now)
        require_granted(self._platform, self._needed, self._granted_permissions(person))
        found: dict[str, FacebookPage] = {}
        for shown in self._list_pages(person, fields):
            if not isinstance(shown, dict):
                continue
            page = _page(shown, person)
            before = found.get(str(shown["id"]))
            if before is None or before.barred is not None:  # a business may show more of it
                found[str(shown["id"])] = page
        return sorted(found.values(), key=lambda page: page.barred is not None)

    def page_tokens(self, tokens: Tokens, page_id: str) -> Tokens:
        """Return a Page's tokens, read again with the person's.

        Raises TokenRejectedError when that is no longer valid, or the person has lost the Page.
        """
        try:
            url = f"{self._api}/{page_id}"
            response = self._graph.get(url, tokens.refresh, {"fields": "access_token"})
        except GraphRejectedError as error:
            if error.is_gone or error.code is FailureCode.PERMISSION_MISSING:
                raise self._lost_page() from error
            raise UnansweredError(f"The Page's token was not given ({error.code}).") from error
        response.text("id")  # an answer without it says nothing of the Page
        if response.find("access_token") is None:
            raise self._lost_page()
        return replace(tokens, access=response.token("access_token"))

    def _granted_permissions(self, person: Tokens) -> frozenset[str]:
        """Return the permissions that the person granted; nothing if the answer does not say.

        developers.facebook.com/docs/facebook-login/guides/permissions/request-revoke: unticked ones
        are listed there as `declined`.
        """
        try:
            listed = list(self._items("me/permissions", person, "permission,status"))
        except GraphRejectedError:
            return frozenset()
        granted = (one for one in listed if find(one, "status") == "granted")
        return frozenset(str(find(one, "permission")) for one in granted)

    def _list_pages(self, person: Tokens, fields: str) -> Iterator[Json]:
        """Yield the person's own Pages, then those that only a business shows."""
        listed = list(self._items("me/accounts", person, fields))
        yield from listed or self._granted_pages(person, fields)
        try:
            for business in self._items("me/businesses", person, "id"):
                for edge in _EDGES_OF_BUSINESS:
                    yield from self._items(f"{find(business, 'id')}/{edge}", person, fields)
        except GraphRejectedError:
            return  # without business_management no more are listed

    def _granted_pages(self, person: Tokens, fields: str) -> Iterator[Json]:
        """Yield the Pages that the person ticked one by one, which the list may leave out."""
        application = "|".join(value for _, value in client_of(person))
        params = {"input_token": person.access}
        try:
            told = self._graph.get(f"{self._api}/debug_token", application, params)
        except GraphRejectedError:
            return  # the token's grants are not listed: there is nothing to add
        scopes = told.items("data", "granular_scopes")
        ids = {str(one) for scope in scopes for one in _texts(find(scope, "target_ids"))}
        for page_id in sorted(ids):
            try:
                url = f"{self._api}/{page_id}"
                yield self._graph.get(url, person.access, {"fields": fields}).json()
            except GraphRejectedError:
                continue  # no Page, or one that the person lost

    def _items(self, edge: str, person: Tokens, fields: str) -> Iterator[Json]:
        url, params = f"{self._api}/{edge}", {"fields": fields, "limit": "100"}
        for _ in range(_MOST_PAGES_OF_LIST):
            response = self._graph.get(url, person.access, params)
            yield from response.items("data")
            after = response.find("paging", "cursors", "after")
            if not isinstance(after, str) or response.find("paging", "next") is None:
                return
            params = {**params, "after": after}

    def _lost_page(self) -> TokenRejectedError:
        name = FACTS[self._platform].name
        return TokenRejectedError(f"{name} no longer gives access to the Page. Reconnect it.")

    def _long_lived(self, tokens: Tokens, now: datetime) -> Tokens:
        params = (
            ("grant_type", "fb_exchange_token"),
            *client_of(tokens),
            ("fb_exchange_token", tokens.access),
        )
        return self._graph.renew(f"{self._api}/oauth/access_token", params, tokens, now)


class FacebookSignInPage:
    """Facebook's page to sign in at; it trades a code for a token by GET."""

    def __init__(self, graph: Graph, settings: OAuthConfiguration, clock: Clock) -> None:
        self._graph = graph
        self._settings = settings
        self._page = OAuthClient(settings, clock=clock)

    def begin(self, client: Client, redirect_uri: str, handle: str | None = None) -> PendingSignIn:
        """Return the page to open, and the state to keep until the redirect."""
        pending = self._page.begin(client, redirect_uri, handle)
        if client.config_id is None:
            return pending
        # Without it the page of an application for businesses says that it is not available.
        return replace(pending, url=f"{pending.url}&{urlencode({'config_id': client.config_id})}")

    def finish(self, pending: PendingSignIn, redirected_to: str) -> Tokens:
        """Trade the code in the address for a person's token. Raises TokenRejectedError."""
        name, client = FACTS[self._settings.platform].name, pending.client
        params = (
            ("client_id", client.id),
            ("client_secret", client.secret or ""),
            ("redirect_uri", pending.redirect_uri),
            ("code", code_of(self._settings.platform, pending, redirected_to)),
        )
        try:
            response = self._graph.get(self._settings.token_url, None, params)
        except GraphRejectedError as error:
            keys = ", ".join(sorted(error.error_codes))
            raise TokenRejectedError(f"{name} refused the sign-in ({keys}).") from error
        secret = {} if client.secret is None else {"client_secret": client.secret}
        return Tokens(
            access=response.token("access_token"), extra={"client_id": client.id, **secret}
        )


def _texts(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _page(shown: dict[str, Json], person: Tokens) -> FacebookPage:
    """Return a Page with its tokens, renewed with the person's when they are refused."""
    tasks, access = find(shown, "tasks"), token_of(find(shown, "access_token"))
    barred = _NO_TOKEN if access is None else None
    if isinstance(tasks, list) and _MAY_POST.isdisjoint(map(str, tasks)):
        barred = _NO_TASK
    tokens = Tokens(
        access=access or "",
        refresh=person.access,
        extra=person.extra,
    )
    return FacebookPage(fields=shown, tokens=tokens, barred=barred)
