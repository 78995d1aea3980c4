"""Two people edit one post: its present texts beside those typed over an earlier version.

No text is lost: the form keeps what was typed, and this shows how the other's differs.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.posts.post import Post
from chalicelib.kit.dataclass import dataclass
from chalicelib.web.forms.composition import Composition
from chalicelib.web.forms.differences import Words, words_between

_NAMES: Final[Mapping[str, str]] = {"caption": "Text"}
"""What the composer calls the words of a post."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """One text that both changed: from the present one to the typed one."""

    name: str
    words: Sequence[Words]


def conflicts_of(post: Post, typed: Composition) -> list[Conflict]:
    """Return the typed texts that differ from the post's present ones."""
    return [
        Conflict(name=name, words=list(words_between(theirs, mine)))
        for name, theirs, mine in _texts(post, typed)
        if theirs != mine
    ]


def _texts(post: Post, typed: Composition) -> Iterator[tuple[str, str, str]]:
    for name, words in typed.words.items():
        yield _NAMES[name], post.words[name], words
    theirs = {target.account_id: target.caption_override or "" for target in post.targets}
    for part in typed.parts:
        name = f"Text for {FACTS[part.platform].name} {part.handle}"
        yield name, theirs.get(part.account_id, ""), part.text
