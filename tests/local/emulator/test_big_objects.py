"""Big files cost the emulator no memory, whichever way they come and go."""

import hashlib
import os
import re
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import boto3
import pytest
from botocore.config import Config

from chalicelib.settings import Settings
from tests.support.emulator import EmulatorProcess, make_resources, start_emulator

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

MIB = 1 << 20
PART = os.urandom(8 * MIB)
STACK_MODULES = 12


@pytest.fixture(scope="module")
def emulator() -> Iterator[EmulatorProcess]:
    started = start_emulator()
    yield started
    started.stop()


@pytest.fixture(scope="module")
def settings(emulator: EmulatorProcess) -> Settings:
    return make_resources(emulator.endpoint)


@pytest.fixture(scope="module")
def s3(emulator: EmulatorProcess) -> "S3Client":
    config = Config(signature_version="s3v4", s3={"addressing_style": "path"})
    return boto3.client("s3", endpoint_url=emulator.endpoint, config=config)


def _peak_mib(emulator: EmulatorProcess) -> float:
    assert emulator.process is not None
    status = Path(f"/proc/{emulator.process.pid}/status").read_text()
    found = re.search(r"VmHWM:\s+(\d+)", status)
    assert found
    return int(found[1]) / 1024


def _upload(s3: "S3Client", bucket: str, key: str) -> None:
    upload = s3.create_multipart_upload(Bucket=bucket, Key=key, Metadata={"of": "us"})["UploadId"]
    tags = [
        s3.upload_part(Bucket=bucket, Key=key, UploadId=upload, PartNumber=n + 1, Body=PART)["ETag"]
        for n in range(STACK_MODULES)
    ]
    s3.complete_multipart_upload(
        Bucket=bucket,
        Key=key,
        UploadId=upload,
        MultipartUpload={
            "Parts": [{"PartNumber": n + 1, "ETag": tag} for n, tag in enumerate(tags)]
        },
    )


def test_a_multipart_upload_is_put_together_and_read_in_ranges_on_disk(
    emulator: EmulatorProcess, settings: Settings, s3: "S3Client"
) -> None:
    bucket, key = settings.media_bucket, "media/w/big"
    before = _peak_mib(emulator)

    _upload(s3, bucket, key)
    seam = f"bytes={8 * MIB - 3}-{8 * MIB + 2}"
    at_seam = s3.get_object(Bucket=bucket, Key=key, Range=seam)["Body"].read()
    size = sum(map(len, s3.get_object(Bucket=bucket, Key=key)["Body"].iter_chunks(MIB)))

    assert at_seam == PART[-3:] + PART[:3]
    assert size == STACK_MODULES * len(PART)
    assert s3.head_object(Bucket=bucket, Key=key)["Metadata"] == {"of": "us"}
    assert _peak_mib(emulator) - before < 25


def test_a_presigned_upload_goes_to_disk(
    emulator: EmulatorProcess, settings: Settings, s3: "S3Client"
) -> None:
    bucket, key = settings.media_bucket, "incoming/w/put"
    url = s3.generate_presigned_url("put_object", Params={"Bucket": bucket, "Key": key})
    before = _peak_mib(emulator)

    request = urllib.request.Request(url, data=PART * 8, method="PUT")  # noqa: S310 - our emulator
    with urllib.request.urlopen(request) as answer:  # noqa: S310 - our emulator
        tag = answer.headers["ETag"]

    assert tag.strip('"') == hashlib.md5(PART * 8, usedforsecurity=False).hexdigest()
    assert s3.head_object(Bucket=bucket, Key=key)["ContentLength"] == 8 * len(PART)
    assert _peak_mib(emulator) - before < 25


def test_a_copied_part_outlives_its_source(settings: Settings, s3: "S3Client") -> None:
    bucket, source, key = settings.media_bucket, "media/w/source", "media/w/trimmed"
    s3.put_object(Bucket=bucket, Key=source, Body=PART)
    upload = s3.create_multipart_upload(Bucket=bucket, Key=key)["UploadId"]
    tag = s3.upload_part_copy(
        Bucket=bucket,
        Key=key,
        UploadId=upload,
        PartNumber=1,
        CopySource={"Bucket": bucket, "Key": source},
        CopySourceRange=f"bytes=10-{7 * MIB + 9}",
    )["CopyPartResult"]["ETag"]

    s3.delete_object(Bucket=bucket, Key=source)
    s3.complete_multipart_upload(
        Bucket=bucket,
        Key=key,
        UploadId=upload,
        MultipartUpload={"Parts": [{"PartNumber": 1, "ETag": tag}]},
    )

    assert s3.get_object(Bucket=bucket, Key=key)["Body"].read() == PART[10 : 7 * MIB + 10]


def test_parts_that_are_not_there_are_refused(settings: Settings, s3: "S3Client") -> None:
    bucket, key = settings.media_bucket, "media/w/refused"
    upload = s3.create_multipart_upload(Bucket=bucket, Key=key)["UploadId"]
    s3.upload_part(Bucket=bucket, Key=key, UploadId=upload, PartNumber=1, Body=PART)

    with pytest.raises(s3.exceptions.ClientError, match="InvalidPart"):
        s3.complete_multipart_upload(
            Bucket=bucket,
            Key=key,
            UploadId=upload,
            MultipartUpload={"Parts": [{"PartNumber": 1, "ETag": '"wrong"'}]},
        )


def test_an_aborted_upload_leaves_nothing_behind(
    emulator: EmulatorProcess, settings: Settings, s3: "S3Client"
) -> None:
    bucket, key = settings.media_bucket, "media/w/aborted"
    parts = Path(emulator.folder) / "parts"
    before = set(parts.iterdir())
    upload = s3.create_multipart_upload(Bucket=bucket, Key=key)["UploadId"]
    s3.upload_part(Bucket=bucket, Key=key, UploadId=upload, PartNumber=1, Body=PART)

    s3.abort_multipart_upload(Bucket=bucket, Key=key, UploadId=upload)

    assert set(parts.iterdir()) == before
