"""Asks the service about a plan's lines before any of them is made.

A draft is made of each line, checked, and deleted again: the service alone knows every rule.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from goldenhour.client import Client
from goldenhour.errors import ApiError, Conflict, Invalid, NotFound
from goldenhour.models.answers import Check
from goldenhour.models.posts import NewTarget, Post
from goldenhour.plan.files import PlanFiles, PlanRow
from goldenhour.spoken.rows import Mistake
from goldenhour.spoken.targets import targets_of

REFUSALS = (Invalid, NotFound, Conflict)
"""What is wrong with one line; anything else would fail every further line as well."""

_COLUMNS = {"option": "options", "caption": "caption", "media": "file", "file": "file"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """Tries lines out; nothing is left of it but uploaded files."""

    client: Client
    files: PlanFiles

    def mistakes(self, rows: Sequence[PlanRow]) -> Iterator[list[Mistake]]:
        """Yield what the service finds wrong with each line."""
        for row in rows:
            try:
                draft = self.files.make(row, partial(self._draft, row))
            except REFUSALS as refusal:
                yield [refused(row, refusal)]
                continue
            try:
                yield found(row, draft, self.client.posts.check(draft.id))
            finally:
                self.client.posts.delete(draft.id)

    def _draft(self, row: PlanRow, media_ids: Sequence[str]) -> Post:
        return self.client.posts.create(
            targets=with_times(row), caption=row.caption, media_ids=media_ids
        )


def with_times(row: PlanRow) -> list[NewTarget]:
    """Return a line's targets with its time, so that what depends on the time is seen."""
    return [replace(target, scheduled_at=row.at) for target in targets_of(row)]


def refused(row: PlanRow, refusal: ApiError) -> Mistake:
    """Return what the service said when a draft was refused."""
    return Mistake(
        line=row.line, column=_column(refusal.field, refusal.received_code), message=str(refusal)
    )


def found(row: PlanRow, post: Post, check: Check) -> list[Mistake]:
    """Return what a check found; a line that stays a draft need not be ready yet."""
    places = {each.id: f"{each.platform}:{each.handle}" for each in post.targets}
    return [
        Mistake(
            line=row.line,
            column=_column(problem.field, problem.code),
            message=f"{places[problem.target_id]}: {problem.message} ({problem.code})",
            level="warning" if row.way == "draft" else problem.level,
        )
        for problem in check.data
    ]


def _column(field: str | None, code: str) -> str:
    named = (column for part, column in _COLUMNS.items() if part in f"{field} {code}")
    return next(named, "to")
