"""A channel's playlists, and the categories that videos can be put into.

developers.google.com/youtube/v3/docs/playlists/list and .../videoCategories/list. Categories differ
a little by country; the United States have all of them.
"""

from chalicelib.connectors.choices import MOST_PAGES
from chalicelib.connectors.connector import ConnectedAccount
from chalicelib.connectors.transport.responses import PlatformResponse, find
from chalicelib.connectors.youtube.api import YouTubeApi
from chalicelib.domain.platforms.choices import CATEGORY, PLAYLIST, Choice, Choices

_PAGE = "50"
_COUNTRY = "US"


def youtube_choices(api: YouTubeApi, account: ConnectedAccount) -> Choices:
    """Return the channel's playlists and the categories."""
    playlists, is_all = _playlists(api, account)
    categories = api.categories(account, _COUNTRY)
    return Choices(
        offered={PLAYLIST: playlists, CATEGORY: _titled(categories, only_assignable=True)},
        complete=frozenset({PLAYLIST} if is_all else ()),
    )


def _playlists(api: YouTubeApi, account: ConnectedAccount) -> tuple[tuple[Choice, ...], bool]:
    found: tuple[Choice, ...] = ()
    page: str | None = None
    for _ in range(MOST_PAGES):
        response = api.playlists(account, _PAGE, page)
        found += _titled(response)
        following = response.find("nextPageToken")
        page = following if isinstance(following, str) and following else None
        if page is None:
            return found, True
    return found, False


def _titled(response: PlatformResponse, *, only_assignable: bool = False) -> tuple[Choice, ...]:
    return tuple(
        Choice(str(find(item, "id")), str(find(item, "snippet", "title")))
        for item in response.items("items")
        if not only_assignable or find(item, "snippet", "assignable") is True
    )
