"""Keeps others' texts in a spreadsheet's cells from being formulas, reversibly.

OWASP, "CSV Injection": a cell that begins with one of these is executed by the program that opens
it, so an apostrophe is put before it, as in the app's CSV. Reading a plan removes it again.
"""

import re

_FORMULA = re.compile(r"'*[=+\-@\t\r]")


def guard(value: object) -> object:
    """Return a cell that no spreadsheet treats as a formula; numbers are unchanged."""
    if isinstance(value, str) and _FORMULA.match(value):
        return f"'{value}"
    return value


def unguard(text: str) -> str:
    """Return the text that `guard` was given."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text
