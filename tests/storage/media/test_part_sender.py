"""Parts by presigned links: sent again when S3 is busy, and never copied."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import boto3
import pytest
from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.storage.media.part_sender import PartSender, Pieces
from chalicelib.storage.media.store import S3MediaStore, media_client_config
from chalicelib.storage.media.writer import SMALL_BYTES, Gathered

HOUR = timedelta(hours=1)
PART: Pieces = [b"fresh ", bytearray(b"bread"), b"!" * 100_000]


class FakeS3(ThreadingHTTPServer):
    """Notes every body and answers with the statuses it was given, the last one for good."""

    def __init__(self, *statuses: int) -> None:
        super().__init__(("127.0.0.1", 0), _Answering)
        self.statuses = list(statuses)
        self.bodies: list[bytes] = []

    @property
    def link(self) -> str:
        """Return where a part goes."""
        return f"http://127.0.0.1:{self.server_port}/media/a?partNumber=1&uploadId=u"


class _Answering(BaseHTTPRequestHandler):
    server: FakeS3

    def do_PUT(self) -> None:
        self.server.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
        statuses = self.server.statuses
        self.send_response(statuses.pop(0) if len(statuses) > 1 else statuses[0])
        self.send_header("ETag", '"e1"')
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def s3(*statuses: int) -> Iterator[FakeS3]:
    with FakeS3(*statuses) as fake:
        Thread(target=fake.serve_forever, args=(0.01,), daemon=True).start()
        yield fake
        fake.shutdown()


def sender() -> PartSender:
    return PartSender(boto3.client("s3", region_name="eu-west-1"), 2, wait=lambda _seconds: None)


def test_a_part_arrives_whole_and_in_order() -> None:
    with s3(200) as fake:
        etag = sender().send(fake.link, PART)

    assert ('"e1"', [b"".join(PART)]) == (etag, fake.bodies)


def test_a_part_that_s3_is_too_busy_for_is_sent_again_whole() -> None:
    with s3(503, 500, 200) as fake:
        sender().send(fake.link, PART)

    assert [b"".join(PART)] * 3 == fake.bodies


@pytest.mark.parametrize(("status", "tries"), [(403, 1), (404, 1), (503, 4)])
def test_a_refused_part_is_an_error_of_s3(status: int, tries: int) -> None:
    with s3(status) as fake, pytest.raises(ClientError) as refused:
        sender().send(fake.link, PART)

    assert (str(status), tries) == (refused.value.response["Error"]["Code"], len(fake.bodies))


def test_no_answer_is_an_error_of_the_connection() -> None:
    with s3(200) as fake:
        link = fake.link

    with pytest.raises(BotoCoreError):
        sender().send(link, PART)


def test_the_error_of_a_part_does_not_tell_its_link() -> None:
    with s3(403) as fake, pytest.raises(ClientError) as refused:
        sender().send(fake.link, PART)

    assert "uploadId" not in str(refused.value)


def test_tiny_pieces_are_put_together_and_large_ones_are_kept_as_they_are() -> None:
    gathered, large = Gathered(), bytes(SMALL_BYTES)

    for _ in range(10_000):
        gathered.add(b"crumb")
    gathered.add(large)
    size_bytes, pieces = gathered.size_bytes, gathered.take()

    assert b"crumb" * 10_000 + large == b"".join(pieces)
    assert (50_000 + SMALL_BYTES, 2) == (size_bytes, len(pieces))
    assert large is pieces[-1]
    assert (0, []) == (gathered.size_bytes, gathered.take())


@pytest.mark.parametrize(
    ("endpoint_url", "host"),
    [
        (None, "loaf-media.s3.eu-west-1.amazonaws.com"),
        ("http://127.0.0.1:4566", "127.0.0.1:4566/loaf-media"),
    ],
    ids=["AWS", "emulator"],
)
def test_a_link_names_the_buckets_own_region(endpoint_url: str | None, host: str) -> None:
    client = boto3.client(
        "s3",
        endpoint_url=endpoint_url,
        region_name="eu-west-1",
        aws_access_key_id="id",
        aws_secret_access_key="secret",
        config=media_client_config(endpoint_url),
    )

    link = S3MediaStore(client, "loaf-media").upload_link("incoming/a", size_bytes=1, lifetime=HOUR)

    assert link.partition("://")[2].startswith(f"{host}/incoming/a?")
