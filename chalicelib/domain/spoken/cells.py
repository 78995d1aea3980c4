"""Keeps others' texts in a spreadsheet's cells from being formulas, reversibly.

OWASP, "CSV Injection": a cell that begins with one of these signs, which East Asian Excel knows in
their full width, too, is executed by the program that opens it, so an apostrophe is put before it,
as in the app's CSV. Where semicolons divide cells, as in most of Europe, Excel begins a cell after
each one within a text, and a row after each line. Reading a plan removes the apostrophes again.
"""

import re

_BEGINS = r"(?:^|(?<=[;\n\r]))"
_SIGN = r"(?='*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])"
_BEFORE_FORMULA = re.compile(_BEGINS + _SIGN)
_GUARDED = re.compile(f"{_BEGINS}'{_SIGN}")


def guard(value: object) -> object:
    """Return a cell that no spreadsheet treats as a formula; numbers are unchanged."""
    return _BEFORE_FORMULA.sub("'", value) if isinstance(value, str) else value


def unguard(text: str) -> str:
    """Return the text that `guard` was given."""
    return _GUARDED.sub("", text)
