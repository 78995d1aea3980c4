"""The services about people and accounts, over one deployment's tables."""

from dataclasses import dataclass

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.domain.workspace.access import Caller, Plan
from chalicelib.services.operator.administration import Administration
from chalicelib.services.operator.connections import Connections
from chalicelib.services.workspace.accounts import Accounts
from chalicelib.services.workspace.authentication import Authentication
from chalicelib.storage.workspace.token_store import SealedTokenStore
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.people import PeopleStore, a_store


@dataclass(frozen=True, slots=True, kw_only=True)
class Office:
    """The services under test over one deployment's tables."""

    administration: Administration
    connections: Connections
    accounts: Accounts
    authentication: Authentication
    store: PeopleStore
    tokens: SealedTokenStore

    def workspace(self, plan: Plan = Plan.STUDIO, timezone: str = "UTC") -> tuple[str, str]:
        """Make a workspace; return its id and its owner's."""
        made, owner = self.administration.create_workspace(
            name="Lighthouse Bakery",
            plan=plan,
            timezone=timezone,
            approvals=False,
            owner_name="Ada",
        )
        return made.id, owner.id

    def caller(self, member_id: str) -> Caller:
        """Make a key of a member and return whom it makes the caller."""
        key = self.administration.create_key(member_id)
        return self.authentication.authenticate(f"Bearer {key.secret}")


def an_office(emulator: EmulatorProcess) -> Office:
    """Return the services over tables of their own."""
    settings = make_resources(emulator.endpoint)
    store = a_store(settings)
    deployment = Deployment(settings, clock=store.clock)
    return Office(
        tokens=deployment.stores.token_store,
        administration=deployment.people.administration,
        connections=deployment.people.connections,
        accounts=deployment.workspace.accounts,
        authentication=deployment.workspace.authentication,
        store=store,
    )
