"""Telling ahead that a scheduled target is at risk: `target.at_risk` in its post's history.

`look_ahead` checks what is due in the next minutes; `account_broke` and `file_went` tell at once
what a broken sign-in or a removed file means for everything that is scheduled. Each problem is told
once; the target still goes out if it can.
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from chalicelib.domain.clock import Clock
from chalicelib.domain.errors import FileRemoved, PostNotFound
from chalicelib.domain.outcome import FailureCode
from chalicelib.domain.posts.history import SYSTEM, Action, Event, event
from chalicelib.domain.posts.post import Post, PostStatus
from chalicelib.domain.posts.problems import UNCHECKED, Level, Problem
from chalicelib.domain.posts.query import PostQuery
from chalicelib.domain.posts.target import PREPARE_AHEAD, Target, TargetStatus
from chalicelib.domain.workspace.accounts import Account
from chalicelib.services.posts.checks import PostChecks
from chalicelib.storage.dynamodb.tables import WAKE_SHARDS
from chalicelib.storage.engine.targets import TargetRef, TargetRepository
from chalicelib.storage.posts.lists import PostLists
from chalicelib.storage.posts.posts import PostRepository

CHECKED_AHEAD: Final = timedelta(minutes=20)
"""Every five minutes comes a look, so that each target is checked 15 to 20 minutes ahead."""

_PAGE: Final = 200
_BROKEN: Final = "The account's sign-in does not work any more. Reconnect the account."
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TargetAtRisk:
    """A scheduled target and what is known to speak against it."""

    post: Post
    target: Target
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PostRisks:
    """Finds scheduled targets that are at risk, and tells so in their posts' history."""

    posts: PostRepository
    lists: PostLists
    targets: TargetRepository
    find_checks: Callable[[], PostChecks]
    clock: Clock

    def look_ahead(self) -> int:
        """Check every target that is due soon; return how many are newly at risk."""
        return sum(
            self._tell(found.post, found.target, found.problems)
            for found in self.at_risk(CHECKED_AHEAD)
        )

    def at_risk(self, within: timedelta) -> Iterator[TargetAtRisk]:
        """Yield every target due in that time of which something is known to go wrong."""
        checks = self.find_checks()
        for ref in self._due(within):
            try:
                post = self.posts.get_any(ref.post_id)
            except PostNotFound:
                continue
            target = post.target(ref.target_id)
            if target is None or not self._is_due(target, within):
                continue
            problems = [
                problem
                for problem in checks.check_target(post, target)
                if problem.code != UNCHECKED
            ]
            if problems:
                yield TargetAtRisk(post, target, tuple(problems))

    def account_broke(self, account: Account) -> int:
        """Tell it of everything scheduled on an account whose sign-in broke; return how many."""
        return sum(
            self._tell(post, target, [_problem(target, FailureCode.AUTH_EXPIRED, _BROKEN)])
            for post in self._scheduled(account.workspace_id)
            for target in post.targets
            if target.account_id == account.id and target.status is TargetStatus.SCHEDULED
        )

    def file_went(self, post_ids: Iterable[str]) -> int:
        """Tell it of everything scheduled on posts whose file was removed; return how many."""
        told = 0
        for post_id in post_ids:
            try:
                post = self.posts.get_any(post_id)
            except PostNotFound:
                continue
            message = FileRemoved().message
            told += sum(
                self._tell(post, target, [_problem(target, FailureCode.FILE_REMOVED, message)])
                for target in post.targets
                if target.status is TargetStatus.SCHEDULED
            )
        return told

    def _due(self, within: timedelta) -> Iterator[TargetRef]:
        now = self.clock()
        for shard in WAKE_SHARDS:
            yield from self.targets.waking(after=now, until=now + within, shard=shard)

    def _is_due(self, target: Target, within: timedelta) -> bool:
        due_at = target.due_at
        return (
            target.status is TargetStatus.SCHEDULED
            and due_at is not None
            and due_at <= self.clock() + max(within, PREPARE_AHEAD)
        )

    def _scheduled(self, workspace_id: str) -> Iterator[Post]:
        cursor: str | None = None
        while True:
            wanted = frozenset({PostStatus.SCHEDULED, PostStatus.PUBLISHING})
            query = PostQuery(statuses=wanted, limit=_PAGE, cursor=cursor)
            page = self.lists.find(workspace_id, query)
            yield from page.posts
            if page.cursor is None:
                return
            cursor = page.cursor

    def _tell(self, post: Post, target: Target, problems: Iterable[Problem]) -> int:
        """Put what is not told yet into the history; return 1 if there was anything."""
        told = {_key(one) for one in self.posts.history(post.id).events}
        events = [
            happened
            for problem in problems
            if _key(happened := self._event(target, problem)) not in told
        ]
        if not events:
            return 0
        self.posts.note(post.id, events)
        facts = {
            "action": "target.at_risk",
            "workspace_id": post.workspace_id,
            "post_id": post.id,
            "target_id": target.id,
            "codes": [str(one.detail["code"]) for one in events],
        }
        _LOG.warning("A scheduled target is at risk.", extra=facts)
        return 1

    def _event(self, target: Target, problem: Problem) -> Event:
        detail = {
            "target_id": target.id,
            "platform": str(target.platform),
            "code": str(problem.code),
            "message": problem.message,
        }
        return event(Action.TARGET_AT_RISK, SYSTEM, self.clock(), detail)


def _key(happened: Event) -> tuple[str, str, str] | None:
    """Return what makes a problem the same, None for another kind of event."""
    if happened.action is not Action.TARGET_AT_RISK:
        return None
    detail = happened.detail
    return str(detail["target_id"]), str(detail["code"]), str(detail["message"])


def _problem(target: Target, code: FailureCode, message: str) -> Problem:
    return Problem(target_id=target.id, level=Level.WARNING, code=code, message=message)
