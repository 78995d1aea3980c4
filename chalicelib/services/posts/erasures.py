"""Erases the words of deleted posts: at once, or when their last `publishing` target ends.

Deleting a post calls it, and so does the worker after the last such target. A run every few minutes
finishes erasures that were interrupted.
"""

import logging
from functools import partial

from chalicelib.domain.errors import PostNotFound
from chalicelib.domain.posts.erasing import is_under_way, without_words
from chalicelib.domain.posts.post import Post
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.failures import AwsFailure
from chalicelib.kit.dynamodb.table import ContentionError
from chalicelib.kit.dynamodb.transaction import as_if_alone
from chalicelib.storage.posts.erasing import DeletedPosts
from chalicelib.storage.posts.posts import PostRepository

MOST_AT_ONCE = 2_000
_TRIES = 8
_LATER = (*AwsFailure, ContentionError)
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasures:
    """Erases what somebody wrote, and names, from posts that were deleted."""

    posts: PostRepository
    deleted: DeletedPosts

    def finish(self, post_id: str) -> bool:
        """Erase a deleted post's words unless something is under way; tell whether none are left.

        Raises ContentionError if others changed it each time.
        """
        try:
            return as_if_alone(partial(self._finish, post_id), tries=_TRIES)
        except PostNotFound:
            return True

    def finish_if_possible(self, post_id: str) -> None:
        """Erase as `finish` does; if that fails, the next run tries again."""
        try:
            self.finish(post_id)
        except _LATER:
            facts = {"action": "erasure.put_off", "post_id": post_id}
            _LOG.warning("A deleted post's words go later.", extra=facts, exc_info=True)

    def run(self) -> int:
        """Finish interrupted erasures; return how many posts were erased."""
        finished = 0
        for looked_at, post_id in enumerate(self.deleted.list_unfinished()):
            if looked_at == MOST_AT_ONCE:
                break
            try:
                finished += self.finish(post_id)
            except Exception:  # noqa: BLE001 - one unreadable post must not keep the others
                facts = {"action": "erasure.put_off", "post_id": post_id}
                _LOG.exception("A deleted post's words could not be erased.", extra=facts)
        return finished

    def _finish(self, post_id: str) -> bool:
        post = self.posts.get_any(post_id)
        if post.deleted_at is None or is_under_way(post):
            return False
        return self._erase(post)

    def _erase(self, post: Post) -> bool:
        bare = without_words(post)
        if bare != post:
            post = self.posts.save(post, bare, events=())
        self.deleted.erase_history(post, self.posts.history(post.id))
        return True
