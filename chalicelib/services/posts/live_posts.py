"""What can still be done with a target that is live: delete its post on the platform.

`api/resources/scheduling.py` calls it. The platform is called first, then the target becomes
`removed`. A post that is already gone there counts as removed; the metrics worker notices that too.
"""

from collections.abc import Collection
from contextlib import nullcontext, suppress
from dataclasses import field, replace

from chalicelib.connectors.connector import Deletes, LivePost, RemovalError, as_connected
from chalicelib.connectors.shared.registry import Connectors, NoConnectorError
from chalicelib.domain.clock import Clock
from chalicelib.domain.errors import (
    AccountRemoved,
    CantRemove,
    PostNotFound,
    RemoveFailed,
)
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import Target
from chalicelib.domain.posts.verbs import Facts, Update, live_target, note_gone, unpublish
from chalicelib.domain.workspace.access import Caller
from chalicelib.domain.workspace.accounts import Account
from chalicelib.domain.workspace.workspaces import Workspace
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.services.calls_out import CallsOut
from chalicelib.services.counter_updates import CounterUpdates
from chalicelib.services.in_parallel import in_parallel
from chalicelib.services.posts.updates import PostUpdates
from chalicelib.services.workspace.token_keeper import TokenKeeper
from chalicelib.storage.posts.posts import PostRepository
from chalicelib.storage.workspace.accounts import AccountRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class LivePosts:
    """Removal of live posts."""

    posts: PostRepository
    accounts: AccountRepository
    connectors: Connectors
    tokens: TokenKeeper
    updates: PostUpdates
    counter_updates: CounterUpdates
    clock: Clock
    calls: CallsOut = field(default_factory=CallsOut)

    def unpublish(self, caller: Caller, post_id: str, target_id: str) -> Post:
        """Delete one live target's post on its platform for good.

        Raises TargetNotInPost, NotLive, CantRemove, AccountRemoved, RemoveFailed and Busy.
        """
        workspace_id = caller.workspace_id
        post, accounts, known = in_parallel(
            lambda: self.updates.read(caller, post_id),
            lambda: self.accounts.list(workspace_id),
            lambda: self.counter_updates.find_known(workspace_id, post_id),
        )
        target = live_target(post, target_id)
        if not FACTS[target.platform].limits.can_delete:
            raise CantRemove
        account = next((a for a in accounts if a.id == target.account_id), None)
        is_real = account is not None and not account.test
        with self.calls.place(workspace_id) if is_real else nullcontext():
            self._delete(target, account)

        def decide(before: Post) -> Update:
            return unpublish(before, Facts(caller=caller, now=self.clock()), target_id)

        after, read = in_parallel(
            lambda: self.updates.carry_out(caller, post, decide),
            lambda: self.counter_updates.read_counters(workspace_id, caller.timezone, post, known),
        )
        self.counter_updates.refresh_changed(caller.timezone, after, read)
        return after

    def note_gone(self, workspace: Workspace, post_id: str, target_ids: Collection[str]) -> None:
        """Note that live targets were deleted on their platforms."""
        with suppress(PostNotFound):
            self.updates.carry_out(
                workspace, post_id, lambda post: note_gone(post, target_ids, now=self.clock())
            )

    def _delete(self, target: Target, account: Account | None) -> None:
        if account is None or target.remote_id is None:
            raise AccountRemoved
        live = LivePost(
            target_id=target.id,
            account=as_connected(account),
            remote_id=target.remote_id,
            url=target.url,
            published_at=target.published_at or self.clock(),
            now=self.clock(),
        )
        try:
            connector = self.connectors.serving(live.account)
            if not isinstance(connector, Deletes):
                raise CantRemove
            deleting: Deletes = connector
            self.tokens.calling(
                account, connector, lambda signed: deleting.delete(replace(live, account=signed))
            )
        except (RemovalError, PlatformError, NoConnectorError) as error:
            raise RemoveFailed from error
