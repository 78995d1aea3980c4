"""Comments on posts: written by members and reviewers, and resolved by members.

A comment is an event of the post's history. Each member whom it concerns has a row that marks it as
unread, until the thread is resolved or the member replies.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

from chalicelib.domain.clock import Clock
from chalicelib.domain.posts.comments import (
    REPLY,
    RESOLVED,
    SHARED,
    TEXT,
    Comment,
    CommentNotFound,
    UnreadComment,
    checked_text,
    comments_of,
    open_thread,
    recipients,
    require_room,
)
from chalicelib.domain.posts.history import Action, Event, event, event_by
from chalicelib.domain.posts.post import Post
from chalicelib.domain.workspace.access import Caller
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json
from chalicelib.storage.posts.posts import PostRepository
from chalicelib.storage.posts.unread import UnreadRepository
from chalicelib.storage.workspace.members import MemberRepository
from chalicelib.storage.workspace.workspaces import WorkspaceRepository

_MOST_POSTS = 20


@dataclass(frozen=True, slots=True)
class Unread:
    """A comment that waits for a member, with its post."""

    member_id: str
    post: Post
    comment: Comment


@dataclass(frozen=True, slots=True, kw_only=True)
class PostComments:
    """The comments on posts."""

    posts: PostRepository
    members: MemberRepository
    unread_rows: UnreadRepository
    workspaces: WorkspaceRepository
    clock: Clock

    def add(
        self,
        caller: Caller,
        post_id: str,
        text: str,
        *,
        reply_to: str = "",
        is_shared: bool = False,
    ) -> None:
        """Comment on a post, which stays as it is.

        Raises PostNotFound, InvalidInput, and CommentNotFound for a reply to none that is open.
        """
        post = self.posts.get(caller.workspace_id, post_id)
        detail, thread = self._check_comment(post, text, reply_to, is_shared=is_shared)
        self._say(post, thread, event_by(caller, Action.COMMENTED, self.clock(), detail))
        if thread is not None:
            read = {one.id for one in thread.thread}
            self.unread_rows.forget(caller.workspace_id, read, caller.member_id)

    def add_by_link(self, post: Post, by: str, text: str, *, reply_to: str = "") -> None:
        """Comment on a post as a reviewer who opened a link. Raises what `add` raises."""
        detail, thread = self._check_comment(post, text, reply_to, is_shared=True)
        if thread is not None and not thread.is_shared:
            raise CommentNotFound
        self._say(post, thread, event(Action.COMMENTED, by, self.clock(), detail))

    def resolve(self, caller: Caller, post_id: str, comment_id: str) -> None:
        """Resolve an open comment. Raises PostNotFound, CommentNotFound."""
        post = self.posts.get(caller.workspace_id, post_id)
        found = open_thread(comments_of(self.posts.history(post.id).events), comment_id)
        happened = event_by(caller, Action.RESOLVED, self.clock(), {RESOLVED: comment_id})
        self.posts.note(post.id, [happened])
        self.unread_rows.forget(caller.workspace_id, {one.id for one in found.thread})

    def unread(self, workspace_id: str, member_id: str = "") -> list[Unread]:
        """Return a member's unread comments, or everybody's, on the 20 posts last commented on."""
        rows = self.unread_rows.list(workspace_id, member_id)[::-1]
        posts = islice(self._posts_of(workspace_id, rows), _MOST_POSTS)
        said = {one.id: (post, one) for post in posts for one in self._open_comments(post)}
        there = [row for row in rows if row.comment_id in said]
        return [Unread(row.member_id, *said[row.comment_id]) for row in there]

    def unread_ids(self, workspace_id: str) -> frozenset[str]:
        """Return the ids of all comments that wait for somebody, whatever post they are of."""
        return frozenset(row.comment_id for row in self.unread_rows.list(workspace_id))

    def _posts_of(self, workspace_id: str, rows: Iterable[UnreadComment]) -> Iterator[Post]:
        """Yield the posts of comments that are there still, in their order."""
        post_ids = iter(dict.fromkeys(row.post_id for row in rows))
        while some := list(islice(post_ids, _MOST_POSTS)):
            found = self.posts.several(some)
            for post in (found[post_id] for post_id in some if post_id in found):
                if post.workspace_id == workspace_id and post.deleted_at is None:
                    yield post

    def _open_comments(self, post: Post) -> Iterator[Comment]:
        for first in comments_of(self.posts.history(post.id).events):
            if first.resolved_by is None:
                yield from first.thread

    def _check_comment(
        self, post: Post, text: str, reply_to: str, *, is_shared: bool
    ) -> tuple[dict[str, Json], Comment | None]:
        """Return the detail of a comment's event, and the thread that it belongs to."""
        said = checked_text(text)
        comments = comments_of(self.posts.history(post.id).events)
        require_room(comments)
        thread = open_thread(comments, reply_to) if reply_to else None
        detail: dict[str, Json] = {TEXT: said}
        if thread is not None:
            detail[REPLY] = thread.id
        if is_shared if thread is None else thread.is_shared:
            detail[SHARED] = True
        return detail, thread

    def _say(self, post: Post, thread: Comment | None, happened: Event) -> None:
        self.posts.note(post.id, [happened])
        told = recipients(
            str(happened.detail[TEXT]),
            thread,
            author=post.created_by,
            by=happened.by,
            members=self.members.list(post.workspace_id),
        )
        self.unread_rows.add(
            post.workspace_id, told, post_id=post.id, comment_id=happened.id, at=happened.at
        )
        self.workspaces.mark(post.workspace_id, happened.at)
