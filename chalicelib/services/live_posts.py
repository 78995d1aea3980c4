"""What can still be done with a target that is live: delete it on its platform.

`api/posts` calls it. The platform is asked first and the record follows; a post that is gone
already counts as removed (CONTRACT 8).
"""

from dataclasses import dataclass, replace

from chalicelib.connectors.connector import Deletes, LivePost, RemovalError, connected
from chalicelib.connectors.registry import Connectors, NoConnectorError
from chalicelib.connectors.replies import PlatformError
from chalicelib.connectors.tokens import TokenKeeper
from chalicelib.domain.access import Caller
from chalicelib.domain.clock import Clock
from chalicelib.domain.errors import (
    AccountRemoved,
    CantRemove,
    NotLive,
    RemoveFailed,
    TargetNotInPost,
)
from chalicelib.domain.history import Action, event
from chalicelib.domain.platforms import LIMITS
from chalicelib.domain.post import Post
from chalicelib.domain.target import Target, TargetStatus
from chalicelib.services.post_updates import PostUpdates, Update
from chalicelib.storage.accounts import AccountRepository
from chalicelib.storage.posts import PostRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class LivePosts:
    """Removal of live posts."""

    posts: PostRepository
    accounts: AccountRepository
    connectors: Connectors
    tokens: TokenKeeper
    updates: PostUpdates
    clock: Clock

    def unpublish(self, caller: Caller, post_id: str, target_id: str) -> Post:
        """Delete one live target's post on its platform for good.

        Raises TargetNotInPost, NotLive, CantRemove, AccountRemoved and RemoveFailed.
        """
        target = _live(self.posts.get(caller.workspace_id, post_id), target_id)
        if not LIMITS[target.platform].can_delete:
            raise CantRemove
        self._delete(caller, target)

        def decide(post: Post) -> Update:
            now = self.clock()
            removed = _live(post, target_id).remove()
            detail = {"target_id": target_id, "platform": str(removed.platform)}
            happened = event(Action.TARGET_UNPUBLISHED, caller.member_name, now, detail)
            return Update(after=post.with_targets([removed]), events=(happened,))

        return self.updates.apply(caller, post_id, decide)

    def _delete(self, caller: Caller, target: Target) -> None:
        account = self.accounts.get(caller.workspace_id, target.account_id)
        if account is None or target.remote_id is None:
            raise AccountRemoved
        live = LivePost(
            target_id=target.id,
            account=connected(account),
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


def _live(post: Post, target_id: str) -> Target:
    target = post.target(target_id)
    if target is None:
        raise TargetNotInPost
    if target.status is not TargetStatus.PUBLISHED:
        raise NotLive
    return target
