"""The cookie of a signed-in browser, and the tokens of its forms.

The cookie names the person, and the workspace that the browser shows with the person's member
there. Switching writes another cookie of the same session. `services/app` checks these names in
every request. A form token belongs to one session and one workspace, so a page that was opened
before the browser switched cannot act in the workspace that it shows now. Each page masks the token
differently: pages are compressed, and a constant secret could be guessed from their sizes (BREACH).
"""

import hashlib
import hmac
from dataclasses import replace

from chalicelib.domain.ids import is_id
from chalicelib.domain.workspace.persons import Membership
from chalicelib.domain.workspace.sessions import hash_of_secret, is_secret
from chalicelib.kit.dataclass import dataclass

_ID_LENGTH = 32
MASK_BYTES = 32
_MASK = slice(_ID_LENGTH, _ID_LENGTH + 2 * MASK_BYTES)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionCookie:
    """A session's cookie; `is_former` tells that it was made before persons existed."""

    person_id: str
    member_id: str
    workspace_id: str
    secret: str
    is_former: bool = False

    def __repr__(self) -> str:
        return f"SessionCookie({self.person_id}, {self.workspace_id})"

    def __str__(self) -> str:
        return self.person_id + self.member_id + self.workspace_id + self.secret

    @property
    def hash(self) -> str:
        """Return the hash of the secret, which is stored."""
        return hash_of_secret(self.secret)

    @property
    def form_token(self) -> str:
        """Return the token of forms that are opened now; it does not reveal the secret."""
        return self._form_token_in(self.workspace_id)

    def workspace_of_form(self, sent: str) -> str | None:
        """Return the workspace in which this session opened a form, None if its token is wrong."""
        workspace_id = sent[:_ID_LENGTH]
        expected = self._form_token_in(workspace_id)
        return workspace_id if hmac.compare_digest(sent.encode(), expected.encode()) else None

    def switch_to(self, membership: Membership) -> "SessionCookie":
        """Return the cookie of the same session in another workspace."""
        return replace(
            self,
            workspace_id=membership.workspace_id,
            member_id=membership.member_id,
            is_former=False,
        )

    def _form_token_in(self, workspace_id: str) -> str:
        made = hmac.new(self.secret.encode(), f"form/{workspace_id}".encode(), hashlib.sha256)
        return workspace_id + made.hexdigest()


def mask_token(form_token: str, mask: bytes) -> str:
    """Return a form token as a page has it: the workspace, a mask, and the masked rest."""
    return form_token[:_ID_LENGTH] + mask.hex() + _mask(form_token[_ID_LENGTH:], mask.hex())


def unmask_token(sent: str) -> str:
    """Return the token that a page masked; a malformed one becomes an invalid token."""
    return sent[:_ID_LENGTH] + _mask(sent[_MASK.stop :], sent[_MASK])


def _mask(proof: str, mask: str) -> str:
    try:
        pairs = zip(bytes.fromhex(proof), bytes.fromhex(mask), strict=True)
        return bytes(one ^ other for one, other in pairs).hex()
    except ValueError:  # not hexadecimal, or too short
        return ""


def claimed_workspace(form_token: str) -> str | None:
    """Return the workspace that a form token names, without checking it; None if malformed."""
    claimed = form_token[:_ID_LENGTH]
    return claimed if is_id(claimed) else None


def read_session_cookie(text: str | None) -> SessionCookie | None:
    """Return the cookie in a text, None if it is malformed; nothing is checked yet."""
    ids, rest = [], text or ""
    while is_id(rest[:_ID_LENGTH]) and not is_secret(rest):
        ids.append(rest[:_ID_LENGTH])
        rest = rest[_ID_LENGTH:]
    if not is_secret(rest):
        return None
    match ids:
        case [person_id, member_id, workspace_id]:
            is_former = False
        case [member_id, workspace_id]:
            person_id, is_former = member_id, True
        case _:
            return None
    return SessionCookie(
        person_id=person_id,
        member_id=member_id,
        workspace_id=workspace_id,
        secret=rest,
        is_former=is_former,
    )


def is_same_session(one: str | None, other: str | None) -> bool:
    """Tell whether two cookies belong to one session, in whichever workspaces."""
    first, second = read_session_cookie(one), read_session_cookie(other)
    return first is not None and second is not None and first.hash == second.hash


def read_names(text: str) -> tuple[str | None, str | None]:
    """Return the ids of the workspace and the member that a cookie names, None if malformed."""
    cookie = read_session_cookie(text)
    return (None, None) if cookie is None else (cookie.workspace_id, cookie.member_id)


def is_former_cookie(text: str | None) -> bool:
    """Tell whether a text has the form of a cookie made before persons existed."""
    cookie = read_session_cookie(text)
    return cookie is not None and cookie.is_former
