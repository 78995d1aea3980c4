"""Titles of posts: the option's, or the beginning of the text."""

from collections.abc import Mapping
from typing import Final

from chalicelib.kit.json_value import Json

LONGEST_ON_REDDIT: Final = 300
LONGEST_ON_YOUTUBE: Final = 100
_NO_ANGLES: Final = str.maketrans("", "", "<>")


def option_text(options: object, name: str) -> str:
    """Return an option that is a text, "" if there is none."""
    found = options.get(name) if isinstance(options, Mapping) else None
    return found if isinstance(found, str) else ""


def given_title(text: str, options: Mapping[str, Json]) -> tuple[str | None, str]:
    """Return the option's title, None without one, and the whole text."""
    return option_text(options, "title") or None, text


def youtube_title(text: str, options: Mapping[str, Json]) -> tuple[str | None, str]:
    """Return the option's title, or the first line of the text, and the whole text.

    Angle brackets, which YouTube refuses, are removed; lines with nothing else do not count.
    """
    lines = [option_text(options, "title"), *text.splitlines()]
    cut = (line.translate(_NO_ANGLES).strip()[:LONGEST_ON_YOUTUBE].strip() for line in lines)
    return next((line for line in cut if line), None), text


def reddit_title(text: str, options: Mapping[str, Json]) -> tuple[str, str]:
    """Return the option's title and the text; or the text's first line and the rest of it."""
    given, first = option_text(options, "title").strip(), _first_line(text)
    title = _collapse_spaces(given or first)[:LONGEST_ON_REDDIT].strip()
    if given or len(_collapse_spaces(first)) > LONGEST_ON_REDDIT:
        return title, text.strip()
    return title, text.strip().removeprefix(first).strip()


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0].strip()


def _collapse_spaces(text: str) -> str:
    return " ".join(text.split())
