"""Finding out ahead of its time that a scheduled target is at risk.

`check` looks at one target when a message says so: a quarter of an hour before its time, or at once
if that is nearer. `risk_notices` tells each problem once; the target still goes out if it can.
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
from chalicelib.domain.workspace.accounts import Account
from chalicelib.domain.workspace.tokens import REFRESH_AHEAD
from chalicelib.services.posts.checks import PostChecks
from chalicelib.services.posts.risk_notices import RiskNotices
from chalicelib.services.workspace.token_keeper import TokenKeeper
from chalicelib.storage.dynamodb.tables import WAKE_SHARDS
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.engine.targets import TargetRepository
from chalicelib.storage.posts.posts import PostRepository
from chalicelib.storage.workspace.accounts import AccountRepository

_AHEAD_OF_PREPARATION: Final = CHECK_AHEAD - PREPARE_AHEAD
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
        if target.fires_next and target.due_at == ref.wake_at + _AHEAD_OF_PREPARATION:
            # It was sent in case this is what is prepared ahead. It was checked ten minutes ago.
            return 0
        account = self._signed_in(post.workspace_id, target.account_id)
        return self.notices.tell(post, target, self._problems(post, target, account))

    def at_risk(self, within: timedelta) -> Iterator[TargetAtRisk]:
        """Yield every target due in that time of which something is known to go wrong."""
        for ref in self._due(within):
            post = self._post(ref.post_id)
            target = None if post is None else post.target(ref.target_id)
            if post is None or target is None or not self._is_due(target, within):
                continue
            account = self.accounts.get(post.workspace_id, target.account_id)
            problems = self._problems(post, target, account)
            if problems:
                yield TargetAtRisk(post, target, problems)

    def _post(self, post_id: str) -> Post | None:
        try:
            return self.posts.get_any(post_id)
        except PostNotFound:
            return None

    def _problems(self, post: Post, target: Target, account: Account | None) -> tuple[Problem, ...]:
        """Return what is known to go wrong."""
        found = self.checks.check_target(post, target, account)
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

    def _signed_in(self, workspace_id: str, account_id: str) -> Account | None:
        """Return an account with a sign-in that was renewed if it ends soon.

        One that only asks to be renewed now and then is seen to by `workers/token_renewal.py`.
        """
        account = self.accounts.get(workspace_id, account_id)
        ends_at = None if account is None else account.token_expires_at
        if account is None or ends_at is None or ends_at > self.clock() + _RENEWED_AHEAD:
            return account
        connector = self.connectors.real.get(account.platform)
        if connector is not None:
            with suppress(PlatformError):  # a refusal is noted on the account, and told from there
                self.tokens.sign_in(account, connector)
        return self.accounts.get(workspace_id, account_id)
