"""The ability to tell what an account can choose for its options: boards, communities, playlists.

Pinterest, Reddit and YouTube have it; TikTok's creators tell theirs by `ReadsCreatorOptions`. Each
platform's own way is in its folder's `choices.py`.
"""

from typing import Protocol, runtime_checkable

from chalicelib.connectors.connector import ConnectedAccount
from chalicelib.domain.platforms.choices import Choices

MOST_PAGES = 10
"""How many pages of a list are read; beyond them the list is not known to be complete."""


@runtime_checkable
class OffersChoices(Protocol):
    """A platform whose accounts have something to choose from."""

    def choices(self, account: ConnectedAccount, *, subreddit: str | None = None) -> Choices:
        """Return what the account offers now, read-only; `subreddit` asks for its flairs too."""
        ...
