"""What a person writes on a post, field by field: declared here, and the same wherever it stands.

Posts, drafts, changes and the app's composer have these fields, so that one more of them is one
line here, and one where clients send it and one where they read it (`api/resources/post_schemas`).
"""

from dataclasses import fields, replace
from typing import Self

from chalicelib.kit.dataclass import dataclass


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
