"""What a page says while the tables do not answer."""

from copy import copy

from botocore.exceptions import EndpointConnectionError

from chalicelib.domain.errors import Unwritable
from chalicelib.services.app.signed_in import SignedIn
from tests.api.http_room import Room
from tests.web.browser import Browser, both


class Silent:
    """Sessions in tables that do not answer."""

    def read(self, cookie: str | None, *, client: str = "") -> SignedIn | None:
        raise EndpointConnectionError(endpoint_url=f"{cookie} {client}")


def test_a_page_says_so_as_the_api_does(room: Room) -> None:
    deployment = copy(room.house.deployment)
    deployment.people = copy(deployment.people)
    deployment.people.sessions = Silent()  # type: ignore[assignment]

    page = Browser(room, both(deployment)).open("/app/posts")

    assert (page.status, page.problem) == (503, (Unwritable.__doc__ or "").strip())
