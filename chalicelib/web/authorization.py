"""The OAuth 2.1 server for assistants: oauthlib's endpoints over `Grants`.

`pages/assistants` calls it. Clients are public and use PKCE (S256 only). Redirect addresses must
match exactly, except for ports on the person's own machine (RFC 8252). Every authorization request
names the assistant server that the tokens are for (RFC 8707): otherwise, any server could have a
member's tokens sent to it.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import ClassVar, TypeAlias
from urllib.parse import parse_qs

from oauthlib.common import Request, add_params_to_uri
from oauthlib.oauth2 import (
    AccessDeniedError,
    AuthorizationCodeGrant,
    AuthorizationEndpoint,
    BearerToken,
    FatalClientError,
    OAuth2Error,
    RefreshTokenGrant,
    RequestValidator,
    RevocationEndpoint,
    TemporarilyUnavailableError,
    TokenEndpoint,
)
from oauthlib.oauth2.rfc6749.errors import (
    CustomOAuth2Error,
    InvalidClientIdError,
    InvalidGrantError,
    InvalidRequestError,
    MismatchingRedirectURIError,
)
from oauthlib.oauth2.rfc6749.grant_types.authorization_code import code_challenge_method_s256

from chalicelib.domain.workspace.access import DEFAULT_SCOPES, Caller, Scope
from chalicelib.domain.workspace.grants import (
    ACCESS_LIFETIME,
    GRANTABLE,
    AssistantClient,
    AuthorizationCode,
    RefreshToken,
    new_refresh_token,
    read_client,
    read_refresh_token,
)
from chalicelib.domain.workspace.key_form import make_key
from chalicelib.domain.workspace.operator_errors import OperatorError, UnknownWorkspaceError
from chalicelib.domain.workspace.redirects import fits_registered, plain_form
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.app.grants import Grants

FindClient: TypeAlias = Callable[[str], AssistantClient | str | None]
"""Returns a client, the sentence that refuses it, or None for an invalid id."""
_CHALLENGE = re.compile(r"[\w-]{43}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """An authorization request: what an assistant asks a member for, and where the answer goes."""

    client: AssistantClient
    redirect_uri: str
    state: str | None
    scopes: Sequence[str]


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer to a program: headers, JSON body and status."""

    headers: dict[str, str]
    body: str | None
    status: int


