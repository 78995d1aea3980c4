"""Whether a platform shows the text that was sent: spaces and Unicode forms may differ.

Every platform that is searched for a lost post changes line breaks, doubled spaces or composed
letters in its own way, so texts are compared without them.
"""

import unicodedata

from chalicelib.domain.outcome import Json


def normalize_text(text: str) -> str:
    """Return a text in one Unicode form, with one space between its words."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def is_same_text(shown: Json, ours: Json) -> bool:
    """Tell whether two texts are the same; one that is missing is an empty one."""
    return normalize_text(_read(shown)) == normalize_text(_read(ours))


def _read(text: Json) -> str:
    return "" if text is None else str(text)
