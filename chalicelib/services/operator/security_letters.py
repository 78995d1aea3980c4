"""Security letters: a new passkey, a new key, or a sign-in from a new place.

Every member with an address gets them, whatever notices they chose. `notices` sends them in its
run, about the activity of the last two days.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from chalicelib.domain.workspace.activity import TOLD, Activity, Deed
from chalicelib.domain.workspace.notices import Told, event_marks, security_letter
from chalicelib.domain.workspace.workspaces import Member, Workspace
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.operator.outbox import Outbox
from chalicelib.services.operator.ways import Errand
from chalicelib.services.workspace.activity import ActivityLog

_KIND: Final = "security"
"""What the letter is kept as, beside the kinds of notices."""
_BACK = timedelta(days=2)
_A_PAGE, _MOST = 100, 2_000
"""More than anybody does within the minute of a round: nothing is hidden behind the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SecurityLetters:
    """Letters about a member's own passkeys, keys and sign-ins."""

    activity: ActivityLog
    outbox: Outbox

    def letters(self, workspace: Workspace, members: Sequence[Member]) -> Iterator[Errand]:
        """Yield how to mail each member what is new in the member's activity."""
        if not members:
            return
        since = self.outbox.clock() - _BACK
        found = [one for one in self._lately(workspace.id, since) if one.deed in TOLD]
        for member in members:
            yield member, partial(self._tell, workspace, member, found)

    def _lately(self, workspace_id: str, since: datetime) -> list[Activity]:
        """Return what was done since then, newest first."""
        found: list[Activity] = []
        while len(found) < _MOST:
            before = found[-1].id if found else ""
            page = self.activity.rows.newest(workspace_id, _A_PAGE, before)
            found += page
            if len(page) < _A_PAGE or page[-1].at < since:
                break
        return [one for one in found if one.at >= since]

    def _tell(self, workspace: Workspace, member: Member, found: Sequence[Activity]) -> bool:
        since = member.email_at
        own = [
            one
            for one in found
            if one.member_id == member.id and (since is None or one.at >= since)
        ]
        told = self.outbox.read_told(member, _KIND) if own else Told()
        new = [one for one in reversed(own) if not told.knows(one.id)]
        if not new:
            return False
        sentences = [sentence_of(one) for one in new]
        written = security_letter(
            sentences, to=member.email or "", workspace=workspace.name, url=self.outbox.url
        )
        if not self.outbox.send(written, workspace.id, _KIND):
            return False
        known = event_marks(one.id for one in own)
        self.outbox.keep(member, _KIND, Told(at=self.outbox.clock(), marks=known))
        return True


def sentence_of(one: Activity) -> str:
    """Return the sentence about one entry."""
    where = f" from {one.client}" if one.client else ""
    when = f"{one.at:%Y-%m-%d %H:%M} UTC{where}"
    match one.deed:
        case Deed.PASSKEY_ADDED:
            return f"A passkey “{one.subject}” was added for you, {when}."
        case Deed.KEY_CREATED | Deed.KEY_ROTATED:
            return f"An API key “{one.subject}” that acts as you was made, {when}."
        case _:
            return f"Somebody signed in as you from a new place ({one.detail}), {when}."
