"""The parts that connect accounts, by a command or in a browser. It imports all platforms."""

from typing import TYPE_CHECKING

from chalicelib.services.app.connecting import Connecting
from chalicelib.services.operator.sign_ins import SignIns, Ways
from chalicelib.storage.sign_in.applications import ApplicationRepository
from chalicelib.storage.sign_in.flows import FlowRepository

if TYPE_CHECKING:
    from chalicelib.bootstrap.core import Core
    from chalicelib.bootstrap.people import PeopleParts


class SignInParts:
    """Sign-ins at platforms, for commands (`sign_ins`) and in a browser (`connecting`)."""

    def __init__(self, core: "Core", people: "PeopleParts") -> None:
        stores, clock = core.stores, core.clock
        table, encryption = stores.directory_table, stores.token_store.vault
        applications = ApplicationRepository(table, encryption)
        self.sign_ins = SignIns(core.connectors, clock)
        self.connecting = Connecting(
            ways=Ways(sign_ins=self.sign_ins, applications=applications),
            flows=FlowRepository(table, encryption),
            links=stores.links,
            members=stores.members,
            workspaces=stores.workspaces,
            connections=people.connections,
            redirect_uri=f"{core.settings.outer_url}/connect/callback",
            clock=clock,
            calls=core.workspace.calls_out,
        )
