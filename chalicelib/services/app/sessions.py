"""Sessions: which member a cookie signs in, in which workspace; read again at every request.

A session may do what its member's role allows at this moment. A removed member's session ends in
that workspace, a signed-out person's in every one (docs/app.md "Sessions and links").
"""

from dataclasses import replace

from chalicelib.domain.clock import Clock
from chalicelib.domain.error_kinds import Forbidden, NotFound
from chalicelib.domain.workspace.activity import OPERATOR, Actor, ActorKind, Deed
from chalicelib.domain.workspace.operator_errors import UnknownMemberError
from chalicelib.domain.workspace.persons import Membership, Person
from chalicelib.domain.workspace.places import place_of
from chalicelib.domain.workspace.session_cookies import SessionCookie, read_session_cookie
from chalicelib.domain.workspace.sessions import (
    Session,
    hash_of_secret,
    new_secret,
    with_workspace,
)
from chalicelib.domain.workspace.workspaces import Member
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.app.signed_in import Present, SignedIn, caller_of
from chalicelib.services.in_parallel import in_parallel
from chalicelib.services.workspace.activity import ActivityLog
from chalicelib.storage.sign_in.former_people import FormerPeople
from chalicelib.storage.sign_in.sessions import Found, SessionRepository
from chalicelib.storage.workspace.accounts import AccountRepository
from chalicelib.storage.workspace.items import MEMBERS
from chalicelib.storage.workspace.members import MemberRepository
from chalicelib.storage.workspace.owner_index import OwnerIndex, home
from chalicelib.storage.workspace.persons import PersonRepository


class WorkspaceClosed(Forbidden):
    """A link of another workspace signed you in. Use a passkey, or a link of this workspace."""

    code = "workspace_closed"


class SessionEnded(Forbidden):
    """Your session ended meanwhile, or was confirmed in another tab. Open the page again."""

    code = "session_ended"


