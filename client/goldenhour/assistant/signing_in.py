"""What the HTTP server says to assistants that have no key yet: where to ask for one, by OAuth.

The service is the authorization server (its app asks the member), this server a protected resource
(RFC 9728). The service names this server's address; where it names none, only keys are taken.
"""

from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus

import requests
from mcp.server.auth.routes import build_resource_metadata_url
from mcp.shared.auth import ProtectedResourceMetadata
from pydantic import AnyHttpUrl, BaseModel, ConfigDict, ValidationError

_METADATA = "/.well-known/oauth-authorization-server"
RESOURCE_METADATA = "/.well-known/oauth-protected-resource"
TOKEN = "/token"  # noqa: S105 - a path
"""Where the SDK's client renews stored tokens before it has read who issues them."""
LONGEST_FORM = 10_000
_TIMEOUT_S = 10


class ServiceAway(Exception):
    """The service did not say who lets people in; it may later."""


class _AuthorizationServer(BaseModel):
    # Clients compare an issuer as a text: nothing is added to it (RFC 8414, 3.3).
    model_config = ConfigDict(url_preserve_empty_path=True)

    issuer: AnyHttpUrl
    token_endpoint: AnyHttpUrl
    protected_resources: list[AnyHttpUrl] = []
    scopes_supported: list[str] = []


@dataclass(slots=True)
class SigningIn:
    """Knows what the service said, from the first time that it answered."""

    base_url: str
    _found: _AuthorizationServer | None = field(default=None, init=False)

    def metadata(self) -> ProtectedResourceMetadata | None:
        """Return what this server is and who lets people in, None if nobody does.

        Raises ServiceAway.
        """
        known = self._known()
        if known is None:
            return None
        return ProtectedResourceMetadata(
            resource=known.protected_resources[0],
            authorization_servers=[known.issuer],
            scopes_supported=known.scopes_supported,
            resource_name="goldenhour",
        )

    def challenge(self, *, token_was_sent: bool) -> str:
        """Return the WWW-Authenticate of a refusal (RFC 6750, 3 and 3.1; RFC 9728, 5.1).

        Whoever sent a token learns that it is that which is wrong: some clients renew only then.
        """
        said = ['error="invalid_token"'] if token_was_sent else []
        with suppress(ServiceAway):
            if (found := self.metadata()) is not None:
                said.append(f'resource_metadata="{build_resource_metadata_url(found.resource)}"')
        return f"Bearer {', '.join(said)}".strip()

    def exchange(self, form: bytes) -> tuple[int, bytes] | None:
        """Hand a token request on; return status and body, None if nobody answers it."""
        try:
            known = self._known()
        except ServiceAway:
            return None
        if known is None:
            return None
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        try:
            answer = requests.post(
                str(known.token_endpoint), form, headers=kind, timeout=_TIMEOUT_S,
                allow_redirects=False,
            )  # fmt: skip
        except requests.RequestException:
            return None
        return answer.status_code, answer.content

    def _known(self) -> _AuthorizationServer | None:
        if self._found is None:
            self._found = self._ask()
        return self._found

    def _ask(self) -> _AuthorizationServer | None:
        try:
            answer = requests.get(self.base_url.rstrip("/") + _METADATA, timeout=_TIMEOUT_S)
            if answer.status_code == HTTPStatus.NOT_FOUND:
                return None
            answer.raise_for_status()
            known = _AuthorizationServer.model_validate_json(answer.content)
        except (requests.RequestException, ValidationError) as failure:
            raise ServiceAway from failure
        return known if known.protected_resources else None
