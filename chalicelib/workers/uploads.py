"""What an S3 event about a direct upload sets off: the arrived file becomes a record.

`app.py` `finish_uploads` hands over one queue message at a time. Events may come twice, late or
for files of nobody; a lost one is made up for by `retention`.
"""

import json
from collections.abc import Iterator
from urllib.parse import unquote_plus

from chalicelib.domain.ids import is_id
from chalicelib.services.media.direct_uploads import DirectUploads


class UploadWorker:
    """Finishes direct uploads."""

    def __init__(self, direct_uploads: DirectUploads) -> None:
        self._direct_uploads = direct_uploads

    def run(self, message: str) -> None:
        """Finish every upload that an S3 event names."""
        for media_id in _arrived(message):
            self._direct_uploads.finish(media_id)


def _arrived(message: str) -> Iterator[str]:
    """Yield the ids in an S3 event; S3's own test message has no records."""
    for record in json.loads(message).get("Records", []):
        key = unquote_plus(record["s3"]["object"]["key"])
        media_id = key.rpartition("/")[2]
        if key.startswith("incoming/") and is_id(media_id):
            yield media_id
