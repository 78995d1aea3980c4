"""Connected social accounts: where a post's targets go.

Operators connect them on the command line; the API lists them and sets their audience regions
(docs/api.md "Account"). An account here does not contain its tokens, which `storage` keeps apart.
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

    `name` is its display name on the platform, None if unknown. `languages` are those of posts that
    name none, on platforms that sort posts by language. `remote_identity` is the platform's own id,
    unique in a workspace; test accounts have none. `token_version` counts the tokens it has had, so
    that the refusal of an old token does not affect a new one. `settings` has what only its
    platform needs, such as a page id.
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
        """Return the server that answers its calls: its platform or, on Bluesky, its own server.

        Test accounts have servers of their own, so that a hanging one delays no real account.
        """
        if self.test:
            return f"sandbox {self.platform}"
        own = self.settings.get("pds")
        return own if isinstance(own, str) else str(self.platform)


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountToken:
    """An account's tokens as stored, encrypted; `watch_at` is when to check them next."""

    secret: bytes = field(repr=False)
    expires_at: datetime | None = None
    watch_at: datetime | None = None
    version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SignIn:
    """The result of a person's sign-in on a platform: the identity there, and its tokens.

    `barred` says why nothing can be posted to it; it is then shown but cannot be connected.
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
