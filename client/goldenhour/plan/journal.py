"""What an import did, one JSON object a line, written before the next step is taken.

It saves work and finds lines that were changed after they were imported. That no line makes two
posts does not depend on it: the Idempotency-Key of a line is made from the plan, so a lost journal
costs only uploads.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TextIO, final

from goldenhour.models.answers import Account
from goldenhour.spoken.rows import Row

PlanRow = Row[Account, Path]


@dataclass(slots=True)
class Past:
    """What is known about one row."""

    line: int
    digest: str
    post_id: str
    status: str | None = None
    """Set once nothing is left to do for the row."""


@final
@dataclass(slots=True)
class Journal:
    """The rows that were begun and the files that were uploaded."""

    path: Path
    rows: dict[str, Past] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    _out: TextIO | None = None

    @classmethod
    def beside(cls, plan: Path) -> "Journal":
        """Read the journal of a plan, which lies beside it; its last line may be cut off."""
        journal = cls(plan.with_name(plan.name + ".progress.jsonl"))
        if journal.path.exists():
            for line in journal.path.read_text("utf-8").splitlines():
                try:
                    journal._take(json.loads(line))
                except (json.JSONDecodeError, KeyError):
                    continue
        return journal

    def __enter__(self) -> "Journal":
        self._out = self.path.open("a", encoding="utf-8")
        self._out.write("\n")  # ends a line that a kill cut off
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._out is not None:
            self._out.close()

    def uploaded(self, content: str, media_id: str) -> None:
        """Note under which id a file's content was uploaded."""
        self._write({"file": content, "media_id": media_id})

    def made(self, row: PlanRow, post_id: str) -> None:
        """Note a row's post."""
        self._write({"key": row.key, "line": row.line, "digest": row.digest, "post_id": post_id})

    def finished(self, row: PlanRow, post_id: str, status: str) -> None:
        """Note that nothing is left to do for a row."""
        entry = {"key": row.key, "line": row.line, "digest": row.digest, "post_id": post_id}
        self._write({**entry, "status": status})

    def taken_back(self, row: PlanRow) -> None:
        """Note that a row's draft was deleted again, because the plan had mistakes."""
        entry = {"key": row.key, "line": row.line, "digest": row.digest}
        self._write({**entry, "post_id": None})

    def changed_since(self, row: PlanRow, keys: frozenset[str]) -> Past | None:
        """Return what was imported from this line if the line was changed afterwards.

        `keys` are those of the whole plan: a line whose key is among them has only moved.
        """
        if past := self.rows.get(row.key):
            return past if past.digest != row.digest else None
        for key, past in self.rows.items():
            if past.line == row.line and key not in keys:
                return past
        return None

    def _write(self, entry: Mapping[str, object]) -> None:
        assert self._out is not None, "entered"  # noqa: S101 - a mistake of ours
        self._out.write(json.dumps(entry) + "\n")
        self._out.flush()
        os.fsync(self._out.fileno())
        self._take(entry)

    def _take(self, entry: Mapping[str, object]) -> None:
        if "file" in entry:
            self.files[str(entry["file"])] = str(entry["media_id"])
            return
        if entry["post_id"] is None:
            self.rows.pop(str(entry["key"]), None)
            return
        status = entry.get("status")
        line = entry["line"]
        self.rows[str(entry["key"])] = Past(
            line=line if isinstance(line, int) else 0,
            digest=str(entry["digest"]),
            post_id=str(entry["post_id"]),
            status=None if status is None else str(status),
        )
