"""A photo as decoders get it: without metadata, and with what the copy gets back afterwards.

A photo that cannot be cleaned is decoded as it is, and only its pixels are used. So no decoder ever
reads megabytes of notes or profiles that no viewer needs.
"""

import io

from chalicelib.domain.media.cleaning.outcome import CleanPhoto, UncleanableError
from chalicelib.domain.media.cleaning.photos import MOST_BYTES, clean_photo
from chalicelib.domain.media.types import SNIFF_BYTES, sniff
from chalicelib.kit.dataclass import dataclass
from chalicelib.storage.media.seekable import SeekableObject


@dataclass(frozen=True, slots=True)
class CleanSource:
    """A photo to decode; `cleaned` is None where its parts could not be told apart."""

    file: io.BytesIO | SeekableObject
    size_bytes: int
    cleaned: CleanPhoto | None
    is_changed: bool = False

    @classmethod
    def of(cls, source: SeekableObject, size_bytes: int) -> "CleanSource":
        """Read a photo and clean it."""
        source.seek(0)
        data = source.read(min(size_bytes, MOST_BYTES))
        source.forget()  # a photo is held once while it is decoded
        mime = sniff(data[:SNIFF_BYTES])
        source.seek(0)
        try:
            cleaned = None if mime is None else clean_photo(mime, data)
        except UncleanableError:
            cleaned = None
        if cleaned is None:
            return cls(source, size_bytes, None)
        is_changed = len(cleaned.data) != size_bytes or cleaned.data != data
        return cls(io.BytesIO(cleaned.data), len(cleaned.data), cleaned, is_changed)
