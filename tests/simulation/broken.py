"""A promise that a run broke, and how it is told."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A promise that a run broke."""

    promise: str
    story: str
    number: int | None = None
    """Which post it is about."""

    def __str__(self) -> str:
        return f"{self.promise}: {self.story}"
