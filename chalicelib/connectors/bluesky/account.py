"""Sessions on a Bluesky server: opened with an app password, renewed for as long as it stands.

docs.bsky.app/docs/api/com-atproto-server-create-session. An account lives on a server of its own
(PDS) that its DID document names; the password and every call go there and nowhere else. Bluesky's
entryway (bsky.social) knows handles, and who signs people in; it is nobody's server.
"""

import threading
from collections.abc import Mapping
from datetime import datetime, timedelta
from urllib.parse import quote, urlsplit

from chalicelib.connectors.bluesky.refusals import BlueskyRefusal
from chalicelib.connectors.connector import ConnectedAccount
from chalicelib.connectors.shared.auth.sign_in import Identity
from chalicelib.connectors.shared.calls.failures import RejectedError, TokenRejectedError
from chalicelib.connectors.shared.calls.http import Call, PlatformHttp
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit import base64url
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.bodies import JsonBody
from chalicelib.kit.transport.failures import UnansweredError
from chalicelib.kit.transport.network_rules import (
    ForbiddenAddressError,
    require_origin,
)
from chalicelib.kit.transport.responses import PlatformResponse, find, of_epoch, read_json

_RENEW_EVERY = timedelta(days=30)
"""A refresh token lasts 90 days."""

_WRONG = "Bluesky does not accept that handle and app password."
_ANOTHER = "The server signed in to a different account than the handle's."


@dataclass(frozen=True, slots=True, kw_only=True)
class BlueskyHosts:
    """Where Bluesky answers: the entryway that knows handles, and the services beside it."""

    bluesky: str = "https://bsky.social"
    bluesky_directory: str = "https://plc.directory"
    bluesky_appview: str = "https://public.api.bsky.app"
    bluesky_video: str = "https://video.bsky.app"


def method(host: str, name: str) -> str:
    """Return the address of a method."""
    return f"{host}/xrpc/{name}"


class BlueskySessions:
    """Opens and renews sessions."""

    def __init__(self, http: PlatformHttp, hosts: BlueskyHosts, trusted: frozenset[str]) -> None:
        self._http = http
        self._hosts = hosts
        self.trusted = trusted
        self._entryway_did = f"did:web:{urlsplit(hosts.bluesky).hostname}"
        self._moved: dict[str, Mapping[str, Json]] = {}
        self._guard = threading.Lock()

    def open(self, handle: str, app_password: str, now: datetime) -> Identity:
        """Open a session. Raises TokenRejectedError for a wrong handle or password."""
        did = self._identity_of(handle)
        server = self.server_of(did)
        login = JsonBody({"identifier": handle, "password": app_password})
        place = method(server, "com.atproto.server.createSession")
        try:
            response = self._http.send(Call(method="POST", url=place, body=login))
        except TokenRejectedError as error:
            row = error.row
            raise TokenRejectedError(_WRONG if row is None else row.sentence) from None
        _require_active(response)
        if response.text("did") != did:
            raise TokenRejectedError(_ANOTHER)  # a server of one's own may claim to be anybody
        return Identity(
            remote_identity=did,
            handle=response.text("handle"),
            tokens=_tokens(response, now),
            settings=self.settings_of(server),
        )

    def settings_of(self, server: str) -> dict[str, Json]:
        """Return what calls on behalf of an account need to know of its server."""
        place = method(server, "com.atproto.server.describeServer")
        about = self._http.send(Call(method="GET", url=place))
        return {"pds": server, "pds_did": about.text("did")}

    def renew(self, account: ConnectedAccount, tokens: Tokens, now: datetime) -> Tokens:
        """Return the session's next tokens; repeating a lost renewal returns the same ones.

        Raises TokenRejectedError when the session was ended.
        """
        server = str(self.settings_for(account)["pds"])
        place = method(server, "com.atproto.server.refreshSession")
        response = self._http.send(Call(method="POST", url=place, token=tokens.refresh))
        _require_active(response)
        return _tokens(response, now)

    def did_of(self, handle: str) -> str | None:
        """Return who goes by a handle, or None if nobody does."""
        place = method(self._hosts.bluesky, "com.atproto.identity.resolveHandle")
        try:
            response = self._http.send(Call(method="GET", url=place, params={"handle": handle}))
        except RejectedError:
            return None
        return response.text("did")

    def home_of(self, handle: str | None) -> str:
        """Return the server on which an account lives; without a handle, Bluesky's own entryway."""
        if handle is None:
            return self._hosts.bluesky
        return self.server_of(self._identity_of(handle))

    def _identity_of(self, handle: str) -> str:
        did = handle if handle.startswith("did:") else self.did_of(handle)
        if did is None:
            raise TokenRejectedError(_WRONG)
        return did

    def server_of(self, did: str) -> str:
        """Return the server that an account's identity names."""
        try:
            return require_origin(self._named_server(did), self.trusted)
        except ForbiddenAddressError as error:
            raise BlueskyRefusal.NO_SERVER.error(why=error) from None

    def settings_for(self, account: ConnectedAccount) -> Mapping[str, Json]:
        """Return what calls for an account need to know of its server.

        Accounts that were connected when the entryway was taken for their server find theirs here.
        """
        if account.settings.get("pds_did") != self._entryway_did or account.remote_id is None:
            return account.settings
        with self._guard:
            found = self._moved.get(account.remote_id)
        if found is None:
            found = self.settings_of(self.server_of(account.remote_id))
            with self._guard:
                self._moved[account.remote_id] = found
        return found

    def _named_server(self, did: str) -> str:
        document = self._http.send(Call(method="GET", url=self._document_address(did)))
        for service in document.items("service"):
            if str(find(service, "id")).endswith("#atproto_pds"):
                return str(find(service, "serviceEndpoint"))
        raise UnansweredError("The account's identity names no server.")

    def _document_address(self, did: str) -> str:
        web = did.removeprefix("did:web:")
        if web != did:
            return f"{require_origin(f'https://{web}')}/.well-known/did.json"
        return f"{self._hosts.bluesky_directory}/{quote(did, safe=':')}"


def _require_active(response: PlatformResponse) -> None:
    if response.find("active") is False:
        raise BlueskyRefusal.INACTIVE.error()


def _tokens(response: PlatformResponse, now: datetime) -> Tokens:
    access = response.token("accessJwt")
    return Tokens(
        access=access,
        refresh=response.token("refreshJwt"),
        expires_at=_end_of(access),
        renew_at=now + _RENEW_EVERY,
    )


def _end_of(token: str) -> datetime | None:
    """Read when a session token ends: it says so itself, the answer around it does not."""
    try:
        payload = token.split(".")[1]
        return of_epoch(find(read_json(base64url.decode(payload)), "exp"))
    except (IndexError, ValueError):
        return None