class AuthorizationServer:
    """The OAuth endpoints for one request, over a deployment's grants.

    `resource` is the address of the deployment's assistant server, `address` the IP address that
    the request comes from. `find_client` is asked once, so that a request is of one client.
    """

    def __init__(
        self,
        grants: Grants,
        resource: str,
        *,
        address: str = "",
        find_client: FindClient = read_client,
    ) -> None:
        self.resource = plain_form(resource)
        self.answers = _Answers(grants, address, cache(find_client))
        tokens = BearerToken(
            self.answers,
            token_generator=lambda _: make_key(),
            refresh_token_generator=self.answers.next_refresh_token,
            expires_in=int(ACCESS_LIFETIME.total_seconds()),
        )
        checks = [self._require_resource, _require_challenge, _require_query]
        code = _CodeGrant(self.answers, pre_auth=checks)
        refresh = RefreshTokenGrant(self.answers)
        kinds = {"authorization_code": code, "refresh_token": refresh}
        self.authorization = AuthorizationEndpoint("code", tokens, {"code": code})  # type: ignore[arg-type]  # no name of a type: the type
        self.token = TokenEndpoint("authorization_code", tokens, kinds)  # type: ignore[arg-type]  # as above
        self.revocation = RevocationEndpoint(self.answers)

    def read(self, address: str) -> Asked | str:
        """Return what an authorization request asks for, or the sentence that refuses it."""
        try:
            scopes, facts = self.authorization.validate_authorization_request(address)
        except (OAuth2Error, FatalClientError) as refusal:
            return str(refusal.description or refusal.error)
        return Asked(
            client=self.answers.client,
            redirect_uri=str(facts["redirect_uri"]),
            state=facts["state"],
            scopes=scopes,
        )

    def allow(self, address: str, caller: Caller, scopes: Sequence[str], *, issuer: str) -> str:
        """Grant `scopes` to a request that `read` accepted; return where to redirect the member."""
        self.answers.caller = caller
        headers, _, _ = self.authorization.create_authorization_response(address, scopes=scopes)
        return str(add_params_to_uri(headers["Location"], [("iss", issuer)]))

    def refuse(self, asked: Asked, *, issuer: str) -> str:
        """Return where to redirect a member who refuses."""
        location = AccessDeniedError(state=asked.state).in_uri(asked.redirect_uri)
        return str(add_params_to_uri(location, [("iss", issuer)]))

    def exchange(self, path: str, body: str) -> Answer:
        """Answer a token request; one for another server is refused and leaves its code unused."""
        sent = parse_qs(body, keep_blank_values=True)
        named = sent.pop("resource", [])
        try:
            if any(plain_form(text) != self.resource for text in named):
                raise CustomOAuth2Error("invalid_target", description=self._only_here)
            if any(len(texts) > 1 for texts in sent.values()):
                raise InvalidRequestError(description="A parameter was sent twice.")
            if not any(sent.get("grant_type", ())):
                raise InvalidRequestError(description="The form has no grant_type.")
            return Answer(*self.token.create_token_response(path, "POST", body, {}))
        except OAuth2Error as refusal:
            return Answer(refusal.headers, refusal.json, refusal.status_code)

    def revoke(self, path: str, body: str) -> Answer:
        """Answer a request to end a grant (RFC 7009)."""
        return Answer(*self.revocation.create_revocation_response(path, "POST", body, {}))

    @property
    def _only_here(self) -> str:
        return f"The parameter resource must be {self.resource}."

    def _require_resource(self, request: Request) -> dict[str, object]:
        named = [text for name, text in request.uri_query_params if name == "resource"]
        if [plain_form(text) for text in named] != [self.resource]:
            raise CustomOAuth2Error("invalid_target", description=self._only_here, request=request)
        return {}


def _require_challenge(request: Request) -> dict[str, object]:
    if not _CHALLENGE.fullmatch(str(request.code_challenge or "")):
        raise InvalidRequestError(description="Code challenge required (S256).", request=request)
    return {}


def _require_query(request: Request) -> dict[str, object]:
    """Refuse any response mode but query: browsers keep a fragment through redirects."""
    if request.response_mode not in {None, "query"}:
        raise InvalidRequestError(description="Response mode must be query.", request=request)
    return {}


class _CodeGrant(AuthorizationCodeGrant):
    _code_challenge_methods: ClassVar = {"S256": code_challenge_method_s256}


