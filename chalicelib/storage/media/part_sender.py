"""Sends one part of an S3 object by a presigned link, without boto3's overhead for a call.

A link needs no hash of the part. Its bytes are sent in the pieces in which they came, over
botocore's own connections, so that certificates and errors are those of every other call.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from botocore.awsrequest import AWSPreparedRequest, AWSResponse, HeadersDict
from botocore.exceptions import BotoCoreError, ClientError
from botocore.httpsession import URLLib3Session

from chalicelib.kit.dynamodb.failures import backoff_s

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

LINK_LIVES_S: Final = 900
_TRIES = 4

Pieces = Sequence[bytes | bytearray]
Part = Mapping[str, Any]
"""Which part of which object: Bucket, Key, UploadId and PartNumber, as S3 names them."""
SendPart = Callable[[Part, Pieces], str]
"""Sends a part and returns its ETag."""


class PartSender:
    """Sends parts, each again a few times when S3 is busy or does not answer."""

    def __init__(
        self, client: "S3Client", connections: int, wait: Callable[[float], None] = time.sleep
    ) -> None:
        self._client = client
        self._session = URLLib3Session(max_pool_connections=connections)
        self._wait = wait

    def __call__(self, part: Part, pieces: Pieces) -> str:
        """Send a part by a link of its own; return its ETag. Raises ClientError, BotoCoreError."""
        link = self._client.generate_presigned_url(
            "upload_part",
            Params=part,
            ExpiresIn=LINK_LIVES_S,
        )
        return self.send(link, pieces)

    def send(self, link: str, pieces: Pieces) -> str:
        """Send a part; return its ETag. Raises ClientError, BotoCoreError."""
        for tried in range(_TRIES):
            if tried:
                self._wait(backoff_s(tried - 1))
            request = _request(link, pieces)
            is_last = tried == _TRIES - 1
            try:
                answer = self._session.send(request)
            except BotoCoreError:
                if is_last:
                    raise
                continue
            if answer.status_code == HTTPStatus.OK:
                return str(answer.headers["ETag"])
            if is_last or answer.status_code < HTTPStatus.INTERNAL_SERVER_ERROR:
                raise _client_error(answer)
        raise AssertionError("the last try answers or raises")


def _request(link: str, pieces: Pieces) -> AWSPreparedRequest:
    length = str(sum(len(piece) for piece in pieces))
    headers: Any = HeadersDict({"Content-Length": length})
    body: Any = pieces  # urllib3 takes any iterable of bytes, which botocore's stubs do not say
    return AWSPreparedRequest("PUT", link, headers, body, stream_output=False)


def _client_error(answer: AWSResponse) -> ClientError:
    error = {"Code": str(answer.status_code), "Message": "S3 did not take a part."}
    return ClientError({"Error": error}, "UploadPart")  # type: ignore[typeddict-item]
