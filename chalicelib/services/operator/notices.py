"""Tells members what they must know, by letter and in browsers: a failed post, a post to make.

A review, a sign-in and a still engine too. `app.py` `notify` runs it every minute, the local stack
every few seconds; while nothing mails and nobody wants it in a browser, it ends at once. It reads
what is the matter now and tells what is new since the last time, so that nothing is lost while
nothing can go out, and nothing is told twice.
"""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import cache, partial
from itertools import chain
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from chalicelib.domain.clock import Clock
from chalicelib.domain.engine.holds import describe_hold
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.posts.post import Approval, Post, PostStatus
from chalicelib.domain.posts.query import PostQuery
from chalicelib.domain.posts.target import Target
from chalicelib.domain.times.series import State
from chalicelib.domain.workspace.accounts import Health
from chalicelib.domain.workspace.notices import (
    Channel,
    Matter,
    NoticeKind,
    Told,
)
from chalicelib.domain.workspace.workspaces import Member, Workspace
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.limits.thread_pool import HelpedPool
from chalicelib.services.operator.address_proofs import AddressQuestions
from chalicelib.services.operator.digests import Digests, label_of
from chalicelib.services.operator.engine_control import EngineStatus
from chalicelib.services.operator.export_letters import ExportLetters
from chalicelib.services.operator.security_letters import SecurityLetters
from chalicelib.services.operator.ways import Way
from chalicelib.services.posts.comments import PostComments
from chalicelib.storage.posts.lists import PostLists
from chalicelib.storage.posts.series import SeriesRepository
from chalicelib.storage.workspace.accounts import AccountRepository
from chalicelib.storage.workspace.members import MemberRepository
from chalicelib.storage.workspace.notices import NoticeRows
from chalicelib.storage.workspace.workspaces import WorkspaceRepository

if TYPE_CHECKING:
    from chalicelib.services.posts.risks import ComingRisks

_BACK, _AHEAD = timedelta(days=2), timedelta(minutes=5)
_MOST = 100
_TOO_LATE = timedelta(minutes=5)
_LONGEST_TEXT = 5_000
"""The page has the rest."""
_AT_ONCE = 8
"""So many workspaces: whoever owns a push service says how long its answer takes."""
_FAILED = frozenset({PostStatus.FAILED, PostStatus.PARTIAL})
_WAITING = frozenset({PostStatus.DRAFT, PostStatus.SCHEDULED})
_WAITS = (
    NoticeKind.REMINDER,
    NoticeKind.FAILED,
    NoticeKind.AT_RISK,
    NoticeKind.REVIEW,
    NoticeKind.COMMENT,
    NoticeKind.SIGN_IN,
)
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnLetters:
    """Letters that nobody chooses, and that go by mail alone."""

    questions: AddressQuestions
    security: SecurityLetters
    exports: ExportLetters


