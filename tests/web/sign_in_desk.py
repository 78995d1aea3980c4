"""A platform that only signs people in: its page answers with a code, and the code opens accounts.

The check of state is the connectors' own (`code_of`); what stands behind it is made up.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import shake_256
from typing import cast
from urllib.parse import parse_qs, urlsplit

from chalicelib.connectors.connector import Connector
from chalicelib.connectors.shared.auth.oauth import Client, PendingSignIn, code_of, new_state
from chalicelib.connectors.shared.auth.sign_in import Identity
from chalicelib.connectors.shared.registry import Connectors, real_connectors
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit import base64url
from tests.api.http_room import House, Room
from tests.web.browser import Browser

CODE = "a-code"
PAGES = [("page-1", "Bakery"), ("page-2", "Café"), ("page-3", "Museum")]
BARRED = {"page-3": "Your role on this Page does not let you create posts."}


@dataclass(frozen=True, slots=True)
class SignInDesk:
    """Signs in to these accounts, by remote identity and handle; some may not be posted to."""

    accounts: Sequence[tuple[str, str]]
    barred: Mapping[str, str] = field(default_factory=dict)

    @property
    def oauth(self) -> "SignInDesk":
        return self

    def begin(self, client: Client, redirect_uri: str, handle: str | None = None) -> PendingSignIn:
        del handle
        state = new_state()
        url = f"https://platform.example/sign-in?client={client.id}&state={state}"
        return PendingSignIn(
            url=url, client=client, redirect_uri=redirect_uri, state=state, verifier="verifier"
        )

    def finish(self, pending: PendingSignIn, redirected_to: str) -> Tokens:
        assert code_of(Platform.FACEBOOK, pending, redirected_to) == CODE
        return Tokens(access="access", refresh="refresh", extra={"client_id": pending.client.id})

    def identities(self, tokens: Tokens, now: datetime) -> list[Identity]:
        del now
        return [
            Identity(
                remote_identity=identity,
                handle=handle,
                tokens=replace(tokens, access=_token(identity)),
                barred=self.barred.get(identity),
            )
            for identity, handle in self.accounts
        ]


def _token(identity: str) -> str:
    """Return a token as long, and as hard to compress, as Facebook's of a Page."""
    return base64url.encode(shake_256(identity.encode()).digest(160))


def as_connector(desk: SignInDesk) -> Connector:
    """Return it as what the registry holds; nothing here publishes."""
    return cast("Connector", desk)


def with_sign_ins(house: House, pages: Sequence[tuple[str, str]] = PAGES) -> Room:
    """Open a workspace; Facebook opens several pages, X one account, Reddit is not set up."""
    deployment = house.deployment
    real = {
        **real_connectors({}, house.clock),
        Platform.FACEBOOK: as_connector(SignInDesk(pages, BARRED)),
        Platform.X: as_connector(SignInDesk([("x-1", "@bakery")])),
    }
    deployment.connectors = Connectors(sandbox=deployment.connectors.sandbox, real=real)
    room = house.room()
    connecting = room.house.deployment.sign_in.connecting
    for platform in Platform:
        if platform is not Platform.REDDIT:
            connecting.ways.set(platform, Client("an-application", "a-secret"))
    return room


def invited(room: Room, *, return_to: str | None = None, platform: Platform | None = None) -> str:
    """Return the address of a connect link."""
    connecting = room.house.deployment.sign_in.connecting
    token = connecting.invite(room.workspace_id, platform, return_to, timedelta(hours=1))
    return f"/connect/{token}"


def answered(page: str, **more: str) -> str:
    """Return where the platform's page sends a person who agreed."""
    state = parse_qs(urlsplit(page).query)["state"][0]
    return f"/connect/callback?code={CODE}&state={more.get('state', state)}"


def begun(browser: Browser, address: str, platform: str = "x") -> str:
    """Begin a sign-in; return the platform's page."""
    answer = browser.send(address, {"platform": platform})
    assert answer.status == 303, answer
    return answer.location


def handles(room: Room) -> list[str]:
    return [account["handle"] for account in room.get("/v1/accounts").json["data"]]
