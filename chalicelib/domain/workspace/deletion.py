"""Deleting a workspace: its steps, its progress, and what is kept for good.

A few writes stop a workspace of any size; then its data is deleted and the tables are searched for
the rest. Twenty minutes later, when no earlier request can still be running, all is done once more.
A tombstone with the id and the date stays (docs/personal-data.md).
"""

from collections.abc import Mapping
from dataclasses import field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from chalicelib.domain.workspace.activity import ActorKind
from chalicelib.kit.dataclass import dataclass

ROUNDS: Final = 2
AGAIN_AFTER: Final = timedelta(minutes=20)
"""No request, upload or worker runs longer; the second round deletes their late writes."""


class Step(StrEnum):
    """The next step; each may be interrupted anywhere, and is then done again."""

    STOP = "stop"
    PEOPLE = "people"
    POSTS = "posts"
    FILES = "files"
    KEPT_BY_KEY = "kept by key"
    SANDBOX = "sandbox"
    SEARCH = "search"


_ORDER: Final = tuple(Step)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deletion:
    """A deletion's progress: ids and numbers, no names.

    `account_ids` are those of its accounts, by which the sandbox is searched. `searched` is where
    the search continues: a table and the last key that was read.
    """

    workspace_id: str
    asked_at: datetime
    by: ActorKind
    step: Step = Step.STOP
    round: int = 1
    not_before: datetime | None = None
    account_ids: frozenset[str] = frozenset()
    searched: Mapping[str, str] = field(default_factory=dict)
    members: int = 0
    accounts: int = 0
    posts: int = 0
    files: int = 0

    def rests(self, now: datetime) -> bool:
        """Tell whether it is waiting for its second round."""
        return self.not_before is not None and now < self.not_before

    @property
    def is_over(self) -> bool:
        """Tell whether nothing is left to do."""
        return self.round > ROUNDS

    def counting(
        self, *, members: int = 0, accounts: int = 0, posts: int = 0, files: int = 0
    ) -> "Deletion":
        """Return the deletion with further deleted rows counted."""
        return replace(
            self,
            members=self.members + members,
            accounts=self.accounts + accounts,
            posts=self.posts + posts,
            files=self.files + files,
        )

    def next(self, now: datetime) -> "Deletion":
        """Return the deletion at its next step, or at the first step of its next round."""
        place = _ORDER.index(self.step) + 1
        if place < len(_ORDER):
            return replace(self, step=_ORDER[place], searched={})
        later = now if self.round == ROUNDS else max(now, self.asked_at + AGAIN_AFTER)
        return replace(self, step=_ORDER[0], searched={}, round=self.round + 1, not_before=later)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """What remains of a workspace; from `deleted_at` on, nothing was published for it."""

    workspace_id: str
    deleted_at: datetime
    by: ActorKind
    ended_at: datetime | None = None
