"""Where letters to members leave: what mails them, and what each member was told so far.

`notices` and what it asks for letters share one; each keeps what it told under its own kind.
"""

import logging

from chalicelib.domain.clock import Clock
from chalicelib.domain.workspace.notices import Letter, Mailer, NotMailed, Told
from chalicelib.domain.workspace.workspaces import Member
from chalicelib.kit.dataclass import dataclass
from chalicelib.storage.workspace.notices import NoticeRows

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outbox:
    """Sends letters; `url` is the app's address, which they link to."""

    rows: NoticeRows
    mailer: Mailer
    url: str
    clock: Clock

    def send(self, letter: Letter, workspace_id: str, kind: str) -> bool:
        """Tell whether a letter went out; one that did not is written anew at the next run."""
        facts = {"action": "notice", "workspace_id": workspace_id, "kind": kind}
        try:
            self.mailer.send(letter)
        except NotMailed as failure:
            _LOG.warning("A letter could not be mailed: %s", failure, extra=facts)
            return False
        _LOG.info("A letter was mailed.", extra=facts)
        return True

    def read_told(self, member: Member, kind: str) -> Told:
        """Return what a member was told of a kind, and when."""
        return self.rows.read_told(member.workspace_id, member.id, kind)

    def keep(self, member: Member, kind: str, told: Told) -> None:
        """Keep what a member knows now."""
        self.rows.keep(member.workspace_id, member.id, kind, told)
