"""Counts what a person does in a browser, and the pages that are loaded for it."""

from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Page


@dataclass(slots=True)
class Counter:
    """Counts what a person does, and the pages that are loaded for it."""

    page: Page
    interactions: int = 0
    loads: int = 0

    def watch(self) -> None:
        """Count loads from now on."""
        self.page.on("domcontentloaded", lambda _page: self._load())

    def does(self, what: Callable[[], object]) -> None:
        what()
        self.interactions += 1

    def _load(self) -> None:
        self.loads += 1
