"""What people's programs put into texts without meaning it: ends of lines, and signs nobody sees.

A text is counted, shown and sent with the line feeds of every platform, whoever wrote it on Windows
(CRLF) or on an old Mac (CR); and what shows nothing is no caption.
"""

import unicodedata
from typing import Final

from chalicelib.kit.json_value import Json

_SHOW_NOTHING: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
)
"""Fillers and joiners that are letters or marks to Unicode, and Braille's empty cell."""
_CATEGORIES: Final = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})


def with_line_feeds(text: str) -> str:
    """Return a text whose lines end with one sign each."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def all_with_line_feeds(value: Json) -> Json:
    """Return a value whose texts are like that, however deep."""
    match value:
        case str():
            return with_line_feeds(value)
        case list():
            return [all_with_line_feeds(inner) for inner in value]
        case dict():
            return {name: all_with_line_feeds(inner) for name, inner in value.items()}
        case _:
            return value


def shows_nothing(text: str) -> bool:
    """Tell whether a reader would see nothing: spaces and signs of no width alone."""
    return all(
        sign in _SHOW_NOTHING
        or unicodedata.category(sign) in _CATEGORIES
        or "\ufe00" <= sign <= "\ufe0f"
        or "\U000e0100" <= sign <= "\U000e01ef"
        for sign in text
    )
