"""OAuth 2 with code and PKCE: what platforms share, and the configuration in which they differ.

Each connector declares an OAuthPlatform and keeps an OAuthClient over it. oauthlib builds and
checks the messages (RFC 6749, 7636), `http.py` carries them. The client's credentials are kept with
the tokens, sealed, so that a refresh needs no further configuration.

Some platforms tell how long the refresh token lives: LinkedIn (learn.microsoft.com/linkedin/shared/
authentication/programmatic-refresh-tokens: 365 days, which no refresh lengthens), Pinterest, Google
(seven days while an application is "in testing") and TikTok, which calls it `refresh_expires_in`.
"""

import base64
import json
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from datetime import datetime, timedelta
from enum import StrEnum

from chalicelib.connectors.shared.calls.failures import ErrorEntry, ErrorTable, TokenRejectedError
from chalicelib.connectors.shared.calls.http import Call, PlatformHttp
from chalicelib.connectors.shared.calls.waits import span
from chalicelib.domain.clock import Clock, system_clock
from chalicelib.domain.outcome import FailureCode
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.bodies import FormBody
from chalicelib.kit.transport.failures import UnansweredError
from chalicelib.kit.transport.responses import PlatformResponse, find, token_of

_NOT_OURS = (
    "{0} does not accept this application's client id or secret, or what it asks for. This"
    " service's operator must check them there."
)
_VERIFIER_LENGTH = 64
_LIFE = "expires_in"
_SCOPE = "scope"
_WHOLE_LIFE = ("refresh_token_expires_in", "refresh_expires_in")


class ClientAuth(StrEnum):
    """How the application authenticates at the token endpoint."""

    FORM = "form"
    BASIC = "basic"


@dataclass(frozen=True, slots=True, kw_only=True)
class OAuthConfiguration:
    """A platform's addresses, scopes and peculiarities.

    `dead` are the codes that say that a refresh token will never work again, `keeps` the answer's
    values that are kept beside the tokens, `nested` where some platforms put the answer.
    `renew_every` is for sign-ins that expire if unused, `codes` for platforms with an error format
    of their own.
    """

    platform: Platform
    authorize_url: str
    token_url: str
    scopes: tuple[str, ...]
    scope_separator: str = " "
    client_auth: ClientAuth = ClientAuth.FORM
    id_name: str = "client_id"
    pkce: bool = True
    authorize_params: Mapping[str, str] = field(default_factory=dict)
    token_params: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    dead: frozenset[str] = frozenset({"invalid_grant"})
    keeps: tuple[str, ...] = ()
    nested: tuple[str | int, ...] = ()
    renew_every: timedelta | None = None
    error_codes: Callable[[PlatformResponse], Iterable[str]] | None = None


@dataclass(frozen=True, slots=True)
class Client:
    """The application as a platform knows it; a public one has no secret.

    `config_id` names a configuration of Facebook Login for Business, which newer applications need.
    """

    id: str
    secret: str | None = field(default=None, repr=False)
    config_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingSignIn:
    """A sign-in between the platform's page and its redirect back."""

    url: str
    client: Client
    redirect_uri: str
    state: str = field(repr=False)
    verifier: str = field(repr=False)
    kept: Mapping[str, str] = field(default_factory=dict, repr=False)


class OAuthClient:
    """Makes links to a platform's sign-in page; trades codes and refresh tokens for tokens."""

    def __init__(self, habits: OAuthConfiguration, *, clock: Clock = system_clock) -> None:
        self.habits = habits
        self._clock = clock
        error_codes = habits.error_codes or _error_codes
        self._http = PlatformHttp(habits.platform, _errors(habits), error_codes, clock=clock)

    def begin(self, client: Client, redirect_uri: str, handle: str | None = None) -> PendingSignIn:
        """Return the page to open, and the state to keep until the redirect."""
        del handle  # the page itself asks who signs in
        from oauthlib.oauth2 import WebApplicationClient  # noqa: PLC0415 - sending needs none

        library, habits = WebApplicationClient(client.id), self.habits
        verifier = library.create_code_verifier(_VERIFIER_LENGTH)
        state = new_state()
        params = dict(habits.authorize_params)
        if habits.id_name != "client_id":  # which the library sends by itself
            params[habits.id_name] = client.id
        if habits.pkce:
            params["code_challenge"] = library.create_code_challenge(verifier, "S256")
            params["code_challenge_method"] = "S256"
        page = habits.authorize_url
        url = library.prepare_request_uri(
            _https(page),
            redirect_uri=redirect_uri,
            scope=habits.scope_separator.join(habits.scopes),
            state=state,
            **params,
        )
        url = page + url.removeprefix(_https(page))
        return PendingSignIn(
            url=url, client=client, redirect_uri=redirect_uri, state=state, verifier=verifier
        )

    def finish(self, pending: PendingSignIn, redirected_to: str) -> Tokens:
        """Trade the code in the address that the platform redirected to for tokens.

        Raises TokenRejectedError when the person or the platform declined, or the address is not
        the answer to this sign-in.
        """
        fields = {
            "grant_type": "authorization_code",
            "code": code_of(self.habits.platform, pending, redirected_to),
            "redirect_uri": pending.redirect_uri,
        }
        if self.habits.pkce:
            fields["code_verifier"] = pending.verifier
        return self._tokens(pending.client, fields, refresh=None)

    def refresh(self, tokens: Tokens) -> Tokens:
        """Return the next tokens. Raises TokenRejectedError when the sign-in is no longer valid."""
        if tokens.refresh is None:
            raise TokenRejectedError("There is nothing to refresh the sign-in with.")
        client = Client(tokens.extra["client_id"], tokens.extra.get("client_secret"))
        fields = {"grant_type": "refresh_token", "refresh_token": tokens.refresh}
        return self._tokens(client, fields, refresh=tokens)

    def _tokens(self, client: Client, fields: Mapping[str, str], refresh: Tokens | None) -> Tokens:
        response = self._http.send(self._call(client, fields))
        answer = find(response.json(), *self.habits.nested) or response.json()
        if find(answer, "error") is not None:
            raise self._http.read_error(response)
        return self._read(client, answer, refresh)

    def _call(self, client: Client, fields: Mapping[str, str]) -> Call:
        habits = self.habits
        form, headers = {**fields, **habits.token_params}, dict(habits.headers)
        if habits.client_auth is ClientAuth.BASIC and client.secret is not None:
            pair = base64.b64encode(f"{client.id}:{client.secret}".encode()).decode()
            headers["Authorization"] = f"Basic {pair}"
        else:
            form[habits.id_name] = client.id
            if client.secret is not None:
                form["client_secret"] = client.secret
        return Call(method="POST", url=habits.token_url, headers=headers, body=FormBody(form))

    def _read(self, client: Client, answer: Json, before: Tokens | None) -> Tokens:
        from oauthlib.oauth2 import OAuth2Error, WebApplicationClient  # noqa: PLC0415 - sending needs none

        now, life = self._clock(), span(find(answer, _LIFE))
        try:
            found = WebApplicationClient(client.id).parse_request_body_response(_endless(answer))
        except OAuth2Error as error:
            raise UnansweredError(f"The token answer was unreadable ({error.error}).") from None
        access = token_of(found.get("access_token"))
        if access is None:
            raise UnansweredError("The token answer has a token that no call can carry.")
        every = self.habits.renew_every
        refresh = token_of(found.get("refresh_token")) or (before.refresh if before else None)
        kept = {name: _as_text(found[name]) for name in self.habits.keeps if name in found}
        return Tokens(
            access=access,
            refresh=refresh,
            expires_at=None if life is None else now + life,
            renew_at=None if every is None else now + every,
            ends_at=_end_of(found, refresh, before, now),
            extra={**(before.extra if before else _credentials(client)), **kept},
        )


