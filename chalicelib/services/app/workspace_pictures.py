"""A workspace's picture: set and removed by its owners and admins, read for who has a link."""

from collections.abc import Callable, Iterator
from typing import Final

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.media.workspace_pictures import (
    LARGEST_BYTES,
    LONGEST_SIDE,
    SMALL_SIDE,
    clean_if_small,
    clean_smaller_copy,
    probe_photo,
)
from chalicelib.domain.workspace.access import Caller
from chalicelib.domain.workspace.activity import Actor, Deed
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.media_headers.ranged_file import Read
from chalicelib.services.app.team import require_manager
from chalicelib.services.workspace.activity import ActivityLog
from chalicelib.storage.workspace.pictures import WorkspacePictureRows

_CANNOT: Final = (
    "This picture cannot be made small here. Choose a JPEG, PNG or WebP of at most "
    f"{LARGEST_BYTES // 1024} KB and {LONGEST_SIDE} pixels a side."
)
_PIECE: Final = 1_048_576
Shrink = Callable[[Iterator[bytes], int, int], bytes | None]
"""Makes a JPEG of a picture's pieces, of at most so many bytes and pixels a side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspacePictures:
    """Pictures of workspaces."""

    rows: WorkspacePictureRows
    shrink: Shrink
    activity: ActivityLog

    def find(self, workspace_id: str) -> bytes | None:
        """Return a workspace's picture, None if it has none."""
        return self.rows.find(workspace_id)

    def put(self, caller: Caller, read: Read, size_bytes: int) -> None:
        """Keep a small copy of a photo, without anything beside the picture.

        Raises RoleForbids, UnsupportedMedia, InvalidInput.
        """
        require_manager(caller)
        probed = probe_photo(read, size_bytes)
        picture = clean_if_small(read, size_bytes, probed) or self._small(read, size_bytes)
        self.rows.put(caller.workspace_id, picture)
        self._note(caller, "picture set")

    def remove(self, caller: Caller) -> None:
        """Show the first letter of the name again. Raises RoleForbids."""
        require_manager(caller)
        self.rows.remove(caller.workspace_id)
        self._note(caller, "picture removed")

    def _small(self, read: Read, size_bytes: int) -> bytes:
        pieces = (read(offset, _PIECE) for offset in range(0, size_bytes, _PIECE))
        copy = self.shrink(pieces, LARGEST_BYTES, SMALL_SIDE)
        picture = None if copy is None else clean_smaller_copy(copy)
        if picture is None:
            raise InvalidInput(_CANNOT, loc=("body", "file"))
        return picture

    def _note(self, caller: Caller, detail: str) -> None:
        self.activity.note(
            caller.workspace_id, Deed.SETTINGS_CHANGED, Actor.of(caller), detail=detail
        )
