"""Adding a passkey, and signing in by one: a question to a browser, and the proof of its answer.

Whoever asks gets a secret for a cookie of that browser. The answer must come with it, once, within
5 minutes; a passkey is added by the very session that asked (docs/app.md "Sessions and links").
Nothing is written before an answer is proven: strangers can ask and answer as often as they like.
"""

import json

from chalicelib.domain.clock import Clock
from chalicelib.domain.workspace.operator_errors import UnknownMemberError
from chalicelib.domain.workspace.passkeys import (
    Answer,
    Challenge,
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
from chalicelib.domain.workspace.workspaces import Member, check_name
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.app import web_authentication
from chalicelib.services.app.sessions import Sessions, SignedIn
from chalicelib.storage.sign_in.passkeys import PasskeyRepository
from chalicelib.storage.sign_in.question_key import QuestionKey
from chalicelib.storage.workspace.members import MemberRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceremonies:
    """What adds and uses passkeys."""

    rows: PasskeyRepository
    key: QuestionKey
    members: MemberRepository
    sessions: Sessions
    clock: Clock

    def ask_to_add(self, who: SignedIn, party: RelyingParty) -> Question:
        """Ask the browser of a session for a new passkey."""
        caller, secret = who.caller, new_secret(self.clock())
        known = self.rows.list(caller.workspace_id, caller.member_id)
        options = web_authentication.creation_options(
            party,
            challenge_of(self.key.value, secret, who.session.hash),
            handle=user_handle(caller.workspace_id, caller.member_id),
            name=f"{caller.member_name} ({who.workspace.name})",
            known=[passkey.credential for passkey in known],
        )
        return Question(options=json.dumps(dict(options)), secret=secret)

    def add(self, who: SignedIn, party: RelyingParty, name: str, answer: Answer) -> Passkey:
        """Keep the passkey that a browser made. Raises PasskeyRefused, OperatorError."""
        called = check_name(name)
        challenge = self._challenge(answer, session=who.session.hash)
        identifier, credential, counter = web_authentication.created(party, challenge, answer.text)
        self._use_up(answer)
        passkey = Passkey(
            hash=hash_of(identifier),
            workspace_id=who.caller.workspace_id,
            member_id=who.caller.member_id,
            name=called,
            credential=credential,
            counter=counter,
            created_at=self.clock(),
        )
        self.rows.add(passkey)
        return passkey

    def ask_to_sign_in(self, party: RelyingParty) -> Question:
        """Ask a browser that is not signed in for any passkey of ours."""
        secret = new_secret(self.clock())
        challenge = challenge_of(self.key.value, secret, "")
        options = web_authentication.request_options(party, challenge)
        return Question(options=json.dumps(dict(options)), secret=secret)

    def sign_in(self, party: RelyingParty, answer: Answer, *, device: str = "") -> str:
        """Return the cookie of a new session of whose passkey answered. Raises PasskeyRefused."""
        challenge = self._challenge(answer, session="")
        handle, identifier = web_authentication.named(answer.text)
        member, passkey = self._find(handle, identifier)
        counter = web_authentication.signed(party, challenge, passkey.credential, answer.text)
        self._use_up(answer)
        if not self.rows.note_use(passkey, counter, self.clock()):
            raise PasskeyRefused
        return self.sessions.begin(member, device=device)

    def _find(self, handle: bytes, identifier: bytes) -> tuple[Member, Passkey]:
        """Return the passkey that an answer names, of the member whom it names, there right now."""
        whose = read_handle(handle)
        passkey = None if whose is None else self.rows.find(*whose, hash_of(identifier))
        if passkey is None:
            raise PasskeyRefused
        try:
            return self.members.get(passkey.workspace_id, passkey.member_id), passkey
        except UnknownMemberError as error:
            raise PasskeyRefused from error

    def _challenge(self, answer: Answer, *, session: str) -> bytes:
        """Return the challenge that an answer must be to. Raises PasskeyRefused."""
        secret = answer.secret or ""
        ends_at = ending_of(secret)
        if ends_at is None or self.clock() >= ends_at:
            raise PasskeyRefused
        return challenge_of(self.key.value, secret, session)

    def _use_up(self, answer: Answer) -> None:
        """Let the challenge of a proven answer work no second time. Raises PasskeyRefused."""
        secret = answer.secret or ""
        ends_at = ending_of(secret)
        if ends_at is None:
            raise PasskeyRefused
        if not self.rows.use_up(Challenge(hash=hash_of(secret.encode()), expires_at=ends_at)):
            raise PasskeyRefused
