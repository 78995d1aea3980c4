"""Whole numbers in texts from outside: Python's own reading takes other scripts' digits, too."""


def whole_number(text: str, most_digits: int) -> int | None:
    """Return the number that a text of so many digits from 0 to 9 at most says, None for any other.

    Python raises for more than 4,300 digits.
    """
    is_one = text.isascii() and text.isdigit() and len(text) <= most_digits
    return int(text) if is_one else None
