"""Scheduled targets at risk: found ahead of their time, told once, and shown for the days to come.

`PostRisks.check` looks at one target when a message asks for it: a quarter of an hour before its
time, or at once if its time is nearer. The tick knows only when a target wakes, so the check of one
that is prepared ahead comes too early and sends itself again for later. `RiskNotices` writes each
problem once into the post's history as `target.at_risk`; when a sign-in breaks or will end, or a
file is removed, it writes at once what that means for scheduled posts. The target still goes out if
it can. `ComingRisks` finds the problems of the next days for the bell, the first page and letters,
by the rules of a check, without asking a platform.
"""

import logging
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from chalicelib.connectors.shared.registry import Connectors
from chalicelib.domain.clock import Clock
from chalicelib.domain.errors import FileRemoved, PostNotFound
from chalicelib.domain.outcome import FailureCode
from chalicelib.domain.posts.history import SYSTEM, Action, Event, event
from chalicelib.domain.posts.known import Known
from chalicelib.domain.posts.post import Post, PostStatus
from chalicelib.domain.posts.problems import (
    NO_RISK,
    SIGN_IN_BROKEN,
    SIGN_IN_ENDS,
    Level,
    Problem,
)
from chalicelib.domain.posts.query import PostQuery, Sort
from chalicelib.domain.posts.target import CHECK_AHEAD, PREPARE_AHEAD, Target, TargetStatus
from chalicelib.domain.workspace.accounts import Account
from chalicelib.domain.workspace.tokens import REFRESH_AHEAD
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.services.workspace.token_keeper import TokenKeeper
from chalicelib.storage.engine.claims import MessageKind, TargetRef
from chalicelib.storage.engine.targets import TargetRepository
from chalicelib.storage.engine.wake_queue import PublishQueue
from chalicelib.storage.posts.known import KnownReads
from chalicelib.storage.posts.lists import PostLists
from chalicelib.storage.posts.posts import PostRepository
from chalicelib.storage.tables import WAKE_SHARDS
from chalicelib.storage.workspace.workspaces import WorkspaceRepository

if TYPE_CHECKING:
    from chalicelib.services.posts.checks import PostChecks

_PAGE: Final = 200
_AHEAD: Final = timedelta(days=7)
_LOOKED_AT: Final = 50
_SCHEDULED: Final = frozenset({PostStatus.SCHEDULED})
_RENEWED_AHEAD: Final = CHECK_AHEAD + REFRESH_AHEAD
_TOO_EARLY: Final = CHECK_AHEAD + timedelta(minutes=1)
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskNotices:
    """Writes into posts' histories that scheduled targets are at risk."""

    posts: PostRepository
    lists: PostLists
    workspaces: WorkspaceRepository
    clock: Clock

    def account_broke(self, account: Account) -> int:
        """Note that an account's sign-in broke for all that is scheduled on it; return how many."""
        self.workspaces.mark(account.workspace_id, self.clock())
        return sum(
            self.tell(post, target, [_problem(target, FailureCode.AUTH_EXPIRED, SIGN_IN_BROKEN)])
            for post, target in self._waiting(account)
        )

    def sign_in_ends(self, account: Account, at: datetime) -> int:
        """Note that a sign-in will end for all that is scheduled after it; return how many."""
        message = SIGN_IN_ENDS.format(at)
        return sum(
            self.tell(post, target, [_problem(target, FailureCode.AUTH_EXPIRED, message)])
            for post, target in self._waiting(account)
            if target.scheduled_at is not None and target.scheduled_at >= at
        )

    def file_went(self, post_ids: Iterable[str]) -> int:
        """Note that a file was removed for all scheduled posts that have it; return how many."""
        told = 0
        for post_id in post_ids:
            post = _find_post(self.posts, post_id)
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
        """Write the problems that are not in the history yet; return 1 if there were any."""
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
        self.workspaces.mark(post.workspace_id, self.clock())
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
                if target.account_id == account.id and _is_to_be_sent(target):
                    yield post, target

    def _scheduled_posts(self, workspace_id: str) -> Iterator[Post]:
        wanted = frozenset({PostStatus.SCHEDULED, PostStatus.PUBLISHING})
        return self.lists.each(workspace_id, PostQuery(statuses=wanted, limit=_PAGE))

    def _event(self, target: Target, problem: Problem) -> Event:
        detail = {
            "target_id": target.id,
            "platform": str(target.platform),
            "code": str(problem.code),
            "message": problem.message,
        }
        return event(Action.TARGET_AT_RISK, SYSTEM, self.clock(), detail)


