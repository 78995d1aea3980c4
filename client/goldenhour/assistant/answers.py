"""What the tools answer; an assistant is told these shapes with the tools.

Without slots: the package takes a slot for a default value.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from goldenhour.models.answers import (
    Account,
    Check,
    Choice,
    CreatorOptions,
    History,
    Me,
    Media,
    Metrics,
    Summary,
    Target,
)


@dataclass(frozen=True, kw_only=True)
class AccountsAnswer:
    """The connected accounts."""

    accounts: Sequence[Account]


@dataclass(frozen=True, kw_only=True)
class KeyAnswer:
    """Whose key it is, what it may do and what is left."""

    me: Me


@dataclass(frozen=True, kw_only=True)
class ChoicesAnswer:
    """What an account can choose, by option; `creator` for TikTok alone."""

    account: Account
    choices: Mapping[str, Sequence[Choice]]
    creator: CreatorOptions | None = None


@dataclass(frozen=True, kw_only=True)
class TimesAnswer:
    """Times in words."""

    now: str
    next_free_queue_time: str | None
    golden_hours: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class PostAnswer:
    """A post; `in_words` tells for each account when it goes out or what became of it."""

    post_id: str
    status: str
    approval: str | None
    in_words: Sequence[str]
    caption: str
    media_ids: Sequence[str]
    targets: Sequence[Target]


@dataclass(frozen=True, kw_only=True)
class PostsAnswer:
    """Posts; `more` says that others fit, too, and were left out by the limit."""

    posts: Sequence[PostAnswer]
    more: bool


@dataclass(frozen=True, kw_only=True)
class HistoryAnswer:
    """What was done to a post, and every attempt to send it."""

    history: History


@dataclass(frozen=True, kw_only=True)
class ResultsAnswer:
    """A post's counts, or the sums of all posts and the best of them."""

    metrics: Metrics | None = None
    summary: Summary | None = None


@dataclass(frozen=True, kw_only=True)
class CheckAnswer:
    """What would keep a post from going out."""

    check: Check


@dataclass(frozen=True, kw_only=True)
class UploadAnswer:
    """A file that can be posted."""

    media_id: str
    file: Media


@dataclass(frozen=True, kw_only=True)
class BegunUpload:
    """Where to send a file: its bytes with `method` to `url`, with all of `headers`."""

    media_id: str
    method: str
    url: str
    headers: Mapping[str, str]
    expires: str


@dataclass(frozen=True, kw_only=True)
class DeletedAnswer:
    """The post that was deleted."""

    deleted: str
