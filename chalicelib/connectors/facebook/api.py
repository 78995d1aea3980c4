"""A Page's calls, one method each: developers.facebook.com/docs/graph-api/reference/page."""

from collections.abc import Mapping
from datetime import datetime
from urllib.parse import urljoin

from chalicelib.connectors.connector import ConnectedAccount, MediaFile
from chalicelib.connectors.facebook.errors import OUT_OF_STEP, error_codes
from chalicelib.connectors.facebook.post import Fields, Route
from chalicelib.connectors.shared.calls.http import UPLOAD_DEADLINE, Call
from chalicelib.connectors.shared.meta.graph import UPLOAD_ANSWERS, Graph
from chalicelib.connectors.shared.meta.places import page_places
from chalicelib.domain.platforms.choices import ChoiceQuery, Choices
from chalicelib.domain.platforms.setting import META_GRAPH
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.bodies import (
    FileBody,
    FilePart,
    FormBody,
    JsonBody,
    MultipartBody,
)
from chalicelib.kit.transport.responses import PlatformResponse, find, split_address

NEWEST = 50
"""How much of an edge one call lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FacebookHosts:
    """Where Graph and its upload host answer, people sign in, and posts are seen."""

    facebook: str = "https://graph.facebook.com"
    facebook_upload: str = "https://rupload.facebook.com"
    facebook_login: str = "https://www.facebook.com"
    facebook_web: str = "https://www.facebook.com"
    graph_version: str = META_GRAPH.default


class FacebookApi:
    """Calls for a Page, under its token."""

    def __init__(self, graph: Graph, hosts: FacebookHosts) -> None:
        self._graph = graph
        self._hosts = hosts

    def photo(
        self, account: ConnectedAccount, media: MediaFile, fields: tuple[tuple[str, str], ...]
    ) -> str:
        """Upload a photo that nobody sees; return its id."""
        file = FilePart("source", FileBody(file=media, mime=media.mime), media.filename)
        call = Call(
            method="POST",
            url=self._url(f"{account.remote_id}/photos"),
            token=account.token,
            body=MultipartBody((*fields, file)),
            deadline=UPLOAD_DEADLINE,
        )
        return self._graph.send(call).text("id")

    def show(self, account: ConnectedAccount, route: Route, fields: Fields) -> PlatformResponse:
        """Make a post of it that everybody sees."""
        return self._graph.send_visible(self._call(account, route, JsonBody(fields)))

    def finish(
        self, account: ConnectedAccount, route: Route, fields: Mapping[str, str]
    ) -> PlatformResponse:
        """End a video's upload, and let everybody see it once it is processed."""
        return self._graph.send_visible(self._call(account, route, FormBody(fields)))

    def open_chunks(self, account: ConnectedAccount, size_bytes: int) -> PlatformResponse:
        """Begin an upload in chunks whose length Facebook dictates."""
        fields = {"upload_phase": "start", "file_size": str(size_bytes)}
        return self._graph.send(self._call(account, Route.VIDEO, FormBody(fields)))

    def chunk(
        self, account: ConnectedAccount, media: MediaFile, session: str, place: tuple[int, int]
    ) -> tuple[int, int]:
        """Send the bytes from one place to another; return the next such pair.

        Facebook names it even when it refuses the chunk because it wants another one.
        """
        start, end = place
        body = FileBody(file=media, mime=media.mime, offset=start, length=end - start)
        parts = (
            ("upload_phase", "transfer"),
            ("upload_session_id", session),
            ("start_offset", str(start)),
            FilePart("video_file_chunk", body, media.filename),
        )
        call = Call(
            method="POST",
            url=self._url(f"{account.remote_id}/{Route.VIDEO}"),
            token=account.token,
            body=MultipartBody(parts),
            takes=UPLOAD_ANSWERS,
            deadline=UPLOAD_DEADLINE,
        )
        response = self._graph.http.send(call)
        where = () if response.find("error") is None else ("error", "error_data")
        places = ((*where, "start_offset"), (*where, "end_offset"))
        if any(find(response.json(), *place) is None for place in places):
            raise self._graph.read_error(response)
        start, end = (response.whole_number(*place) for place in places)
        return start, end

    def open_reel(self, account: ConnectedAccount, route: Route) -> PlatformResponse:
        """Begin the upload of a reel or a story."""
        body = JsonBody({"upload_phase": "start"})
        return self._graph.send(self._call(account, route, body))

    def send(self, account: ConnectedAccount, path: str, media: MediaFile, offset: int) -> bool:
        """Send a file from a place on; tell whether all of it was surely taken."""
        url = f"{self._hosts.facebook_upload}{path}"
        response = self._graph.send_file(url, account.token, media, offset)
        refused = response.find("error") is not None or response.find("debug_info") is not None
        can_go_on = response.find("debug_info", "retriable") is True
        if refused and not can_go_on and OUT_OF_STEP.isdisjoint(error_codes(response)):
            raise self._graph.read_error(response)
        return response.find("success") is True

    def video(self, account: ConnectedAccount, video: str) -> PlatformResponse:
        """Return how far a video is."""
        return self.read(account, video, "status,published,post_id,permalink_url")

    def read(self, account: ConnectedAccount, thing: str, fields: str) -> PlatformResponse:
        """Return some fields of a thing."""
        return self._graph.get(self._url(thing), account.token, {"fields": fields})

    def comment(self, account: ConnectedAccount, post: str, text: str) -> None:
        """Comment on a post of the Page's own."""
        self._add(account, f"{post}/comments", {"message": text})

    def cover(self, account: ConnectedAccount, video: str, still: MediaFile) -> None:
        """Show a video by another still: …/docs/graph-api/reference/video/thumbnails."""
        parts = (
            ("is_preferred", "true"),
            FilePart("source", FileBody(file=still, mime=still.mime), still.filename),
        )
        url = self._url(f"{video}/thumbnails")
        body = MultipartBody(parts)
        self._graph.send(Call(method="POST", url=url, token=account.token, body=body))

    def invite(self, account: ConnectedAccount, video: str, page: str) -> None:
        """Ask another Page to stand on a reel too."""
        self._add(account, f"{video}/collaborators", {"target_id": page})

    def list_edge(
        self, account: ConnectedAccount, edge: str, fields: str, since: datetime
    ) -> list[Json]:
        """Return the newest of what stands at an edge of the Page."""
        params = {"fields": fields, "since": str(int(since.timestamp())), "limit": str(NEWEST)}
        url = self._url(f"{account.remote_id}/{edge}")
        return self._graph.get(url, account.token, params).require_list("data")

    def insights(self, account: ConnectedAccount, path: str, metric: str) -> list[Json]:
        """Return one figure's row, none when there is none yet."""
        response = self._graph.get(self._url(path), account.token, {"metric": metric})
        return response.items("data")

    def places(self, account: ConnectedAccount, query: ChoiceQuery) -> Choices:
        """Return Pages that are places."""
        api = f"{self._hosts.facebook}/{self._hosts.graph_version}"
        return page_places(self._graph, api, account.token, "place_id", query)

    def delete(self, account: ConnectedAccount, thing: str) -> None:
        """Delete a post or a video. Raises RemovalError."""
        self._graph.delete(self._url(thing), account.token)

    def web(self, path: str) -> str:
        """Return where something is seen; Facebook's own links may lack the host."""
        return urljoin(f"{self._hosts.facebook_web}/", path)

    def _add(self, account: ConnectedAccount, path: str, fields: Fields) -> None:
        body = JsonBody(fields)
        self._graph.send(Call(method="POST", url=self._url(path), token=account.token, body=body))

    def _call(self, account: ConnectedAccount, route: Route, body: JsonBody | FormBody) -> Call:
        url = self._url(f"{account.remote_id}/{route}")
        return Call(method="POST", url=url, token=account.token, body=body)

    def _url(self, path: str) -> str:
        return f"{self._hosts.facebook}/{self._hosts.graph_version}/{path}"


def upload_path(response: PlatformResponse) -> str:
    """Return where on the upload host a file goes: the token goes to no other host."""
    return split_address(response.text("upload_url")).path
