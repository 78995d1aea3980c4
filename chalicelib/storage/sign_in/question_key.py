"""The key that authenticates challenges kept by browsers: one row, made at the first request.

It gives nobody access: an answer needs the passkey's own signature. It only keeps strangers from
choosing a challenge or its time, so that a challenge needs no row.
"""

import secrets
from functools import cached_property
from typing import Final

from chalicelib.kit.dynamodb.table import ABSENT
from chalicelib.storage.workspace.changes import WorkspaceTable

_KEY: Final = {"pk": "QUESTION_KEY", "sk": "QUESTION_KEY"}
_BYTES = 32


class QuestionKey:
    """The key of one deployment, read once a process."""

    def __init__(self, directory: WorkspaceTable) -> None:
        self._table = directory.table

    @cached_property
    def value(self) -> bytes:
        """Return the key; the first call makes it."""
        row = self._table.get(_KEY)
        if row is None:
            self._table.put({**_KEY, "key": secrets.token_hex(_BYTES)}, ABSENT)
            row = self._table.get(_KEY)
        if row is None:
            raise LookupError("The key that was just kept is not there.")
        return bytes.fromhex(str(row["key"]))
