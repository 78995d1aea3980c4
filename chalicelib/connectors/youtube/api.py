"""A channel's calls, one method each: developers.google.com/youtube/v3/docs, …/guides."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from urllib.parse import urlsplit

from chalicelib.connectors.connector import ConnectedAccount, MediaFile, Publication
from chalicelib.connectors.shared.calls.failures import RateLimitedError
from chalicelib.connectors.shared.calls.http import Call, PlatformHttp
from chalicelib.connectors.shared.calls.platform_words import is_page
from chalicelib.connectors.youtube.errors import GONE, error_codes, rest_after
from chalicelib.connectors.youtube.post import resource
from chalicelib.domain.clock import Clock
from chalicelib.domain.outcome import CALL_DEADLINE
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.bodies import FileBody, JsonBody
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.kit.transport.responses import PlatformResponse, split_address

INCOMPLETE = 308
"""Not all bytes have arrived: Google's own meaning of a number that is a redirect elsewhere."""

COMPLETE = frozenset({200, 201})
SESSION_OVER = frozenset({404, 410})
_NO = frozenset(range(400, 500))
_JSON = "application/json; charset=UTF-8"
_NEWEST = "50"


@dataclass(frozen=True, slots=True, kw_only=True)
class YouTubeHosts:
    """Where YouTube's interfaces answer, people sign in to Google, and videos are seen."""

    youtube: str = "https://www.googleapis.com"
    youtube_upload: str = "https://www.googleapis.com"
    youtube_analytics: str = "https://youtubeanalytics.googleapis.com"
    youtube_login: str = "https://accounts.google.com"
    youtube_tokens: str = "https://oauth2.googleapis.com"
    youtube_web: str = "https://www.youtube.com"


