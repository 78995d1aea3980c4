"""Texts of others in a spreadsheet's cells: none is a formula there, and none is changed by that.

OWASP, "CSV Injection": a cell that begins with one of these is carried out by the program that
opens it, so an apostrophe goes before it, as in the app's CSV. A plan takes it away again.
"""

import re

_FORMULA = re.compile(r"'*[=+\-@\t\r]")


def guard(value: object) -> object:
    """Return a cell that no spreadsheet takes for a formula; numbers stay what they are."""
    if isinstance(value, str) and _FORMULA.match(value):
        return f"'{value}"
    return value


def unguard(text: str) -> str:
    """Return the text that `guard` was given."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text
