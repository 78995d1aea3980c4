"""Accounts: where posts go, and what each lets a caller choose."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A connected account; one whose `health` is `broken` must be reconnected in the app."""

    id: str
    platform: str
    handle: str
    test: bool
    health: str
    audience_regions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountList:
    """List the workspace's accounts, oldest first."""

    data: tuple[Account, ...]
    test_accounts: bool

    def __iter__(self) -> Iterator[Account]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyLevel:
    """One choice of who sees a TikTok post."""

    value: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Interactions:
    """What a TikTok creator lets others do."""

    comment: bool
    duet: bool
    stitch: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatorOptions:
    """What TikTok says about a creator at this moment."""

    account_id: str
    handle: str
    nickname: str
    can_post: bool
    privacy_levels: tuple[PrivacyLevel, ...]
    max_video_seconds: int
    interactions: Interactions


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A value that an option takes, and its name for people."""

    id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """By option name (`board`, `subreddit`, `playlist`, …): what the account can choose."""

    data: Mapping[str, tuple[Choice, ...]]
