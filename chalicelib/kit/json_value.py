"""What JSON can say, as a type, and the numbers in it: pure, and used by every room."""

from typing import TypeAlias

Json: TypeAlias = "str | int | float | bool | None | list[Json] | dict[str, Json]"


_LONGEST_ID = 512


def is_identifier(text: str) -> bool:
    """Tell whether a text can name something: visible ASCII, and not too long for a row's key."""
    is_visible = text.isascii() and text.isprintable() and " " not in text
    return is_visible and 0 < len(text) <= _LONGEST_ID


def whole_number(value: object, most_digits: int = 18) -> int | None:
    """Return the number that a value or a text of digits from 0 to 9 is, None for any other.

    Python's own reading takes other scripts' digits, too, and raises for more than 4,300. No number
    of 18 digits is too large for a database.
    """
    text = str(value)
    is_one = text.isascii() and text.isdigit() and len(text) <= most_digits
    return int(text) if is_one else None
