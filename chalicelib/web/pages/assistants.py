"""OAuth for assistants: metadata, registration, the consent page, tokens.

All of it is missing (404) unless the deployment names its assistant server
(GOLDENHOUR_ASSISTANT_URL). A GET never redirects to an assistant, not even to report an error:
anybody can register, so only the member's button sends a browser there. A client's document is
fetched only for a member who is signed in and proven.
"""

from dataclasses import replace
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from chalicelib.domain.errors import PathNotFound
from chalicelib.domain.workspace.access import DEFAULT_SCOPES, Scope
from chalicelib.domain.workspace.client_metadata import read_description, read_metadata
from chalicelib.domain.workspace.grants import (
    GRANTABLE,
    AssistantClient,
    make_client,
    read_client,
)
from chalicelib.domain.workspace.redirects import (
    is_on_this_device,
    place_of,
    plain_form,
    source_of,
)
from chalicelib.http.messages import JSON_TYPE, json_response
from chalicelib.http.routing import OAUTH_METADATA
from chalicelib.kit.asgi.messages import Response
from chalicelib.web.messages import redirect
from chalicelib.web.protection import security_headers
from chalicelib.web.routing import Visit, page

if TYPE_CHECKING:
    from chalicelib.web.authorization import Answer, Asked, AuthorizationServer, FindClient

_PAGE = "/app/oauth"
_LABELS = {
    Scope.READ: "see accounts, posts and results",
    Scope.WRITE: "write and edit drafts, upload files, delete posts",
    Scope.PUBLISH: "schedule and publish posts, edit scheduled ones",
    Scope.DELETE_PUBLISHED: "delete published posts from their platforms",
}
_UNSTORED = {"Cache-Control": "no-store", "Pragma": "no-cache"}


@page("GET", OAUTH_METADATA, open_to_all=True)
def metadata(visit: Visit) -> Response:
    """Answer with the endpoints (RFC 8414) and the assistant server that tokens are for."""
    issuer, resource = _issuer(visit), _server(visit).resource
    known = {
        "issuer": issuer,
        "authorization_endpoint": f"{issuer}{_PAGE}/authorize",
        "token_endpoint": f"{issuer}{_PAGE}/token",
        "registration_endpoint": f"{issuer}{_PAGE}/register",
        "revocation_endpoint": f"{issuer}{_PAGE}/revoke",
        "scopes_supported": [*GRANTABLE],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
        "client_id_metadata_document_supported": True,
        "protected_resources": [resource],
    }
    return json_response(HTTPStatus.OK, known)


@page("POST", f"{_PAGE}/register", open_to_all=True)
def register(visit: Visit) -> Response:
    """Register an assistant (RFC 7591); its client id contains what it said about itself."""
    _server(visit)
    sent = read_metadata(visit.request.body)
    if sent is None:
        return _registration_error(
            "invalid_client_metadata", "Send a JSON object of at most 10 KB."
        )
    described = read_description(sent)
    if described is None:
        return _registration_error(
            "invalid_client_metadata",
            "client_name must be printable characters, and each of redirect_uris a string.",
        )
    # An address that is not taken is left out, and the answer tells which are (RFC 7591, 3.2.1).
    client = make_client(*described)
    if client is None:
        return _registration_error(
            "invalid_redirect_uri",
            "A client has 1 to 5 redirect_uris that are https, http on 127.0.0.1, [::1] or"
            " localhost, or a scheme of its own with a period such as com.example.app:/callback.",
        )
    known = {
        "client_id": client.client_id,
        "client_id_issued_at": int(visit.now.timestamp()),
        "client_name": client.name,
        "redirect_uris": client.redirect_uris,
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    }
    return json_response(HTTPStatus.CREATED, known, _UNSTORED)


