"""Signing in at a platform: abilities that a connector has beside publishing.

`services/operator/connections.py` asks for them when an operator connects or reconnects an account.
The tokens of a sign-in are sealed and stored there; nothing is stored here.
"""

from collections.abc import Callable, Mapping
from dataclasses import field
from datetime import datetime
from typing import Protocol, runtime_checkable

from chalicelib.connectors.shared.auth.oauth import Client, PendingSignIn
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """An account that a person signed in to, and the tokens to act for it.

    One sign-in may open several (pages, locations): the person chooses one to connect. `barred`
    says why one of them cannot be posted to: it is shown with that reason.
    """

    remote_identity: str
    handle: str
    tokens: Tokens = field(repr=False)
    settings: Mapping[str, Json] = field(default_factory=dict)
    barred: str | None = None


class BrowserSignIn(Protocol):
    """A sign-in by a platform's page and its redirect; `oauth.OAuthClient` for most."""

    def begin(self, client: Client, redirect_uri: str, handle: str | None = None) -> PendingSignIn:
        """Return the page to open, and the state to keep until the redirect."""
        ...

    def finish(self, pending: PendingSignIn, redirected_to: str) -> Tokens:
        """Trade the code in a redirect for tokens. Raises TokenRejectedError."""
        ...


@runtime_checkable
class SignsInByBrowser(Protocol):
    """A platform whose sign-in page answers with an OAuth 2 code (`oauth.py`)."""

    @property
    def oauth(self) -> BrowserSignIn:
        """The platform's OAuth configuration."""
        ...

    def identities(self, tokens: Tokens, now: datetime) -> list[Identity]:
        """Return the accounts that the signed-in person can post to, with what each needs."""
        ...


@dataclass(frozen=True, slots=True)
class SignInMethod:
    """One of a platform's sign-in methods: its page, and the accounts of a sign-in there.

    `label` says to people what it is for, if there are several.
    """

    oauth: BrowserSignIn
    identities: Callable[[Tokens, datetime], list[Identity]]
    label: str = ""


@runtime_checkable
class HasSignInMethods(Protocol):
    """A platform with several sign-in pages, or several sets of permissions to ask for."""

    @property
    def methods(self) -> Mapping[str, SignInMethod]:
        """The methods by name; the first one is the default."""
        ...


@runtime_checkable
class SignsInByPassword(Protocol):
    """A platform that gives out passwords for apps."""

    def sign_in(self, handle: str, app_password: str, now: datetime) -> Identity:
        """Open a session. Raises TokenRejectedError for a wrong handle or password."""
        ...
