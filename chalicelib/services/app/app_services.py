"""Everything a page can call, in one place, as `Services` is for the API's endpoints."""

from dataclasses import dataclass

from chalicelib.domain.clock import Clock
from chalicelib.services.app.connecting import Connecting
from chalicelib.services.app.reviews import Reviews
from chalicelib.services.app.sessions import Sessions
from chalicelib.services.app.team import Team
from chalicelib.services.operator.connections import Connections
from chalicelib.services.services import Services


@dataclass(frozen=True, slots=True, kw_only=True)
class AppServices:
    """The use cases of the app: the API's own, and what only a signed-in person does."""

    api: Services
    sessions: Sessions
    team: Team
    connections: Connections
    reviews: Reviews
    connecting: Connecting
    clock: Clock
