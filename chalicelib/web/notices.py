"""The notice that the next page shows once after a form was sent (Post/Redirect/Get).

A form is answered with a redirect, so that a reload repeats nothing. What the next page must say
(saved, a new link or key to copy, a way to undo) is in a cookie that scripts cannot read, that is
bound to the session, and that is deleted as soon as it was shown.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import asdict, field, replace
from typing import Final

from chalicelib.kit import base64url
from chalicelib.kit.dataclass import dataclass

COOKIE: Final = "goldenhour_notice"
SECONDS: Final = 120
_LONGEST: Final = 3_500


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One sentence, perhaps with a secret to copy, a form that undoes it, or what was accepted.

    `accepted` names the form whose copy a browser can now delete: "new" or a post's id.
    """

    said: str
    secret: str = field(default="", repr=False)
    undo: str = ""
    undo_fields: Mapping[str, str] = field(default_factory=dict)
    accepted: str = ""


def write_notice(notice: Notice, form_token: str) -> str:
    """Return a cookie's value for the session with this form token; empty if it would not fit.

    The way to undo is left out where it alone is what does not fit.
    """
    for one in (notice, replace(notice, undo="", undo_fields={})):
        body = base64url.encode(json.dumps(asdict(one)).encode())
        if len(body) <= _LONGEST:
            return f"{_mark(body, form_token)}.{body}"
    return ""


def read_notice(value: str | None, form_token: str) -> Notice | None:
    """Return a cookie's notice; None if it is missing, forged or another session's."""
    mark, _, body = (value or "").partition(".")
    if not body or not hmac.compare_digest(mark.encode(), _mark(body, form_token).encode()):
        return None
    return Notice(**json.loads(base64url.decode(body)))


def _mark(body: str, form_token: str) -> str:
    return hmac.new(form_token.encode(), body.encode(), hashlib.sha256).hexdigest()