class NotYourWorkspace(NotFound):
    """You are not in this workspace. You may have been removed from it."""

    code = "not_your_workspace"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sessions:
    """Sessions of all persons."""

    sessions: SessionRepository
    persons: PersonRepository
    former: FormerPeople
    members: MemberRepository
    accounts: AccountRepository
    index: OwnerIndex
    activity: ActivityLog
    clock: Clock

    def begin(
        self,
        person: Person,
        membership: Membership,
        *,
        reach: frozenset[str] | None,
        proven_in: str | None = None,
        device: str = "",
        client: str = "",
    ) -> str:
        """Begin a session of a person; return its cookie, which opens one workspace."""
        secret, now = new_secret(), self.clock()
        cookie = SessionCookie(
            person_id=person.id,
            member_id=membership.member_id,
            workspace_id=membership.workspace_id,
            secret=secret,
        )
        session = Session(
            hash=cookie.hash,
            person_id=person.id,
            created_at=now,
            seen_at=now,
            device=device,
            reach=reach,
            proven_at=now,
            proven_in=proven_in,
        )
        self.sessions.add(session)
        deed = self._came(person, place_of(client, device))
        self._note(membership, deed, client, _how(session))
        return str(cookie)

    def _came(self, person: Person, place: str) -> Deed:
        """Keep where somebody signed in from; return whether that place is new to the person.

        A person's very first place does not count as new.
        """
        if not place or place in person.places:
            return Deed.SIGNED_IN
        self.persons.change(person.id, lambda now, _: now.comes_from(place))
        return Deed.SIGNED_IN_ELSEWHERE if person.places else Deed.SIGNED_IN

    def prove(self, who: SignedIn) -> str:
        """Let a session open all workspaces of its person, who has just used a passkey in it.

        Returns its new cookie; the old one is no longer valid. Raises SessionEnded.
        """
        return str(self._anew(who.cookie, who.session, reach=None, proven_in=None))

    def _anew(
        self,
        cookie: SessionCookie,
        session: Session,
        *,
        reach: frozenset[str] | None,
        proven_in: str | None,
    ) -> SessionCookie:
        """Give a session a new secret, because its person was confirmed again."""
        made = replace(cookie, secret=new_secret())
        proven = replace(
            session,
            hash=made.hash,
            reach=reach,
            proven_at=self.clock(),
            proven_in=proven_in,
            former_form=hash_of_secret(cookie.form_token),
        )
        if not self.sessions.replace(session, proven):
            raise SessionEnded
        return made

    def widen(
        self, text: str | None, present: Present, membership: Membership, *, client: str = ""
    ) -> str:
        """Let a session open a link's workspace too; return its new cookie, which opens that one.

        Raises SessionEnded.
        """
        cookie, workspace_id = read_session_cookie(text), membership.workspace_id
        if cookie is None:
            raise NotYourWorkspace
        reach = with_workspace(present.session, workspace_id)
        made = self._anew(cookie, present.session, reach=reach, proven_in=workspace_id)
        self._note(membership, Deed.SIGNED_IN, client, "joined by an invitation")
        return str(made.switch_to(membership))

    def read(self, text: str | None, *, client: str = "") -> SignedIn | None:
        """Return whom a cookie signs in now. It makes two reads at the same time."""
        cookie = read_session_cookie(text)
        if cookie is None:
            return None
        found, accounts = in_parallel(
            lambda: self._find(cookie),
            lambda: self.accounts.list(cookie.workspace_id),
        )
        present, member, workspace = self._present(found), found.member, found.workspace
        if present is None or member is None or workspace is None:
            return None
        membership = present.person.membership_in(workspace.id)
        if membership is None or membership.member_id != member.id:
            return None
        if member.removed_at is not None or not present.session.opens(workspace.id):
            return None
        if present.session.is_due(self.clock()):
            self.sessions.note_use(present.session, self.clock())
        return SignedIn(
            caller=caller_of(present.session, member, workspace, accounts, client),
            person=present.person,
            member=member,
            workspace=workspace,
            accounts=accounts,
            session=present.session,
            cookie=cookie,
        )

    def present(self, text: str | None) -> Present | None:
        """Return the person of a cookie, whether or not its workspace can still be opened."""
        cookie = read_session_cookie(text)
        return None if cookie is None else self._present(self._find(cookie))

    def _find(self, cookie: SessionCookie) -> Found:
        """Read what a cookie names; a cookie from before there were persons is converted."""
        found = self.sessions.read(cookie)
        if found.session is not None or not cookie.is_former or found.member is None:
            return found
        if found.member.removed_at is not None or not self.former.has_any(
            cookie.workspace_id, cookie.member_id
        ):
            return found
        try:
            self.former.take_over(cookie.workspace_id, cookie.member_id, self.clock())
        except UnknownMemberError:
            return found
        return self.sessions.read(cookie)

    def _present(self, found: Found) -> Present | None:
        session, person = found.session, found.person
        if session is None or person is None:
            return None
        is_live = session.is_live(person.signed_out_at, self.clock())
        return Present(person=person, session=session) if is_live else None

    def switch(self, text: str | None, workspace_id: str, *, client: str = "") -> str:
        """Return the cookie with which the same session opens another workspace of its person.

        Raises NotYourWorkspace, WorkspaceClosed.
        """
        cookie, present = read_session_cookie(text), self.present(text)
        membership = None if present is None else present.person.membership_in(workspace_id)
        if cookie is None or present is None or membership is None:
            raise NotYourWorkspace
        if not present.session.opens(workspace_id):
            raise WorkspaceClosed
        self._note(membership, Deed.SIGNED_IN, client, "switched from another workspace")
        return str(cookie.switch_to(membership))

    def _note(self, membership: Membership, deed: Deed, client: str, detail: str = "") -> None:
        by = self._actor(membership, client)
        self.activity.note(
            membership.workspace_id, deed, by, detail=detail, member_id=membership.member_id
        )

    def _actor(self, membership: Membership, client: str) -> Actor:
        """Return a member as the actor of an entry, under their present name."""
        member = self.members.find(membership.workspace_id, membership.member_id)
        name = "" if member is None else member.name
        return Actor(kind=ActorKind.MEMBER, id=membership.member_id, name=name, client=client)

    def of(self, who: SignedIn) -> list[Session]:
        """Return the person's sessions that are still valid, the last used first."""
        now, out = self.clock(), who.person.signed_out_at
        found = self.sessions.list(who.person.id)
        live = [one for one in found if one.is_live(out, now)]
        return [one for one in live if who.is_whole_person or one.hash == who.session.hash]

    def end_one(self, who: SignedIn, session_hash: str) -> None:
        """End one of the person's sessions."""
        if session_hash in {session.hash for session in self.of(who)}:
            self._end(who, session_hash)

    def end_others(self, who: SignedIn) -> int:
        """End every session of the person but this one; return how many there were."""
        others = [one.hash for one in self.of(who) if one.hash != who.session.hash]
        for session_hash in others:
            self._end(who, session_hash)
        return len(others)

    def _end(self, who: SignedIn, session_hash: str) -> None:
        self.sessions.end(who.person.id, session_hash)
        self.activity.note(
            who.workspace.id, Deed.SIGNED_OUT, Actor.of(who.caller), detail="another browser"
        )

    def end(self, text: str | None) -> None:
        """End the session of a cookie, if it is one."""
        cookie = read_session_cookie(text)
        if cookie is None:
            return
        if cookie.is_former:
            self._find(cookie)
        self.sessions.end(cookie.person_id, cookie.hash)

    def leave(self, who: SignedIn) -> None:
        """End the session of the signed-in person."""
        self.sessions.end(who.person.id, who.session.hash)
        self.activity.note(who.workspace.id, Deed.SIGNED_OUT, Actor.of(who.caller))

    def sign_out(self, member_id: str) -> Member:
        """End every session, sign-in link and passkey of the person who is a member, at once.

        Raises UnknownMemberError.
        """
        workspace_id = home(self.index, MEMBERS, member_id, UnknownMemberError)
        if self.former.has_any(workspace_id, member_id):
            self.former.take_over(workspace_id, member_id, self.clock())
        member = self.members.sign_out(workspace_id, member_id, self.clock())
        self.activity.note(
            workspace_id,
            Deed.SIGNED_OUT,
            OPERATOR,
            subject_id=member.id,
            subject=member.name,
            detail="everywhere",
        )
        return member


def _how(session: Session) -> str:
    how = "by a passkey" if session.proven_in is None else "by a link"
    return f"{how}, {session.device}" if session.device else how
