"""Reviewing posts that wait: in the app by members who may publish, by a link by anybody else.

A review link shows one pending post and takes one decision with a name and a note. It ends with
that, after 14 days, when it is revoked, or when the post is decided otherwise.
"""

from collections.abc import Sequence
from datetime import timedelta
from zoneinfo import ZoneInfo

from chalicelib.domain.clock import Clock
from chalicelib.domain.error_kinds import NotFound
from chalicelib.domain.errors import MediaNotFound, PostNotFound
from chalicelib.domain.posts.comments import Comment, comments_of, shared_comments
from chalicelib.domain.posts.post import Approval, Post
from chalicelib.domain.posts.query import PostQuery
from chalicelib.domain.posts.reviewing import Decision
from chalicelib.domain.workspace.access import Caller, Role, Scope, permissions, require
from chalicelib.domain.workspace.activity import Actor, ActorKind, Deed
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.domain.workspace.sessions import Link, LinkKind, new_token
from chalicelib.domain.workspace.workspaces import Workspace, is_name
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.transaction import Part
from chalicelib.services.media.library import MediaLibrary
from chalicelib.services.posts.approvals import Approvals
from chalicelib.services.posts.comments import PostComments
from chalicelib.services.workspace.activity import ActivityLog
from chalicelib.storage.posts.lists import PostLists
from chalicelib.storage.posts.posts import PostRepository
from chalicelib.storage.sign_in.links import LinkGoneError, LinkRepository
from chalicelib.storage.workspace.members import MemberRepository
from chalicelib.storage.workspace.workspaces import WorkspaceRepository

LINK_LIFETIME = timedelta(days=14)
LONGEST_NOTE = 2_000
BY_LINK = " (review link)"
_WAITING = PostQuery(waits=True, limit=200)
_MOST_PAGES = 5


