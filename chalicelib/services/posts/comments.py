"""Comments on posts: said and resolved by members, in the post's history."""

from chalicelib.domain.clock import Clock
from chalicelib.domain.posts.comments import (
    RESOLVED,
    TEXT,
    CommentNotFound,
    checked,
    comments_of,
    require_room,
)
from chalicelib.domain.posts.history import Action, event_by
from chalicelib.domain.workspace.access import Caller
from chalicelib.kit.dataclass import dataclass
from chalicelib.storage.posts.posts import PostRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class PostComments:
    """What the caller's workspace says of its posts."""

    posts: PostRepository
    clock: Clock

    def add(self, caller: Caller, post_id: str, text: str) -> None:
        """Say something of a post, which stays as it is. Raises PostNotFound, InvalidInput."""
        said = checked(text)
        post = self.posts.get(caller.workspace_id, post_id)
        require_room(comments_of(self.posts.history(post.id).events))
        happened = event_by(caller, Action.COMMENTED, self.clock(), {TEXT: said})
        self.posts.note(post.id, [happened])

    def resolve(self, caller: Caller, post_id: str, comment_id: str) -> None:
        """Settle an open comment. Raises PostNotFound, CommentNotFound."""
        post = self.posts.get(caller.workspace_id, post_id)
        found = comments_of(self.posts.history(post.id).events)
        if not any(one.id == comment_id and one.resolved_by is None for one in found):
            raise CommentNotFound
        happened = event_by(caller, Action.RESOLVED, self.clock(), {RESOLVED: comment_id})
        self.posts.note(post.id, [happened])
