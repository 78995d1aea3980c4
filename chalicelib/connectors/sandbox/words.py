"""The words in a caption that steer the sandbox platform, read once per call.

Like a payment service's test cards: `sandbox:flaky:2` makes the first two attempts fail. A word
stands anywhere in the effective caption; what follows its last colon ends at the next space.
"""

import re
from dataclasses import dataclass
from datetime import timedelta

_WORD = re.compile(r"sandbox:([a-z_0-9]+)(?::([A-Za-z0-9_]+))?")
_MOST_SECONDS = 86_400


@dataclass(frozen=True, slots=True)
class SandboxWords:
    """The steering words of one caption, each with what stands behind it."""

    words: dict[str, str]

    def has(self, word: str) -> bool:
        """Tell whether the caption carries the word."""
        return word in self.words

    def text(self, word: str) -> str:
        """Return what stands behind the word, or nothing."""
        return self.words.get(word, "")

    def number(self, word: str) -> int:
        """Return the number behind the word, 0 when there is none."""
        value = self.text(word)
        return min(int(value), _MOST_SECONDS) if value.isascii() and value.isdigit() else 0

    def seconds(self, word: str) -> timedelta:
        """Return the number behind the word as a length of time."""
        return timedelta(seconds=self.number(word))


def sandbox_words(caption: str) -> SandboxWords:
    """Read the steering words of a caption; the first of each kind counts."""
    words: dict[str, str] = {}
    for name, value in _WORD.findall(caption):
        words.setdefault(name, value)
    return SandboxWords(words)
