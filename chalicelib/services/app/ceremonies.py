"""Adding a passkey and signing in with one: a challenge to a browser, and the check of its answer.

The challenge comes with a secret, which the browser keeps in a cookie. The answer must bring it
back within 5 minutes, and counts once; a passkey is added only by the session that asked for it
(docs/app.md "Sessions and links"). Nothing is written before an answer is verified, so strangers
may ask and answer as often as they like.
"""

import json
from dataclasses import replace

from chalicelib.domain.clock import Clock
from chalicelib.domain.error_kinds import Forbidden
from chalicelib.domain.workspace.activity import Actor, ActorKind, Deed
from chalicelib.domain.workspace.operator_errors import UnknownMemberError
from chalicelib.domain.workspace.passkeys import (
    Answer,
    Challenge,
    Handle,
    Passkey,
    PasskeyRefused,
    Question,
    RelyingParty,
    challenge_of,
    ending_of,
    hash_of,
    new_secret,
    read_handle,
    user_handle,
)
from chalicelib.domain.workspace.persons import Membership, Person
from chalicelib.domain.workspace.session_cookies import read_session_cookie
from chalicelib.domain.workspace.workspaces import check_name
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.app import web_authentication
from chalicelib.services.app.sessions import Sessions
from chalicelib.services.app.signed_in import SignedIn
from chalicelib.services.workspace.activity import ActivityLog
from chalicelib.storage.sign_in.former_people import FormerPeople
from chalicelib.storage.sign_in.passkeys import PasskeyRepository
from chalicelib.storage.sign_in.question_key import QuestionKey
from chalicelib.storage.workspace.persons import PersonRepository


class HasPasskey(Forbidden):
    """This workspace asks for a passkey, and you have one. Use it before you add another."""

    code = "has_passkey"


