"""OAuth 2 with code and PKCE, over a token address that checks what it is sent."""

import base64
import hashlib
import socket
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from http.client import HTTPConnection
from urllib.parse import parse_qsl, urlsplit

import pytest

from chalicelib.cli.sign_in import answer_of_page
from chalicelib.connectors.shared.auth.oauth import (
    Client,
    ClientAuth,
    OAuthClient,
    OAuthConfiguration,
    PendingSignIn,
)
from chalicelib.connectors.shared.calls.failures import RejectedError, TokenRejectedError
from chalicelib.domain.blame import blame_of
from chalicelib.domain.outcome import Blame, Failed, FailureCode
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.transport.failures import UnansweredError
from chalicelib.workers.publishing.error_mapping import answer_of
from tests.connectors.support.fake_platform import (
    Answer,
    FakePlatform,
    Fault,
    Received,
    Value,
    Wrong,
)
from tests.support.frozen_clock import NOON, FrozenClock

CLIENT = Client("client-1", "secret-lighthouse")
REDIRECT = "http://127.0.0.1:8914/callback"


class TokenAddress(FakePlatform):
    """Trades codes and refresh tokens; each works once."""

    def __init__(self) -> None:
        super().__init__()
        self.challenge = ""
        self.good = {"code-1", "refresh-1"}
        self.wraps: Value = None
        self.lives: dict[str, Value] = {}
        self.refuses: Answer | None = None

    def answer(self, call: Received) -> Answer:
        if self.refuses is not None:
            return self.refuses
        form = call.form
        basic = base64.b64encode(b"client-1:secret-lighthouse").decode()
        known = call.headers.get("authorization") == f"Basic {basic}"
        named = form.get("client_id") or form.get("client_key")
        if not known and (named, form.get("client_secret")) != (CLIENT.id, CLIENT.secret):
            raise Wrong(Answer(401, {"error": "invalid_client"}))
        spent = form.get("code") or form.get("refresh_token") or ""
        if spent not in self.good:
            raise Wrong(Answer(400, {"error": "invalid_grant"}))
        if form["grant_type"] == "authorization_code":
            self._check(form)
        self.good.discard(spent)
        number = len(self.calls)
        self.good.add(f"refresh-{number}0")
        answer = {
            "access_token": f"access-{number}",
            "refresh_token": f"refresh-{number}0",
            "expires_in": 7200,
            "token_type": "bearer",
            "scope": "post read",
            "open_id": "me-42",
            **self.lives,
        }
        return Answer(200, {"data": [answer]} if self.wraps else answer)

    def _check(self, form: dict[str, str]) -> None:
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        made = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if (form["redirect_uri"], made) != (REDIRECT, self.challenge):
            raise Wrong(Answer(400, {"error": "invalid_grant"}))


@pytest.fixture
def address() -> Iterator[TokenAddress]:
    platform = TokenAddress()
    yield platform
    platform.close()


def _oauth_configuration(address: TokenAddress) -> OAuthConfiguration:
    return OAuthConfiguration(
        platform=Platform.X,
        authorize_url="https://x.example/authorize",
        token_url=f"{address.url}/token",
        scopes=("post", "read"),
        authorize_params={"access_type": "offline"},
        keeps=("open_id",),
        renew_every=timedelta(days=30),
    )


def _begin(address: TokenAddress, oauth: OAuthClient) -> tuple[PendingSignIn, dict[str, str]]:
    pending = oauth.begin(CLIENT, REDIRECT, None)
    query = dict(parse_qsl(urlsplit(pending.url).query))
    address.challenge = query.get("code_challenge", "")
    return pending, query


def _client(habits: OAuthConfiguration) -> OAuthClient:
    return OAuthClient(habits, clock=FrozenClock())


def test_the_page_is_opened_with_all_that_the_platform_asks_for(address: TokenAddress) -> None:
    pending, query = _begin(address, _client(_oauth_configuration(address)))

    assert pending.url.startswith("https://x.example/authorize?")
    assert query == {
        "response_type": "code",
        "client_id": "client-1",
        "redirect_uri": REDIRECT,
        "scope": "post read",
        "state": pending.state,
        "code_challenge": address.challenge,
        "code_challenge_method": "S256",
        "access_type": "offline",
    }


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"client_auth": ClientAuth.BASIC},
        {"id_name": "client_key"},
    ],
    ids=["form", "basic", "another name"],
)
def test_a_code_becomes_tokens(address: TokenAddress, change: dict[str, str]) -> None:
    oauth = _client(replace(_oauth_configuration(address), **change))  # type: ignore[arg-type]
    pending, _ = _begin(address, oauth)

    tokens = oauth.finish(pending, f"{REDIRECT}?state={pending.state}&code=code-1#_")

    assert tokens == Tokens(
        access="access-1",
        refresh="refresh-10",
        expires_at=NOON + timedelta(hours=2),
        renew_at=NOON + timedelta(days=30),
        extra={
            "client_id": "client-1",
            "client_secret": "secret-lighthouse",
            "open_id": "me-42",
        },
    )


def test_an_answer_within_another_is_found(address: TokenAddress) -> None:
    address.wraps = True
    oauth = _client(replace(_oauth_configuration(address), nested=("data", 0)))
    pending, _ = _begin(address, oauth)

    tokens = oauth.finish(pending, f"{REDIRECT}?state={pending.state}&code=code-1")

    assert tokens.access == "access-1"


