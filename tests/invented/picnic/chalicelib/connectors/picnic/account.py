"""Signing in to Picnic, and the blankets of an account."""

from datetime import timedelta

from chalicelib.connectors.connector import ConnectedAccount
from chalicelib.connectors.picnic.api import PicnicApi
from chalicelib.connectors.shared.auth.oauth import OAuthClient, OAuthConfiguration
from chalicelib.connectors.shared.auth.sign_in import Identity
from chalicelib.domain.clock import Clock
from chalicelib.domain.platforms.choices import Choice, Choices
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.transport.responses import find


@dataclass(frozen=True, slots=True, kw_only=True)
class PicnicHosts:
    """Where Picnic answers."""

    picnic: str = "https://api.picnic.example"


def picnic_oauth(hosts: PicnicHosts, clock: Clock) -> OAuthClient:
    """Return Picnic's sign-in."""
    configuration = OAuthConfiguration(
        platform=Platform.PICNIC,
        authorize_url=f"{hosts.picnic}/authorize",
        token_url=f"{hosts.picnic}/token",
        scopes=("posts",),
        renew_every=timedelta(days=30),
    )
    return OAuthClient(configuration, clock=clock)


def identity_of(api: PicnicApi, tokens: Tokens) -> Identity:
    """Return the account that signed in."""
    me = api.get("me", tokens.access)
    return Identity(remote_identity=me.text("id"), handle=me.text("name"), tokens=tokens)


def blankets_of(api: PicnicApi, account: ConnectedAccount) -> Choices:
    """Return all blankets of the account."""
    known = api.get("blankets", account.token).items("blankets")
    offered = tuple(Choice(str(find(one, "id")), str(find(one, "name"))) for one in known)
    return Choices(offered={"blanket": offered}, complete=frozenset({"blanket"}))