class NeedsWholePerson(Forbidden):
    """A link of one of your workspaces signed you in. Use a passkey, or a link of each of them."""

    code = "needs_whole_person"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceremonies:
    """Adds and checks passkeys."""

    rows: PasskeyRepository
    key: QuestionKey
    persons: PersonRepository
    former: FormerPeople
    sessions: Sessions
    activity: ActivityLog
    clock: Clock

    def ask_to_add(self, who: SignedIn, party: RelyingParty) -> Question:
        """Ask the browser of a session for a new passkey. Raises NeedsWholePerson, HasPasskey."""
        require_whole_person(who)
        caller, secret = who.caller, new_secret(self.clock())
        known = self._list_passkeys(who)
        options = web_authentication.creation_options(
            party,
            challenge_of(self.key.value, secret, who.session.hash),
            handle=user_handle(who.person.id),
            name=f"{caller.member_name} ({who.workspace.name})",
            known=[passkey.credential for passkey in known],
        )
        return Question(options=json.dumps(dict(options)), secret=secret)

    def _list_passkeys(self, who: SignedIn) -> list[Passkey]:
        """Return the person's passkeys, if a session may add to them.

        Where a passkey is asked for, a link alone adds the first one and no other: whoever got hold
        of a link would come in by a passkey of their own. Raises HasPasskey.
        """
        known = self.rows.list(who.person.id)
        if known and who.lacks_passkey:
            raise HasPasskey
        return known

    def add(self, who: SignedIn, party: RelyingParty, name: str, answer: Answer) -> Passkey:
        """Keep the passkey that a browser made.

        Raises PasskeyRefused, NeedsWholePerson, HasPasskey, OperatorError.
        """
        require_whole_person(who)
        self._list_passkeys(who)
        called = check_name(name)
        challenge = self._challenge(answer, session=who.session.hash)
        identifier, credential, counter = web_authentication.check_created(
            party, challenge, answer.text
        )
        if not self._use_up(answer):
            raise PasskeyRefused
        passkey = Passkey(
            hash=hash_of(identifier),
            person_id=who.person.id,
            name=called,
            credential=credential,
            counter=counter,
            created_at=self.clock(),
        )
        self.rows.add(passkey)
        self._note(who, Deed.PASSKEY_ADDED, passkey.name)
        return passkey

    def remove(self, who: SignedIn, passkey_hash: str) -> None:
        """Remove one of the person's passkeys. Raises NeedsWholePerson."""
        require_whole_person(who)
        self.rows.remove(who.person.id, passkey_hash)
        self._note(who, Deed.PASSKEY_REMOVED)

    def _note(self, who: SignedIn, deed: Deed, name: str = "") -> None:
        """Note it in the activity of every workspace that the person belongs to."""
        for one in who.person.memberships:
            by = replace(Actor.of(who.caller), id=one.member_id)
            self.activity.note(one.workspace_id, deed, by, subject=name, member_id=one.member_id)

    def prove(self, who: SignedIn, party: RelyingParty, answer: Answer) -> str:
        """Confirm by a passkey that it is the person who uses this session now.

        Returns the session's new cookie. Raises PasskeyRefused, SessionEnded.
        """
        person, _ = self._proven(party, answer, Actor.of(who.caller), before=str(who.cookie))
        if person.id != who.person.id:
            raise PasskeyRefused
        return self.sessions.prove(who)

    def ask_to_sign_in(self, party: RelyingParty) -> Question:
        """Ask a browser that is not signed in for any passkey of ours."""
        secret = new_secret(self.clock())
        challenge = challenge_of(self.key.value, secret, "")
        options = web_authentication.request_options(party, challenge)
        return Question(options=json.dumps(dict(options)), secret=secret)

    def sign_in(
        self,
        party: RelyingParty,
        answer: Answer,
        *,
        before: str | None = None,
        device: str = "",
        client: str = "",
    ) -> str:
        """Return the cookie of a new session for the person whose passkey answered.

        It opens the workspace of the cookie that the browser had `before`, if the person belongs to
        it. Raises PasskeyRefused.
        """
        somebody = Actor(kind=ActorKind.NOBODY, client=client)
        person, entered = self._proven(party, answer, somebody, before=before)
        return self.sessions.begin(person, entered, reach=None, device=device, client=client)

    def _proven(
        self, party: RelyingParty, answer: Answer, by: Actor, *, before: str | None
    ) -> tuple[Person, Membership]:
        """Return whose passkey answered, and in which workspace. Raises PasskeyRefused.

        Only an answer with a valid signature is noted when it is refused: it may be a copied
        passkey.
        """
        challenge = self._challenge(answer, session="")
        handle, identifier = web_authentication.read_claim(answer.text)
        whose = read_handle(handle)
        passkey = None if whose is None else self._find_passkey(whose, hash_of(identifier))
        if whose is None or passkey is None:
            raise PasskeyRefused
        counter = web_authentication.check_signed(party, challenge, passkey.credential, answer.text)
        if whose.former is not None:
            self._take_over(*whose.former)
        person = self.persons.find(whose.person_id)
        if person is None or not person.memberships:
            raise PasskeyRefused
        entered = _workspace_entered(person, before)
        is_first = self._use_up(answer)
        if not (is_first and self.rows.note_use(passkey, counter, self.clock())):
            why = f"the passkey {passkey.name}: an old answer, or a copy"
            self.activity.note_refusal(
                entered.workspace_id, by, subject_id=entered.member_id, why=why
            )
            raise PasskeyRefused
        return person, entered

    def _find_passkey(self, whose: Handle, passkey_hash: str) -> Passkey | None:
        """Return the passkey that an answer names; older ones are still stored by member."""
        found = self.rows.find(whose.person_id, passkey_hash)
        if found is not None or whose.former is None:
            return found
        return self.former.find_passkey(*whose.former, passkey_hash)

    def _take_over(self, workspace_id: str, member_id: str) -> None:
        if self.former.has_any(workspace_id, member_id):
            try:
                self.former.take_over(workspace_id, member_id, self.clock())
            except UnknownMemberError as error:
                raise PasskeyRefused from error

    def _challenge(self, answer: Answer, *, session: str) -> bytes:
        """Return the challenge that an answer must be to. Raises PasskeyRefused."""
        secret = answer.secret or ""
        ends_at = ending_of(secret)
        if ends_at is None or self.clock() >= ends_at:
            raise PasskeyRefused
        return challenge_of(self.key.value, secret, session)

    def _use_up(self, answer: Answer) -> bool:
        """Use up the challenge of a verified answer; return whether this is its first use.

        Raises PasskeyRefused.
        """
        secret = answer.secret or ""
        ends_at = ending_of(secret)
        if ends_at is None:
            raise PasskeyRefused
        return self.rows.use_up(Challenge(hash=hash_of(secret.encode()), expires_at=ends_at))


def require_whole_person(who: SignedIn) -> None:
    """Check that a session may change what opens every workspace. Raises NeedsWholePerson."""
    if not who.is_whole_person:
        raise NeedsWholePerson


def _workspace_entered(person: Person, before: str | None) -> Membership:
    """Return the workspace that a browser showed before, or the first of a person's."""
    cookie = read_session_cookie(before)
    membership = None if cookie is None else person.membership_in(cookie.workspace_id)
    return membership or person.memberships[0]
