"""Titles that platforms give a post: the option's, else the beginning of the text."""

from collections.abc import Mapping
from typing import Final

from chalicelib.kit.json_value import Json

LONGEST_ON_REDDIT: Final = 300
LONGEST_ON_YOUTUBE: Final = 100
_NO_ANGLES: Final = str.maketrans("", "", "<>")


def option_text(options: object, name: str) -> str:
    """Return an option that is a text, an empty one where there is none."""
    found = options.get(name) if isinstance(options, Mapping) else None
    return found if isinstance(found, str) else ""


def given_title(text: str, options: Mapping[str, Json]) -> tuple[str | None, str]:
    """Return the title that was given, and the whole text below it."""
    return option_text(options, "title") or None, text


def youtube_title(text: str, options: Mapping[str, Json]) -> tuple[str | None, str]:
    """Return the title that was given, else the first line of the text, which stays in it.

    YouTube takes no angle brackets in it; a line that has nothing else is none.
    """
    lines = [option_text(options, "title"), *text.splitlines()]
    cut = (line.translate(_NO_ANGLES).strip()[:LONGEST_ON_YOUTUBE].strip() for line in lines)
    return next((line for line in cut if line), None), text


def reddit_title(text: str, options: Mapping[str, Json]) -> tuple[str, str]:
    """Return the title that was given, else the first line of the text, and the text without it."""
    given, first = option_text(options, "title").strip(), _first_line(text)
    title = _collapse_spaces(given or first)[:LONGEST_ON_REDDIT].strip()
    if given or len(_collapse_spaces(first)) > LONGEST_ON_REDDIT:
        return title, text.strip()
    return title, text.strip().removeprefix(first).strip()


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0].strip()


def _collapse_spaces(text: str) -> str:
    return " ".join(text.split())
