"""Signing in by a link, and who a session makes the caller: read anew at every request.

The command line makes links, pages do the rest. A session is worth exactly its member's role at
this moment; a removed or signed-out member's session has ended (docs/app.md "Sessions and links").
"""

from dataclasses import field

from chalicelib.domain.clock import Clock
from chalicelib.domain.ids import is_id
from chalicelib.domain.workspace.access import Caller, Scope
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
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.in_parallel import in_parallel
from chalicelib.storage.sign_in.links import LinkRepository
from chalicelib.storage.sign_in.sessions import SessionRepository
from chalicelib.storage.workspace.accounts import AccountRepository
from chalicelib.storage.workspace.items import MEMBERS
from chalicelib.storage.workspace.members import MemberRepository
from chalicelib.storage.workspace.owner_index import OwnerIndex, home
from chalicelib.storage.workspace.workspaces import WorkspaceRepository

_ID_LENGTH = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn:
    """Who is signed in, with what every page shows; `form_token` belongs into every form."""

    caller: Caller
    workspace: Workspace
    accounts: list[Account]
    form_token: str = field(repr=False)
    session: Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Invited:
    """Whom a sign-in link signs in, and where."""

    member_name: str
    workspace_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sessions:
    """Sign-in links and sessions of all members."""

    sessions: SessionRepository
    links: LinkRepository
    members: MemberRepository
    workspaces: WorkspaceRepository
    accounts: AccountRepository
    index: OwnerIndex
    clock: Clock

    def make_link(self, member_id: str, *, made_by: str = "operator") -> str:
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
            made_by=made_by,
            created_at=now,
            expires_at=now + LINK_LIFETIME,
            subject=member.id,
        )
        self.links.add(link)
        return str(token)

    def find_invited(self, text: str) -> Invited | None:
        """Return whom a sign-in link signs in where, None if it no longer works; uses it not."""
        member = self._member_of(self.links.open(text, LinkKind.SIGN_IN, self.clock()))
        workspace = None if member is None else self.workspaces.get(member.workspace_id)
        if member is None or workspace is None:
            return None
        return Invited(member_name=member.name, workspace_name=workspace.name)

    def redeem(self, text: str, *, device: str = "") -> str | None:
        """Use a sign-in link up; return the cookie of a new session, None if it no longer works."""
        known = self.links.open(text, LinkKind.SIGN_IN, self.clock())
        if known is None or self._member_of(known) is None:
            return None
        member = self._member_of(self.links.take(known.workspace_id, known.hash))
        return None if member is None else self.begin(member, device=device)

    def _member_of(self, link: Link | None) -> Member | None:
        """Return whom a link signs in right now."""
        if link is None:
            return None
        try:
            member = self.members.get(link.workspace_id, link.subject)
        except UnknownMemberError:
            return None
        is_out = member.signed_out_at is not None and link.created_at <= member.signed_out_at
        return None if is_out or member.removed_at is not None else member

    def begin(self, member: Member, *, device: str = "") -> str:
        """Begin a session of a member; return its cookie."""
        token, now = new_token(member.workspace_id), self.clock()
        session = Session(
            hash=token.hash,
            workspace_id=member.workspace_id,
            member_id=member.id,
            created_at=now,
            seen_at=now,
            device=device,
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
            caller=caller,
            workspace=workspace,
            accounts=accounts,
            form_token=token.form_token,
            session=session,
        )

    def of(self, caller: Caller) -> list[Session]:
        """Return the caller's sessions that still open something, the last used first."""
        now = self.clock()
        found = self.sessions.list(caller.workspace_id, caller.member_id)
        return [session for session in found if not session.is_over(now)]

    def end_one(self, caller: Caller, session_hash: str) -> None:
        """End one of the caller's sessions."""
        if session_hash in {session.hash for session in self.of(caller)}:
            self.sessions.end(caller.workspace_id, session_hash)

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
        scopes=frozenset(Scope),
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
