"""Saved words: texts and groups of hashtags to insert into a post, and accounts' signatures.

They are the workspace's own. A post that holds one keeps it as its text, whatever becomes of it.
"""

from typing import Final

from chalicelib.domain.error_kinds import InvalidInput, NotFound
from chalicelib.domain.text import control_character_problem
from chalicelib.kit.dataclass import dataclass

MOST_TEXTS: Final = 100
LONGEST_NAME: Final = 80
LONGEST_TEXT: Final = 2_200


class TextNotFound(NotFound):
    """This saved text no longer exists."""

    code = "text_not_found"


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedText:
    """A text under a name; one of an account is its signature and has the account's id."""

    id: str
    name: str
    text: str
    account_id: str | None = None


def checked_text(text: SavedText) -> SavedText:
    """Return a text that can be kept, trimmed. Raises InvalidInput."""
    name, words = " ".join(text.name.split()), text.text.strip()
    if not 0 < len(name) <= LONGEST_NAME:
        message = f"Give it a name of at most {LONGEST_NAME} characters."
        raise InvalidInput(message, loc=("body", "name"))
    if not 0 < len(words) <= LONGEST_TEXT:
        message = f"Type a text of at most {LONGEST_TEXT:,} characters; this has {len(words):,}."
        raise InvalidInput(message, loc=("body", "text"))
    problem = control_character_problem(name) or control_character_problem(words)
    if problem is not None:
        raise InvalidInput(problem, loc=("body", "text"))
    return SavedText(id=text.id, name=name, text=words, account_id=text.account_id)
