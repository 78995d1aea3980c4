"""Where a platform folds a long text behind its "more": docs/previews.md has the sources.

Platforms fold by lines of a screen, which differ from phone to phone. `across` is about how many
characters fit into one, so the fold is only where it probably is on a reader's phone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from chalicelib.domain.platforms.texts.marks import Piece
from chalicelib.kit.dataclass import dataclass

_ACROSS: Final = 46


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """After how many characters or lines a text is folded, whichever comes first."""

    characters: int | None = None
    lines: int | None = None
    across: int = _ACROSS

    @property
    def words(self) -> str:
        """Return the sentence that says where it folds."""
        named = [
            f"{self.characters} characters" if self.characters else "",
            f"{self.lines} lines" if self.lines else "",
        ]
        return f"Folds after about {' or '.join(filter(None, named))}."

    def place(self, text: str) -> int | None:
        """Return the index at which a text is cut, None if it is shown whole."""
        by_characters = len(text) if self.characters is None else self.characters
        end = min(by_characters, self._end_of_lines(text))
        if end >= len(text):
            return None
        before = text.rfind(" ", max(0, end - _ACROSS // 2), end + 1)
        return end if before <= 0 else before

    def _end_of_lines(self, text: str) -> int:
        if self.lines is None:
            return len(text)
        left, start = self.lines, 0
        for line in text.split("\n"):
            rows = max(1, -(-len(line) // self.across))
            if rows > left:
                return start + left * self.across
            left, start = left - rows, start + len(line) + 1
            if left == 0:
                return start - 1
        return len(text)


def shorten(pieces: Sequence[Piece], end: int) -> tuple[Piece, ...]:
    """Return the pieces before an index, the last of them cut there."""
    return tuple(_before(pieces, end))


def _before(pieces: Sequence[Piece], end: int) -> Iterator[Piece]:
    at = 0
    for piece in pieces:
        if at >= end:
            return
        yield replace(piece, text=piece.text[: end - at])
        at += len(piece.text)
