"""A workspace's saved words: listed, kept, changed, deleted; and a signature for each account."""

import builtins
from collections.abc import Sequence

from chalicelib.domain.clock import Clock
from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.errors import AccountNotFound
from chalicelib.domain.ids import new_id
from chalicelib.domain.posts.words import (
    LONGEST_NAME,
    MOST_TEXTS,
    SavedText,
    TextNotFound,
    checked_text,
)
from chalicelib.domain.workspace.access import Caller
from chalicelib.kit.dataclass import dataclass
from chalicelib.storage.posts.words import WordsRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedWords:
    """The saved words of the caller's workspace."""

    rows: WordsRepository
    clock: Clock

    def list(self, caller: Caller) -> builtins.list[SavedText]:
        """Return texts by name, and after them the signatures of accounts that are connected."""
        found = self.rows.list(caller.workspace_id)
        texts = [one for one in found if one.account_id is None]
        signatures = [one for one in found if one.account_id in caller.accounts]
        return [*sorted(texts, key=lambda one: one.name.casefold()), *signatures]

    def add(self, caller: Caller, *, name: str, text: str) -> SavedText:
        """Save a text. Raises InvalidInput, also when there are as many as there may be."""
        made = checked_text(SavedText(id=new_id(self.clock()), name=name, text=text))
        self.rows.add(caller.workspace_id, made, _require_room)
        return made

    def change(self, caller: Caller, text_id: str, *, name: str, text: str) -> SavedText:
        """Change a text. Raises TextNotFound, InvalidInput."""
        changed = checked_text(SavedText(id=text_id, name=name, text=text))
        if text_id in caller.accounts or not self.rows.replace(caller.workspace_id, changed):
            raise TextNotFound
        return changed

    def remove(self, caller: Caller, text_id: str) -> None:
        """Delete a text; posts that hold it stay. Raises TextNotFound."""
        if not self.rows.remove(caller.workspace_id, text_id):
            raise TextNotFound

    def sign(self, caller: Caller, account_id: str, *, handle: str, text: str) -> None:
        """Give an account a signature, or none for an empty text. Raises AccountNotFound."""
        if account_id not in caller.accounts:
            raise AccountNotFound
        if not text.strip():
            self.rows.remove(caller.workspace_id, account_id)
            return
        signature = SavedText(
            id=account_id, name=handle[:LONGEST_NAME], text=text, account_id=account_id
        )
        self.rows.put(caller.workspace_id, checked_text(signature))


def _require_room(kept: Sequence[SavedText]) -> None:
    if sum(one.account_id is None for one in kept) >= MOST_TEXTS:
        message = f"A workspace keeps at most {MOST_TEXTS} texts. Delete one first."
        raise InvalidInput(message, loc=("body", "name"))
