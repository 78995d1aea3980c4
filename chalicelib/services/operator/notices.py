"""Sends members notices by mail and to browsers: of failed posts, posts to make, reviews and more.

`app.py` `notify` runs it every minute, the local stack every few seconds; without a mail server and
without a browser to notify it ends at once. It asks `matters` for the present state and sends what
is new since the last notice, so that nothing is lost while nothing can be sent, and nothing is sent
twice.
"""

import logging
from collections.abc import Callable, Sequence
from functools import cache, partial

from chalicelib.domain.clock import Clock
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
from chalicelib.services.operator.digests import Digests
from chalicelib.services.operator.engine_control import EngineStatus
from chalicelib.services.operator.export_letters import ExportLetters
from chalicelib.services.operator.matters import Matters
from chalicelib.services.operator.security_letters import SecurityLetters
from chalicelib.services.operator.ways import Way
from chalicelib.storage.workspace.members import MemberRepository
from chalicelib.storage.workspace.notices import NoticeRows
from chalicelib.storage.workspace.workspaces import WorkspaceRepository

_AT_ONCE = 8
"""So many workspaces: whoever owns a push service says how long its answer takes."""
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

    def run(self) -> int:
        """Send everybody what is new; return how many letters and messages went out.

        Raises IncompleteRoundError, once the others are told, where a workspace failed: on a stage
        the alarm for errors of functions goes off.
        """
        ways = [way for way in self.ways if way.is_open]
        if not ways:
            return 0
        sent = 0 if self.letters is None else self.letters.exports.tell()
        tell = partial(self._tell_if_possible, ways, cache(self.engine_status))
        with HelpedPool(_AT_ONCE, name="notices") as several:
            told = list(several.map(tell, self.workspaces.list()))
        if None in told:
            raise IncompleteRoundError
        return sent + sum(filter(None, told))

    def _tell_if_possible(
        self, ways: Sequence[Way], status: Callable[[], EngineStatus], workspace: Workspace
    ) -> int | None:
        """Tell the members of a workspace; None where it fails, which does not keep the others."""
        try:
            return self._tell_members(ways, status, workspace)
        except Exception:  # noqa: BLE001 - as `metrics` does: it is logged, and tried again
            facts = {"action": "notice.failed", "workspace_id": workspace.id}
            _LOG.exception("The members of a workspace could not be told.", extra=facts)
            return None

    def _tell_members(
        self, ways: Sequence[Way], status: Callable[[], EngineStatus], workspace: Workspace
    ) -> int:
        sent, members = 0, self.members.list(workspace.id)
        if self.letters is not None:
            sent += sum(self.letters.questions.ask(one, workspace) for one in members)
            addressed = [member for member in members if member.email]
            sent += self.letters.security.tell(workspace, addressed)
        matters = cache(partial(self.matters.find, workspace, members, status))
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
        """Send, by one channel, the kinds of notices that each member chose."""
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
        """Send a member a notice, unless nothing is new or the last letter is too recent."""
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
        return gone & self.matters.comments.unread_ids(workspace.id)


def _waits(matters: Callable[[NoticeKind], list[Matter]], member: Member) -> list[Matter]:
    """Return what a morning's letter tells a member that waits."""
    kinds = [kind for kind in _WAITS if kind in member.notices_for(Channel.DIGEST)]
    return [one for kind in kinds for one in matters(kind) if one.concerns(member.id)]
