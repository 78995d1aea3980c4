"""Signing in to a channel: …/youtube/v3/guides/auth/server-side-web-apps."""

from chalicelib.connectors.auth.oauth import OAuthClient
from chalicelib.connectors.auth.sign_in import Identity
from chalicelib.connectors.google.google import GoogleSignInHosts, google_oauth, missing_scopes
from chalicelib.connectors.transport.failures import RejectedError
from chalicelib.connectors.youtube.api import YouTubeApi, YouTubeHosts
from chalicelib.connectors.youtube.errors import NO_CHANNEL
from chalicelib.domain.clock import Clock
from chalicelib.domain.outcome import FailureCode
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens

_AUTH = "https://www.googleapis.com/auth"
NEEDED = (f"{_AUTH}/youtube.upload", f"{_AUTH}/youtube.force-ssl")
"""To upload, and to look, delete and fill playlists."""

SCOPES = (*NEEDED, f"{_AUTH}/yt-analytics.readonly")
_NOT_TICKED = "Google's page was left without a permission that posting needs. Tick all of them."


def sign_in_of(hosts: YouTubeHosts, clock: Clock) -> OAuthClient:
    """Return the way to Google's page and back."""
    places = GoogleSignInHosts(login=hosts.youtube_login, tokens=hosts.youtube_tokens)
    return google_oauth(Platform.YOUTUBE, places, SCOPES, clock)


def channels(api: YouTubeApi, tokens: Tokens) -> list[Identity]:
    """Return the channel that was chosen on Google's page. Raises RejectedError for none."""
    if missing_scopes(tokens, NEEDED):
        raise RejectedError(FailureCode.PERMISSION_MISSING, _NOT_TICKED)
    response = api.channel(tokens.access)
    if not response.items("items"):
        raise RejectedError(NO_CHANNEL.code, NO_CHANNEL.sentence)
    channel = ("items", 0)
    name = response.find(*channel, "snippet", "customUrl") or response.text(
        *channel, "snippet", "title"
    )
    uploads = response.text(*channel, "contentDetails", "relatedPlaylists", "uploads")
    return [
        Identity(
            remote_identity=response.text(*channel, "id"),
            handle=str(name),
            tokens=tokens,
            settings={"uploads": uploads},
        )
    ]