def _endless(answer: Json) -> str:
    """Return a token answer without its life, and scopes only as the library reads them.

    A life that is no number must not lose the tokens, nor scopes that are no text: the old ones may
    be void already.
    """
    known = dict(answer) if isinstance(answer, dict) else {}
    known.pop(_LIFE, None)
    if not isinstance(known.get(_SCOPE), str | list):
        known.pop(_SCOPE, None)
    return json.dumps(known)


def _end_of(
    found: Mapping[str, object], refresh: object, before: Tokens | None, now: datetime
) -> datetime | None:
    """Return when the whole sign-in ends; unchanged if the answer does not say."""
    told = next((found[name] for name in _WHOLE_LIFE if name in found), None)
    life = span(told)
    if life is not None:
        return now + life if life else None
    return before.ends_at if before is not None and before.refresh == refresh else None


def new_state() -> str:
    """Return a random state that the redirect must contain."""
    return secrets.token_urlsafe(24)


def code_of(
    platform: Platform, pending: PendingSignIn, redirected_to: str, *, issuer: str | None = None
) -> str:
    """Return the code in a redirect that is the answer to this sign-in.

    `issuer` is who must have sent it, where platforms say so (RFC 9207). Raises
    TokenRejectedError.
    """
    from oauthlib.oauth2 import OAuth2Error, WebApplicationClient  # noqa: PLC0415 - sending needs none

    library = WebApplicationClient(pending.client.id)
    try:
        answer = library.parse_request_uri_response(_https(redirected_to), state=pending.state)
    except OAuth2Error as error:
        message = f"{FACTS[platform].name} did not sign you in ({error.error})."
        raise TokenRejectedError(message) from None
    if issuer is not None and answer.get("iss") != issuer:
        raise TokenRejectedError(f"The answer does not come from {FACTS[platform].name}.")
    return str(answer["code"])


def _https(address: str) -> str:
    """Return an address as https: oauthlib accepts no other, but loopback is http (RFC 8252)."""
    return "https" + address.removeprefix("https").removeprefix("http")


def _as_text(value: object) -> str:
    """Return a value of an answer as text; the library makes a list of the scopes."""
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _credentials(client: Client) -> dict[str, str]:
    secret = {} if client.secret is None else {"client_secret": client.secret}
    return {"client_id": client.id, **secret}


_OF_THE_APPLICATION = (
    *("invalid_client", "unauthorized_client", "invalid_scope", "unauthorized_scope_error"),
    *("OAUTH2_INVALID_CLIENT", "OAUTH2_INVALID_REDIRECT_URI", "OAUTH2_INVALID_SCOPE"),
)
"""Errors of the application's registration, also in Reddit's and LinkedIn's spelling."""


def _errors(habits: OAuthConfiguration) -> ErrorTable:
    sentence = _NOT_OURS.format(FACTS[habits.platform].name)
    not_ours = ErrorEntry(FailureCode.PLATFORM_UNAVAILABLE, sentence, ours=True, app_wide=True)
    return {
        **dict.fromkeys(_OF_THE_APPLICATION, not_ours),
        **dict.fromkeys(habits.dead, FailureCode.AUTH_EXPIRED),
    }


def _error_codes(response: PlatformResponse) -> tuple[str, ...]:
    """Read `error`, flat as RFC 6749 has it, or within an object as Meta's Graph has it."""
    found = response.find("error")
    code = find(found, "code") if isinstance(found, dict) else found
    return () if code is None else (str(code),)
