"""Two people in one post: what stands there now, beside what was typed over an earlier state.

Nothing of either is lost: the form keeps what was typed, and this shows where the other's differs.
"""

from collections.abc import Iterator, Sequence

from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.posts.post import Post
from chalicelib.kit.dataclass import dataclass
from chalicelib.web.forms.composition import Composition
from chalicelib.web.forms.differences import Words, words_between


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """One text that both wrote: from what is there now to what was typed."""

    name: str
    words: Sequence[Words]


def conflicts_of(post: Post, typed: Composition) -> list[Conflict]:
    """Return the texts in which what was typed is not what the post holds now."""
    return [
        Conflict(name=name, words=list(words_between(theirs, mine)))
        for name, theirs, mine in _texts(post, typed)
        if theirs != mine
    ]


def _texts(post: Post, typed: Composition) -> Iterator[tuple[str, str, str]]:
    yield "Text", post.caption, typed.caption
    theirs = {target.account_id: target.caption_override or "" for target in post.targets}
    for part in typed.parts:
        name = f"Text for {FACTS[part.platform].name} {part.handle}"
        yield name, theirs.get(part.account_id, ""), part.text
