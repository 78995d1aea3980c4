"""Who is signed in: the person of a session, and the caller that it makes in one workspace."""

import hmac
from dataclasses import field
from secrets import token_bytes

from chalicelib.domain.workspace.access import Caller
from chalicelib.domain.workspace.accounts import Account
from chalicelib.domain.workspace.persons import Membership, Person
from chalicelib.domain.workspace.session_cookies import (
    MASK_BYTES,
    SessionCookie,
    claimed_workspace,
    mask_token,
    unmask_token,
)
from chalicelib.domain.workspace.sessions import Session, hash_of_secret
from chalicelib.domain.workspace.workspaces import Member, Workspace
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.workspace.acting import member_caller


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn:
    """Who is signed in, with what every page shows."""

    caller: Caller
    person: Person
    member: Member
    workspace: Workspace
    accounts: list[Account]
    session: Session
    cookie: SessionCookie = field(repr=False)
    mask: bytes = field(default_factory=lambda: token_bytes(MASK_BYTES), repr=False)

    @property
    def form_token(self) -> str:
        """Return what belongs into every form of this page."""
        return mask_token(self.cookie.form_token, self.mask)

    def workspace_of_form(self, sent: str) -> str | None:
        """Return in which workspace this session opened a form, None if it opened no such form."""
        former, token = self.session.former_form, unmask_token(sent)
        if former and hmac.compare_digest(hash_of_secret(token), former):
            return claimed_workspace(token)
        return self.cookie.workspace_of_form(token)

    @property
    def elsewhere(self) -> list[Membership]:
        """Return the person's other workspaces."""
        return [one for one in self.person.memberships if one.workspace_id != self.workspace.id]

    @property
    def lacks_passkey(self) -> bool:
        """Tell whether the workspace asks for a passkey, and links alone began the session."""
        return self.workspace.passkeys_only and self.session.reach is not None

    @property
    def is_whole_person(self) -> bool:
        """Tell whether the session opens every workspace of the person, and may change it."""
        return self.person.is_in_all(self.session.reach)


@dataclass(frozen=True, slots=True, kw_only=True)
class Present:
    """The person of a browser, wherever its cookie leads."""

    person: Person
    session: Session

    @property
    def open_workspaces(self) -> list[Membership]:
        """Return the workspaces that the session opens."""
        return [one for one in self.person.memberships if self.session.opens(one.workspace_id)]


def caller_of(
    session: Session,
    member: Member,
    workspace: Workspace,
    accounts: list[Account],
    client: str,
) -> Caller:
    """Return the caller that a session is right now."""
    key_id = f"session:{session.hash[:8]}"
    return member_caller(member, workspace, accounts, key_id=key_id, client=client)
