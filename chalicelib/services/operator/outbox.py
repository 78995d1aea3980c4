"""Mails letters to members, and remembers what each member was sent so far.

`notices` and the kinds of letters that it sends share one; each remembers under a kind of its own.
"""

import logging
from dataclasses import field
from datetime import UTC, datetime

from chalicelib.domain.clock import Clock
from chalicelib.domain.workspace.notices import Letter, Mailer, NotMailed, Told
from chalicelib.domain.workspace.workspaces import Member
from chalicelib.kit.dataclass import dataclass
from chalicelib.storage.workspace.notices import NoticeRows

_LOG = logging.getLogger(__name__)
_ALL = ""
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outbox:
    """Sends letters; `url` is the app's address, which they link to.

    `rests` has until when an address that was refused is let alone, and under `_ALL` a server that
    refused a password, for as long as a process lives: whoever asks again every few seconds is
    taken for a sender of junk, or for one who guesses passwords.
    """

    rows: NoticeRows
    mailer: Mailer
    url: str
    clock: Clock
    rests: dict[str, datetime] = field(default_factory=dict)

    def send(self, letter: Letter, workspace_id: str, kind: str) -> bool:
        """Mail a letter; return whether it went out. If not, the next run writes it again."""
        facts = {"action": "notice", "workspace_id": workspace_id, "kind": kind}
        if self.clock() < max(self.rests.get(one, _LONG_AGO) for one in (letter.to, _ALL)):
            return False
        try:
            self.mailer.send(letter)
        except NotMailed as failure:
            now = self.clock()
            for address in [one for one, until in [*self.rests.items()] if until <= now]:
                self.rests.pop(address, None)
            self.rests[_ALL if failure.is_for_all else letter.to] = now + failure.rest
            _LOG.warning("A letter could not be mailed: %s", failure, extra=facts)
            return False
        _LOG.info("A letter was mailed.", extra=facts)
        return True

    def read_told(self, member: Member, kind: str) -> Told:
        """Return what a member was last sent of a kind, and when."""
        return self.rows.read_told(member.workspace_id, member.id, kind)

    def keep(self, member: Member, kind: str, told: Told) -> None:
        """Remember what a member was sent now."""
        self.rows.keep(member.workspace_id, member.id, kind, told)
