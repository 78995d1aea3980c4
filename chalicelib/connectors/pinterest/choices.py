"""The boards of an account: developers.pinterest.com/docs/api/v5/boards-list."""

from chalicelib.connectors.choices import MOST_PAGES
from chalicelib.connectors.connector import ConnectedAccount
from chalicelib.connectors.pinterest.api import PinterestApi
from chalicelib.connectors.transport.responses import find
from chalicelib.domain.platforms.choices import BOARD, Choice, Choices

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
