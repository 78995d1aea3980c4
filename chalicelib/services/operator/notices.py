"""Sends members notices by mail and to browsers: of failed posts, posts to make, reviews and more.

`app.py` `notify` runs it every minute, the local stack every few seconds; without a mail server and
without a browser to notify it ends at once. It asks `matters` for the present state and sends what
is new since the last notice, so that nothing is lost while nothing can be sent, and nothing is sent
twice.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import field
from datetime import datetime, timedelta
from functools import cache, partial
from itertools import chain, takewhile
from typing import TypeVar

from chalicelib.domain.clock import Clock
from chalicelib.domain.workspace.notices import (
    Channel,
    Matter,
    NoticeKind,
    Told,
    event_marks,
)
from chalicelib.domain.workspace.rounds import (
    AT_LEAST,
    Stand,
    alternating,
    have_their_turn,
    longest_marked,
)
from chalicelib.domain.workspace.workspaces import Member, Workspace
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.limits.thread_pool import HelpedPool
from chalicelib.kit.limits.turns import Turns, ended_within
from chalicelib.services.operator.address_proofs import AddressQuestions
from chalicelib.services.operator.digests import Digests
from chalicelib.services.operator.engine_control import EngineStatus
from chalicelib.services.operator.export_letters import ExportLetters
from chalicelib.services.operator.matters import Matters
from chalicelib.services.operator.security_letters import SecurityLetters
from chalicelib.services.operator.ways import Errand, Way
from chalicelib.storage.workspace.members import MemberRepository
from chalicelib.storage.workspace.notices import NoticeRows
from chalicelib.storage.workspace.workspaces import WorkspaceRepository

_AT_ONCE = 8
"""So many workspaces, and so many members: whoever owns a push service says how long its answer
takes."""
_LOOKS_FOR = timedelta(seconds=20)
"""A round looks at no further workspace after this time: the rest comes first in the next."""
PATIENCE_S = 20.0
"""A round waits so long for a letter that its mail server looks through, which may take ten minutes
(RFC 5321, 4.5.3.2.6): its member is told nothing more by mail until then, and others are."""
FUNCTIONS_PATIENCE_S = 45.0
"""The threads of a function rest while it does not run, and `notify` ends after 55 seconds."""
_WAITS = (
    NoticeKind.REMINDER,
    NoticeKind.FAILED,
    NoticeKind.AT_RISK,
    NoticeKind.REVIEW,
    NoticeKind.COMMENT,
    NoticeKind.SIGN_IN,
)
_T = TypeVar("_T")
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnLetters:
    """Letters that are always sent, and only by mail."""

    questions: AddressQuestions
    security: SecurityLetters
    exports: ExportLetters


class IncompleteRoundError(Exception):
    """The members of a workspace could not be told; the log says why, and the next round tries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notices:
    """The notices of one deployment; `letters` is None where nothing mails."""

    workspaces: WorkspaceRepository
    members: MemberRepository
    matters: Matters
    engine_status: Callable[[], EngineStatus]
    letters: OwnLetters | None
    digests: Digests
    rows: NoticeRows
    ways: Sequence[Way]
    clock: Clock
    turns: Mapping[Channel, Turns] = field(
        default_factory=lambda: {one: Turns(_AT_ONCE, one) for one in Channel}
    )
    patience_s: float = PATIENCE_S

    def run(self) -> int:
        """Send everybody what is new; return how many letters and messages went out.

        Raises IncompleteRoundError, once the others are told, where a workspace failed: on a stage
        the alarm for errors of functions goes off.
        """
        ways = [way for way in self.ways if way.is_open]
        if not ways:
            return 0
        began, begun = self.clock(), list[Future[int | None]]()
        if self.letters is not None:
            begun += self.turns[Channel.MAIL].begin({"exports": self.letters.exports.tell})
        looked = self._look(partial(self._begin, ways, cache(self.engine_status)))
        begun += chain.from_iterable(some for some, _ in looked)
        left_s = self.patience_s - (self.clock() - began).total_seconds()
        told = ended_within(max(0.0, min(left_s, self.patience_s)), begun)
        if None in told or not all(is_whole for _, is_whole in looked):
            raise IncompleteRoundError
        return sum(filter(None, told))

    def _look(self, begin: Callable[[str], _T]) -> list[_T]:
        """Look for some seconds at the workspaces with news and at those that have their turn."""
        now, marks = self.clock(), self.workspaces.marks()
        turns = have_their_turn(list(marks), self.rows.stand(), now)
        order = dict.fromkeys(alternating(longest_marked(marks), turns))
        look = partial(self._look_at, begin, marks, now + _LOOKS_FOR)
        with HelpedPool(_AT_ONCE, name="notices") as several:
            looked = dict(zip(order, several.map(look, order), strict=True))
        had = list(takewhile(lambda one: looked[one] is not None, turns))
        if had and len(marks) > AT_LEAST:
            self.rows.note(Stand(at=now, last_id=had[-1]))
        return [one for one in looked.values() if one is not None]

    def _look_at(
        self,
        begin: Callable[[str], _T],
        marks: Mapping[str, str | None],
        until: datetime,
        workspace_id: str,
    ) -> _T | None:
        """Begin to tell a workspace's members; None after `until`."""
        if self.clock() > until:
            return None
        if (mark := marks[workspace_id]) is not None:
            self.workspaces.settle(workspace_id, mark)
        return begin(workspace_id)

    def _begin(
        self, ways: Sequence[Way], status: Callable[[], EngineStatus], workspace_id: str
    ) -> tuple[list["Future[int | None]"], bool]:
        """Begin to tell the members of a workspace; tell whether all of it could be begun.

        One where it fails does not keep the others, and is looked at in the next round again.
        """
        errands: dict[Channel, dict[str, list[Callable[[], bool]]]] = {one: {} for one in Channel}
        found = self._errands(ways, status, workspace_id)
        is_whole = True
        try:
            for channel, member, errand in found:
                errands[channel].setdefault(member.id, []).append(errand)
        except Exception:  # noqa: BLE001 - as `metrics` does: it is logged, and tried again
            self._try_again(workspace_id)
            is_whole = False
        begun = [
            self.turns[way.channel].begin(
                {
                    member_id: partial(self._carry_out, workspace_id, some)
                    for member_id, some in errands[way.channel].items()
                }
            )
            for way in ways
        ]
        return list(chain.from_iterable(begun)), is_whole

    def _errands(
        self, ways: Sequence[Way], status: Callable[[], EngineStatus], workspace_id: str
    ) -> Iterator[tuple[Channel, Member, Callable[[], bool]]]:
        workspace = self.workspaces.get(workspace_id)
        if workspace is None:  # gone by now
            return
        members = self.members.list(workspace.id)
        if self.letters is not None:
            for member, errand in _own_letters(self.letters, workspace, members):
                yield Channel.MAIL, member, errand
        matters = cache(partial(self.matters.find, workspace, members, status))
        for way in ways:
            reached = way.reaches(workspace, members)
            for member, errand in self._notices(way, workspace, reached, matters):
                yield way.channel, member, errand

    def _notices(
        self,
        way: Way,
        workspace: Workspace,
        members: Sequence[Member],
        matters: Callable[[NoticeKind], list[Matter]],
    ) -> Iterator[Errand]:
        """Yield how to send, by one channel, the kinds of notices that each member chose."""
        for kind in NoticeKind:
            readers = [member for member in members if kind in member.notices_for(way.channel)]
            if readers and kind is NoticeKind.DIGEST:
                yield from self.digests.letters(way, workspace, readers, partial(_waits, matters))
            elif readers:
                found = matters(kind)
                for one in readers:
                    yield one, partial(self._tell, way, one, workspace, kind, found)

    def _tell(
        self,
        way: Way,
        member: Member,
        workspace: Workspace,
        kind: NoticeKind,
        matters: Sequence[Matter],
    ) -> bool:
        """Send a member a notice, unless nothing is new or the last letter is too recent."""
        matters = [one for one in matters if one.concerns(member.id)]
        row, now = way.row_of(kind), self.clock()
        told = self.rows.read_told(workspace.id, member.id, row)
        known, new = event_marks(matter.id for matter in matters), told.new_of(matters)
        known |= self._unread_elsewhere(workspace, kind, told.marks - known)
        if not new:
            if known != told.marks:  # what is over is told again when it comes again
                self.rows.keep(workspace.id, member.id, row, Told(at=told.at, marks=known))
            return False
        if kind.waits_an_hour and not told.may_tell(now):
            return False
        if not way.tell(member, workspace, kind, new):
            return False
        self.rows.keep(workspace.id, member.id, row, Told(at=now, marks=known))
        return True

    def _carry_out(self, workspace_id: str, errands: Iterable[Callable[[], bool]]) -> int | None:
        """Tell a member one thing after another; return how many messages went out.

        Nobody may wait for it any more: a failure is logged here, and None is returned.
        """
        try:
            return sum(errand() for errand in errands)
        except Exception:  # noqa: BLE001 - the next round tries again
            self._try_again(workspace_id)
            return None

    def _try_again(self, workspace_id: str) -> None:
        facts = {"action": "notice.failed", "workspace_id": workspace_id}
        _LOG.exception("The members of a workspace could not be told.", extra=facts)
        self.workspaces.mark(workspace_id, self.clock())

    def _unread_elsewhere(
        self, workspace: Workspace, kind: NoticeKind, gone: frozenset[bytes]
    ) -> frozenset[bytes]:
        """Return the comments that are not over, only beyond the posts last spoken of."""
        if kind is not NoticeKind.COMMENT or not gone:
            return frozenset()
        return gone & event_marks(self.matters.comments.unread_ids(workspace.id))


def _own_letters(
    letters: OwnLetters, workspace: Workspace, members: Sequence[Member]
) -> Iterator[Errand]:
    """Yield what is mailed to members whatever they chose."""
    for member in members:
        if member.asked_email is not None:
            yield member, partial(letters.questions.ask, member, workspace)
    addressed = [member for member in members if member.email]
    yield from letters.security.letters(workspace, addressed)


def _waits(matters: Callable[[NoticeKind], list[Matter]], member: Member) -> list[Matter]:
    """Return what a morning's letter tells a member that waits."""
    kinds = [kind for kind in _WAITS if kind in member.notices_for(Channel.DIGEST)]
    return [one for kind in kinds for one in matters(kind) if one.concerns(member.id)]
