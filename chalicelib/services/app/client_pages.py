"""A client's page: one link shows all posts of chosen accounts that wait for approval or are due.

It has parts, which are read and shown one at a time: what waits, and each week to come.

Whoever has the link sees these posts for the chosen time, comments on them, and decides on those
that wait, each in the revision that was shown. Of a post that also goes to other accounts, only the
client's accounts are shown, and the team decides. The link works while its maker may publish.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from itertools import groupby, islice
from typing import Final
from zoneinfo import ZoneInfo

from chalicelib.domain.clock import Clock
from chalicelib.domain.errors import MediaNotFound, PostNotFound
from chalicelib.domain.posts.comments import Comment, comments_of, shared_comments
from chalicelib.domain.posts.post import Approval, Post, PostStatus
from chalicelib.domain.posts.query import PostQuery, Sort
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.workspace.access import Caller, Scope, require
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.domain.workspace.sessions import Link, LinkKind, new_token
from chalicelib.domain.workspace.workspaces import Workspace, is_name
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.app.reviews import LinkEnded, Reviews, Verdict, visitor
from chalicelib.services.posts.comments import PostComments
from chalicelib.storage.posts.lists import PostLists
from chalicelib.storage.posts.posts import PostRepository

DAYS: Final = (7, 30, 90, 365)
MOST_PAGES: Final = 50
MOST_SHOWN: Final = 60
MOST_TO_COME: Final = 1_000
BY_CLIENT: Final = " (client's page)"
_A_PAGE, _MOST_READS = 200, 5
_NEVER: Final = datetime.max.replace(tzinfo=UTC)
_TO_COME: Final = frozenset({PostStatus.SCHEDULED, PostStatus.PUBLISHING})


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientPost:
    """A post with the client's accounts only, and the comments that are shared with reviewers.

    `is_whole` tells that it goes to no other accounts.
    """

    post: Post
    is_whole: bool
    comments: Sequence[Comment]

    @property
    def awaits(self) -> bool:
        """Tell whether the client can decide on it."""
        return self.is_whole and self.post.approval is Approval.PENDING


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The posts that wait (`monday` is None), or those of the week from a Monday, by time."""

    monday: date | None
    posts: Sequence[Post]

    @property
    def name(self) -> str:
        """Return its name in the page's address."""
        return "waiting" if self.monday is None else self.monday.isoformat()


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """The parts of a page; `is_cut` tells that there are more posts to come than are read."""

    parts: Sequence[Part]
    is_cut: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """What a client's link opens."""

    link: Link
    workspace: Workspace

    @property
    def zone(self) -> ZoneInfo:
        """Return the workspace's time zone."""
        return ZoneInfo(self.workspace.timezone)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientPages:
    """The pages of a workspace's clients."""

    reviews: Reviews
    posts: PostRepository
    lists: PostLists
    comments: PostComments
    clock: Clock

    def make(self, caller: Caller, name: str, account_ids: Iterable[str], days: int) -> str:
        """Return a token that opens a page. Raises RoleForbids, OperatorError."""
        require(caller, Scope.PUBLISH)
        chosen = tuple(one for one in caller.accounts if one in set(account_ids))
        if not is_name(name) or not chosen or days not in DAYS:
            raise OperatorError("Type the client's name, and choose accounts and for how long.")
        token, now = new_token(caller.workspace_id), self.clock()
        link = Link(
            hash=token.hash,
            kind=LinkKind.CLIENT,
            workspace_id=caller.workspace_id,
            made_by=caller.member_name,
            maker_id=caller.member_id,
            created_at=now,
            expires_at=now + timedelta(days=days),
            subject=name,
            account_ids=chosen,
        )
        self.reviews.links.add_one_more(link, partial(_require_room, now=now))
        return str(token)

    def open(self, text: str) -> Opened:
        """Return what a link opens while its maker may publish. Raises LinkEnded."""
        link = self.reviews.links.open(text, LinkKind.CLIENT, self.clock())
        if link is None or not self.reviews.may_share(link):
            raise LinkEnded
        workspace = self.reviews.workspaces.get(link.workspace_id)
        if workspace is None:
            raise LinkEnded
        return Opened(link=link, workspace=workspace)

    def contents(self, opened: Opened) -> Contents:
        """Return what there is of posts that wait, then of each week with posts to come."""
        waiting = {post.id: post for post in self._waiting(opened)}
        found = list(islice(self._coming(opened), MOST_TO_COME + 1))
        coming = {one.id: one for one in found[:MOST_TO_COME] if one.id not in waiting}
        mine, zone, now = frozenset(opened.link.account_ids), opened.zone, self.clock()
        ordered = sorted(coming.values(), key=lambda post: _time_of(post, mine) or now)
        weeks = groupby(ordered, lambda post: _monday_of(_time_of(post, mine) or now, zone))
        first = sorted(waiting.values(), key=lambda post: (_time_of(post, mine) or _NEVER, post.id))
        parts = [Part(monday=monday, posts=tuple(posts)) for monday, posts in weeks]
        return Contents(
            parts=[Part(monday=None, posts=first), *parts] if first else parts,
            is_cut=len(found) > MOST_TO_COME,
        )

    def list_posts(self, opened: Opened, part: Part) -> list[ClientPost]:
        """Return the posts of a part as the client sees them, at most MOST_SHOWN."""
        posts = part.posts[:MOST_SHOWN]
        events = self.posts.events_of([post.id for post in posts])
        return [
            ClientPost(
                post=_of_client(opened, post),
                is_whole=_is_whole(opened, post),
                comments=shared_comments(comments_of(events[post.id])),
            )
            for post in posts
        ]

    def decide(
        self, text: str, post_id: str, name: str, verdict: Verdict, *, client: str = ""
    ) -> Post:
        """Decide on a post that waits. Raises LinkEnded, PostNotFound, OperatorError."""
        _require_name(name)
        opened = self.open(text)
        if not _is_whole(opened, self._post(opened, post_id)):
            raise OperatorError("This post also goes to other accounts, so the team decides on it.")
        by = (name, BY_CLIENT)
        return self.reviews.decide_of_link(opened.link, post_id, by, verdict, client=client)

    def comment(self, text: str, post_id: str, name: str, said: str, *, reply_to: str = "") -> None:
        """Comment on a post. Raises LinkEnded, OperatorError, and what `add_by_link` raises."""
        _require_name(name)
        opened = self.open(text)
        post = self._post(opened, post_id)
        self.comments.add_by_link(post, f"{name}{BY_CLIENT}", said, reply_to=reply_to)

    def file(self, text: str, post_id: str) -> str:
        """Return a temporary address of a post's file. Raises LinkEnded, MediaNotFound."""
        opened = self.open(text)
        attachment = self._post(opened, post_id).attachment
        if attachment is None:
            raise MediaNotFound
        return self.reviews.library.file_url(visitor(opened.workspace), attachment.id)

    def _post(self, opened: Opened, post_id: str) -> Post:
        """Return a post that the page shows. Raises PostNotFound for any other."""
        post = self.posts.get(opened.workspace.id, post_id)
        is_theirs = any(one.account_id in opened.link.account_ids for one in post.targets)
        if not is_theirs or not (_waits(post) or post.status in _TO_COME):
            raise PostNotFound
        return post

    def _waiting(self, opened: Opened) -> Iterator[Post]:
        """Return the accounts' posts that wait for approval, newest first: a thousand at most."""
        mine = frozenset(opened.link.account_ids)
        query = PostQuery(account_ids=mine, waits=True, limit=_A_PAGE)
        return self.lists.each(opened.workspace.id, query, most_pages=_MOST_READS)

    def _coming(self, opened: Opened) -> Iterator[Post]:
        query = PostQuery(
            account_ids=frozenset(opened.link.account_ids),
            statuses=_TO_COME,
            sort=Sort.SCHEDULED,
            since=self.clock(),
            limit=_A_PAGE,
        )
        for post in self.lists.each(opened.workspace.id, query):
            if any(map(_is_to_come, _theirs(opened, post))):
                yield post


