"""What differs between two texts, word by word, as reviews and conflicts show it."""

from collections.abc import Iterator
from difflib import SequenceMatcher

from chalicelib.kit.dataclass import dataclass

_LONGEST_COMPARED = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A run of words: unchanged, removed, or new."""

    text: str
    mark: str


def words_between(before: str, after: str) -> Iterator[Words]:
    """Yield the runs of unchanged, removed and new words between two texts."""
    old, new = before[:_LONGEST_COMPARED].split(" "), after[:_LONGEST_COMPARED].split(" ")
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            yield Words(text=" ".join(old[a:b]), mark="same")
            continue
        if old[a:b]:
            yield Words(text=" ".join(old[a:b]), mark="gone")
        if new[c:d]:
            yield Words(text=" ".join(new[c:d]), mark="new")
