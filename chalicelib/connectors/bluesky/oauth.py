"""Signing in to Bluesky in a browser: atproto.com/specs/oauth, with PAR, PKCE and DPoP.

The account's own server names who may sign people in. The client is public: its id is the address
of its metadata, or `http://localhost` for a loopback redirect, completed with what is asked for.
"""

from datetime import timedelta
from urllib.parse import urlencode

from chalicelib.connectors.bluesky.account import BlueskySessions, method
from chalicelib.connectors.bluesky.refusals import BlueskyRefusal
from chalicelib.connectors.shared.auth.dpop import ProvenCalls, new_key
from chalicelib.connectors.shared.auth.oauth import Client, PendingSignIn, code_of, new_state
from chalicelib.connectors.shared.auth.sign_in import Identity
from chalicelib.connectors.shared.calls.failures import TokenRejectedError
from chalicelib.connectors.shared.calls.http import Call, PlatformHttp
from chalicelib.connectors.shared.calls.waits import span
from chalicelib.domain.clock import Clock
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.transport.bodies import FormBody
from chalicelib.kit.transport.failures import UnansweredError
from chalicelib.kit.transport.network_rules import (
    ForbiddenAddressError,
    require_endpoint,
    require_origin,
)
from chalicelib.kit.transport.responses import PlatformResponse, find

SCOPE = (
    "atproto repo:app.bsky.feed.post repo:app.bsky.feed.threadgate repo:app.bsky.feed.postgate "
    "blob:*/* rpc:com.atproto.repo.uploadBlob?aud=*"
)
_LOOPBACK_CLIENT = "http://localhost"
_RENEW_EVERY = timedelta(days=7)
"""A public client's sign-in lasts two weeks without a renewal."""

_VERIFIER_LENGTH = 64


class BlueskyOAuth:
    """Sign-ins by browser and their renewals."""

    def __init__(
        self, http: PlatformHttp, calls: ProvenCalls, sessions: BlueskySessions, clock: Clock
    ) -> None:
        self._http = http
        self._calls = calls
        self._sessions = sessions
        self._clock = clock

    def begin(self, client: Client, redirect_uri: str, handle: str | None = None) -> PendingSignIn:
        """Announce the sign-in to the account's authorization server; return its page."""
        from oauthlib.oauth2 import WebApplicationClient  # noqa: PLC0415 - sending needs none

        issuer, at = self._authority(self._sessions.home_of(handle))
        library, key, state = WebApplicationClient(client.id), new_key(), new_state()
        verifier = library.create_code_verifier(_VERIFIER_LENGTH)
        client = Client(_client_id(client, redirect_uri))
        fields = {
            "client_id": client.id,
            "response_type": "code",
            "redirect_uri": redirect_uri,
            "scope": SCOPE,
            "state": state,
            "code_challenge": library.create_code_challenge(verifier, "S256"),
            "code_challenge_method": "S256",
            **({} if handle is None else {"login_hint": handle}),
        }
        announced = self._calls.send(
            _form(self._place(at, "pushed_authorization_request"), fields), key
        )
        asked = {"client_id": client.id, "request_uri": announced.text("request_uri")}
        return PendingSignIn(
            url=f"{self._place(at, 'authorization')}?{urlencode(asked)}",
            client=client,
            redirect_uri=redirect_uri,
            state=state,
            verifier=verifier,
            kept={"dpop_key": key, "issuer": issuer, "token_url": self._place(at, "token")},
        )

    def finish(self, pending: PendingSignIn, redirected_to: str) -> Tokens:
        """Trade the code for tokens that are bound to the sign-in's key."""
        issuer = pending.kept["issuer"]
        fields = {
            "grant_type": "authorization_code",
            "code": code_of(Platform.BLUESKY, pending, redirected_to, issuer=issuer),
            "redirect_uri": pending.redirect_uri,
            "client_id": pending.client.id,
            "code_verifier": pending.verifier,
        }
        extra = {**pending.kept, "client_id": pending.client.id}
        place = pending.kept["token_url"]
        return self._tokens(self._calls.send(_form(place, fields), extra["dpop_key"]), extra)

    def refresh(self, tokens: Tokens) -> Tokens:
        """Return the next tokens; each refresh token works once."""
        fields = {
            "grant_type": "refresh_token",
            "refresh_token": tokens.refresh or "",
            "client_id": tokens.extra["client_id"],
        }
        call = _form(tokens.extra["token_url"], fields)
        return self._tokens(self._calls.send(call, tokens.extra["dpop_key"]), dict(tokens.extra))

    def identity(self, tokens: Tokens) -> Identity:
        """Return who signed in, if the authority that said so is the one of that account."""
        did = tokens.extra["sub"]
        server = self._sessions.server_of(did)
        issuer, _ = self._authority(server)
        if issuer != tokens.extra["issuer"]:
            raise TokenRejectedError("Somebody else's server answered for that account.")
        repository = method(server, "com.atproto.repo.describeRepo")
        about = self._http.send(Call(method="GET", url=repository, params={"repo": did}))
        return Identity(
            remote_identity=did,
            handle=about.text("handle"),
            tokens=tokens,
            settings=self._sessions.settings_of(server),
        )

    def _authority(self, server: str) -> tuple[str, PlatformResponse]:
        """Return who signs people in for a server, and where."""
        resource = self._http.send(
            Call(method="GET", url=f"{server}/.well-known/oauth-protected-resource")
        )
        issuer = resource.text("authorization_servers", 0)
        place = f"{self._origin(issuer)}/.well-known/oauth-authorization-server"
        described = self._http.send(Call(method="GET", url=place))
        if described.text("issuer") != issuer:
            raise UnansweredError("The authorization server calls itself something else.")
        return issuer, described

    def _origin(self, issuer: str) -> str:
        try:
            return require_origin(issuer, self._sessions.trusted)
        except ForbiddenAddressError as error:
            raise BlueskyRefusal.UNUSABLE.error(why=error) from None

    def _place(self, described: PlatformResponse, name: str) -> str:
        """Return where a server says that one of its endpoints is, if it may be asked there."""
        try:
            return require_endpoint(described.text(f"{name}_endpoint"), self._sessions.trusted)
        except ForbiddenAddressError as error:
            raise BlueskyRefusal.UNUSABLE.error(why=error) from None

    def _tokens(self, response: PlatformResponse, extra: dict[str, str]) -> Tokens:
        now, life = self._clock(), span(find(response.json(), "expires_in"))
        return Tokens(
            access=response.token("access_token"),
            refresh=response.token("refresh_token"),
            expires_at=None if life is None else now + life,
            renew_at=now + _RENEW_EVERY,
            extra={**extra, "sub": response.text("sub")},
        )


def _client_id(client: Client, redirect_uri: str) -> str:
    if client.id != _LOOPBACK_CLIENT:
        return client.id
    return f"{client.id}?{urlencode({'redirect_uri': redirect_uri, 'scope': SCOPE})}"


def _form(url: str, fields: dict[str, str]) -> Call:
    return Call(method="POST", url=url, body=FormBody(fields))
