"""Signing in to Reddit: github.com/reddit-archive/reddit/wiki/OAuth2.

`duration=permanent` is what brings a refresh token, which then works until it is withdrawn. Reddit
wants to be told who calls here too, so each call goes out under the application's own name.

An account can choose the communities it has joined, and a community's flairs: reddit.com/dev/api.
Posts may go to communities that the account has not joined, so the list is never everything there
is. A community without flairs, or one whose flairs only moderators may use, answers 403. What it
demands of titles, texts and flairs is asked for beside: reddit.com/dev/api#GET_api_v1_{subreddit}_
post_requirements.
"""

from datetime import datetime

from chalicelib.connectors.connector import MOST_PAGES, ConnectedAccount
from chalicelib.connectors.reddit.api import Caller, RedditApi, RedditHosts, agent, caller
from chalicelib.connectors.reddit.post import community_of
from chalicelib.connectors.reddit.refusals import RedditRefusal
from chalicelib.connectors.shared.auth.oauth import (
    Client,
    ClientAuth,
    OAuthClient,
    OAuthConfiguration,
    PendingSignIn,
)
from chalicelib.connectors.shared.auth.sign_in import Identity
from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.domain.clock import Clock
from chalicelib.domain.platforms.choices import (
    FLAIR,
    NO_DEMANDS,
    SUBREDDIT,
    BodyPolicy,
    Choice,
    Choices,
    Demands,
)
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import PlatformResponse, count, find

SCOPES = ("identity", "submit", "read", "history", "flair", "edit")
_NEEDED = frozenset({"identity", "submit", "read", "history"})
_ALL = "*"
_DEAD = frozenset({"invalid_grant", "invalid_request", "400"})
"""A withdrawn refresh token is answered with {"message": "Bad Request", "error": 400}."""

_UNAUTHORIZED = 401


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
    missing = _NEEDED - _granted_scopes(tokens)
    if missing:
        raise RedditRefusal.WITHHELD.error(missing=", ".join(sorted(missing)))
    who = Caller(tokens.access, agent(tokens.extra.get("client_id", ""), None))
    me = api.get(who, "/api/v1/me")
    if me.find("is_suspended") is True:
        raise RedditRefusal.SUSPENDED.error()
    return Identity(remote_identity=me.text("id"), handle=me.text("name"), tokens=tokens)


def _error_codes(response: PlatformResponse) -> tuple[str, ...]:
    """Read `error`, a word or the status; a wrong client has no word for it, only a 401."""
    if response.status == _UNAUTHORIZED:
        return ("invalid_client",)
    return (str(response.find("error")),)


def _granted_scopes(tokens: Tokens) -> frozenset[str]:
    granted = frozenset(tokens.extra.get("scope", "").split())
    return _NEEDED if _ALL in granted else granted


_PAGE = "100"


def reddit_choices(api: RedditApi, account: ConnectedAccount, subreddit: str | None) -> Choices:
    """Return the account's communities, and the flairs of one that is named."""
    offered = {SUBREDDIT: tuple(_communities(api, account))}
    community = None if subreddit is None else community_of({"subreddit": subreddit})
    if community is None:
        return Choices(offered=offered)
    flairs, demands = _flairs(api, account, community), _demands(api, account, community)
    if flairs is None:
        return Choices(offered=offered, demands=demands)
    offered = {**offered, FLAIR: flairs}
    return Choices(offered=offered, complete=frozenset({FLAIR}), demands=demands)


def _communities(api: RedditApi, account: ConnectedAccount) -> list[Choice]:
    found: list[Choice] = []
    after: str | None = None
    for _ in range(MOST_PAGES):
        more = {} if after is None else {"after": after}
        response = api.listing(
            caller(account), "/subreddits/mine/subscriber", {"limit": _PAGE, **more}
        )
        found += [_community(find(one, "data")) for one in response.items("data", "children")]
        following = response.find("data", "after")
        after = following if isinstance(following, str) and following else None
        if after is None:
            break
    return found


def _community(about: Json) -> Choice:
    name = str(find(about, "display_name"))
    return Choice(name, str(find(about, "display_name_prefixed") or f"r/{name}"))


def _flairs(api: RedditApi, account: ConnectedAccount, community: str) -> tuple[Choice, ...] | None:
    """Return a community's flairs for posts, None where they may not be read."""
    try:
        response = api.get(caller(account), f"/r/{community}/api/link_flair_v2")
    except RejectedError:
        return None
    flairs = response.json()
    if not isinstance(flairs, list):
        return None
    return tuple(
        Choice(str(find(one, "id")), str(find(one, "text")))
        for one in flairs
        if find(one, "mod_only") is not True
    )


_POLICIES = {"required": BodyPolicy.REQUIRED, "notAllowed": BodyPolicy.FORBIDDEN}


def _demands(api: RedditApi, account: ConnectedAccount, community: str) -> Demands:
    """Return what a community wants of every post, nothing where it may not be asked."""
    try:
        told = api.get(caller(account), f"/api/v1/{community}/post_requirements").json()
    except RejectedError:
        return NO_DEMANDS
    return Demands(
        flair=find(told, "is_flair_required") is True,
        shortest_title=count(told, "title_text_min_length"),
        longest_title=count(told, "title_text_max_length") or None,
        title_needs=_strings(find(told, "title_required_strings")),
        title_bars=_strings(find(told, "title_blacklisted_strings")),
        title_has_pattern=bool(find(told, "title_regexes")),
        body=_POLICIES.get(str(find(told, "body_restriction_policy")), BodyPolicy.FREE),
        shortest_body=count(told, "body_text_min_length"),
        longest_body=count(told, "body_text_max_length") or None,
        body_needs=_strings(find(told, "body_required_strings")),
        body_bars=_strings(find(told, "body_blacklisted_strings")),
    )


def _strings(value: Json) -> tuple[str, ...]:
    return tuple(str(one) for one in value) if isinstance(value, list) else ()
