"""What a person writes on a post, field by field, and what may be asked to be made or changed.

Posts, drafts, changes and the app's composer have the fields of `Written`, so that one more of them
is one line here, and one where clients send it and one where they read it
(`api/resources/post_schemas`). `drafting` makes posts of new ones, `editing` changes posts.
"""

import json
from collections.abc import Mapping
from dataclasses import field, fields, replace
from datetime import datetime
from hashlib import sha256
from typing import Self

from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The words of a post."""

    caption: str = ""

    @property
    def words(self) -> dict[str, str]:
        """Return them by their fields' names."""
        return {each.name: getattr(self, each.name) for each in fields(Written)}

    def written_as(self, other: "Written") -> Self:
        """Return this with the words of another."""
        return replace(self, **other.words)

    def rewrite(self, changes: "Rewritten") -> Self:
        """Return this with the words that changed."""
        return replace(self, **changes.new_words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewritten:
    """New words for a post; None leaves a field as it is."""

    caption: str | None = None

    @property
    def new_words(self) -> dict[str, str]:
        """Return what shall change, by its field's name."""
        named = {each.name: getattr(self, each.name) for each in fields(Rewritten)}
        return {name: words for name, words in named.items() if words is not None}

    def rewriting(self, before: Written, after: Written) -> Self:
        """Return this with the words that differ between two."""
        was = before.words
        new = {name: words for name, words in after.words.items() if words != was[name]}
        return replace(self, **new)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTarget:
    """An account that a post shall go to."""

    account_id: str
    caption_override: str | None = None
    options: Mapping[str, Json] = field(default_factory=dict)
    scheduled_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPost(Written):
    """A draft to be made."""

    media_ids: tuple[str, ...]
    targets: tuple[NewTarget, ...]

    @property
    def fingerprint(self) -> str:
        """A short text that tells one draft from another, whatever the order of its options."""
        content = [
            *self.words.values(),
            self.media_ids,
            [
                (
                    each.account_id,
                    each.caption_override,
                    dict(each.options),
                    each.scheduled_at and each.scheduled_at.timestamp(),
                )
                for each in self.targets
            ],
        ]
        return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetChange:
    """What shall change on one target; None leaves a field, an empty override clears it."""

    id: str
    caption_override: str | None = None
    options: Mapping[str, Json] | None = None
    scheduled_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PostChanges(Rewritten):
    """What shall change on a post; None leaves the words or the file as they are."""

    media_ids: tuple[str, ...] | None = None
    targets: tuple[TargetChange, ...] = ()
    add: tuple[NewTarget, ...] = ()
    remove: tuple[str, ...] = ()
