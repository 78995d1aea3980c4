"""Sign-in links: they sign a member in, or let somebody who is signed in join as that member.

A link for a member without a person is an invitation: whoever opens it becomes that member, as a
new person or as the person who is signed in to this browser. Two persons are never merged: a member
who has a person keeps it. The command line and the app make the links; pages use them.
"""

from datetime import datetime

from chalicelib.domain.clock import Clock
from chalicelib.domain.workspace.access import manages
from chalicelib.domain.workspace.activity import OPERATOR, Actor, ActorKind, Deed
from chalicelib.domain.workspace.operator_errors import OperatorError, UnknownMemberError
from chalicelib.domain.workspace.persons import Membership, Person
from chalicelib.domain.workspace.sessions import (
    LINK_LIFETIME,
    Link,
    LinkKind,
    new_token,
    read_token,
    with_workspace,
)
from chalicelib.domain.workspace.workspaces import Member
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.app.sessions import Sessions
from chalicelib.services.workspace.activity import ActivityLog
from chalicelib.storage.sign_in.former_people import FormerPeople
from chalicelib.storage.sign_in.links import LinkRepository
from chalicelib.storage.workspace.items import MEMBERS
from chalicelib.storage.workspace.members import MemberRepository
from chalicelib.storage.workspace.owner_index import OwnerIndex, home
from chalicelib.storage.workspace.persons import PersonRepository
from chalicelib.storage.workspace.workspaces import WorkspaceRepository


class OthersInvitationError(OperatorError):
    """This link is for another person than you. Ask for an invitation of your own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Invited:
    """Whom a sign-in link signs in, and where.

    `joins_as` is the person signed in to this browser, if they may become the member.
    `is_member_already` tells that this person is in the workspace as another member, `replaces`
    that the link signs out somebody else who is signed in here.
    """

    member_name: str
    workspace_name: str
    replaces: bool = False
    joins_as: Person | None = None
    is_member_already: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInLinks:
    """Sign-in links of all members."""

    sessions: Sessions
    links: LinkRepository
    members: MemberRepository
    persons: PersonRepository
    former: FormerPeople
    workspaces: WorkspaceRepository
    index: OwnerIndex
    activity: ActivityLog
    clock: Clock

    def make(self, member_id: str, *, made_by: str = "operator", by: Actor = OPERATOR) -> str:
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
            maker_id=by.id or None,
            created_at=now,
            expires_at=now + LINK_LIFETIME,
            subject=member.id,
        )
        self.links.add(link)
        self.activity.note(
            workspace_id, Deed.MEMBER_INVITED, by, subject_id=member.id, subject=member.name
        )
        return str(token)

    def find_invited(self, text: str, cookie: str | None = None) -> Invited | None:
        """Return whom a sign-in link signs in, without using it; None if it no longer works."""
        member = self._member_of(self.links.open(text, LinkKind.SIGN_IN, self.clock()))
        workspace = None if member is None else self.workspaces.get(member.workspace_id)
        if member is None or workspace is None:
            return None
        present = self.sessions.present(cookie)
        is_nobody = present is not None and not self._is_somebody(member)
        is_in = present is not None and present.person.membership_in(workspace.id) is not None
        return Invited(
            member_name=member.name,
            workspace_name=workspace.name,
            replaces=present is not None and present.person.id != member.person_id,
            joins_as=present.person if present is not None and is_nobody and not is_in else None,
            is_member_already=is_nobody and is_in,
        )

    def redeem(
        self, text: str, *, cookie: str | None = None, device: str = "", client: str = ""
    ) -> str | None:
        """Use a sign-in link up; return the cookie of a new session, None if it no longer works.

        If the same person is signed in already, the new session also opens what the old one did.
        """
        member = self._use_up(text)
        if member is None:
            self._note_refusal(text, client)
            return None
        now, present = self.clock(), self.sessions.present(cookie)
        person = self.former.take_over(member.workspace_id, member.id, now)
        is_same = present is not None and present.person.id == person.id
        before = present.session if present is not None and is_same else None
        return self.sessions.begin(
            person,
            _membership(member, now),
            reach=with_workspace(before, member.workspace_id),
            proven_in=member.workspace_id,
            device=device,
            client=client,
        )

    def join(self, text: str, *, cookie: str | None, client: str = "") -> str | None:
        """Give an invitation's member to the person who is signed in to this browser.

        Returns the session's cookie, which leads to the workspace; None if the link no longer works
        or nobody is signed in here. Raises OthersInvitationError, AlreadyMemberError,
        TooManyWorkspacesError.
        """
        known = self._member_of(self.links.open(text, LinkKind.SIGN_IN, self.clock()))
        present = self.sessions.present(cookie)
        if known is None or present is None:
            self._note_refusal(text, client)
            return None
        membership = _membership(known, self.clock())
        present.person.joins(membership)
        if self._is_somebody(known):
            raise OthersInvitationError
        if self._use_up(text) is None:
            return None
        person = self.persons.join(known.workspace_id, known.id, present.person.id, self.clock())
        if person.id != present.person.id:
            raise OthersInvitationError
        return self.sessions.widen(cookie, present, membership, client=client)

    def _note_refusal(self, text: str, client: str) -> None:
        """Note in the workspace's activity that a sign-in link was refused."""
        token = read_token(text)
        if token is not None:
            why = "a sign-in link that was used, ended or never made"
            somebody = Actor(kind=ActorKind.NOBODY, client=client)
            self.activity.note_refusal(token.workspace_id, somebody, why=why)

    def _use_up(self, text: str) -> Member | None:
        """Use a link up; return whom it signs in, None if it is invalid or was used just now."""
        known = self.links.open(text, LinkKind.SIGN_IN, self.clock())
        if known is None or self._member_of(known) is None:
            return None
        return self._member_of(self.links.take(known.workspace_id, known.hash))

    def _is_somebody(self, member: Member) -> bool:
        """Tell whether the member has a person already."""
        if member.person_id is not None:
            return True
        return self.former.has_any(member.workspace_id, member.id)

    def _member_of(self, link: Link | None) -> Member | None:
        """Return whom a link signs in, None if it signs in nobody now."""
        if link is None:
            return None
        member = self.members.find(link.workspace_id, link.subject)
        if member is None:
            return None
        person = None if member.person_id is None else self.persons.find(member.person_id)
        outs = [member.signed_out_at, None if person is None else person.signed_out_at]
        is_out = any(out is not None and link.created_at <= out for out in outs)
        return None if is_out or not self._is_backed(link, member) else member

    def _is_backed(self, link: Link, member: Member) -> bool:
        """Tell whether the maker of a link may still make it; operators always may."""
        if link.maker_id is None:
            return True
        maker = self.members.find(link.workspace_id, link.maker_id)
        return maker is not None and manages(maker.role, member.role)


def _membership(member: Member, now: datetime) -> Membership:
    return Membership(
        workspace_id=member.workspace_id, member_id=member.id, workspace_name="", since=now
    )
