"""Puts what endangers a scheduled target into its post's history: `target.at_risk`, each once.

`risks` tells what it found ahead of a target's time; `account_broke`, `sign_in_ends` and
`file_went` tell at once what a sign-in that broke or will end, or a removed file, means for what is
scheduled.
"""

import logging
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final

from chalicelib.domain.clock import Clock
from chalicelib.domain.errors import FileRemoved, PostNotFound
from chalicelib.domain.outcome import FailureCode
from chalicelib.domain.posts.history import SYSTEM, Action, Event, event
from chalicelib.domain.posts.post import Post, PostStatus
from chalicelib.domain.posts.problems import SIGN_IN_BROKEN, SIGN_IN_ENDS, Level, Problem
from chalicelib.domain.posts.query import PostQuery
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.workspace.accounts import Account
from chalicelib.kit.dataclass import dataclass
from chalicelib.storage.posts.lists import PostLists
from chalicelib.storage.posts.posts import PostRepository

_PAGE: Final = 200
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskNotices:
    """Tells in posts' histories that scheduled targets are at risk."""

    posts: PostRepository
    lists: PostLists
    clock: Clock

    def account_broke(self, account: Account) -> int:
        """Tell it of everything scheduled on an account whose sign-in broke; return how many."""
        return sum(
            self.tell(post, target, [_problem(target, FailureCode.AUTH_EXPIRED, SIGN_IN_BROKEN)])
            for post, target in self._waiting(account)
        )

    def sign_in_ends(self, account: Account, at: datetime) -> int:
        """Tell it of everything scheduled beyond a sign-in's end; return how many."""
        message = SIGN_IN_ENDS.format(at)
        return sum(
            self.tell(post, target, [_problem(target, FailureCode.AUTH_EXPIRED, message)])
            for post, target in self._waiting(account)
            if target.scheduled_at is not None and target.scheduled_at >= at
        )

    def file_went(self, post_ids: Iterable[str]) -> int:
        """Tell it of everything scheduled on posts whose file was removed; return how many."""
        told = 0
        for post_id in post_ids:
            post = self._post(post_id)
            if post is None:
                continue
            message = FileRemoved().message
            told += sum(
                self.tell(post, target, [_problem(target, FailureCode.FILE_REMOVED, message)])
                for target in post.targets
                if target.status is TargetStatus.SCHEDULED
            )
        return told

    def tell(self, post: Post, target: Target, problems: Iterable[Problem]) -> int:
        """Put what is not told yet into the history; return 1 if there was anything."""
        problems = list(problems)
        if not problems:
            return 0
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

    def _waiting(self, account: Account) -> Iterator[tuple[Post, Target]]:
        """Yield what is scheduled on an account."""
        for post in self._scheduled_posts(account.workspace_id):
            for target in post.targets:
                is_sent = target.status is TargetStatus.SCHEDULED and target.reminder is None
                if target.account_id == account.id and is_sent:
                    yield post, target

    def _scheduled_posts(self, workspace_id: str) -> Iterator[Post]:
        cursor: str | None = None
        while True:
            wanted = frozenset({PostStatus.SCHEDULED, PostStatus.PUBLISHING})
            query = PostQuery(statuses=wanted, limit=_PAGE, cursor=cursor)
            page = self.lists.find(workspace_id, query)
            yield from page.posts
            if page.cursor is None:
                return
            cursor = page.cursor

    def _post(self, post_id: str) -> Post | None:
        try:
            return self.posts.get_any(post_id)
        except PostNotFound:
            return None

    def _event(self, target: Target, problem: Problem) -> Event:
        detail = {
            "target_id": target.id,
            "platform": str(target.platform),
            "code": str(problem.code),
            "message": problem.message,
        }
        return event(Action.TARGET_AT_RISK, SYSTEM, self.clock(), detail)


def _key(happened: Event) -> tuple[str, str, str] | None:
    """Return what makes a problem the same, None for another kind of event.

    A sign-in that broke is one problem, in whatever words its platform says so.
    """
    if happened.action is not Action.TARGET_AT_RISK:
        return None
    detail = happened.detail
    code = str(detail["code"])
    words = "" if code == FailureCode.AUTH_EXPIRED else str(detail["message"])
    return str(detail["target_id"]), code, words


def _problem(target: Target, code: FailureCode, message: str) -> Problem:
    return Problem(target_id=target.id, level=Level.WARNING, code=code, message=message)
