"""Reading posts: one, a page of them, and a post's history.

`api/posts` calls it; nothing here changes anything.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from chalicelib.domain.posts.history import History
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.query import Page, PostQuery
from chalicelib.domain.workspace.access import Caller
from chalicelib.services.in_parallel import in_parallel
from chalicelib.storage.posts.lists import PostLists
from chalicelib.storage.posts.posts import PostRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class PostsReader:
    """What a caller may read of its workspace's posts."""

    posts: PostRepository
    lists: PostLists

    def get(self, caller: Caller, post_id: str) -> Post:
        """Return a post as it is now. Raises PostNotFound."""
        return self.posts.get(caller.workspace_id, post_id)

    def find(self, caller: Caller, query: PostQuery) -> Page:
        """Return a page of the workspace's posts, newest first."""
        return self.lists.find(caller.workspace_id, query)

    def on_days(
        self, caller: Caller, bounds: Sequence[datetime], *, most: int
    ) -> list[tuple[list[Post], int]]:
        """Return the posts of each day between bounds, earliest first, and how many more."""
        return self.lists.on_days(caller.workspace_id, bounds, most)

    def history(self, caller: Caller, post_id: str) -> History:
        """Return everything that happened to a post, oldest first. Raises PostNotFound."""
        _, history = in_parallel(
            lambda: self.posts.get(caller.workspace_id, post_id),
            lambda: self.posts.history(post_id),
        )
        return history
