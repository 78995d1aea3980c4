"""Signing in to Pinterest: developers.pinterest.com/docs/getting-started, "Set up authentication".

Access tokens last 30 days, refresh tokens 60, and each refresh brings the next of both. The account
is remembered with its kind and its first boards, because a pin must name one by its id.

Its boards are what a pin can choose: developers.pinterest.com/docs/api/v5/boards-list.
"""

from datetime import timedelta

from chalicelib.connectors.connector import MOST_PAGES, ConnectedAccount
from chalicelib.connectors.pinterest.api import PinterestApi, PinterestHosts
from chalicelib.connectors.pinterest.errors import token_codes
from chalicelib.connectors.shared.auth.oauth import ClientAuth, OAuthClient, OAuthConfiguration
from chalicelib.connectors.shared.auth.sign_in import Identity
from chalicelib.connectors.shared.transport.failures import RejectedError
from chalicelib.connectors.shared.transport.responses import find
from chalicelib.domain.clock import Clock
from chalicelib.domain.outcome import Json
from chalicelib.domain.platforms.choices import BOARD, Choice, Choices
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens

SCOPES = ("boards:read", "boards:write", "pins:read", "pins:write", "user_accounts:read")
_BOARDS_KEPT = "25"


def pinterest_oauth(hosts: PinterestHosts, clock: Clock) -> OAuthClient:
    """Return Pinterest's sign-in."""
    return OAuthClient(
        OAuthConfiguration(
            platform=Platform.PINTEREST,
            authorize_url=f"{hosts.pinterest_web}/oauth/",
            token_url=f"{hosts.pinterest}/v5/oauth/token",
            scopes=SCOPES,
            scope_separator=",",
            client_auth=ClientAuth.BASIC,
            pkce=False,
            # Applications from before 2025-09-25 get a token without renewal otherwise.
            token_params={"continuous_refresh": "true"},
            dead=frozenset({"400", "401"}),
            renew_every=timedelta(days=20),
            error_codes=token_codes,
        ),
        clock=clock,
    )


def identity_of(api: PinterestApi, tokens: Tokens) -> Identity:
    """Return the account that signed in."""
    response = api.get("user_account", tokens.access)
    return Identity(
        remote_identity=response.text("id"),
        handle=response.text("username"),
        tokens=tokens,
        settings={"account_type": response.find("account_type"), "boards": _boards(api, tokens)},
    )


def _boards(api: PinterestApi, tokens: Tokens) -> list[Json]:
    """Return ids and names of the first boards, none where they may not be read."""
    try:
        response = api.get("boards", tokens.access, {"page_size": _BOARDS_KEPT})
    except RejectedError:
        return []
    return [
        {"id": find(board, "id"), "name": find(board, "name")} for board in response.items("items")
    ]


_PAGE = "250"


def pinterest_choices(api: PinterestApi, account: ConnectedAccount) -> Choices:
    """Return the account's boards, page by page."""
    boards: list[Choice] = []
    bookmark: str | None = None
    for _ in range(MOST_PAGES):
        more = {} if bookmark is None else {"bookmark": bookmark}
        response = api.get("boards", account.token, {"page_size": _PAGE, **more})
        boards += [
            Choice(str(find(board, "id")), str(find(board, "name")))
            for board in response.items("items")
        ]
        found = response.find("bookmark")
        bookmark = found if isinstance(found, str) and found else None
        if bookmark is None:
            break
    complete = frozenset({BOARD}) if bookmark is None else frozenset[str]()
    return Choices(offered={BOARD: tuple(boards)}, complete=complete)
