"""Telling ahead that a scheduled target is at risk: `target.at_risk` in its post's history.

`check` looks at one target when a message says so: a quarter of an hour before its time, or at once
if that is nearer. `look_ahead` finds what no message came for; `account_broke`,
`sign_in_ends` and `file_went` tell at once what a sign-in that broke or will end, or a removed
file, means for everything that is scheduled. Each problem
is told once; the target still goes out if it can.
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from typing import Final

from chalicelib.domain.clock import Clock
from chalicelib.domain.dataclass import dataclass
from chalicelib.domain.errors import FileRemoved, PostNotFound
from chalicelib.domain.outcome import FailureCode
from chalicelib.domain.posts.history import SYSTEM, Action, Event, event
from chalicelib.domain.posts.post import Post, PostStatus
from chalicelib.domain.posts.problems import UNCHECKED, Level, Problem
from chalicelib.domain.posts.query import PostQuery
from chalicelib.domain.posts.target import CHECK_AHEAD, PREPARE_AHEAD, Target, TargetStatus
from chalicelib.domain.workspace.accounts import Account
from chalicelib.services.posts.checks import PostChecks
from chalicelib.storage.dynamodb.tables import WAKE_SHARDS
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.engine.targets import TargetRepository
from chalicelib.storage.posts.lists import PostLists
from chalicelib.storage.posts.posts import PostRepository

_TOO_EARLY: Final = CHECK_AHEAD + timedelta(minutes=1)
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
    renew: Callable[[str, str], None]
    clock: Clock

    def check(self, ref: TargetRef) -> int:
        """Check one target that is due soon; return 1 if it is newly at risk.

        A sign-in that ends soon is renewed first: if that is refused, it is known now.
        """
        post = self._post(ref.post_id)
        target = None if post is None else post.target(ref.target_id)
        if post is None or target is None or not self._is_due(target, _TOO_EARLY):
            return 0
        self.renew(post.workspace_id, target.account_id)
        return self._tell(post, target, self._problems(post, target))

    def look_ahead(self) -> int:
        """Check every target that is due soon; return how many are newly at risk."""
        return sum(
            self._tell(found.post, found.target, found.problems)
            for found in self.at_risk(CHECK_AHEAD)
        )

    def at_risk(self, within: timedelta) -> Iterator[TargetAtRisk]:
        """Yield every target due in that time of which something is known to go wrong."""
        for ref in self._due(within):
            post = self._post(ref.post_id)
            target = None if post is None else post.target(ref.target_id)
            if post is None or target is None or not self._is_due(target, within):
                continue
            problems = self._problems(post, target)
            if problems:
                yield TargetAtRisk(post, target, problems)

    def account_broke(self, account: Account) -> int:
        """Tell it of everything scheduled on an account whose sign-in broke; return how many."""
        return sum(
            self._tell(post, target, [_problem(target, FailureCode.AUTH_EXPIRED, _BROKEN)])
            for post, target in self._waiting(account)
        )

    def sign_in_ends(self, account: Account) -> int:
        """Tell it of everything scheduled beyond a sign-in's end; return how many."""
        return sum(
            self._tell(post, target, [one for one in found if one.code == FailureCode.AUTH_EXPIRED])
            for post, target in self._waiting(account)
            if (found := self._problems(post, target))
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
                self._tell(post, target, [_problem(target, FailureCode.FILE_REMOVED, message)])
                for target in post.targets
                if target.status is TargetStatus.SCHEDULED
            )
        return told

    def _post(self, post_id: str) -> Post | None:
        try:
            return self.posts.get_any(post_id)
        except PostNotFound:
            return None

    def _problems(self, post: Post, target: Target) -> tuple[Problem, ...]:
        """Return what is known to go wrong; what nobody could be asked about is no risk."""
        found = self.find_checks().check_target(post, target)
        return tuple(problem for problem in found if problem.code != UNCHECKED)

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

    def _waiting(self, account: Account) -> Iterator[tuple[Post, Target]]:
        for post in self._scheduled(account.workspace_id):
            for target in post.targets:
                if target.account_id == account.id and target.status is TargetStatus.SCHEDULED:
                    yield post, target

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
