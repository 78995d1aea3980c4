"""Access that a member gives an assistant: OAuth's client, authorization code and refresh token.

A client registers itself and nobody checks it (RFC 7591), so a registration proves nothing. Its
client id therefore carries what was registered, and nothing is stored: nobody can fill a table. Or
its client id is the address of a document that describes it (`client_metadata`).
What counts is the redirect address, which the page shows to the member. A grant is an API key of
the member that ends after an hour unless its refresh token renews it.
"""

import hashlib
import json
import re
import secrets
from dataclasses import field
from datetime import datetime, timedelta

from chalicelib.domain.ids import is_id
from chalicelib.domain.workspace.access import Scope
from chalicelib.domain.workspace.activity import Actor, ActorKind
from chalicelib.domain.workspace.redirects import (
    is_client_address,
    is_redirect_uri,
    place_of,
)
from chalicelib.domain.workspace.sessions import Token, new_secret
from chalicelib.domain.workspace.workspaces import is_name
from chalicelib.kit import base64url
from chalicelib.kit.dataclass import dataclass

CODE_LIFETIME = timedelta(minutes=1)
ACCESS_LIFETIME = timedelta(hours=1)
IDLE_LIFETIME = timedelta(days=90)
"""A refresh token that was unused for this long is no longer valid."""
REPEAT_WITHIN = timedelta(minutes=1)
"""How long after a renewal the same refresh token gets the same answer again."""
LONGEST_GRANT = timedelta(days=365)
"""How long an assistant is allowed at most, however often it renews its tokens."""

GRANTABLE = (Scope.READ, Scope.WRITE, Scope.PUBLISH, Scope.DELETE_PUBLISHED)
"""The scopes that an assistant can get; none of them connects accounts."""

MOST_ADDRESSES = 5
LONGEST_CLIENT_NAME = 40
_LONGEST_CLIENT_ID = 2_500
_CLIENT_PREFIX = "gh_client_"
_REFRESH_PREFIX = "gh_refresh_"
_SECRET_BYTES = 32
_REFRESH = re.compile(
    rf"{_REFRESH_PREFIX}([0-9a-f]{{32}})([0-9a-f]{{32}})([\w-]{{43}})([\w-]{{43}})", re.ASCII
)


@dataclass(frozen=True, slots=True)
class AssistantClient:
    """An assistant as it describes itself.

    `client_id` is the same description as one text, or the address of a document that has it.
    """

    client_id: str
    name: str
    redirect_uris: tuple[str, ...]

    @property
    def hash(self) -> str:
        """Return the hash of the client, which is stored."""
        return hashlib.sha256(self.client_id.encode()).hexdigest()

    @property
    def site(self) -> str | None:
        """Return the host that publishes the description, None for a client that registered."""
        return place_of(self.client_id) if is_client_address(self.client_id) else None


def short_name(name: str) -> str:
    """Return a name that is not too long.

    The beginning of a long one is kept: many contain a person's name for the server.
    """
    is_long = len(name) > LONGEST_CLIENT_NAME
    return f"{name[: LONGEST_CLIENT_NAME - 1].rstrip()}…" if is_long else name


def make_client(name: str, redirect_uris: tuple[str, ...]) -> AssistantClient | None:
    """Return a new client, None unless its name and addresses are valid."""
    facts = [secrets.token_hex(8), name, *redirect_uris]
    text = json.dumps(facts, separators=(",", ":")).encode()
    return read_client(_CLIENT_PREFIX + base64url.encode(text))


def read_client(client_id: str) -> AssistantClient | None:
    """Return the client with this id, None for an invalid one.

    Of a client with a document only the id is known, and no redirect address.
    """
    if is_client_address(client_id):
        return AssistantClient(client_id, "", ())
    packed = client_id.removeprefix(_CLIENT_PREFIX)
    if packed == client_id or len(client_id) > _LONGEST_CLIENT_ID or not client_id.isascii():
        return None
    try:
        facts = json.loads(base64url.decode(packed))
    except (ValueError, RecursionError):
        return None
    if not isinstance(facts, list) or not all(isinstance(one, str) for one in facts):
        return None
    _, name, *addresses = facts if len(facts) > 1 else ("", "")
    fits = is_name(name) and len(name) <= LONGEST_CLIENT_NAME
    fits = fits and 0 < len(addresses) <= MOST_ADDRESSES
    if not fits or not all(map(is_redirect_uri, addresses)):
        return None
    return AssistantClient(client_id, name, tuple(addresses))


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorizationCode:
    """A member's consent until the assistant fetches its tokens; `hash` is of the code.

    `key_id` will be the id of the key, so that a code that is used twice leads to the key of its
    first use. `by` is the member's name, `by_client` the member's IP address.
    """

    hash: str
    workspace_id: str
    member_id: str
    client_hash: str
    client_name: str
    redirect_uri: str
    challenge: str
    scopes: frozenset[Scope]
    key_id: str
    expires_at: datetime
    by: str = ""
    by_client: str = ""

    @property
    def actor(self) -> Actor:
        """Return who allowed it."""
        return Actor(kind=ActorKind.MEMBER, id=self.member_id, name=self.by, client=self.by_client)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """A grant's stored values beside its key.

    Every refresh token of a grant has the same `family` and a secret of its own: a token of the
    family with another secret than the last was used before, or stolen. `used_hash` is of the token
    that was used last, and `seed` gives, together with that token, what it was answered: programs
    that share a token, and one that got no answer, send it again.
    """

    client_hash: str
    family_hash: str = field(repr=False)
    refresh_hash: str = field(repr=False)
    access_ends_at: datetime
    ends_at: datetime
    used_hash: str = field(default="", repr=False)
    seed: str = field(default="", repr=False)

    def is_for(self, refresh: "RefreshToken", client_hash: str) -> bool:
        """Tell whether a refresh token is, or was, one of this grant's and of this client."""
        return self.client_hash == client_hash and self.family_hash == refresh.family_hash

    def renews(self, refresh: "RefreshToken", now: datetime) -> bool:
        """Tell whether a refresh token is the last one that was issued, and not too old."""
        return self.refresh_hash == refresh.hash and now < self.ends_at

    def repeats(self, refresh: "RefreshToken", now: datetime) -> bool:
        """Tell whether a refresh token is the one that was used last, within the last minute."""
        renewed_at = self.access_ends_at - ACCESS_LIFETIME
        return self.used_hash == refresh.hash and now < renewed_at + REPEAT_WITHIN


@dataclass(frozen=True, slots=True)
class RefreshToken:
    """Renews a grant once; it contains the key's id, the family's secret and its own."""

    workspace_id: str
    key_id: str
    family: str = field(repr=False)
    secret: str = field(repr=False)

    def __str__(self) -> str:
        return _REFRESH_PREFIX + self.workspace_id + self.key_id + self.family + self.secret

    @property
    def family_hash(self) -> str:
        """Return the hash of the family's secret, which is stored."""
        return Token(self.workspace_id, self.family).hash

    @property
    def hash(self) -> str:
        """Return the hash of this token's own secret, which is stored."""
        return Token(self.workspace_id, self.secret).hash


def new_refresh_token(workspace_id: str, key_id: str) -> RefreshToken:
    """Return the first refresh token of a new family."""
    return RefreshToken(workspace_id, key_id, new_secret(), new_secret())


def read_refresh_token(text: str) -> RefreshToken | None:
    """Return the refresh token in a text, None if it is malformed."""
    found = _REFRESH.fullmatch(text)
    if found is None:
        return None
    token = RefreshToken(*found.groups())
    return token if is_id(token.workspace_id) and is_id(token.key_id) else None