@page("GET", f"{_PAGE}/authorize", open_to_all=True)
def ask(visit: Visit) -> Response:
    """Ask the member who is signed in whether an assistant may act for them."""
    server = _server(visit, partial(_find_client, visit))
    if visit.read_session() is None:
        again = _address(visit)
        return visit.show("assistants/sign_in.html", status=HTTPStatus.UNAUTHORIZED, again=again)
    visit.require_passkey(_address(visit))
    if not visit.is_proven:
        return redirect(f"/app/proof?{urlencode({'then': _address(visit)})}")
    asked = server.read(_address(visit))
    if isinstance(asked, str):
        return _show_refusal(visit, asked)
    shown = visit.show(
        "assistants/allow.html",
        client=asked.client,
        place=place_of(asked.redirect_uri),
        is_here=is_on_this_device(asked.redirect_uri),
        usual=DEFAULT_SCOPES,
        offered=[(scope, _LABELS[scope]) for scope in GRANTABLE if _may(visit, scope, asked)],
    )
    # Browsers hold a form to its page's policy through every redirect.
    policy = security_headers(
        secure=visit.is_secure, leads_away=False, answers_to=source_of(asked.redirect_uri)
    )
    return replace(shown, headers={**policy, **shown.headers})


@page("POST", f"{_PAGE}/authorize", scope=None)
def decide(visit: Visit) -> Response:
    """Redirect to the assistant with the member's answer."""
    server, issuer = _server(visit, partial(_find_client, visit)), _issuer(visit)
    if not visit.is_proven:
        return redirect(_address(visit))
    asked = server.read(_address(visit))
    if isinstance(asked, str):
        return _show_refusal(visit, asked)
    wanted = set(visit.form.all("scope"))
    scopes = [s.value for s in GRANTABLE if s.value in wanted and _may(visit, s, asked)]
    if visit.form["answer"] != "allow" or not scopes:
        return redirect(server.refuse(asked, issuer=issuer))
    return redirect(server.allow(_address(visit), visit.caller, scopes, issuer=issuer))


@page("POST", f"{_PAGE}/token", open_to_all=True)
def token(visit: Visit) -> Response:
    """Exchange a code or a refresh token for an API key and the next refresh token."""
    return _token_response(_server(visit).exchange(visit.request.path, _body(visit)))


@page("POST", f"{_PAGE}/revoke", open_to_all=True)
def revoke(visit: Visit) -> Response:
    """End a grant that its assistant no longer needs (RFC 7009)."""
    return _token_response(_server(visit).revoke(visit.request.path, _body(visit)))


def _server(visit: Visit, find_client: "FindClient" = read_client) -> "AuthorizationServer":
    """Return the OAuth endpoints. Raises PathNotFound where there is no assistant server."""
    from chalicelib.web.authorization import AuthorizationServer  # noqa: PLC0415 - few pages need

    url = visit.services.settings.assistant_url
    if url is None:
        raise PathNotFound
    return AuthorizationServer(
        visit.services.people.grants,
        url,
        address=visit.request.client,
        find_client=find_client,
    )


def _find_client(visit: Visit, client_id: str) -> AssistantClient | str | None:
    """Return a client for the member who is signed in. Raises RoleForbids where nobody is, Busy."""
    return visit.services.people.client_documents.find(visit.caller, client_id)


def _issuer(visit: Visit) -> str:
    return plain_form(visit.services.settings.outer_url)


def _may(visit: Visit, scope: Scope, asked: "Asked") -> bool:
    return scope.value in asked.scopes and visit.may(scope)


def _query(visit: Visit) -> str:
    """Return what was asked for; an empty parameter counts as none (RFC 6749, 3.1)."""
    asked = {name: [*filter(None, texts)] for name, texts in visit.request.query.items()}
    return urlencode(asked, doseq=True)


def _address(visit: Visit) -> str:
    return f"{visit.request.path}?{_query(visit)}"


def _body(visit: Visit) -> str:
    return visit.request.body.decode("utf-8", "replace")


def _show_refusal(visit: Visit, why: str) -> Response:
    return visit.show("assistants/refused.html", status=HTTPStatus.BAD_REQUEST, message=why)


def _token_response(answer: "Answer") -> Response:
    headers = {"Content-Type": JSON_TYPE, **answer.headers, **_UNSTORED}
    return Response(status=answer.status, headers=headers, body=(answer.body or "").encode())


def _registration_error(error: str, description: str) -> Response:
    body = {"error": error, "error_description": description}
    return json_response(HTTPStatus.BAD_REQUEST, body, _UNSTORED)
