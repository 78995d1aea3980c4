"""Signing in to a channel: …/youtube/v3/guides/auth/server-side-web-apps.

A video can be put into the channel's playlists and a category:
developers.google.com/youtube/v3/docs/playlists/list and .../videoCategories/list. Categories differ
a little by country; the United States have all of them.
"""

from chalicelib.connectors.connector import MOST_PAGES, ConnectedAccount
from chalicelib.connectors.shared.auth.google import GoogleSignInHosts, google_oauth, missing_scopes
from chalicelib.connectors.shared.auth.oauth import OAuthClient
from chalicelib.connectors.shared.auth.sign_in import Identity
from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.connectors.youtube.api import YouTubeApi, YouTubeHosts
from chalicelib.connectors.youtube.errors import NO_CHANNEL
from chalicelib.connectors.youtube.refusals import YouTubeRefusal
from chalicelib.domain.clock import Clock
from chalicelib.domain.platforms.choices import CATEGORY, PLAYLIST, Choice, Choices
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import PlatformResponse, find

_AUTH = "https://www.googleapis.com/auth"
NEEDED = (f"{_AUTH}/youtube.upload", f"{_AUTH}/youtube.force-ssl")
"""To upload, and to look, delete and fill playlists."""

SCOPES = (*NEEDED, f"{_AUTH}/yt-analytics.readonly")


def sign_in_of(hosts: YouTubeHosts, clock: Clock) -> OAuthClient:
    """Return the way to Google's page and back."""
    places = GoogleSignInHosts(login=hosts.youtube_login, tokens=hosts.youtube_tokens)
    return google_oauth(Platform.YOUTUBE, places, SCOPES, clock)


def channels(api: YouTubeApi, tokens: Tokens) -> list[Identity]:
    """Return the channel that was chosen on Google's page. Raises RejectedError for none."""
    if missing_scopes(tokens, NEEDED):
        raise YouTubeRefusal.NOT_TICKED.error()
    response = api.channel(tokens.access)
    if not response.items("items"):
        raise RejectedError(NO_CHANNEL.code, NO_CHANNEL.sentence)
    channel = ("items", 0)
    uploads = response.text(*channel, "contentDetails", "relatedPlaylists", "uploads")
    return [
        Identity(
            remote_identity=response.text(*channel, "id"),
            handle=str(name_of(response) or response.text(*channel, "snippet", "title")),
            tokens=tokens,
            settings={"uploads": uploads},
        )
    ]


def name_of(channel: PlatformResponse) -> Json:
    """Return what a channel is called by an answer with its snippet."""
    snippet = ("items", 0, "snippet")
    return channel.find(*snippet, "customUrl") or channel.find(*snippet, "title")


_PAGE = "50"
_COUNTRY = "US"


def youtube_choices(api: YouTubeApi, account: ConnectedAccount) -> Choices:
    """Return the channel's playlists and the categories."""
    playlists, is_all = _playlists(api, account)
    categories = api.categories(account, _COUNTRY)
    return Choices(
        offered={PLAYLIST: playlists, CATEGORY: _choices_from(categories, only_assignable=True)},
        complete=frozenset({PLAYLIST} if is_all else ()),
    )


def _playlists(api: YouTubeApi, account: ConnectedAccount) -> tuple[tuple[Choice, ...], bool]:
    found: tuple[Choice, ...] = ()
    page: str | None = None
    for _ in range(MOST_PAGES):
        response = api.playlists(account, _PAGE, page)
        found += _choices_from(response)
        following = response.find("nextPageToken")
        page = following if isinstance(following, str) and following else None
        if page is None:
            return found, True
    return found, False


def _choices_from(
    response: PlatformResponse, *, only_assignable: bool = False
) -> tuple[Choice, ...]:
    return tuple(
        Choice(str(find(item, "id")), str(find(item, "snippet", "title")))
        for item in response.items("items")
        if not only_assignable or find(item, "snippet", "assignable") is True
    )
