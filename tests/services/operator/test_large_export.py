"""An export of 50 GB takes memory for a few pieces, whatever there is: a store plays the files.

`make test` exports 2 GB, `make prove` all 50.
"""

import tracemalloc
import zipfile
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from chalicelib.kit.dynamodb.items import Item
from chalicelib.services.operator.export import Exported
from chalicelib.services.operator.export_parts import BucketFile
from chalicelib.services.operator.export_requests import ASKED_PART_BYTES
from chalicelib.storage.export.rows import Found, Source
from chalicelib.storage.media.writer import ObjectWriter
from chalicelib.storage.row_kinds import Store
from tests.api.http_house import a_house
from tests.support.emulator import EmulatorProcess

GIGABYTE: Final = 1_000_000_000
FILE_BYTES: Final = 250_000_000
_PIECE: Final = bytes(8_388_608)
_MOST_BYTES: Final = 80_000_000
"""A piece of the store, one that is gathered, one on its way, some megabytes of lines."""


class PlayedBucket:
    """Files that are read from nowhere, and an S3 that keeps of a part how large it is."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.read_bytes = 0

    def size(self, key: str) -> int:
        del key
        return FILE_BYTES

    def read(self, key: str, offset: int, length: int) -> bytes:
        del key
        piece = _PIECE[: max(0, min(length, FILE_BYTES - offset))]
        self.read_bytes += len(piece)
        return piece

    def create_multipart_upload(self, **_: object) -> dict[str, str]:
        self.sizes.append(0)
        return {"UploadId": "1"}

    def complete_multipart_upload(self, **_: object) -> None:
        pass

    def put_object(self, *, Body: bytes, **_: object) -> None:  # noqa: N803 - boto3's
        self.sizes.append(len(Body))

    def take(self, part: object, pieces: list[bytes]) -> str:
        del part
        self.sizes[-1] += sum(map(len, pieces))
        return "etag"

    def file(self, threads: Executor) -> BucketFile:
        played: Any = self
        take: Any = self.take
        return BucketFile(ObjectWriter(played, ("b", "k", "t"), threads, take))


class PlayedRows:
    """So many files, and a post with a long caption for each of them."""

    def __init__(self, files: int) -> None:
        self._files = files

    def after(self, workspace_id: str, source: Source, after: str) -> Iterator[Found]:
        kinds = {Source.POSTS: Store.POSTS, Source.FILES: Store.MEDIA}
        if source not in kinds:
            return
        begin = int(after, 16) + 1 if after else 0
        for number in range(begin, self._files * (100 if source is Source.POSTS else 1)):
            pk = f"{number:032x}"
            row: Item = {"pk": pk, "sk": "POST" if source is Source.POSTS else "MEDIA"}
            row["caption" if source is Source.POSTS else "filename"] = "bread " * 300
            row["workspace_id"] = workspace_id
            row["size_bytes"] = FILE_BYTES
            yield Found(kinds[source], (row,), pk)


@pytest.mark.parametrize(
    "size_bytes",
    [
        pytest.param(2 * GIGABYTE, id="2 GB"),
        pytest.param(50 * GIGABYTE, id="50 GB", marks=pytest.mark.prove),
    ],
)
def test_memory_is_small_and_parts_are_bounded_whatever_there_is(
    emulator: EmulatorProcess, tmp_path: Path, size_bytes: int
) -> None:
    files, bucket = size_bytes // FILE_BYTES, PlayedBucket()
    house = a_house(emulator, tmp_path)
    rows: Any = PlayedRows(files)
    store: Any = bucket
    made = house.deployment.whole_workspace.export
    export = replace(made, rows=rows, store=store, part_bytes=ASKED_PART_BYTES)
    done = Exported(workspace_id="0" * 32, begun_at="2026-11-20T12:00:00Z", counts={})

    with ThreadPoolExecutor(1) as threads:
        tracemalloc.start()
        while done.whole_at is None:
            done = export.next_part(done, bucket.file(threads))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()

    print(f"{size_bytes / GIGABYTE:.0f} GB: {done.parts} parts, {peak / 1e6:.0f} MB")  # noqa: T201
    assert peak < _MOST_BYTES
    assert bucket.read_bytes == size_bytes
    assert done.counts["media"] == files
    assert done.counts["posts"] == files * 100
    assert done.parts == len(bucket.sizes) >= size_bytes // ASKED_PART_BYTES
    assert max(bucket.sizes) < ASKED_PART_BYTES + 20_000_000
    assert sum(bucket.sizes) > size_bytes
    assert zipfile.ZIP64_LIMIT > ASKED_PART_BYTES
