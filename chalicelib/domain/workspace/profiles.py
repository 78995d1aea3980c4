"""How an account looks on its platform: its picture, and how many follow it.

Read once a day where the scopes that its sign-in holds give it, and kept here: a page of ours never
links to a platform's server, which would learn who looks. It goes with the account.
"""

from dataclasses import field
from datetime import datetime, timedelta
from typing import Final

from chalicelib.kit.dataclass import dataclass

READ_EVERY: Final = timedelta(days=1)
LARGEST_PICTURE: Final = 262_144
_KINDS: Final = (
    (b"\xff\xd8\xff", 0, "image/jpeg"),
    (b"\x89PNG\r\n\x1a\n", 0, "image/png"),
    (b"WEBP", 8, "image/webp"),
    (b"GIF8", 0, "image/gif"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What is kept of an account's profile; None for what its platform did not tell."""

    account_id: str
    read_at: datetime
    followers: int | None = None
    picture: bytes | None = field(default=None, repr=False)

    @property
    def picture_kind(self) -> str | None:
        """Return what kind of picture it is."""
        return None if self.picture is None else kind_of_picture(self.picture)


def kind_of_picture(picture: bytes) -> str | None:
    """Return the kind of a picture by its bytes, None for what no page should show."""
    if len(picture) > LARGEST_PICTURE:
        return None
    found = (kind for mark, place, kind in _KINDS if picture[place : place + len(mark)] == mark)
    return next(found, None)
