"""Connected social accounts: where a post's targets go.

Operators connect them on the command line; the API lists them and sets their audience regions
(docs/api.md "Account"). Tokens are no part of an account here: they stay in `storage`'s token row.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field
from datetime import datetime
from enum import StrEnum

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json

MOST_REGIONS = 3


class Health(StrEnum):
    """Whether an account can publish posts; a broken one must be reconnected."""

    OK = "ok"
    WARN = "warn"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """An account on a platform that a workspace can post to.

    `name` is what its platform shows before the handle, None where that is not known. `languages`
    are those of its posts that name none, where the platform sorts posts by them.
    `remote_identity` is the platform's own id of it, at most once in a workspace; test accounts
    have none. `token_version` counts the tokens it has had, so that a refusal of an old token
    cannot harm a new one. `settings` holds what only its platform asks for, such as a page id.
    """

    id: str
    workspace_id: str
    platform: Platform
    handle: str
    test: bool
    created_at: datetime
    name: str | None = None
    health: Health = Health.OK
    health_reason: str | None = None
    audience_regions: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    remote_identity: str | None = None
    token_expires_at: datetime | None = None
    token_version: int = 0
    settings: Mapping[str, Json] = field(default_factory=dict)

    @property
    def server(self) -> str:
        """Name the server that answers its calls: its platform or, on Bluesky, its own server.

        The sandbox's are apart, so that a test account that hangs delays no real one.
        """
        if self.test:
            return f"sandbox {self.platform}"
        own = self.settings.get("pds")
        return own if isinstance(own, str) else str(self.platform)


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountToken:
    """An account's tokens as they are stored: sealed. `watch_at` is when to check them next."""

    secret: bytes = field(repr=False)
    expires_at: datetime | None = None
    watch_at: datetime | None = None
    version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SignIn:
    """The result of a person's sign-in on a platform: the identity there, and its tokens.

    `barred` says why this one cannot be posted to; it is shown, and never connected.
    """

    platform: Platform
    handle: str
    remote_identity: str
    tokens: Tokens = field(repr=False)
    settings: Mapping[str, Json] = field(default_factory=dict)
    barred: str | None = None


def first_regions(regions: Sequence[str]) -> tuple[str, ...]:
    """Return the first three regions, each named once (docs/api.md: extras are dropped)."""
    return tuple(dict.fromkeys(regions))[:MOST_REGIONS]
