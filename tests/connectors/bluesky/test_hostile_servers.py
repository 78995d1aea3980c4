"""A Bluesky identity is anybody's to write: where it may send us, and what never goes there."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from chalicelib.connectors.bluesky.account import BlueskyHosts
from chalicelib.connectors.bluesky.connector import BlueskyConnector
from chalicelib.connectors.connector import ConnectedAccount
from chalicelib.connectors.shared.auth.dpop import new_key
from chalicelib.connectors.shared.auth.oauth import Client
from chalicelib.connectors.shared.calls.failures import RejectedError, TokenRejectedError
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.kit.transport.network_rules import ForbiddenAddressError
from tests.connectors.support.fake_platform import Answer, FakePlatform, Received, Value

DID = "did:plc:mallory"
NOW = datetime(2026, 11, 19, 12, 0, tzinfo=UTC)
REDIRECT = "http://127.0.0.1:8914/callback"
LINK_LOCAL = "http://169.254.169.254/latest/meta-data"
ENDPOINTS = ("pushed_authorization_request", "authorization", "token")


class Victim(FakePlatform):
    """Something on loopback that is nobody's business."""

    def answer(self, call: Received) -> Answer:
        del call
        return Answer(200, {"secret": "keys"})


class Mallory(FakePlatform):
    """An account server, directory and authorization server that names what it likes."""

    server = ""
    issuer = ""
    signs_in_as = DID
    lifetime_s = 3600
    endpoints: dict[str, str]

    def answer(self, call: Received) -> Answer:
        match call.path.rpartition("/")[2]:
            case "com.atproto.server.createSession" | "com.atproto.server.describeServer":
                return Answer(200, self._session())
            case "com.atproto.identity.resolveHandle":
                return Answer(200, {"did": DID})
            case "oauth-protected-resource":
                return Answer(200, {"authorization_servers": [self.issuer]})
            case "oauth-authorization-server":
                return Answer(200, self._described())
            case "par" | "token":
                tokens = {"access_token": "b", "refresh_token": "s", "sub": DID}
                more = {"expires_in": self.lifetime_s, "request_uri": "urn:1"}
                return Answer(200, {**tokens, **more})
        service = {"id": "#atproto_pds", "serviceEndpoint": self.server}
        return Answer(200, {"id": DID, "service": [service]})

    def _session(self) -> Value:
        tokens = {"accessJwt": "a.e30.c", "refreshJwt": "a.e30.c"}
        return {"did": self.signs_in_as, "handle": "mallory.test", "active": True, **tokens}

    def _described(self) -> Value:
        places = dict.fromkeys(ENDPOINTS, f"{self.url}/par") | self.endpoints
        return {"issuer": self.issuer} | {
            f"{name}_endpoint": place for name, place in places.items()
        }


@pytest.fixture
def victim() -> Iterator[Victim]:
    running = Victim()
    yield running
    running.close()


@pytest.fixture
def mallory() -> Iterator[Mallory]:
    running = Mallory()
    running.server = running.issuer = running.url
    running.endpoints = {}
    yield running
    running.close()


def _connector(mallory: Mallory) -> BlueskyConnector:
    return BlueskyConnector(BlueskyHosts(bluesky=mallory.url, bluesky_directory=mallory.url))


def _account(server: str) -> ConnectedAccount:
    return ConnectedAccount(
        id="a1",
        platform=Platform.BLUESKY,
        handle="mallory.test",
        test=False,
        token="tok-mallory",
        remote_id=DID,
        settings={"pds": server},
    )


@pytest.mark.parametrize(
    "address",
    [
        "{victim}",
        "{victim}/secret?",
        "{victim}/#",
        LINK_LOCAL,
        "https://127.0.0.1:9001",
        "https://localhost:9001",
        "https://pds.example/secret?",
        "https://mallory@pds.example",
        "file:///etc/passwd",
        "",
    ],
)
def test_a_password_goes_to_no_server_that_the_rules_forbid(
    mallory: Mallory, victim: Victim, address: str
) -> None:
    mallory.server = address.format(victim=victim.url)

    with pytest.raises(RejectedError) as refused:
        _connector(mallory).sign_in("mallory.test", "pass", NOW)

    assert refused.value.message.startswith("The account's identity names a server")
    assert victim.calls == []
    assert all(call.method == "GET" for call in mallory.calls)


