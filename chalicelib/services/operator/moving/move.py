"""A workspace's move, step by step; each step is safe to do again.

A mark on the old side stores how far the move is. Files are copied while the workspace works. Then
it is shut, its scheduled work is held, and its rows are copied until a pass finds both sides equal.
The next mark lets only the new side go on, and the rest is cleared on the old one.
"""

import time
from collections.abc import Callable
from dataclasses import field, replace
from datetime import datetime, timedelta
from secrets import token_hex

from chalicelib.domain.clock import Clock
from chalicelib.domain.ids import is_id
from chalicelib.domain.workspace.operator_errors import OperatorError, UnknownWorkspaceError
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.operator.moving.clearing import Clearing
from chalicelib.services.operator.moving.files import copy_files, copy_test_posts, test_accounts
from chalicelib.services.operator.moving.side import Side
from chalicelib.storage.moving.copies import RowCopies
from chalicelib.storage.moving.marks import Mark, MoveStep

LONGEST_REQUEST = timedelta(seconds=35)
"""Within this time the gateway ends any request that began before the workspace was shut."""
PATIENCE = timedelta(minutes=10)
"""How long posts that a platform is processing may finish here."""
_A_MOMENT_S = 1.0
_MOST_PASSES = 50


class SamePlaceError(OperatorError):
    """The workspace is there already. Name another stage or folder."""


class MovedAwayError(OperatorError):
    """The workspace has moved away from here."""


class OtherMoveError(OperatorError):
    """Another move of this workspace is not finished."""


class NotThereError(OperatorError):
    """The other side should have the workspace and does not: nothing was deleted here."""


