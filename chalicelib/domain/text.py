"""Texts that people write: forbidden characters, line ends, and comparison.

Control characters are refused: NUL, escape and the like. Newline and tab are allowed, and so is a
carriage return before a newline, as browsers' forms send.
"""

import re
from typing import Final
from unicodedata import normalize

from chalicelib.kit.json_value import Json

CONTROL_CHARACTER: Final = "control_character"
"""The type of the problem in 422 `detail`."""

_ESCAPE: Final = re.compile(r"\\u00([0-9A-F]{2})")
_MOST_ASCII: Final = "7F"


def portable_pattern(pattern: str) -> str:
    r"""Return a pattern whose characters the engines of all languages read alike.

    PHP's and Go's know no `\u`, and Ruby's no `\x` above ASCII: there stands the character itself
    (JSON Schema 2020-12, 6.4).
    """
    return _ESCAPE.sub(
        lambda said: f"\\x{said[1]}" if said[1] <= _MOST_ASCII else chr(int(said[1], 16)), pattern
    )


PRINTABLE_PATTERN: Final = portable_pattern(r"^[^\u0000-\u0008\u000B-\u001F\u007F-\u009F]*$")
"""The rule for JSON Schema, without the carriage returns: of one class of characters, as tools that
make up texts take a hundred times longer to fill an alternative up to a length."""

_FOUND: Final = re.compile(r"\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def control_character_problem(text: str) -> str | None:
    """Say which control character a text holds and where; None when it holds none."""
    found = _FOUND.search(text)
    if found is None:
        return None
    name = f"U+{ord(found[0]):04X}"
    return (
        "Text may contain no control characters except newline and tab: remove "
        f"{name} at {found.start()}"
    )


def with_line_feeds(text: str) -> str:
    """Return a text whose lines end with a line feed each."""
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


def comparable_text(text: str) -> str:
    """Return a text for comparison or search: without case, and with accents in one form.

    A Mac writes an accent as a character after its letter, others as one character with it (Unicode
    Standard Annex 15).
    """
    return normalize("NFC", text).casefold()