class LinkEnded(NotFound):
    """This link has ended: it was used, revoked or has expired. Ask for a new one."""

    code = "link_ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a reviewer says about the post that was shown; `seen` is its revision.

    `schedules` tells that the button said so: an approval sets the times that are asked for.
    """

    approves: bool
    seen: str
    schedules: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """What a review link opens."""

    link: Link
    post: Post
    workspace: Workspace

    @property
    def zone(self) -> ZoneInfo:
        """Return the workspace's time zone."""
        return ZoneInfo(self.workspace.timezone)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviews:
    """Posts that wait for somebody's word."""

    posts: PostRepository
    lists: PostLists
    library: MediaLibrary
    approvals: Approvals
    comments: PostComments
    workspaces: WorkspaceRepository
    members: MemberRepository
    links: LinkRepository
    activity: ActivityLog
    clock: Clock

    def pending(self, caller: Caller) -> list[Post]:
        """Return the posts that wait, newest first: a thousand at most."""
        return [*self.lists.each(caller.workspace_id, _WAITING, most_pages=_MOST_PAGES)]

    def newest_pending(self, caller: Caller) -> Sequence[Post]:
        """Return the newest posts that wait, as many as one read finds."""
        return self.lists.find(caller.workspace_id, _WAITING).posts

    def decide(self, caller: Caller, post_id: str, verdict: Verdict) -> Post:
        """Approve or reject as a member; return the post as it is then.

        Raises RoleForbids, PostNotFound, OperatorError, and ChangedSinceError for a post that is
        not what was shown.
        """
        require(caller, Scope.PUBLISH)
        self.posts.get(caller.workspace_id, post_id)
        return self._decide(caller.workspace_id, post_id, caller.member_name, verdict)

    def make_link(self, caller: Caller, post_id: str, *, reader: str = "") -> str:
        """Return a token that lets anybody review one post once; a draft waits for that from now.

        `reader` is the name that its page knows already. Raises OperatorError for none that is one.
        """
        require(caller, Scope.PUBLISH)
        if reader and not is_name(reader):
            raise OperatorError("The reviewer's name is too long, or no name.")
        if self.posts.get(caller.workspace_id, post_id).approval is not Approval.PENDING:
            self.approvals.ask(caller, post_id)
        token, now = new_token(caller.workspace_id), self.clock()
        link = Link(
            hash=token.hash,
            kind=LinkKind.REVIEW,
            workspace_id=caller.workspace_id,
            made_by=caller.member_name,
            maker_id=caller.member_id,
            created_at=now,
            expires_at=now + LINK_LIFETIME,
            subject=post_id,
            reader=reader,
        )
        self.links.add(link)
        return str(token)

    def open_links(self, caller: Caller) -> list[Link]:
        """Return the workspace's links that still open something, oldest first."""
        now = self.clock()
        kinds = {LinkKind.REVIEW, LinkKind.CONNECT, LinkKind.CLIENT}
        found = self.links.list(caller.workspace_id)
        return [link for link in found if link.kind in kinds and now < link.expires_at]

    def revoke(self, caller: Caller, link_hash: str) -> None:
        """End a link: connect links by who manages accounts, the others by who may publish."""
        link = self.links.find(caller.workspace_id, link_hash)
        if link is None or link.kind not in (LinkKind.REVIEW, LinkKind.CONNECT, LinkKind.CLIENT):
            raise LinkEnded
        needed = Scope.ACCOUNTS if link.kind is LinkKind.CONNECT else Scope.PUBLISH
        require(caller, needed)
        self.links.take(caller.workspace_id, link_hash)

    def open_shared(self, text: str) -> Shared:
        """Return what a review link opens, while who shared it may publish. Raises LinkEnded."""
        link = self.links.open(text, LinkKind.REVIEW, self.clock())
        if link is None or not self.may_share(link):
            raise LinkEnded
        try:
            post = self.posts.get(link.workspace_id, link.subject)
        except PostNotFound as error:
            raise LinkEnded from error
        workspace = self.workspaces.get(link.workspace_id)
        if workspace is None or post.approval is not Approval.PENDING:
            raise LinkEnded
        return Shared(link=link, post=post, workspace=workspace)

    def may_share(self, link: Link) -> bool:
        """Tell whether who made a link may publish now; one of before names no more than a name."""
        return any(
            Scope.PUBLISH in permissions(member.role)
            for member in self.members.list(link.workspace_id)
            if link.is_made_by(member.id, member.name)
        )

    def shared_file(self, text: str) -> str:
        """Return where the file of a shared post is for a while. Raises LinkEnded."""
        shared = self.open_shared(text)
        if shared.post.attachment is None:
            raise MediaNotFound
        return self.library.file_url(visitor(shared.workspace), shared.post.attachment.id)

    def decide_by_link(self, text: str, name: str, verdict: Verdict, *, client: str = "") -> Post:
        """Take a link's one decision; the link stays if nothing was decided.

        Raises LinkEnded, OperatorError, and ChangedSinceError as `decide`.
        """
        if not is_name(name):
            raise OperatorError("Type your name, so that the history can say who decided.")
        shared = self.open_shared(text)
        return self.decide_of_link(
            shared.link, shared.post.id, (name, BY_LINK), verdict, client=client
        )

    def decide_of_link(
        self, link: Link, post_id: str, by: tuple[str, str], verdict: Verdict, *, client: str
    ) -> Post:
        """Decide as somebody who has a link, by name and kind of link; note it in the activity.

        A review link is used up by it. Raises LinkEnded where the link is gone meanwhile, and
        OperatorError once the trial is over: then members decide nothing, either.
        """
        name, kind = by
        workspace = self.workspaces.get(link.workspace_id)
        if workspace is None:
            raise LinkEnded
        if visitor(workspace).trial_is_over(self.clock()):
            raise OperatorError("The team's trial is over. You can decide once they have a plan.")
        is_for_once = link.kind is LinkKind.REVIEW
        beside = self.links.taking(link) if is_for_once else self.links.demanding(link)
        try:
            decided = self._decide(link.workspace_id, post_id, f"{name}{kind}", verdict, beside)
        except LinkGoneError as error:
            raise LinkEnded from error
        self.activity.note(
            link.workspace_id,
            Deed.POST_APPROVED_BY_LINK if verdict.approves else Deed.POST_REJECTED_BY_LINK,
            Actor(kind=ActorKind.LINK, name=name, client=client),
            subject_id=decided.id,
            detail=f"link by {link.made_by}",
        )
        return decided

    def comment_by_link(self, text: str, name: str, said: str, *, reply_to: str = "") -> None:
        """Say something of a shared post, which stays as it is.

        Raises LinkEnded, OperatorError, InvalidInput and CommentNotFound.
        """
        if not is_name(name):
            raise OperatorError("Type your name, so that the others know who said it.")
        post = self.open_shared(text).post
        self.comments.add_by_link(post, f"{name}{BY_LINK}", said, reply_to=reply_to)

    def list_comments(self, shared: Shared) -> list[Comment]:
        """Return the open comments that whoever has the link sees."""
        return shared_comments(comments_of(self.posts.history(shared.post.id).events))

    def _decide(
        self,
        workspace_id: str,
        post_id: str,
        by: str,
        verdict: Verdict,
        beside: Part | None = None,
    ) -> Post:
        if len(verdict.note) > LONGEST_NOTE:
            raise OperatorError(f"A note has at most {LONGEST_NOTE:,} characters.")
        decision = Decision(
            by=by,
            note=verdict.note.strip(),
            only_pending=True,
            seen=verdict.seen,
            schedules=verdict.schedules,
        )
        act = self.approvals.approve if verdict.approves else self.approvals.reject
        return act(workspace_id, post_id, decision, beside)


def visitor(workspace: Workspace) -> Caller:
    """Return a caller that can read the workspace of a link and nothing else."""
    return Caller(
        workspace_id=workspace.id,
        member_id="",
        member_name="",
        role=Role.VIEWER,
        scopes=frozenset({Scope.READ}),
        key_id="link",
        plan=workspace.plan,
        trial_ends_at=workspace.trial_ends_at,
        workspace_created_at=workspace.created_at,
        timezone=workspace.timezone,
        member_timezone=workspace.timezone,
        approvals=workspace.approvals,
        accounts={},
    )
