"""Signing in to Pinterest: developers.pinterest.com/docs/getting-started, "Set up authentication".

Access tokens last 30 days, refresh tokens 60, and each refresh brings the next of both. The account
is remembered with its kind and its first boards, because a pin must name one by its id.

Its boards are what a pin can choose, and their sections: developers.pinterest.com/docs/api/v5/
boards-list, …/board_sections-list.
"""

import re
from datetime import timedelta

from chalicelib.connectors.connector import MOST_PAGES, ConnectedAccount
from chalicelib.connectors.pinterest.api import PinterestApi, PinterestHosts
from chalicelib.connectors.pinterest.errors import token_codes
from chalicelib.connectors.shared.auth.oauth import ClientAuth, OAuthClient, OAuthConfiguration
from chalicelib.connectors.shared.auth.sign_in import Identity
from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.domain.clock import Clock
from chalicelib.domain.platforms.choices import BOARD, SECTION, Choice, Choices
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import find

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


def pinterest_choices(api: PinterestApi, account: ConnectedAccount, board: str | None) -> Choices:
    """Return the account's boards, and the sections of one that is named."""
    boards, all_boards = _list_choices(api, account, "boards")
    offered, complete = {BOARD: boards}, {BOARD} if all_boards else set()
    if board is not None and re.fullmatch(r"[0-9]+", board):
        try:
            sections, all_sections = _list_choices(api, account, f"boards/{board}/sections")
        except RejectedError:  # no such board, which a pin's own check tells
            sections, all_sections = (), False
        offered[SECTION] = sections
        complete |= {SECTION} if all_sections else set()
    return Choices(offered=offered, complete=frozenset(complete))


def _list_choices(
    api: PinterestApi, account: ConnectedAccount, path: str
) -> tuple[tuple[Choice, ...], bool]:
    """Return what a list has, page by page, and whether that is all of it."""
    listed: list[Choice] = []
    bookmark: Json = None
    for _ in range(MOST_PAGES):
        more = {"bookmark": str(bookmark)} if bookmark else {}
        response = api.get(path, account.token, {"page_size": _PAGE, **more})
        listed += [
            Choice(str(find(one, "id")), str(find(one, "name"))) for one in response.items("items")
        ]
        bookmark = response.find("bookmark")
        if not bookmark:
            break
    return tuple(listed), not bookmark
