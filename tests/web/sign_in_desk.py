"""A platform that only signs people in: its page answers with a code, and the code opens accounts.

The check of state is the connectors' own (`code_of`); what stands behind it is made up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from chalicelib.connectors.connector import Connector
from chalicelib.connectors.shared.auth.oauth import Client, PendingSignIn, code_of, new_state
from chalicelib.connectors.shared.auth.sign_in import Identity
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.tokens import Tokens

CODE = "a-code"


@dataclass(frozen=True, slots=True)
class SignInDesk:
    """Signs in to these accounts, by remote identity and handle."""

    accounts: Sequence[tuple[str, str]]

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
            Identity(remote_identity=identity, handle=handle, tokens=tokens)
            for identity, handle in self.accounts
        ]


def as_connector(desk: SignInDesk) -> Connector:
    """Return it as what the registry holds; nothing here publishes."""
    return cast("Connector", desk)
