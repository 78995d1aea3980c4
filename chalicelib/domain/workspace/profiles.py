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
_WEEK: Final = timedelta(days=7)
_KINDS: Final = (
    (b"\xff\xd8\xff", 0, "image/jpeg"),
    (b"\x89PNG\r\n\x1a\n", 0, "image/png"),
    (b"WEBP", 8, "image/webp"),
    (b"GIF8", 0, "image/gif"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What is kept of an account's profile; None for what its platform did not tell.

    `counted` holds the followers of the last days, oldest first: first those of a week ago.
    """

    account_id: str
    read_at: datetime
    followers: int | None = None
    picture: bytes | None = field(default=None, repr=False)
    counted: tuple[tuple[datetime, int], ...] = ()

    @property
    def gained(self) -> int | None:
        """Return by how many followers it grew in a week; None before it was read for one."""
        if self.followers is None or not self.counted:
            return None
        at, before = self.counted[0]
        is_a_week = _WEEK <= self.read_at - at < _WEEK + 2 * READ_EVERY
        return self.followers - before if is_a_week else None

    def read_again(self, now: datetime, followers: int | None, picture: bytes | None) -> "Profile":
        """Return what is kept after it was read: what it did not tell now stays as it was."""
        known = self.counted if followers is None else (*self.counted, (now, followers))
        since = max((at for at, _ in known if now - at >= _WEEK), default=None)
        return Profile(
            account_id=self.account_id,
            read_at=now,
            followers=self.followers if followers is None else followers,
            picture=picture or self.picture,
            counted=tuple(one for one in known if since is None or one[0] >= since),
        )

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