@pytest.mark.parametrize("address", ["{victim}", "{victim}/x?", LINK_LOCAL, "https://10.0.0.1"])
def test_an_authorization_server_is_held_against_the_rules(
    mallory: Mallory, victim: Victim, address: str
) -> None:
    mallory.issuer = address.format(victim=victim.url)

    with pytest.raises(RejectedError):
        _connector(mallory).oauth.begin(Client("http://localhost"), REDIRECT, "mallory.test")

    assert victim.calls == []


@pytest.mark.parametrize("name", ENDPOINTS)
@pytest.mark.parametrize("address", ["{victim}/par", LINK_LOCAL, "javascript:alert(1)"])
def test_every_endpoint_it_names_is_held_against_the_rules(
    mallory: Mallory, victim: Victim, name: str, address: str
) -> None:
    mallory.endpoints = {name: address.format(victim=victim.url)}

    with pytest.raises(RejectedError):
        _connector(mallory).oauth.begin(Client("http://localhost"), REDIRECT, "mallory.test")

    assert victim.calls == []


def test_endpoints_that_the_rules_allow_are_used(mallory: Mallory) -> None:
    pending = _connector(mallory).oauth.begin(Client("http://localhost"), REDIRECT, "mallory.test")

    assert pending.url.startswith(f"{mallory.url}/par?client_id=")


def test_a_refresh_token_goes_to_no_address_that_was_stored_before_there_were_rules(
    mallory: Mallory, victim: Victim
) -> None:
    for place in (f"{victim.url}/token", f"{LINK_LOCAL}/token"):
        extra = {"dpop_key": new_key(), "client_id": "c", "token_url": place, "issuer": "x"}
        tokens = Tokens(access="a", refresh="refresh-lighthouse", extra=extra)

        with pytest.raises(ForbiddenAddressError):
            _connector(mallory).refresh(_account(mallory.url), tokens, NOW)

    assert victim.calls == []


@pytest.mark.parametrize("lifetime_s", [10**12, 10**30, -(10**12)])
def test_a_lifetime_that_no_calendar_has_counts_as_unknown(
    mallory: Mallory, lifetime_s: int
) -> None:
    mallory.lifetime_s = lifetime_s
    place = f"{mallory.url}/token"
    extra = {"dpop_key": new_key(), "client_id": "c", "token_url": place, "issuer": mallory.url}
    tokens = Tokens(access="a", refresh="r", extra=extra)

    renewed = _connector(mallory).refresh(_account(mallory.url), tokens, NOW)

    assert (renewed.access, renewed.expires_at) == ("b", None)


def test_a_session_is_renewed_on_no_server_that_was_stored_before_there_were_rules(
    mallory: Mallory, victim: Victim
) -> None:
    tokens = Tokens(access="a", refresh="refresh-lighthouse")

    with pytest.raises(ForbiddenAddressError):
        _connector(mallory).refresh(_account(victim.url), tokens, NOW)

    assert victim.calls == []


@pytest.mark.parametrize(
    "did", ["did:web:127.0.0.1%3A9001", "did:web:localhost", "did:web:a.example:b", "did:web:x/?"]
)
def test_an_identity_on_the_web_is_looked_for_at_a_public_host_alone(
    mallory: Mallory, did: str
) -> None:
    with pytest.raises(PlatformError):
        _connector(mallory).sign_in(did, "pass", NOW)

    assert mallory.calls == []


def test_a_server_signs_in_to_the_account_that_was_named_and_to_no_other(
    mallory: Mallory,
) -> None:
    mallory.signs_in_as = "did:plc:alice"

    with pytest.raises(TokenRejectedError, match="different account"):
        _connector(mallory).sign_in("mallory.test", "abcd-efgh-ijkl", NOW)
