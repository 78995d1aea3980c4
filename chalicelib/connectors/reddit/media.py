"""Reddit's uploads, in the steps of its usual client: github.com/praw-dev/praw, models/media.py.

Reddit leases a place in a bucket and names the fields that open it; the file goes there by a form.
Nobody sees it until a submission names its address, so a lease that comes to nothing costs nothing.
"""

import re
from urllib.parse import urlsplit

from chalicelib.connectors.connector import MediaFile
from chalicelib.connectors.reddit.api import Caller, RedditApi
from chalicelib.connectors.reddit.post import EXTENSIONS
from chalicelib.connectors.reddit.refusals import RedditRefusal
from chalicelib.connectors.shared.calls.failures import ErrorTable, RejectedError
from chalicelib.connectors.shared.calls.http import UPLOAD_DEADLINE, Call, PlatformHttp
from chalicelib.domain.outcome import FailureCode
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.bodies import FileBody, FilePart, MultipartBody
from chalicelib.kit.transport.failures import UnansweredError
from chalicelib.kit.transport.responses import PlatformResponse, find

BUCKET_ERRORS: ErrorTable = {
    "EntityTooLarge": FailureCode.MEDIA_TOO_LARGE,
    "EntityTooSmall": FailureCode.MEDIA_REJECTED,
    # A lease holds for a quarter of an hour. The step is made again, with a new one.
    **dict.fromkeys(
        ("AccessDenied", "ExpiredToken", "RequestTimeTooSkewed", "RequestTimeout", "403", "408"),
        FailureCode.PLATFORM_UNAVAILABLE,
    ),
    "413": FailureCode.MEDIA_TOO_LARGE,
    "400": FailureCode.MEDIA_REJECTED,
}
_TAKEN = frozenset({200, 201, 204})
_CODE = re.compile(rb"<Code>(\w{1,64})</Code>")
_ACTION = re.compile(r"//([a-z0-9.-]+(?::\d{1,5})?)/?")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that is in its bucket: the asset's id, and the address by which to submit it."""

    asset: str
    url: str


@dataclass(frozen=True, slots=True)
class _Lease:
    """A place in a bucket, and what opens it. The fields are signatures: nothing keeps them."""

    place: str
    fields: tuple[tuple[str, str], ...]
    upload: Upload


class RedditMedia:
    """Puts files where a submission can name them."""

    def __init__(self, api: RedditApi, bucket: PlatformHttp, domain: str) -> None:
        self._api = api
        self._bucket = bucket
        self._domain = domain

    def upload(self, who: Caller, file: MediaFile) -> Upload:
        """Lease a place and fill it, at one go: the lease is short-lived and secret."""
        # The name is ours: what the person called the file is nobody's business.
        name = f"{file.kind}.{EXTENSIONS[file.mime]}"
        lease = self._lease(who, name, file.mime)
        content = FilePart("file", FileBody(file=file, mime=file.mime), name)
        self._bucket.send(
            Call(
                method="POST",
                url=lease.place,
                body=MultipartBody((*lease.fields, content)),
                takes=_TAKEN,
                deadline=UPLOAD_DEADLINE,
            )
        )
        return lease.upload

    def _lease(self, who: Caller, name: str, mime: str) -> _Lease:
        try:
            response = self._api.post(
                who, "/api/media/asset.json", {"filepath": name, "mimetype": mime}
            )
        except RejectedError as error:
            if error.code is FailureCode.UNKNOWN:  # a bare 400, which is about the type
                raise RedditRefusal.FILE_TYPE.error() from error
            raise
        action = response.text("args", "action")
        fields = tuple(_field(field) for field in response.items("args", "fields"))
        key = dict(fields).get("key")
        if key is None:
            raise UnansweredError("The lease names no key.")
        # The key goes into the address as it is: the submission's address is compared as text.
        upload = Upload(response.text("asset", "asset_id"), f"https:{action}/{key}")
        return _Lease(place_of(action, self._domain), fields, upload)


def place_of(action: str, domain: str) -> str:
    """Return where a lease's file goes. Raises UnansweredError for a host that is no bucket's."""
    named, own = _ACTION.fullmatch(action), urlsplit(domain)
    host = "" if named is None else named[1]
    if host != own.netloc and not host.endswith(f".{own.netloc}"):
        raise UnansweredError("The lease names a host that is none of Reddit's buckets.")
    return f"{own.scheme}://{host}/"


def bucket_codes(response: PlatformResponse) -> tuple[str, ...]:
    """Return the code in S3's answer, then the status."""
    named = _CODE.search(response.body)
    return (str(response.status),) if named is None else (named[1].decode(), str(response.status))


def _field(field: Json) -> tuple[str, str]:
    name, value = find(field, "name"), find(field, "value")
    if not isinstance(name, str) or not isinstance(value, str):
        raise UnansweredError("The lease's fields are unreadable.")
    return name, value
