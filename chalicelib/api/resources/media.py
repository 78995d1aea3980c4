"""Endpoints of a workspace's files, and the bodies and answers of all of `/v1/media` (docs/api.md).

`POST /v1/media` here takes what API Gateway passes; `front` streams the same request up to 1 GB and
writes the same JSON, `media_uploads` has the uploads that do not pass through us. Answers are plain
dicts, the models say how they look.
"""

from collections.abc import Mapping
from datetime import datetime
from operator import attrgetter
from typing import Annotated, Literal
from urllib.parse import urlsplit, urlunsplit

from pydantic import Field

from chalicelib.api.http.answers import From, Of, Out
from chalicelib.api.http.endpoint import (
    AnyCall,
    Call,
    NoContent,
    Raw,
    Reply,
    endpoint,
    reply_once,
    reply_with_page,
)
from chalicelib.api.http.fields import LONGEST_CURSOR, WHOLE, In, Line, Query
from chalicelib.domain.cursors import Listed, read_cursor
from chalicelib.domain.errors import (
    FileMissing,
    FileRemoved,
    FileTooLarge,
    MediaNotFound,
    PlanLimit,
    TooSlow,
    UnsupportedMedia,
)
from chalicelib.domain.media.media import (
    NEWEST_LISTED,
    Media,
    UnfinishedUpload,
    too_long_for,
)
from chalicelib.domain.media.query import MediaPage, MediaQuery
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.workspace.access import Scope
from chalicelib.http.messages import JsonObject
from chalicelib.http.upload_form import MarkedForm
from chalicelib.kit.asgi.messages import Response
from chalicelib.services.media.direct_uploads import DirectUpload

MOST_FILENAME = 1_024
MOST_URL = 2_048


def _too_long(media: Media) -> Mapping[Platform, int]:
    return too_long_for(media)


class MediaOut(Out, Of[Media]):
    """An uploaded file."""

    id: str
    kind: MediaKind
    filename: str
    size_bytes: int
    duration_s: float | None = Field(description="Seconds of video; null for photos.")
    width: int = Field(description="As displayed, in pixels.")
    height: int = Field(description="As displayed, in pixels.")
    too_long_for: Annotated[dict[Platform, int], From(_too_long)] = Field(
        description="The longest video, in seconds, of each platform that this video is "
        "too long for."
    )
    url: str | None = Field(description="Relative path; null once the file is removed.")
    file_removed: bool
    created_at: datetime


class MediaFilters(Query):
    """Filters over the workspace's files."""

    kind: MediaKind | None = None
    used: Annotated[bool | None, Field(description="Whether a post has the file.")] = None
    q: Line = Field(
        default="", max_length=MOST_FILENAME, description="Text of the name or the alt text."
    )
    limit: int = Field(default=NEWEST_LISTED, ge=1, le=NEWEST_LISTED)
    cursor: str | None = Field(
        default=None,
        max_length=LONGEST_CURSOR,
        description="From the Link header of the page before; leave it as it is.",
    )

    def as_parameters(self) -> dict[str, str]:
        """Return the same filters as query parameters, for a link."""
        used = None if self.used is None else str(self.used).lower()
        sent = {"kind": self.kind, "used": used, "q": self.q, "limit": str(self.limit)}
        return {name: value for name, value in sent.items() if value}


class MediaListOut(Out, Of[MediaPage]):
    """Files that can still be posted, newest first; a Link header leads to the next page."""

    data: Annotated[list[MediaOut], From(attrgetter("files"))]


class DirectUploadIn(In):
    """A file that the client will send to the storage by itself."""

    filename: Annotated[Line, Field(max_length=MOST_FILENAME)]
    size_bytes: Annotated[int, Field(ge=1), WHOLE]


def _method(_upload: DirectUpload) -> str:
    return "PUT"


def _headers(upload: DirectUpload) -> dict[str, str]:
    return {"Content-Length": str(upload.size_bytes)}


class DirectUploadOut(Out, Of[DirectUpload]):
    """Where and how to send the file."""

    media_id: Annotated[str, From("id")]
    method: Annotated[Literal["PUT"], From(_method)]
    url: str
    headers: Annotated[dict[str, str], From(_headers)]
    expires_at: datetime

    @classmethod
    def serialize(cls, value: DirectUpload, call: AnyCall | None) -> JsonObject:
        """Write where the file goes."""
        url = value.url if call is None else call.absolute(value.url)
        return super().serialize(value, call) | {"url": url}