@dataclass(frozen=True, slots=True, kw_only=True)
class Notices:
    """The notices of one deployment; `letters` is None where nothing mails."""

    workspaces: WorkspaceRepository
    members: MemberRepository
    accounts: AccountRepository
    lists: PostLists
    series: SeriesRepository
    comments: PostComments
    coming_risks: Callable[[], "ComingRisks"]
    engine_status: Callable[[], EngineStatus]
    letters: OwnLetters | None
    digests: Digests
    rows: NoticeRows
    ways: Sequence[Way]
    clock: Clock

    def run(self) -> int:
        """Tell everybody what is new; return how many letters and messages went out."""
        ways = [way for way in self.ways if way.is_open]
        if not ways:
            return 0
        sent = 0 if self.letters is None else self.letters.exports.tell()
        tell = partial(self._tell_if_possible, ways, cache(self.engine_status))
        with HelpedPool(_AT_ONCE, name="notices") as several:
            return sent + sum(several.map(tell, self.workspaces.list()))

    def _tell_if_possible(
        self, ways: Sequence[Way], status: Callable[[], EngineStatus], workspace: Workspace
    ) -> int:
        """Tell the members of a workspace; one that fails does not keep the others."""
        try:
            return self._tell_members(ways, status, workspace)
        except Exception:  # noqa: BLE001 - as `metrics` does: it is logged, and tried again
            facts = {"action": "notice.failed", "workspace_id": workspace.id}
            _LOG.exception("The members of a workspace could not be told.", extra=facts)
            return 0

    def _tell_members(
        self, ways: Sequence[Way], status: Callable[[], EngineStatus], workspace: Workspace
    ) -> int:
        sent, members = 0, self.members.list(workspace.id)
        if self.letters is not None:
            sent += sum(self.letters.questions.ask(one, workspace) for one in members)
            addressed = [member for member in members if member.email]
            sent += self.letters.security.tell(workspace, addressed)
        matters = cache(partial(self._all_matters, workspace, status, members))
        for way in ways:
            sent += self._tell_all(way, workspace, way.reaches(workspace, members), matters)
        return sent

    def _tell_all(
        self,
        way: Way,
        workspace: Workspace,
        members: Sequence[Member],
        matters: Callable[[NoticeKind], list[Matter]],
    ) -> int:
        """Tell whom a way reaches what they chose."""
        sent = 0
        for kind in NoticeKind:
            readers = [member for member in members if kind in member.notices_for(way.channel)]
            if readers and kind is NoticeKind.DIGEST:
                waits = partial(_waits, matters)
                sent += self.digests.tell(way, workspace, readers, waits)
            elif readers:
                found = matters(kind)
                sent += sum(self._tell(way, one, workspace, kind, found) for one in readers)
        return sent

    def _tell(
        self,
        way: Way,
        member: Member,
        workspace: Workspace,
        kind: NoticeKind,
        matters: Sequence[Matter],
    ) -> bool:
        """Tell a member unless all is known or the last letter is too fresh."""
        matters = [one for one in matters if one.concerns(member.id)]
        row, now = way.row_of(kind), self.clock()
        told = self.rows.read_told(workspace.id, member.id, row)
        ids, new = frozenset(matter.id for matter in matters), told.new_of(matters)
        ids |= self._unread_elsewhere(workspace, kind, told.ids - ids)
        if not new:
            if ids != told.ids:  # what is over is told again when it comes again
                self.rows.keep(workspace.id, member.id, row, Told(at=told.at, ids=ids))
            return False
        if kind.waits_an_hour and not told.may_tell(now):
            return False
        if not way.tell(member, workspace, kind, new):
            return False
        self.rows.keep(workspace.id, member.id, row, Told(at=now, ids=ids))
        return True

    def _unread_elsewhere(
        self, workspace: Workspace, kind: NoticeKind, gone: frozenset[str]
    ) -> frozenset[str]:
        """Return the comments that are not over, only beyond the posts last spoken of."""
        if kind is not NoticeKind.COMMENT or not gone:
            return frozenset()
        return gone & self.comments.unread_ids(workspace.id)

    def _all_matters(
        self,
        workspace: Workspace,
        status: Callable[[], EngineStatus],
        members: Collection[Member],
        kind: NoticeKind,
    ) -> list[Matter]:
        return [*self._matters(workspace, kind, status, members)]

    def _matters(
        self,
        workspace: Workspace,
        kind: NoticeKind,
        status: Callable[[], EngineStatus],
        members: Collection[Member],
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
        of_late = PostQuery(statuses=_FAILED, since=since, until=self.clock() + _AHEAD, limit=_MOST)
        newest = PostQuery(statuses=_FAILED, limit=_MOST)
        found = (self.lists.find(workspace.id, query).posts for query in (of_late, newest))
        return {post.id: post for posts in found for post in posts}.values()

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
        now = self.clock()
        query = PostQuery(since=now - _BACK, until=now + _AHEAD, limit=_MOST)
        for post in self.lists.find(workspace.id, query).posts:
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
        found = self.lists.find(workspace.id, PostQuery(statuses=_WAITING, limit=_MOST)).posts
        for post in found:
            if post.approval is Approval.PENDING:
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
        if late is not None and self.clock() - late > _TOO_LATE:
            sentence = f"Something was due at {late:%Y-%m-%d %H:%M} UTC and has not gone out."
            yield Matter(id="overdue", sentence=sentence, path="/app")


def _waits(matters: Callable[[NoticeKind], list[Matter]], member: Member) -> list[Matter]:
    """Return what a morning's letter tells a member that waits."""
    kinds = [kind for kind in _WAITS if kind in member.notices_for(Channel.DIGEST)]
    return [one for kind in kinds for one in matters(kind) if one.concerns(member.id)]


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