class _Answers(RequestValidator):
    """Answers oauthlib's questions about one request; methods are in the order of its calls."""

    caller: Caller
    """The member who allows the request."""
    client: AssistantClient
    _code: AuthorizationCode
    _last: RefreshToken
    _next: RefreshToken
    _scopes: list[str]

    def __init__(self, grants: Grants, address: str, find_client: FindClient) -> None:
        super().__init__()
        self._grants = grants
        self._address = address
        self._find_client = find_client

    # Of an authorization request

    def validate_client_id(
        self, client_id: str, request: Request, *_: object, **__: object
    ) -> bool:
        client = self._find_client(client_id)
        if client is None:
            return False
        if isinstance(client, str):
            raise InvalidClientIdError(description=client, request=request)
        self.client = request.client = client
        return True

    def validate_redirect_uri(
        self, client_id: str, redirect_uri: str, request: Request, *_: object, **__: object
    ) -> bool:
        if any(fits_registered(redirect_uri, one) for one in self.client.redirect_uris):
            return True
        why = "The answer would go to an address that the assistant did not give as one of its own."
        raise MismatchingRedirectURIError(description=why, request=request)

    def get_default_redirect_uri(
        self, client_id: str, request: Request, *_: object, **__: object
    ) -> str:
        return ""

    def validate_response_type(
        self, client_id: str, response_type: str, *_: object, **__: object
    ) -> bool:
        return response_type == "code"

    def is_pkce_required(self, client_id: str, request: Request) -> bool:
        return True

    def get_default_scopes(self, client_id: str, *_: object, **__: object) -> list[str]:
        return sorted(DEFAULT_SCOPES)

    def validate_scopes(
        self, client_id: str, scopes: list[str], client: object, request: Request, *_: object
    ) -> bool:
        """Leave out what nobody can grant (RFC 6749, 3.3); tell whether anything is left."""
        request.scopes = [scope for scope in scopes if scope in GRANTABLE]
        return bool(request.scopes)

    def save_authorization_code(  # type: ignore[override]  # a dictionary that is given out next
        self, client_id: str, code: dict[str, str], request: Request, *_: object, **__: object
    ) -> None:
        code["code"] = self._grants.allow(
            self.caller,
            self.client,
            redirect_uri=str(request.redirect_uri),
            challenge=str(request.code_challenge),
            scopes=frozenset(map(Scope, request.scopes or ())),
        )

    # Of a request for tokens

    def client_authentication_required(self, request: Request, *_: object, **__: object) -> bool:
        return False

    def authenticate_client_id(
        self, client_id: str | None, request: Request, *_: object, **__: object
    ) -> bool:
        return self.validate_client_id(client_id or "", request)

    def validate_grant_type(
        self, client_id: str, grant_type: str, *_: object, **__: object
    ) -> bool:
        return grant_type in {"authorization_code", "refresh_token"}

    def validate_code(
        self, client_id: str, code: str, client: object, request: Request, *_: object, **__: object
    ) -> bool:
        used = self._grants.use_code(code, self.client, address=self._address)
        if used is None:
            return False
        self._code, request.scopes = used, sorted(used.scopes)
        return True

    def get_code_challenge(self, code: str, request: Request) -> str:
        return self._code.challenge

    def get_code_challenge_method(self, code: str, request: Request) -> str:
        return "S256"

    def confirm_redirect_uri(
        self, client_id: str, code: str, redirect_uri: str, *_: object, **__: object
    ) -> bool:
        return self._code.redirect_uri == redirect_uri

    def validate_refresh_token(
        self, refresh_token: str, client: object, request: Request, *_: object, **__: object
    ) -> bool:
        last = read_refresh_token(refresh_token)
        key = None if last is None else self._grants.find(last, self.client)
        if last is None or key is None:
            return False
        self._last, self._scopes = last, sorted(key.scopes)
        request.scope = None  # a renewed key may do what it could before, whatever is asked for
        return True

    def get_original_scopes(
        self, refresh_token: str, request: Request, *_: object, **__: object
    ) -> list[str]:
        return self._scopes

    def next_refresh_token(self, request: Request) -> str:
        """Return the refresh token that goes with a new access token."""
        if request.grant_type == "refresh_token":
            return ""  # `save_bearer_token` knows it
        self._next = new_refresh_token(self._code.workspace_id, self._code.key_id)
        return str(self._next)

    def save_bearer_token(  # type: ignore[override]  # its own kind of dictionary
        self, token: dict[str, object], request: Request, *_: object, **__: object
    ) -> None:
        is_renewal = request.grant_type == "refresh_token"
        try:
            holds = self._renew(token) if is_renewal else self._keep(str(token["access_token"]))
        except UnknownWorkspaceError as away:  # it is being moved; a later try may succeed
            raise TemporarilyUnavailableError(request=request, status_code=503) from away
        except OperatorError as refusal:
            raise InvalidGrantError(description=str(refusal), request=request) from refusal
        if not holds:
            raise InvalidGrantError(request=request)

    def _keep(self, access: str) -> bool:
        return self._grants.keep(self._code, access=access, refresh=self._next)

    def _renew(self, token: dict[str, object]) -> bool:
        tokens = self._grants.renew(self._last, self.client, address=self._address)
        if tokens is None:
            return False
        token.update(access_token=tokens.access, refresh_token=str(tokens.refresh))
        return True

    def invalidate_authorization_code(
        self, client_id: str, code: str, *_: object, **__: object
    ) -> None:
        """Do nothing: `validate_code` has used the code up."""

    def revoke_token(
        self, token: str, token_type_hint: str | None, request: Request, *_: object, **__: object
    ) -> None:
        self._grants.end(token, self.client, address=self._address)
