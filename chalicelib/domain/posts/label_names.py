"""How a label may be called. On a page of its own: counting characters takes Unicode's tables."""

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.platforms.texts.caption_units import graphemes
from chalicelib.domain.posts.labels import LONGEST_NAME


def trimmed_name(name: str) -> str:
    """Return a label's name as it is kept. Raises InvalidInput unless it is 1 to 50 characters."""
    trimmed = name.strip()
    if len(trimmed.splitlines()) != 1 or graphemes(trimmed) > LONGEST_NAME:
        message = f"A label's name has 1 to {LONGEST_NAME} characters, on one line."
        raise InvalidInput(message, loc=("body", "name"))
    return trimmed
