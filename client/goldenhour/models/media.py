"""Media: uploaded files and how their uploads stand."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Media:
    """An uploaded file; `too_long_for` has the most seconds of each platform it is too long for."""

    id: str
    kind: str
    filename: str
    size_bytes: int
    duration_s: float | None
    width: int
    height: int
    too_long_for: Mapping[str, int]
    url: str | None
    file_removed: bool
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectUpload:
    """Where and how a file goes straight to the storage."""

    media_id: str
    method: str
    url: str
    headers: Mapping[str, str]
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadState:
    """How an upload stands: `waiting`, `ready`, or `refused` for the reason in `message`."""

    state: str
    code: str | None
    message: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedUpload:
    """An upload whose file the service fetches from an address; follow it by `media_id`."""

    media_id: str
    state: str
