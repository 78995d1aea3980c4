"""An upload that has not become a file yet, and the states it goes through.

Written down before the first byte is stored, so that whatever breaks off can be found and cleaned
up. `media_upload` and `direct_uploads` make them; clients see those of direct uploads.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class FileState(StrEnum):
    """What is known under a file's id."""

    UPLOADING = "uploading"
    WAITING = "waiting"
    REFUSED = "refused"
    READY = "ready"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnfinishedUpload:
    """An upload on its way through us, expected in the storage, or refused with code and message.

    One that became a file shows as ready.
    """

    id: str
    workspace_id: str
    filename: str
    state: FileState
    created_at: datetime
    size_bytes: int | None = None
    code: str | None = None
    message: str | None = None
