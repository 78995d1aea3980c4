"""Signing in by a link, and who a session makes the caller: read anew at every request.

The command line makes links, pages do the rest. A session is worth exactly its member's role at
this moment; a removed or signed-out member's session has ended (docs/app.md "Sessions and links").
"""

from dataclasses import dataclass, field

from chalicelib.domain.clock import Clock
from chalicelib.domain.ids import is_id
from chalicelib.domain.workspace.access import Caller, permissions
from chalicelib.domain.workspace.accounts import Account
from chalicelib.domain.workspace.operator_errors import UnknownMemberError
from chalicelib.domain.workspace.sessions import (
    LINK_LIFETIME,
    Link,
    LinkKind,
    Session,
    Token,
    new_token,
    read_token,
)
from chalicelib.domain.workspace.workspaces import Member, Workspace
from chalicelib.services.in_parallel import in_parallel
from chalicelib.storage.workspace.accounts import AccountRepository
from chalicelib.storage.workspace.keys import MEMBERS
from chalicelib.storage.workspace.members import MemberRepository
from chalicelib.storage.workspace.owner_index import OwnerIndex, home
from chalicelib.storage.workspace.sessions import LinkRepository, SessionRepository

_ID_LENGTH = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn:
    """Who is signed in, with what every page shows; `form_token` belongs into every form."""

    caller: Caller
    workspace: Workspace
    accounts: list[Account]
    form_token: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sessions:
    """Sign-in links and sessions of all members."""

    sessions: SessionRepository
    links: LinkRepository
    members: MemberRepository
    accounts: AccountRepository
    index: OwnerIndex
    clock: Clock

    def make_link(self, member_id: str) -> str:
        """Return a token that signs the member in once, within 15 minutes.

        Raises UnknownMemberError.
        """
        workspace_id = home(self.index, MEMBERS, member_id, UnknownMemberError)
        member = self.members.get(workspace_id, member_id)
        token, now = new_token(workspace_id), self.clock()
        link = Link(
            hash=token.hash,
            kind=LinkKind.SIGN_IN,
            workspace_id=workspace_id,
            made_by="operator",
            created_at=now,
            expires_at=now + LINK_LIFETIME,
            subject=member.id,
        )
        self.links.add(link)
        return str(token)

    def redeem(self, text: str) -> str | None:
        """Use a sign-in link up; return the cookie of a new session, None if it no longer works."""
        token = read_token(text)
        if token is None:
            return None
        known = self.links.find(token.workspace_id, token.hash)
        if known is None or known.kind is not LinkKind.SIGN_IN:
            return None
        link = self.links.take(token.workspace_id, token.hash)
        if link is None or self.clock() >= link.expires_at:
            return None
        try:
            member = self.members.get(link.workspace_id, link.subject)
        except UnknownMemberError:
            return None
        if member.signed_out_at is not None and link.created_at <= member.signed_out_at:
            return None
        return self._begin(member)

    def _begin(self, member: Member) -> str:
        token, now = new_token(member.workspace_id), self.clock()
        session = Session(
            hash=token.hash,
            workspace_id=member.workspace_id,
            member_id=member.id,
            created_at=now,
            seen_at=now,
        )
        self.sessions.add(session)
        return f"{member.id}{token}"

    def read(self, cookie: str | None) -> SignedIn | None:
        """Return who a cookie signs in right now: two reads side by side."""
        found = _parts(cookie)
        if found is None:
            return None
        member_id, token = found
        stored, accounts = in_parallel(
            lambda: self.sessions.read(token.workspace_id, member_id, token.hash),
            lambda: self.accounts.list(token.workspace_id),
        )
        if stored is None:
            return None
        session, member, workspace = stored
        now = self.clock()
        if session.member_id != member_id or session.is_over(now) or _is_out(session, member):
            return None
        if session.is_due(now):
            self.sessions.note_use(session, now)
        caller = _caller(session, member, workspace, accounts)
        return SignedIn(
            caller=caller, workspace=workspace, accounts=accounts, form_token=token.form_token
        )

    def end(self, cookie: str | None) -> None:
        """End the session of a cookie, if it is one."""
        found = _parts(cookie)
        if found is not None:
            self.sessions.end(found[1].workspace_id, found[1].hash)

    def sign_out(self, member_id: str) -> Member:
        """End every session and sign-in link of a member at once. Raises UnknownMemberError."""
        workspace_id = home(self.index, MEMBERS, member_id, UnknownMemberError)
        return self.members.sign_out(workspace_id, member_id, self.clock())


def _parts(cookie: str | None) -> tuple[str, Token] | None:
    text = cookie or ""
    member_id, token = text[:_ID_LENGTH], read_token(text[_ID_LENGTH:])
    return None if token is None or not is_id(member_id) else (member_id, token)


def _is_out(session: Session, member: Member) -> bool:
    if member.removed_at is not None:
        return True
    return member.signed_out_at is not None and session.created_at <= member.signed_out_at


def _caller(
    session: Session, member: Member, workspace: Workspace, accounts: list[Account]
) -> Caller:
    return Caller(
        workspace_id=workspace.id,
        member_id=member.id,
        member_name=member.name,
        role=member.role,
        scopes=permissions(member.role),
        key_id=f"session:{session.hash[:8]}",
        plan=workspace.plan,
        trial_ends_at=workspace.trial_ends_at,
        workspace_created_at=workspace.created_at,
        timezone=workspace.timezone,
        member_timezone=member.timezone,
        approvals=workspace.approvals,
        accounts={account.id: account.audience_regions for account in accounts},
        raised_storage=workspace.raised_storage,
    )
