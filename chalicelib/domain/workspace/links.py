"""Links that open one thing to whoever has them: signing in, connecting an account, a review.

Each ends by itself, at its use, or when somebody revokes it. `services/app` makes and opens them.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from chalicelib.domain.platforms.platform import Platform


class LinkKind(StrEnum):
    """What a link opens."""

    SIGN_IN = "sign-in"
    CONNECT = "connect"
    REVIEW = "review"


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link as it is stored; `hash` is what is kept of its secret.

    `subject` is the member or post that it is about, `made_by` who made it.
    """

    hash: str
    kind: LinkKind
    workspace_id: str
    made_by: str
    created_at: datetime
    expires_at: datetime
    subject: str = ""
    platform: Platform | None = None
    return_to: str | None = None