class RestlessError(OperatorError):
    """The workspace's rows keep changing. Look with `engine status`, then run this again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Moves workspaces from one side to the other."""

    source: Side
    target: Side
    clock: Clock
    wait: Callable[[float], None] = time.sleep
    say: Callable[[str], None] = field(default=lambda _: None)

    def carry_out(self, workspace_id: str) -> None:
        """Move a workspace, or go on where an earlier run ended; nothing if it has moved there.

        Raises UnknownWorkspaceError, the errors above, and MoveTakenOverError.
        """
        mark = self._take(workspace_id)
        if mark.step is MoveStep.COPYING_FILES:
            mark = self._copy_while_open(mark)
        if mark.step is MoveStep.CLOSED:
            mark = self._copy_while_shut(mark)
        self._open_there(mark)
        self._clear(mark)

    def clear_restored(self, workspace_id: str) -> None:
        """Clear a workspace that was restored here from a backup older than its move.

        Raises NotThereError when the other side does not have it.
        """
        if not is_id(workspace_id):
            raise UnknownWorkspaceError
        if not self.target.doors.is_open(workspace_id):
            raise NotThereError
        found = self.source.rows.marks.find(workspace_id)
        mark = self._first_mark(workspace_id, MoveStep.GONE)
        self.source.rows.marks.take(mark, found)
        self._clear(mark)

    def _clear(self, mark: Mark) -> None:
        """Clear what is left here, or what a restore brought back."""
        self.say("Clearing what is left here.")
        self.source.doors.shut(mark)
        tests = test_accounts(self.source, mark.workspace_id)
        Clearing(self.source, leaves_keys=True).clear(mark, tests)
        self._advance(mark, MoveStep.CLEARED)

    def give_up(self, workspace_id: str) -> None:
        """Undo a move that has not reached the other side, and open the workspace here again.

        Raises OtherMoveError when there is none, or it is too late.
        """
        found = self.source.rows.marks.find(workspace_id)
        if found is None and self._is_copy_left(workspace_id):
            self._forget_copy(workspace_id)
            return
        if found is None or found.step not in (MoveStep.COPYING_FILES, MoveStep.CLOSED):
            raise OtherMoveError(
                "There is no move of this workspace that could be given up. One that has come to "
                "the other side is taken back by moving the workspace again, from there to here."
            )
        mark = replace(found, mover=token_hex(8))
        self.source.rows.marks.take(mark, found)
        refs = list(self.source.holds.release(mark))
        if self.source.doors.is_open(workspace_id):
            self.source.rows.marks.ending(mark).commit()
        else:
            self.source.doors.open(mark)
        self.source.queue.send_near(refs, now=self.clock())
        self._forget_copy(workspace_id)

    def _is_copy_left(self, workspace_id: str) -> bool:
        """Tell whether a move was given up while the other side could not be reached."""
        if not is_id(workspace_id) or not self.source.doors.is_open(workspace_id):
            return False
        there = self.target.rows.marks.find(workspace_id)
        return there is not None and there.place == self.source.identity

    def _forget_copy(self, workspace_id: str) -> None:
        there = self.target.rows.marks.find(workspace_id)
        if there is None or there.step is not MoveStep.ARRIVING:
            return
        mine = replace(there, mover=token_hex(8))
        self.target.rows.marks.take(mine, there)
        tests = test_accounts(self.source, workspace_id)  # the copy may have posts and no accounts
        Clearing(self.target, leaves_keys=False).clear(mine, tests)
        self.target.rows.marks.ending(mine).commit()

    def _take(self, workspace_id: str) -> Mark:
        """Begin the move, or take it over from an earlier run."""
        if self.source.identity == self.target.identity:
            raise SamePlaceError
        found = self.source.rows.marks.find(workspace_id) if is_id(workspace_id) else None
        mark = self._new(workspace_id) if found is None else _continue_mark(found, self.target)
        is_here = mark.step in (MoveStep.COPYING_FILES, MoveStep.CLOSED)
        if is_here:
            self._look_there(workspace_id)
        self.source.rows.marks.take(mark, found)
        if is_here:
            self.target.rows.marks.expect(self._arriving(mark))
        return mark

    def _new(self, workspace_id: str) -> Mark:
        if not is_id(workspace_id) or not self.source.doors.is_open(workspace_id):
            raise UnknownWorkspaceError
        return self._first_mark(workspace_id, MoveStep.COPYING_FILES)

    def _first_mark(self, workspace_id: str, step: MoveStep) -> Mark:
        return Mark(
            workspace_id=workspace_id,
            step=step,
            place=self.target.identity,
            mover=token_hex(8),
            since=self.clock(),
            address=self.target.address,
        )

    def _look_there(self, workspace_id: str) -> None:
        """Check that the other side has no such workspace, and no other move of it."""
        there = self.target.rows.marks.find(workspace_id)
        if there is not None and there.step not in (MoveStep.ARRIVING, MoveStep.CLEARED):
            raise OtherMoveError
        if self.target.doors.is_open(workspace_id):
            raise SamePlaceError

    def _arriving(self, mark: Mark) -> Mark:
        place, address = self.source.identity, None
        return replace(mark, step=MoveStep.ARRIVING, place=place, address=address)

    def _advance(self, mark: Mark, step: MoveStep) -> Mark:
        after = replace(mark, step=step, since=self.clock())
        self.source.rows.marks.advance(after)
        return after

    def _copy_while_open(self, mark: Mark) -> Mark:
        self.say("Copying files while the workspace works.")
        copy_files(self.source, self.target, mark.workspace_id)
        return self._advance(mark, MoveStep.CLOSED)

    def _copy_while_shut(self, mark: Mark) -> Mark:
        self.say("The workspace is shut: its keys are answered 503 until it has moved.")
        self.source.doors.shut(mark)
        if self.source.answers:
            self._wait_until(mark.since + LONGEST_REQUEST)
        self._hold(mark)
        copies = RowCopies(self.source.rows, self.target.rows)
        for _ in range(_MOST_PASSES):
            copy_files(self.source, self.target, mark.workspace_id)
            copy_test_posts(self.source, self.target, mark.workspace_id)
            copied = copies.copy(self._arriving(mark))
            self.say(f"Copied {copied} rows.")
            if not copied:
                return self._advance(mark, MoveStep.GONE)
        raise RestlessError

    def _hold(self, mark: Mark) -> None:
        """Hold what is scheduled, and let workers finish their present work."""
        patient_until = mark.since + PATIENCE
        while True:
            patient = self.clock() < patient_until
            done = self.source.holds.hold(mark, now=self.clock(), patient=patient)
            if not done.busy and not done.under_way:
                return
            self.say(f"{done.busy + done.under_way} posts are being sent; they finish here.")
            self.wait(_A_MOMENT_S)

    def _wait_until(self, at: datetime) -> None:
        while (left := at - self.clock()) > timedelta(0):
            self.wait(left.total_seconds())

    def _open_there(self, mark: Mark) -> None:
        """Let the other side go on, unless it does already."""
        there = self.target.rows.marks.find(mark.workspace_id)
        if there is not None and there.step is MoveStep.ARRIVING:
            arriving = self._arriving(mark)
            self.target.rows.marks.take(arriving, there)
            self.say("The other side goes on.")
            refs = list(self.target.holds.release(arriving))
            self.target.doors.open(arriving)
            self.target.queue.send_near(refs, now=self.clock())
        if not self.target.doors.is_open(mark.workspace_id):
            raise NotThereError


def where(mark: Mark) -> str:
    """Return a sentence about where a workspace is that is not open here."""
    match mark.step:
        case MoveStep.GONE | MoveStep.CLEARED:
            return f"The workspace has moved to {mark.place}. Its address is {mark.address}."
        case MoveStep.ARRIVING:
            return f"The workspace is arriving here from {mark.place}. Finish that move first."
        case MoveStep.COPYING_FILES | MoveStep.CLOSED:
            return f"The workspace is moving to {mark.place}. Finish that move, or use --give-up."


def _continue_mark(found: Mark, target: Side) -> Mark:
    """Return an earlier run's mark as this run's. Raises MovedAwayError, OtherMoveError."""
    if found.place == target.identity and found.step is not MoveStep.ARRIVING:
        return replace(found, mover=token_hex(8))
    raise MovedAwayError(where(found)) if found.has_left else OtherMoveError(where(found))
