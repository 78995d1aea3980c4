"""An account's profile on its platform: its picture and its number of followers.

It is read once a day if the account's sign-in allows it, and stored: the app's pages never load
pictures from a platform, which would learn who views them. It is deleted with the account.
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
    """An account's stored profile; None for what its platform did not say.

    `counted` are the followers of the last days, oldest first; the first count is a week old.
    """

    account_id: str
    read_at: datetime
    followers: int | None = None
    picture: bytes | None = field(default=None, repr=False)
    counted: tuple[tuple[datetime, int], ...] = ()

    @property
    def gained(self) -> int | None:
        """Return the change of followers in a week, None until it was read for a week."""
        if self.followers is None or not self.counted:
            return None
        at, before = self.counted[0]
        is_a_week = _WEEK <= self.read_at - at < _WEEK + 2 * READ_EVERY
        return self.followers - before if is_a_week else None

    def read_again(self, now: datetime, followers: int | None, picture: bytes | None) -> "Profile":
        """Return the profile after it was read at `now`; a value of None keeps the old one."""
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
        """Return the content type of the picture, None if there is none or it is not usable."""
        return None if self.picture is None else kind_of_picture(self.picture)


def kind_of_picture(picture: bytes) -> str | None:
    """Return a picture's content type by its bytes, None for one that pages must not show."""
    if len(picture) > LARGEST_PICTURE:
        return None
    found = (kind for mark, place, kind in _KINDS if picture[place : place + len(mark)] == mark)
    return next(found, None)
