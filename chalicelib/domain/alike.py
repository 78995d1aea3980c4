"""When two texts are one to a person: in capitals or not, and however accents are coded.

A Mac writes an accent as a sign of its own after its letter, others as one letter with it (Unicode
Standard Annex 15).
"""

from unicodedata import normalize


def comparable_text(text: str) -> str:
    """Return a text as it is compared or sought in."""
    return normalize("NFC", text).casefold()
