"""What a signed-in browser keeps, and what its forms carry.

The cookie names the person, and the workspace that the browser shows, as which member: switching
writes another cookie of the same session. Every request proves what it names (`services/app`). A
form is of one session and of one workspace, so a page that was opened before the browser switched
cannot act in the workspace that it shows now. Pages show its token masked, differently on each:
they are compressed, and a text that stood in all of them could be found by their sizes (BREACH).
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
    """A session's cookie; `is_former` tells that it was made before there were persons."""

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
        """Return what is stored of the secret."""
        return hash_of_secret(self.secret)

    @property
    def form_token(self) -> str:
        """Return what every form carries that is opened now; it does not reveal the secret."""
        return self._form_token_in(self.workspace_id)

    def workspace_of_form(self, sent: str) -> str | None:
        """Return in which workspace this session opened a form, None if it opened no such form."""
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
    """Return a form's token as a page shows it: behind the workspace a mask, and what it makes."""
    return form_token[:_ID_LENGTH] + mask.hex() + _mask(form_token[_ID_LENGTH:], mask.hex())


def unmask_token(sent: str) -> str:
    """Return the token that a page showed; what has not the form of one becomes none."""
    return sent[:_ID_LENGTH] + _mask(sent[_MASK.stop :], sent[_MASK])


def _mask(proof: str, mask: str) -> str:
    try:
        pairs = zip(bytes.fromhex(proof), bytes.fromhex(mask), strict=True)
        return bytes(one ^ other for one, other in pairs).hex()
    except ValueError:  # no hexadecimals, or too few
        return ""


def claimed_workspace(form_token: str) -> str | None:
    """Return in which workspace a form says that it was opened, whichever session opened it."""
    claimed = form_token[:_ID_LENGTH]
    return claimed if is_id(claimed) else None


def read_session_cookie(text: str | None) -> SessionCookie | None:
    """Return the cookie in a text, None for what has not the form of one."""
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
    """Tell whether two cookies are of one session, wherever each leads."""
    first, second = read_session_cookie(one), read_session_cookie(other)
    return first is not None and second is not None and first.hash == second.hash


def read_names(text: str) -> tuple[str | None, str | None]:
    """Return the workspace and the member that a cookie of ours names."""
    cookie = read_session_cookie(text)
    return (None, None) if cookie is None else (cookie.workspace_id, cookie.member_id)


def is_former_cookie(text: str | None) -> bool:
    """Tell whether a text has the form of a cookie of before there were persons."""
    cookie = read_session_cookie(text)
    return cookie is not None and cookie.is_former