class FromUrlIn(In):
    """An address whose file we fetch."""

    url: Annotated[
        str,
        Field(
            max_length=MOST_URL,
            description="Public and https.",
            examples=["https://example.com/bread.jpg"],
            json_schema_extra={"format": "uri"},
        ),
    ]


class FetchedUploadOut(Out, Of[UnfinishedUpload]):
    """An upload that we fetch; `/v1/media/uploads/{media_id}` tells how it stands."""

    media_id: Annotated[str, From("id")]
    state: Literal["waiting", "ready", "refused"]


class UploadStateOut(Out, Of[UnfinishedUpload]):
    """How a direct upload stands; `code` and `message` say why it was refused."""

    state: Literal["waiting", "ready", "refused"]
    code: str | None
    message: str | None


LARGEST_THROUGH_GATEWAY = 10 * 1024 * 1024
"""API Gateway passes no larger request (its guide, "Quotas for configuring and running a REST
API"): larger files go to the front, or straight to S3."""

_FOUND = 302
_OTHER_NAMES = {"127.0.0.1": "localhost", "localhost": "127.0.0.1"}


@endpoint(
    summary="Upload a video or photo of up to 1 GB in the form field `file`",
    scope=Scope.WRITE,
    returns=MediaOut,
    status=201,
    shown_at="/v1/media/{id}",
    raises=(UnsupportedMedia, FileTooLarge, FileMissing, TooSlow, PlanLimit),
    takes_file=True,
    takes_idempotency_key=True,
    max_body_bytes=LARGEST_THROUGH_GATEWAY,
)
def upload_media(call: Call) -> Reply[Media]:
    """Take a file that arrived whole."""
    form = MarkedForm(call.headers.get("content-type"))
    data = form.read(call.raw)
    library = call.services.media.library
    upload = library.repeatable(call.caller, call.idempotency_key, form.mark)
    return reply_once(
        call.services.workspace.repeats.once(
            call.caller,
            upload,
            lambda mark: library.upload(call.caller, form.filename, data, mark),
        )
    )


@endpoint(
    summary="List files that can still be posted, newest first; a Link header leads on",
    scope=Scope.READ,
    query=MediaFilters,
    returns=MediaListOut,
)
def list_media(call: Call[None, MediaFilters]) -> Reply[MediaPage]:
    """Answer a page of the workspace's files, with the way to the next one (RFC 8288)."""
    query, cursor = call.query, call.query.cursor
    found = call.services.media.library.find(
        call.caller,
        MediaQuery(
            kind=query.kind,
            is_used=query.used,
            text=query.q,
            limit=query.limit,
            cursor=None if cursor is None else read_cursor(call.caller, cursor, Listed.MEDIA),
        ),
    )
    return reply_with_page(call, found, query.as_parameters(), Listed.MEDIA, found.cursor)


@endpoint(
    summary="Delete a file; its record remains while posts use it",
    scope=Scope.WRITE,
    returns=NoContent,
    status=204,
    raises=(MediaNotFound,),
)
def remove_media(call: Call) -> None:
    """Remove a file."""
    call.services.media.library.remove(call.caller, call.path["media_id"])


@endpoint(
    summary="Download a file through a redirect to a short-lived link",
    scope=Scope.READ,
    returns=Raw,
    status=302,
    raises=(MediaNotFound, FileRemoved),
)
def get_file(call: Call) -> Response:
    """Lead to the file, at the storage or our own door."""
    url = call.services.media.library.file_url(call.caller, call.path["media_id"])
    is_ours = url.startswith("/")
    location = _on_another_origin(call.absolute(url)) if is_ours else url
    return Response(status=_FOUND, headers={"Location": location})


def _on_another_origin(address: str) -> str:
    """Return an address of this machine by its other name: a browser keeps a stranger's file apart.

    By the name of a network there is one alone; the door's answers forbid a file to run anything.
    """
    parts = urlsplit(address)
    other = _OTHER_NAMES.get(parts.hostname or "")
    if other is None:
        return address
    port = "" if parts.port is None else f":{parts.port}"
    return urlunsplit(parts._replace(netloc=f"{other}{port}"))