def _theirs(opened: Opened, post: Post) -> tuple[Target, ...]:
    return tuple(one for one in post.targets if one.account_id in opened.link.account_ids)


def _of_client(opened: Opened, post: Post) -> Post:
    return replace(post, targets=_theirs(opened, post))


def _is_whole(opened: Opened, post: Post) -> bool:
    return len(_theirs(opened, post)) == len(post.targets)


def _require_room(links: Sequence[Link], *, now: datetime) -> None:
    if sum(link.works_as(LinkKind.CLIENT, now) for link in links) >= MOST_PAGES:
        raise OperatorError(f"There are {MOST_PAGES} client pages. Revoke one first.")


def _require_name(name: str) -> None:
    if not is_name(name):
        raise OperatorError("Type your name, so that the team knows who it was.")


def _waits(post: Post) -> bool:
    return post.approval is Approval.PENDING


def _is_to_come(target: Target) -> bool:
    return target.status in {TargetStatus.SCHEDULED, TargetStatus.PUBLISHING}


def _time_of(post: Post, account_ids: frozenset[str]) -> datetime | None:
    """Return when a post goes out next on some accounts, or is meant to."""
    theirs = [one for one in post.targets if one.account_id in account_ids]
    next_ones = [one for one in theirs if _is_to_come(one)] or theirs
    return min((one.scheduled_at for one in next_ones if one.scheduled_at), default=None)


def _monday_of(at: datetime, zone: ZoneInfo) -> date:
    day = at.astimezone(zone).date()
    return day - timedelta(days=day.weekday())
