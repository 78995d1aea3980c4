"""Finding out ahead of its time that a scheduled target is at risk.

`check` looks at one target when a message says so: a quarter of an hour before its time, or at once
if that is nearer. The tick knows only when a target wakes, so the check of one that is prepared
ahead comes too early and sends itself again. `risk_notices` tells each problem once; the target
still goes out if it can. `ComingRisks` is what the bell, the first page and letters show of the
days to come, by the rules of a check, asking no platform.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Final

from chalicelib.connectors.shared.registry import Connectors
from chalicelib.domain.clock import Clock
from chalicelib.domain.errors import PostNotFound
from chalicelib.domain.posts.known import Known
from chalicelib.domain.posts.post import Post, PostStatus
from chalicelib.domain.posts.problems import NO_RISK, Problem
from chalicelib.domain.posts.query import PostQuery, Sort
from chalicelib.domain.posts.target import CHECK_AHEAD, PREPARE_AHEAD, Target, TargetStatus
from chalicelib.domain.workspace.accounts import Account
from chalicelib.domain.workspace.tokens import REFRESH_AHEAD
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.services.posts.checks import PostChecks
from chalicelib.services.posts.risk_notices import RiskNotices
from chalicelib.services.workspace.token_keeper import TokenKeeper
from chalicelib.storage.engine.claims import MessageKind, TargetRef
from chalicelib.storage.engine.targets import TargetRepository
from chalicelib.storage.engine.wake_queue import PublishQueue
from chalicelib.storage.posts.known import KnownReads
from chalicelib.storage.posts.lists import PostLists
from chalicelib.storage.posts.posts import PostRepository
from chalicelib.storage.tables import WAKE_SHARDS

_AHEAD: Final = timedelta(days=7)
_LOOKED_AT: Final = 50
_SCHEDULED: Final = frozenset({PostStatus.SCHEDULED})
_RENEWED_AHEAD: Final = CHECK_AHEAD + REFRESH_AHEAD
_TOO_EARLY: Final = CHECK_AHEAD + timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class TargetAtRisk:
    """A scheduled target and what is known to speak against it."""

    post: Post
    target: Target
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PostRisks:
    """Finds scheduled targets that are at risk, and has it told.

    `recent_reads` cost half and may show rows as they were a moment ago.
    """

    posts: PostRepository
    targets: TargetRepository
    reads: KnownReads
    recent_reads: KnownReads
    queue: PublishQueue
    connectors: Connectors
    tokens: TokenKeeper
    checks: PostChecks
    notices: RiskNotices
    clock: Clock

    def check(self, ref: TargetRef) -> int:
        """Check one target that is due soon; return 1 if it is newly at risk.

        A sign-in that ends soon is renewed first: if that is refused, it is known now.
        """
        if ref.kind is MessageKind.TICK_CHECK and not self._is_suspect(ref):
            return 0
        post = self._post(ref.post_id)
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
        """Tell whether there is anything to do or to tell, as things were a moment ago.

        What was written since has a check of its own.
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
        """Yield every target due in that time of which something is known to go wrong."""
        for ref in self._due(within):
            post = self._post(ref.post_id)
            target = None if post is None else post.target(ref.target_id)
            if post is None or target is None or not self._is_due(target, within):
                continue
            problems = self._problems(post, target, _facts(self.reads, post, target))
            if problems:
                yield TargetAtRisk(post, target, problems)

    def _post(self, post_id: str) -> Post | None:
        try:
            return self.posts.get_any(post_id)
        except PostNotFound:
            return None

    def _problems(self, post: Post, target: Target, facts: Known) -> tuple[Problem, ...]:
        """Return what is known to go wrong."""
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
    checks: PostChecks
    clock: Clock

    def find(
        self, workspace_id: str, connected: Collection[str]
    ) -> list[tuple[Post, Sequence[Problem]]]:
        """Return the posts of which something is known to go wrong, with what; earliest first."""
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
    """Tell whether a target waits to be published; of the others authors are reminded."""
    return target.status is TargetStatus.SCHEDULED and target.reminder is None


def _facts(reads: KnownReads, post: Post, target: Target) -> Known:
    return reads.read(post.workspace_id, account_ids=[target.account_id], media_ids=post.file_ids)
