"""Files in the engine: parts that are never copied, ranges over them, nothing left behind."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import TYPE_CHECKING, Any

import pytest

from chalicelib.kit.aws_on_sqlite.engine import Engine, open_engine
from chalicelib.kit.aws_on_sqlite.objects import EmbeddedS3
from chalicelib.settings import Settings
from tests.support.clients import a_client
from tests.support.emulator import make_resources, start_embedded

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

PART = os.urandom(1 << 20)


@pytest.fixture(scope="module")
def settings() -> Iterator[Settings]:
    engine = start_embedded()
    yield make_resources(engine.endpoint)
    engine.stop()


@pytest.fixture
def engine(settings: Settings) -> Engine:
    return open_engine(settings.endpoint_url or "")


@pytest.fixture
def s3(settings: Settings) -> "S3Client":
    return a_client("s3", settings.endpoint_url)


def files(engine: Engine) -> set[Path]:
    return set((engine.folder / "files").iterdir())


def begin(s3: "S3Client", bucket: str, key: str, parts: int) -> tuple[str, list[Any]]:
    upload = s3.create_multipart_upload(Bucket=bucket, Key=key)["UploadId"]
    named = [
        {
            "PartNumber": number + 1,
            "ETag": s3.upload_part(
                Bucket=bucket, Key=key, UploadId=upload, PartNumber=number + 1, Body=PART
            )["ETag"],
        }
        for number in range(parts)
    ]
    return upload, named


def test_parts_are_one_object_and_are_read_across_their_seams(
    settings: Settings, s3: "S3Client", engine: Engine
) -> None:
    bucket, key = settings.media_bucket, "media/w/joined"
    before = len(files(engine))
    upload, parts = begin(s3, bucket, key, 3)

    s3.complete_multipart_upload(
        Bucket=bucket, Key=key, UploadId=upload, MultipartUpload={"Parts": parts}
    )
    seam = f"bytes={len(PART) - 3}-{2 * len(PART) + 2}"

    assert s3.get_object(Bucket=bucket, Key=key, Range=seam)["Body"].read() == (
        PART[-3:] + PART + PART[:3]
    )
    assert s3.head_object(Bucket=bucket, Key=key)["ContentLength"] == 3 * len(PART)
    assert len(files(engine)) == before + 3


def test_a_copy_outlives_its_source(settings: Settings, s3: "S3Client") -> None:
    bucket = settings.media_bucket
    s3.put_object(Bucket=bucket, Key="media/w/source", Body=PART)

    s3.copy_object(
        Bucket=bucket, Key="media/w/copy", CopySource={"Bucket": bucket, "Key": "media/w/source"}
    )
    s3.delete_object(Bucket=bucket, Key="media/w/source")

    assert s3.get_object(Bucket=bucket, Key="media/w/copy")["Body"].read() == PART


def test_parts_that_are_not_there_are_refused(settings: Settings, s3: "S3Client") -> None:
    bucket, key = settings.media_bucket, "media/w/refused"
    upload, _ = begin(s3, bucket, key, 1)

    with pytest.raises(s3.exceptions.ClientError, match="InvalidPart"):
        s3.complete_multipart_upload(
            Bucket=bucket,
            Key=key,
            UploadId=upload,
            MultipartUpload={"Parts": [{"PartNumber": 1, "ETag": '"wrong"'}]},
        )


def test_what_is_aborted_replaced_or_deleted_leaves_no_file(
    settings: Settings, s3: "S3Client", engine: Engine
) -> None:
    bucket, key = settings.media_bucket, "media/w/gone"
    before = files(engine)
    upload, _ = begin(s3, bucket, key, 2)

    s3.abort_multipart_upload(Bucket=bucket, Key=key, UploadId=upload)
    s3.put_object(Bucket=bucket, Key=key, Body=b"old")
    s3.put_object(Bucket=bucket, Key=key, Body=b"new")
    s3.delete_object(Bucket=bucket, Key=key)

    assert files(engine) == before


def test_an_address_is_refused_with_the_reason(engine: Engine) -> None:
    with pytest.raises(NotImplementedError, match="the front of the local stack serves them"):
        EmbeddedS3(engine).generate_presigned_url("get_object", Params={})


class AtOnce(EmbeddedS3):
    """A client whose completions meet before any of them names its object."""

    meeting = Barrier(2)

    def _name(self, *given: Any) -> None:  # noqa: ANN401 - as it is
        self.meeting.wait(240)
        super()._name(*given)


def test_two_who_complete_one_upload_at_once_both_leave_it_whole(
    settings: Settings, s3: "S3Client", engine: Engine
) -> None:
    bucket, key = settings.media_bucket, "media/w/twice"
    upload, parts = begin(s3, bucket, key, 2)
    client = AtOnce(engine)
    said = {"Bucket": bucket, "Key": key, "UploadId": upload, "MultipartUpload": {"Parts": parts}}

    with ThreadPoolExecutor(2) as threads:
        told = [threads.submit(client.complete_multipart_upload, **said) for _ in range(2)]
        tags = {each.result()["ETag"] for each in told}

    assert len(tags) == 1
    assert s3.get_object(Bucket=bucket, Key=key)["Body"].read() == PART * 2
