"""What was read before: asked for again, only what has changed is sent (If-None-Match, 304).

`transport` asks. There are no webhooks, so programs read the same posts again and again.
"""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T")

MOST_ANSWERS = 64
LARGEST_BYTES = 256 * 1024


class Remembered(Generic[T]):
    """The last answers, each with its tag; safe to share between threads."""

    def __init__(self) -> None:
        self._answers: OrderedDict[Hashable, tuple[str, T]] = OrderedDict()
        self._guard = threading.Lock()

    def find(self, asked: Hashable) -> tuple[str, T] | None:
        """Return the tag and the answer of the last time."""
        with self._guard:
            return self._answers.get(asked)

    def keep(self, asked: Hashable, tag: str | None, answer: T, size: int) -> None:
        """Keep an answer in place of the oldest one; a large one is not kept."""
        with self._guard:
            self._answers.pop(asked, None)
            if tag is not None and size <= LARGEST_BYTES:
                self._answers[asked] = (tag, answer)
            while len(self._answers) > MOST_ANSWERS:
                self._answers.popitem(last=False)
