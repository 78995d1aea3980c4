"""Confirms a member's new e-mail address: a link is sent there, and nothing else until it is used.

`notices` sends it with the letters of each run, at most once an hour for a member. Whoever presses
the button on the link's page has read what was sent to the address.
"""

from datetime import timedelta
from typing import Final

from chalicelib.domain.clock import Clock
from chalicelib.domain.workspace.notices import Told, event_marks, proof_letter
from chalicelib.domain.workspace.sessions import Link, LinkKind, new_token
from chalicelib.domain.workspace.workspaces import Member, Workspace
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.operator.outbox import Outbox
from chalicelib.storage.sign_in.links import LinkRepository
from chalicelib.storage.workspace.members import MemberRepository

PROOF_LIFETIME = timedelta(days=1)
_ASKED: Final = "address"
"""What the letter is kept as, beside the kinds of notices."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressQuestions:
    """Letters that ask to confirm an address."""

    links: LinkRepository
    outbox: Outbox

    def ask(self, member: Member, workspace: Workspace) -> bool:
        """Send a link to a member's new address, if none was sent yet; return whether it was."""
        address, now = member.asked_email, self.outbox.clock()
        if address is None or member.asked_at is None:
            return False
        told = self.outbox.read_told(member, _ASKED)
        asked = f"{address} {member.asked_at.isoformat()}"
        if told.knows(asked) or not told.may_tell(now):
            return False
        token = new_token(workspace.id)
        link = f"{self.outbox.url}/app/address/{token}"
        letter = proof_letter(to=address, member=member.name, workspace=workspace.name, link=link)
        if not self.outbox.send(letter, workspace.id, _ASKED):
            return False
        self.links.add(
            Link(
                hash=token.hash,
                kind=LinkKind.ADDRESS,
                workspace_id=workspace.id,
                made_by=member.name,
                maker_id=member.id,
                created_at=now,
                expires_at=now + PROOF_LIFETIME,
                subject=member.id,
                address=address,
            )
        )
        self.outbox.keep(member, _ASKED, Told(at=now, marks=event_marks({asked})))
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressProofs:
    """Links that were sent to addresses."""

    links: LinkRepository
    members: MemberRepository
    clock: Clock

    def find(self, text: str) -> Link | None:
        """Return the link with a token, without using it, while its address is still asked for."""
        link = self.links.open(text, LinkKind.ADDRESS, self.clock())
        if link is None:
            return None
        member = self.members.find(link.workspace_id, link.subject)
        return link if member is not None and member.asked_email == link.address else None

    def prove(self, text: str) -> Member | None:
        """Use a link up, and its address from now on; None if the link is no longer valid."""
        link = self.find(text)
        if link is None or self.links.take(link.workspace_id, link.hash) is None:
            return None
        return self.members.prove_address(
            link.workspace_id, link.subject, link.address or "", self.clock()
        )
