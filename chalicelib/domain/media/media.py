"""A file that a workspace uploaded: what it is, and for which platforms it is too long.

Services make a Media once its bytes were stored and probed; posts refer to it by id. A removed file
keeps its record as long as posts' histories need it. docs/api.md "Media file".
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import field
from datetime import datetime, timedelta
from enum import StrEnum

from chalicelib.domain.media.coding import NOTHING_SAID, Coding
from chalicelib.domain.media.types import MediaType
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.kit.dataclass import dataclass

LARGEST_FILE_BYTES = 1_073_741_824
NEWEST_LISTED = 200
KEPT_AFTER_DONE = timedelta(days=90)
LONGEST_FILENAME = 255
_LONGEST_ENDING = 10
LONGEST_ALT_TEXT = 2_000
_UNSEEN = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Probed:
    """A file's properties, read from its bytes; width and height are as displayed."""

    mime: MediaType
    width: int
    height: int
    duration_s: float | None = None
    fps: float | None = None
    video_codec: str | None = None
    audio_codec: str | None = None
    index_first: bool = False
    has_edits: bool = False
    is_clean: bool = False
    coding: Coding = NOTHING_SAID
    for_print: bool = False
    is_animated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Media:
    """One file of a workspace. `index_first` and `has_edits` matter to platforms that stream it.

    `is_clean` tells that the file is proven to hold nothing that must not leave (`cleaning`), and
    a photo that it is upright; others are looked at, and cleaned, before they leave. `for_print`
    tells that a photo's colours are those of four inks, or coded as browsers do not read them,
    `is_animated` that it moves; `alt_text` is what every target says of the file that says nothing
    of its own.
    """

    id: str
    workspace_id: str
    mime: MediaType
    filename: str
    size_bytes: int
    width: int
    height: int
    created_at: datetime
    duration_s: float | None = None
    video_codec: str | None = None
    audio_codec: str | None = None
    fps: float | None = None
    index_first: bool = False
    has_edits: bool = False
    is_clean: bool = False
    coding: Coding = NOTHING_SAID
    for_print: bool = False
    is_animated: bool = False
    file_removed: bool = False
    alt_text: str | None = None

    @property
    def kind(self) -> MediaKind:
        """Tell video from photo, as the wire names them."""
        return self.mime.kind

    @property
    def duration(self) -> timedelta | None:
        """Return the video's duration; photos have none."""
        return None if self.duration_s is None else timedelta(seconds=self.duration_s)

    @property
    def url(self) -> str | None:
        """Return the relative path of the file itself, as long as there is one."""
        return None if self.file_removed else f"/v1/media/{self.id}/file"


def tidy_filename(sent: str | None) -> str:
    """Return the name to keep: the last part of a path, without characters that hide or mislead.

    Letters are composed (NFC), as most keyboards type them; a name that is too long keeps its
    ending.
    """
    name = unicodedata.normalize("NFC", _UNSEEN.sub("", sent or ""))
    name = name.replace("\\", "/").rpartition("/")[2].strip()
    stem, dot, ending = name.rpartition(".")
    if not stem or len(ending) > _LONGEST_ENDING:
        return name[:LONGEST_FILENAME] or "file"
    return stem[: LONGEST_FILENAME - len(ending) - 1] + dot + ending


def too_long_for(media: Media) -> Mapping[Platform, int]:
    """Map each platform for which the video is too long to its limit in seconds."""
    duration = media.duration
    if duration is None:
        return {}
    return {
        platform: int(limits.longest_video.total_seconds())
        for platform, limits in ((platform, FACTS[platform].limits) for platform in Platform)
        if limits.longest_video is not None and duration > limits.longest_video
    }


class FileState(StrEnum):
    """The states of what a file's id names."""

    UPLOADING = "uploading"
    WAITING = "waiting"
    REFUSED = "refused"
    READY = "ready"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnfinishedUpload:
    """An upload that is being received, expected in the storage, or refused with code and message.

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
    reserved_bytes: int = 0
    storage_limit: int | None = None
    """What it reserves of the workspace's storage until it is a file, and the limit."""
    source_url: str | None = field(default=None, repr=False)
    """The address to fetch it from; deleted once fetched or refused, as it may be a secret link."""
    token: str | None = field(default=None, repr=False)
    """The end of the address at our own door to send the file to, if we gave one."""
