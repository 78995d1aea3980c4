"""Finding out ahead of its time that a scheduled target is at risk.

`check` looks at one target when a message says so: a quarter of an hour before its time, or at once
if that is nearer. `look_ahead` finds what no message came for. `risk_notices` tells each problem
once; the target still goes out if it can.
"""

from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from typing import Final

from chalicelib.connectors.shared.registry import Connectors
from chalicelib.connectors.shared.transport.failures import PlatformError
from chalicelib.domain.clock import Clock
from chalicelib.domain.dataclass import dataclass
from chalicelib.domain.errors import PostNotFound
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.problems import NO_RISK, Problem
from chalicelib.domain.posts.target import CHECK_AHEAD, PREPARE_AHEAD, Target, TargetStatus
from chalicelib.services.posts.checks import PostChecks
from chalicelib.services.posts.risk_notices import RiskNotices
from chalicelib.services.workspace.token_keeper import TokenKeeper
from chalicelib.storage.dynamodb.tables import WAKE_SHARDS
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.engine.targets import TargetRepository
from chalicelib.storage.posts.posts import PostRepository
from chalicelib.storage.workspace.accounts import AccountRepository

LOOKED_AHEAD_FOR: Final = timedelta(minutes=2)
_TOO_EARLY: Final = CHECK_AHEAD + timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class TargetAtRisk:
    """A scheduled target and what is known to speak against it."""

    post: Post
    target: Target
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PostRisks:
    """Finds scheduled targets that are at risk, and has it told."""

    posts: PostRepository
    targets: TargetRepository
    accounts: AccountRepository
    connectors: Connectors
    tokens: TokenKeeper
    checks: PostChecks
    notices: RiskNotices
    clock: Clock

    def check(self, ref: TargetRef) -> int:
        """Check one target that is due soon; return 1 if it is newly at risk.

        A sign-in that ends soon is renewed first: if that is refused, it is known now.
        """
        post = self._post(ref.post_id)
        target = None if post is None else post.target(ref.target_id)
        if post is None or target is None or not self._is_due(target, _TOO_EARLY):
            return 0
        self._renew(post.workspace_id, target.account_id)
        return self.notices.tell(post, target, self._problems(post, target))

    def look_ahead(self) -> int:
        """Check targets that are due soon; return how many are newly at risk.

        Each has a message of its own for this: it ends after `LOOKED_AHEAD_FOR`, however many wait.
        """
        told, until = 0, self.clock() + LOOKED_AHEAD_FOR
        for found in self.at_risk(CHECK_AHEAD):
            told += self.notices.tell(found.post, found.target, found.problems)
            if self.clock() > until:
                break
        return told

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

    def _post(self, post_id: str) -> Post | None:
        try:
            return self.posts.get_any(post_id)
        except PostNotFound:
            return None

    def _problems(self, post: Post, target: Target) -> tuple[Problem, ...]:
        """Return what is known to go wrong."""
        found = self.checks.check_target(post, target)
        return tuple(problem for problem in found if problem.code not in NO_RISK)

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

    def _renew(self, workspace_id: str, account_id: str) -> None:
        account = self.accounts.get(workspace_id, account_id)
        if account is None or account.test:
            return
        connector = self.connectors.real.get(account.platform)
        if connector is not None:
            with suppress(PlatformError):  # a refusal is noted on the account, and told from there
                self.tokens.sign_in(account, connector)
