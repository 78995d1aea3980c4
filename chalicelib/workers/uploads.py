"""What a message of the uploads queue sets off: an arrived file becomes a record, one is fetched.

`app.py` `finish_uploads` hands over one queue message at a time. Events may come twice, late or
for files of nobody; a lost one is made up for by `retention`.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote_plus

from chalicelib.domain.ids import is_id
from chalicelib.services.media.direct_uploads import DirectUploads
from chalicelib.services.media.fetched_uploads import FetchedUploads
from chalicelib.storage.media.queues import read_fetch


class UploadWorker:
    """Finishes direct uploads and fetches files."""

    def __init__(self, direct_uploads: DirectUploads, fetched_uploads: FetchedUploads) -> None:
        self._direct_uploads = direct_uploads
        self._fetched_uploads = fetched_uploads

    def run(self, message: str) -> None:
        """Finish every upload that an S3 event names, or fetch the one that we are asked for."""
        told = json.loads(message)
        wanted = read_fetch(told)
        if wanted is not None:
            self._fetched_uploads.fetch(wanted)
            return
        for media_id in _media_ids(told):
            self._direct_uploads.finish(media_id)


def _media_ids(event: Mapping[str, Any]) -> Iterator[str]:
    """Yield the ids in an S3 event; S3's own test message has no records."""
    for record in event.get("Records", []):
        key = unquote_plus(record["s3"]["object"]["key"])
        media_id = key.rpartition("/")[2]
        if key.startswith("incoming/") and is_id(media_id):
            yield media_id
