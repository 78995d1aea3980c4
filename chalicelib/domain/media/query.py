"""A client's query of the list of files, and its page (docs/api.md "Media").

A page's `cursor` is the id of the last file seen; only None means the end.
"""

from chalicelib.domain.media.media import NEWEST_LISTED, Media
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.text import comparable_text
from chalicelib.kit.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaQuery:
    """Filters over the files that can still be posted; `is_used`: that some post has it."""

    kind: MediaKind | None = None
    is_used: bool | None = None
    text: str = ""
    limit: int = NEWEST_LISTED
    cursor: str | None = None

    @property
    def is_narrowed(self) -> bool:
        """Tell whether it leaves out some files."""
        return self.kind is not None or self.is_used is not None or bool(self.text)

    def fits(self, media: Media) -> bool:
        """Tell whether a file fits the query, apart from its uses."""
        has_kind = self.kind is None or media.kind is self.kind
        said = f"{media.filename}\n{media.alt_text or ''}"
        return has_kind and comparable_text(self.text) in comparable_text(said)


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaPage:
    """Some files, newest first, and the cursor of what follows."""

    files: tuple[Media, ...]
    cursor: str | None