@dataclass(frozen=True, slots=True)
class TargetAtRisk:
    """A scheduled target and its known problems."""

    post: Post
    target: Target
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PostRisks:
    """Finds scheduled targets that are at risk, and has that written into their histories.

    `recent_reads` cost half and may show rows as they were a moment ago.
    """

    posts: PostRepository
    targets: TargetRepository
    reads: KnownReads
    recent_reads: KnownReads
    queue: PublishQueue
    connectors: Connectors
    tokens: TokenKeeper
    checks: "PostChecks"
    notices: RiskNotices
    clock: Clock

    def check(self, ref: TargetRef) -> int:
        """Check one target that is due soon; return 1 if it is newly at risk.

        A sign-in that ends soon is renewed first: if that is refused, it is known now.
        """
        if ref.kind is MessageKind.TICK_CHECK and not self._is_suspect(ref):
            return 0
        post = _find_post(self.posts, ref.post_id)
        target = None if post is None else post.target(ref.target_id)
        if post is None or target is None or not self._is_due(target, _TOO_EARLY):
            return 0
        facts = _facts(self.reads, post, target)
        account = facts.accounts.get(target.account_id)
        if account is not None and self._ends_soon(account):
            self._renew(account)
            facts = _facts(self.reads, post, target)
        return self.notices.tell(post, target, self._problems(post, target, facts))

    def _is_suspect(self, ref: TargetRef) -> bool:
        """Tell whether there is anything to do or to write, by reads that may be a moment old.

        A change since then has a check of its own.
        """
        post = self.posts.recent(ref.post_id)
        target = None if post is None else post.target(ref.target_id)
        if post is None or target is None:
            return False
        if not self._is_due(target, _TOO_EARLY):
            self._check_later(ref, target)
            return False
        facts = _facts(self.recent_reads, post, target)
        account = facts.accounts.get(target.account_id)
        ends_soon = account is not None and self._ends_soon(account)
        return ends_soon or bool(self._problems(post, target, facts))

    def _check_later(self, ref: TargetRef, target: Target) -> None:
        """Send the check of a target that wakes to be prepared again, for when it is due soon."""
        wakes_as_sent = target.progress.wake_at == ref.wake_at + CHECK_AHEAD
        if wakes_as_sent and _is_to_be_sent(target) and target.due_at is not None:
            later = replace(ref, wake_at=target.due_at - CHECK_AHEAD)
            self.queue.send([later], now=self.clock())

    def at_risk(self, within: timedelta) -> Iterator[TargetAtRisk]:
        """Yield every target due in that time that has a known problem."""
        for ref in self._due(within):
            post = _find_post(self.posts, ref.post_id)
            target = None if post is None else post.target(ref.target_id)
            if post is None or target is None or not self._is_due(target, within):
                continue
            problems = self._problems(post, target, _facts(self.reads, post, target))
            if problems:
                yield TargetAtRisk(post, target, problems)

    def _problems(self, post: Post, target: Target, facts: Known) -> tuple[Problem, ...]:
        """Return the known problems."""
        found = self.checks.check_target(post, target, facts)
        return tuple(problem for problem in found if problem.code not in NO_RISK)

    def _due(self, within: timedelta) -> Iterator[TargetRef]:
        now = self.clock()
        for shard in WAKE_SHARDS:
            yield from self.targets.waking(after=now, until=now + within, shard=shard)

    def _is_due(self, target: Target, within: timedelta) -> bool:
        due_at = target.due_at
        return (
            _is_to_be_sent(target)
            and due_at is not None
            and due_at <= self.clock() + max(within, PREPARE_AHEAD)
        )

    def _ends_soon(self, account: Account) -> bool:
        """Tell whether a sign-in ends before `workers/token_renewal.py` would have renewed it."""
        ends_at = account.token_expires_at
        return ends_at is not None and ends_at <= self.clock() + _RENEWED_AHEAD

    def _renew(self, account: Account) -> None:
        connector = self.connectors.real.get(account.platform)
        if connector is not None:
            with suppress(PlatformError):  # a refusal is noted on the account, and told from there
                self.tokens.sign_in(account, connector)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComingRisks:
    """Looks at the posts of a workspace that go out next."""

    lists: PostLists
    checks: "PostChecks"
    clock: Clock

    def find(
        self, workspace_id: str, connected: Collection[str]
    ) -> list[tuple[Post, Sequence[Problem]]]:
        """Return the posts with known problems, and these; earliest first."""
        now = self.clock()
        query = PostQuery(
            statuses=_SCHEDULED,
            since=now,
            until=now + _AHEAD,
            limit=_LOOKED_AT,
            sort=Sort.SCHEDULED,
        )
        posts = self.lists.find(workspace_id, query).posts
        if not posts:
            return []
        known = self.checks.known_problems(workspace_id, connected, posts)
        return [(post, known[post.id]) for post in posts if known[post.id]]


def _is_to_be_sent(target: Target) -> bool:
    """Tell whether a target will be published by the service: no reminder to its author."""
    return target.status is TargetStatus.SCHEDULED and target.reminder is None


def _facts(reads: KnownReads, post: Post, target: Target) -> Known:
    return reads.read(post.workspace_id, account_ids=[target.account_id], media_ids=post.file_ids)


def _find_post(posts: PostRepository, post_id: str) -> Post | None:
    try:
        return posts.get_any(post_id)
    except PostNotFound:
        return None


def _key(happened: Event) -> tuple[str, str, str] | None:
    """Return what identifies a problem that an event tells of, None for another kind of event.

    A broken sign-in is the same problem whatever words its platform uses.
    """
    if happened.action is not Action.TARGET_AT_RISK:
        return None
    detail = happened.detail
    code = str(detail["code"])
    words = "" if code == FailureCode.AUTH_EXPIRED else str(detail["message"])
    return str(detail["target_id"]), code, words


def _problem(target: Target, code: FailureCode, message: str) -> Problem:
    return Problem(target_id=target.id, level=Level.WARNING, code=code, message=message)
