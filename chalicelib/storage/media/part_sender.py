"""Sends the parts of an object to S3 by presigned links, without what a call of boto3 adds.

`writer` uses it. A link is signed by the client and needs no hash of the part; the bytes go out
piece by piece as they came in, over botocore's own connections, so that certificates and failures
are those of every other call.
"""

import time
from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any, Final

from botocore.awsrequest import AWSPreparedRequest, AWSResponse, HeadersDict
from botocore.exceptions import BotoCoreError, ClientError
from botocore.httpsession import URLLib3Session

from chalicelib.storage.dynamodb.failures import backoff_s

LINK_LIVES_S: Final = 900
_TRIES = 4

SMALL_BYTES = 64 * 1024

Pieces = Sequence[bytes | bytearray]


class Gathered:
    """Bytes kept as the pieces in which they came; small ones are put together.

    So large pieces are never copied, and a million tiny ones take no more memory than their bytes.
    """

    def __init__(self) -> None:
        self._pieces: list[bytes | bytearray] = []
        self.size_bytes = 0

    def add(self, piece: bytes) -> None:
        """Take a piece."""
        self.size_bytes += len(piece)
        last = self._pieces[-1] if self._pieces else b""
        if isinstance(last, bytearray) and len(last) + len(piece) <= SMALL_BYTES:
            last += piece
        else:
            self._pieces.append(bytearray(piece) if len(piece) < SMALL_BYTES else piece)

    def take(self) -> Pieces:
        """Return all pieces and begin anew."""
        pieces, self._pieces, self.size_bytes = self._pieces, [], 0
        return pieces


class PartSender:
    """Sends parts, each again a few times when S3 is busy or does not answer."""

    def __init__(self, connections: int, wait: Callable[[float], None] = time.sleep) -> None:
        self._session = URLLib3Session(max_pool_connections=connections)
        self._wait = wait

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
                raise _refused(answer)
        raise AssertionError("the last try answers or raises")


def _request(link: str, pieces: Pieces) -> AWSPreparedRequest:
    length = str(sum(len(piece) for piece in pieces))
    headers: Any = HeadersDict({"Content-Length": length})
    body: Any = pieces  # urllib3 takes any iterable of bytes, which botocore's stubs do not say
    return AWSPreparedRequest("PUT", link, headers, body, stream_output=False)


def _refused(answer: AWSResponse) -> ClientError:
    error = {"Code": str(answer.status_code), "Message": "S3 did not take a part."}
    return ClientError({"Error": error}, "UploadPart")  # type: ignore[typeddict-item]