class YouTubeApi:
    """Calls for a channel, under its token."""

    def __init__(self, http: PlatformHttp, hosts: YouTubeHosts, clock: Clock) -> None:
        self._http = http
        self._hosts = hosts
        self._clock = clock

    # Uploads: developers.google.com/youtube/v3/guides/using_resumable_upload_protocol.

    def open(self, publication: Publication) -> PlatformResponse:
        """Open a session for an upload; its address is the answer's Location."""
        media = publication.require_media()
        told = resource(publication)
        notify = publication.options.get("notify_subscribers") is not False
        call = Call(
            method="POST",
            url=f"{self._hosts.youtube_upload}/upload/youtube/v3/videos",
            token=publication.account.token,
            params={
                "uploadType": "resumable",
                "part": ",".join(told),
                "notifySubscribers": str(notify).lower(),
            },
            headers={
                "X-Upload-Content-Type": media.mime,
                "X-Upload-Content-Length": str(media.size_bytes),
            },
            body=JsonBody(told, mime=_JSON),
        )
        return self._send(call)

    def put(
        self,
        publication: Publication,
        session: str,
        place: tuple[int, int],
        *,
        deadline: timedelta = CALL_DEADLINE,
    ) -> PlatformResponse:
        """Send the bytes from one place up to another."""
        media, (start, end) = publication.require_media(), place
        call = Call(
            method="PUT",
            url=session,
            token=publication.account.token,
            headers={"Content-Range": f"bytes {start}-{end - 1}/{media.size_bytes}"},
            body=FileBody(file=media, mime=media.mime, offset=start, length=end - start),
            takes=COMPLETE | SESSION_OVER | {INCOMPLETE},
            deadline=deadline,
        )
        return self._send_to_session(call)

    def ask(self, publication: Publication, session: str) -> PlatformResponse:
        """Ask how much has arrived; a session whose video is there answers with it again."""
        call = Call(
            method="PUT",
            url=session,
            token=publication.account.token,
            headers={"Content-Range": f"bytes */{publication.require_media().size_bytes}"},
            takes=COMPLETE | SESSION_OVER | {INCOMPLETE},
        )
        return self._send_to_session(call)

    # Videos, playlists and channels.

    def video(self, account: ConnectedAccount, video: str) -> PlatformResponse:
        """Return how far a video is and who may see it."""
        params = {"part": "status,processingDetails", "id": video}
        return self._get("videos", account.token, params)

    def statistics(self, account: ConnectedAccount, videos: Sequence[str]) -> PlatformResponse:
        """Return the counts of up to 50 videos."""
        params = {"part": "statistics", "id": ",".join(videos)}
        return self._get("videos", account.token, params)

    def report(
        self, account: ConnectedAccount, videos: Sequence[str], days: tuple[date, date]
    ) -> PlatformResponse:
        """Return what only YouTube Analytics counts, a row for each video that it knows."""
        call = Call(
            method="GET",
            url=f"{self._hosts.youtube_analytics}/v2/reports",
            token=account.token,
            params={
                "ids": "channel==MINE",
                "startDate": days[0].isoformat(),
                "endDate": days[1].isoformat(),
                "metrics": "shares,subscribersGained",
                "dimensions": "video",
                "filters": f"video=={','.join(videos)}",
                "sort": "-shares",
                "maxResults": _NEWEST,
            },
        )
        return self._send(call)

    def playlists(self, account: ConnectedAccount, most: str, page: str | None) -> PlatformResponse:
        """Return a page of the channel's playlists."""
        asked = {"part": "snippet", "mine": "true", "maxResults": most}
        params = asked if page is None else {**asked, "pageToken": page}
        return self._get("playlists", account.token, params)

    def categories(self, account: ConnectedAccount, country: str) -> PlatformResponse:
        """Return the categories of a country."""
        params = {"part": "snippet", "regionCode": country}
        return self._get("videoCategories", account.token, params)

    def newest_of_playlist(self, account: ConnectedAccount, playlist: str) -> PlatformResponse:
        """Return what was put into a playlist last."""
        params = {
            "part": "snippet,contentDetails",
            "playlistId": playlist,
            "maxResults": _NEWEST,
        }
        return self._get("playlistItems", account.token, params)

    def add(self, account: ConnectedAccount, playlist: str, video: str) -> None:
        """Put a video into a playlist."""
        what: Json = {"kind": "youtube#video", "videoId": video}
        body: Json = {"snippet": {"playlistId": playlist, "resourceId": what}}
        call = Call(
            method="POST",
            url=self._url("playlistItems"),
            token=account.token,
            params={"part": "snippet"},
            body=JsonBody(body, mime=_JSON),
        )
        self._send(call)

    def cover(self, account: ConnectedAccount, video: str, still: MediaFile) -> None:
        """Give a video another cover: developers.google.com/youtube/v3/docs/thumbnails/set."""
        call = Call(
            method="POST",
            url=f"{self._hosts.youtube_upload}/upload/youtube/v3/thumbnails/set",
            token=account.token,
            params={"videoId": video, "uploadType": "media"},
            body=FileBody(file=still, mime=still.mime),
        )
        self._send(call)

    def comment(self, account: ConnectedAccount, video: str, text: str) -> None:
        """Comment on a video: developers.google.com/youtube/v3/docs/commentThreads/insert."""
        comment: Json = {"snippet": {"textOriginal": text}}
        call = Call(
            method="POST",
            url=self._url("commentThreads"),
            token=account.token,
            params={"part": "snippet"},
            body=JsonBody({"snippet": {"videoId": video, "topLevelComment": comment}}, mime=_JSON),
        )
        self._send(call)

    def delete(self, account: ConnectedAccount, video: str) -> None:
        """Delete a video, with its views and comments; one that is gone is deleted already."""
        call = Call(
            method="DELETE",
            url=self._url("videos"),
            token=account.token,
            params={"id": video},
            takes=_NO | {204},
        )
        response = self._send(call)
        if response.status in _NO and GONE not in error_codes(response):
            raise self.read_error(response)

    def channel(self, token: str) -> PlatformResponse:
        """Return the channel of whoever signed in."""
        params = {"part": "snippet,contentDetails,statistics", "mine": "true"}
        return self._get("channels", token, params)

    def web(self, path: str) -> str:
        """Return where something is seen."""
        return f"{self._hosts.youtube_web}{path}"

    def read_error(self, response: PlatformResponse) -> PlatformError:
        """Return what an answer that is no success means, with how long a spent quota stays so."""
        error = self._http.read_error(response)
        if isinstance(error, RateLimitedError) and error.retry_after is None:
            return error.waiting(rest_after(response, self._clock()))
        return error

    def _get(self, what: str, token: str | None, params: dict[str, str]) -> PlatformResponse:
        return self._send(Call(method="GET", url=self._url(what), token=token, params=params))

    def _send(self, call: Call) -> PlatformResponse:
        response = self._http.send(replace(call, takes=call.takes | _NO))
        if response.status in call.takes:
            return response
        raise self.read_error(response)

    def _send_to_session(self, call: Call) -> PlatformResponse:
        """Make a call of an upload. Raises UnansweredError for what a network on the way says.

        Google's 308 moves a session within its own host if at all, and its 404 is no page.
        """
        response = self._send(call)
        if is_page(response) or _leads_away(call, response):
            raise response.unreadable("is none of an upload's")
        return response

    def _url(self, what: str) -> str:
        return f"{self._hosts.youtube}/youtube/v3/{what}"


def _leads_away(call: Call, response: PlatformResponse) -> bool:
    """Tell whether an answer names another host: nothing of the account's goes there."""
    named = response.headers.get("Location")
    if named is None:
        return False
    asked, answered = urlsplit(call.url), split_address(named)
    return (asked.scheme, asked.netloc) != (answered.scheme, answered.netloc)