@pytest.mark.parametrize("life", ["9" * 12, 10**12])
def test_a_life_that_no_calendar_has_is_without_end(address: TokenAddress, life: Value) -> None:
    address.lives = {"expires_in": life, "refresh_token_expires_in": life}

    tokens = _client(_oauth_configuration(address)).refresh(_tokens())

    assert (tokens.expires_at, tokens.ends_at) == (None, None)


def test_a_whole_sign_in_that_ends_at_no_number_does_not_end(address: TokenAddress) -> None:
    address.lives = {"refresh_token_expires_in": "9" * 5000}

    assert _client(_oauth_configuration(address)).refresh(_tokens()).ends_at is None


@pytest.mark.parametrize("scope", [True, 1.5, {}, 10**30, None])
def test_scopes_that_are_no_text_lose_no_tokens(address: TokenAddress, scope: Value) -> None:
    """The refresh token is spent: oauthlib raised AttributeError, and the next one was lost."""
    address.lives = {"scope": scope}

    assert _client(_oauth_configuration(address)).refresh(_tokens()).access == "access-1"


@pytest.mark.parametrize("access", [None, True, ["a"], {}, "a\nb", "\u2342", "\udd1e"], ids=repr)
def test_a_token_that_no_call_can_carry_is_no_answer(address: TokenAddress, access: Value) -> None:
    """RFC 6749, appendix A.12: it would stop each later call, or be refused as "None"."""
    address.lives = {"access_token": access}

    with pytest.raises(UnansweredError):
        _client(_oauth_configuration(address)).refresh(_tokens())


@pytest.mark.parametrize(
    "answer",
    [
        "?state=another&code=code-1",
        "?code=code-1",
        "?state={state}&error=access_denied",
        "?state={state}",
        "",
        "?state={state}&code=wrong",
    ],
)
def test_anything_but_the_answer_to_this_sign_in_is_refused(
    address: TokenAddress, answer: str
) -> None:
    oauth = _client(_oauth_configuration(address))
    pending, _ = _begin(address, oauth)

    with pytest.raises(TokenRejectedError):
        oauth.finish(pending, REDIRECT + answer.format(state=pending.state))


def _tokens(refresh: str = "refresh-1") -> Tokens:
    extra = {"client_id": "client-1", "client_secret": "secret-lighthouse", "open_id": "me-42"}
    return Tokens(access="access-0", refresh=refresh, extra=extra)


def test_a_refresh_brings_the_next_pair(address: TokenAddress) -> None:
    oauth = _client(_oauth_configuration(address))

    second = oauth.refresh(_tokens())
    third = oauth.refresh(second)

    assert (second.refresh, third.refresh) == ("refresh-10", "refresh-20")
    assert third.extra == _tokens().extra


def test_only_a_dead_refresh_token_ends_a_sign_in(address: TokenAddress) -> None:
    oauth = _client(_oauth_configuration(address))
    with pytest.raises(TokenRejectedError):
        oauth.refresh(_tokens("spent"))

    strange = replace(_tokens(), extra={"client_id": "somebody"})
    with pytest.raises(RejectedError) as caught:
        oauth.refresh(strange)
    assert caught.value.code == "platform_unavailable"

    for fault in (Fault.ERROR_BEFORE, Fault.DROP_BEFORE, Fault.GARBLED_AFTER):
        address.strike(0, fault)
        with pytest.raises(UnansweredError):
            oauth.refresh(_tokens())


def test_an_error_in_an_answer_of_200_is_one(address: TokenAddress) -> None:
    address.refuses = Answer(200, {"error": "invalid_grant", "log_id": "L1"})

    with pytest.raises(TokenRejectedError):
        _client(_oauth_configuration(address)).refresh(_tokens())


def test_what_is_secret_does_not_show(address: TokenAddress) -> None:
    pending, _ = _begin(address, _client(_oauth_configuration(address)))

    shown = repr(pending) + repr(_tokens()) + repr(CLIENT)

    assert "lighthouse" not in shown
    assert pending.verifier not in shown
    assert "refresh-1" not in shown


def test_the_way_back_from_the_page_arrives_on_loopback() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]

    def visit(url: str) -> None:
        def walk() -> None:
            for path in ("/favicon.ico", "/callback?state=s&code=c"):
                connection = HTTPConnection("127.0.0.1", port, timeout=5)
                connection.request("GET", path)
                connection.getresponse().read()
                connection.close()

        assert url == "https://x.example/authorize"
        threading.Thread(target=walk).start()

    redirect = f"http://127.0.0.1:{port}/callback"
    address = answer_of_page("https://x.example/authorize", redirect, paste=False, open_page=visit)

    assert address == f"{redirect}?state=s&code=c"


@pytest.mark.parametrize("kind", ["invalid_client", "unauthorized_client", "invalid_scope"])
@pytest.mark.parametrize("status", [200, 400, 401])
def test_an_application_that_is_set_up_wrongly_is_the_operators_and_nobodys_sign_in(
    address: TokenAddress, status: int, kind: str
) -> None:
    """The platforms' sheets of November 2026: the service is unavailable until it is set right."""
    address.refuses = Answer(status, {"error": kind, "error_description": "No."})
    oauth = _client(_oauth_configuration(address))
    tokens = Tokens(access="a", refresh="refresh-1", extra={"client_id": "client-1"})

    failed = answer_of(lambda: oauth.refresh(tokens))

    assert isinstance(failed, Failed)
    assert (failed.code, blame_of(failed)) == (FailureCode.PLATFORM_UNAVAILABLE, Blame.APPLICATION)
    assert failed.app_wide
    assert "operator must check" in failed.message
