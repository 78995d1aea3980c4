"""What is the matter in a workspace now: what failed, waits, must be signed in again or is said.

`notices` asks for one kind after another, and tells what is new of it. It reads what is there now,
so that nothing is lost while nothing can go out.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import datetime, timedelta
from itertools import chain
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from chalicelib.domain.clock import Clock
from chalicelib.domain.engine.holds import describe_hold
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.posts.post import Post, PostStatus
from chalicelib.domain.posts.query import PostQuery
from chalicelib.domain.posts.target import Target
from chalicelib.domain.times.series import State
from chalicelib.domain.workspace.access import Plan
from chalicelib.domain.workspace.accounts import Health
from chalicelib.domain.workspace.notices import Matter, NoticeKind
from chalicelib.domain.workspace.workspaces import Member, Workspace
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.operator.digests import label_of
from chalicelib.services.operator.engine_control import TOLD_AFTER, EngineStatus
from chalicelib.services.posts.comments import PostComments
from chalicelib.storage.posts.lists import PostLists
from chalicelib.storage.posts.series import SeriesRepository
from chalicelib.storage.workspace.accounts import AccountRepository

if TYPE_CHECKING:
    from chalicelib.services.posts.risks import ComingRisks

_BACK, _AHEAD = timedelta(days=2), timedelta(minutes=5)
_REMINDED_BACK = timedelta(days=7)
"""Nothing tells when a member was reminded: after a week on which nothing ran, all that is late is
told."""
_A_PAGE, _MOST_PAGES = 100, 10
_NEWEST = 20
"""So many failed posts are read in every round, however long ago they failed."""
_LONGEST_TEXT = 5_000
"""The page has the rest."""
_FAILED = frozenset({PostStatus.FAILED, PostStatus.PARTIAL})


@dataclass(frozen=True, slots=True, kw_only=True)
class Matters:
    """What there is to tell in any workspace."""

    accounts: AccountRepository
    lists: PostLists
    series: SeriesRepository
    comments: PostComments
    coming_risks: Callable[[], "ComingRisks"]
    clock: Clock

    def find(
        self,
        workspace: Workspace,
        members: Collection[Member],
        status: Callable[[], EngineStatus],
        kind: NoticeKind,
    ) -> list[Matter]:
        """Return what there is of a kind, whoever is told."""
        return [*self._of_kind(workspace, members, status, kind)]

    def _of_kind(
        self,
        workspace: Workspace,
        members: Collection[Member],
        status: Callable[[], EngineStatus],
        kind: NoticeKind,
    ) -> Iterator[Matter]:
        match kind:
            case NoticeKind.FAILED:
                yield from chain(self._failed_posts(workspace), self._stopped_series(workspace))
            case NoticeKind.AT_RISK:
                yield from self._at_risk(workspace)
            case NoticeKind.REVIEW:
                yield from self._waiting(workspace)
            case NoticeKind.SIGN_IN:
                yield from self._matters_signed_out(workspace)
            case NoticeKind.ENGINE:
                yield from chain(
                    self._still(status()), _matters_held_up(status(), workspace), _ending(status())
                )
            case NoticeKind.REMINDER:
                yield from self._reminders(workspace, members)
            case NoticeKind.COMMENT:
                yield from self._comments(workspace)
            case NoticeKind.DIGEST:
                return

    def _failed_posts(self, workspace: Workspace) -> Iterator[Matter]:
        """Tell what failed of late, also days after its time: found so when the engine went on."""
        since = self.clock() - _BACK
        for post in self._posts_with_failures(workspace, since):
            for target in post.targets:
                if target.has_failed_since(since):
                    yield Matter(
                        id=f"{target.id}#{target.version}",
                        sentence=f"{label_of(post)} {_place(target)} failed: "
                        f"{target.error_message}",
                        path=f"/app/posts/{post.id}",
                    )

    def _posts_with_failures(self, workspace: Workspace, since: datetime) -> Iterable[Post]:
        """Return the posts with a time of late that failed, and the newest that did at all."""
        of_late = self._posts_of_late(workspace, since, _FAILED, _MOST_PAGES)
        newest = self.lists.find(workspace.id, PostQuery(statuses=_FAILED, limit=_NEWEST)).posts
        return {post.id: post for post in chain(of_late, newest)}.values()

    def _posts_of_late(
        self, workspace: Workspace, since: datetime, statuses: frozenset[PostStatus], most: int
    ) -> Iterator[Post]:
        """Return the posts with a time since then, newest first: so many hundred at most."""
        query = PostQuery(
            statuses=statuses, since=since, until=self.clock() + _AHEAD, limit=_A_PAGE
        )
        return self.lists.each(workspace.id, query, most_pages=most)

    def _at_risk(self, workspace: Workspace) -> Iterator[Matter]:
        """Tell what will fail unless somebody acts, at its post's time or before."""
        zone = ZoneInfo(workspace.timezone)
        connected = [account.id for account in self.accounts.list(workspace.id)]
        for post, problems in self.coming_risks().find(workspace.id, connected):
            for problem in problems:
                target = post.target(problem.target_id)
                if target is not None and target.scheduled_at is not None:
                    at = target.scheduled_at.astimezone(zone)
                    yield Matter(
                        id=f"{target.id}#{problem.code}",
                        sentence=f"{label_of(post)} {_place(target)} is at risk at its time,"
                        f" {at:%Y-%m-%d %H:%M}: {problem.message}",
                        path=f"/app/posts/{post.id}",
                    )

    def _comments(self, workspace: Workspace) -> Iterator[Matter]:
        for one in self.comments.unread(workspace.id):
            said = one.comment
            yield Matter(
                id=said.id,
                sentence=f"{said.by} of {label_of(one.post)}:\n\n{said.text}\n",
                path=f"/app/posts/{one.post.id}#comments",
                only_for=frozenset({one.member_id}),
            )

    def _reminders(self, workspace: Workspace, members: Collection[Member]) -> Iterator[Matter]:
        """Tell of what its author posts by hand; everybody if the author is here no more."""
        # Only the Free plan makes reminders; of others a few may be left from it.
        most = _MOST_PAGES if workspace.plan is Plan.FREE else 1
        since = self.clock() - _REMINDED_BACK
        for post in self._posts_of_late(workspace, since, frozenset(), most):
            authors = frozenset(one.id for one in members if one.name == post.created_by)
            for target in post.targets:
                if target.waits_to_be_posted:
                    text = target.caption(post.caption)[:_LONGEST_TEXT]
                    yield Matter(
                        id=f"{target.id}#{target.due_at}",
                        sentence=f"Post {label_of(post)} {_place(target)} now. The text:"
                        f"\n\n{text}\n",
                        path=f"/app/posts/{post.id}",
                        only_for=authors,
                    )

    def _stopped_series(self, workspace: Workspace) -> Iterator[Matter]:
        for series in self.series.list(workspace.id):
            if series.state is State.STOPPED:
                yield Matter(
                    id=series.id,
                    sentence=f"A series stopped, so nothing more of it comes: {series.reason}",
                    path="/app/series",
                )

    def _waiting(self, workspace: Workspace) -> Iterator[Matter]:
        query = PostQuery(waits=True, limit=_A_PAGE)
        for post in self.lists.each(workspace.id, query, most_pages=_MOST_PAGES):
            sentence = f"{label_of(post)} by {post.created_by} waits for approval."
            yield Matter(id=post.id, sentence=sentence, path=f"/app/posts/{post.id}")

    def _matters_signed_out(self, workspace: Workspace) -> Iterator[Matter]:
        for account in self.accounts.list(workspace.id):
            if account.health is Health.BROKEN:
                name = f"{FACTS[account.platform].name} {account.handle}"
                reason = account.health_reason or "Its sign-in is over."
                sentence = f"{name} must be signed in again. {reason}"
                yield Matter(id=account.id, sentence=sentence, path="/app/accounts")

    def _still(self, status: EngineStatus) -> Iterator[Matter]:
        if status.paused:
            yield Matter(id="paused", sentence="The engine is paused.", path="/app")
        late = status.oldest_overdue
        if late is not None and self.clock() - late > TOLD_AFTER:
            sentence = f"Something was due at {late:%Y-%m-%d %H:%M} UTC and has not gone out."
            yield Matter(id="overdue", sentence=sentence, path="/app")


def _matters_held_up(status: EngineStatus, workspace: Workspace) -> Iterator[Matter]:
    """Tell once of each application that its platform holds up, until that ends."""
    for hold in status.holds:
        whose = hold.whose
        if whose.workspace_id in (None, workspace.id):
            yield Matter(
                id=f"held#{whose.platform}#{whose.application}#{hold.since.isoformat()}",
                sentence=describe_hold(hold),
                path="/app",
                subject=f"{FACTS[whose.platform].name} holds up posts",
            )


def _ending(status: EngineStatus) -> Iterator[Matter]:
    """Tell once of each version of an API that ends soon or has, or that nobody knows."""
    for one in status.versions:
        yield Matter(
            id=f"version#{one.api}#{one.version}#{one.standing}",
            sentence=f"{one.api} version {one.version}: {one.told} {one.advice}",
            path="/app",
            subject=f"{one.api}: its version",
        )


def _place(target: Target) -> str:
    return f"on {FACTS[target.platform].name} ({target.handle})"
