"""The page of the link that confirms an e-mail address for notices.

As with sign-in links, opening it only asks and its button confirms: mail scanners open links too.
"""

from http import HTTPStatus

from chalicelib.kit.asgi.messages import Response
from chalicelib.web.routing import Visit, page


@page("GET", "/app/address/{token}", open_to_all=True)
def ask_address(visit: Visit) -> Response:
    """Ask whether notices may be sent to an address; this does not use the link up."""
    link = visit.services.people.address_proofs.find(visit.path["token"])
    return visit.show(
        "address.html", status=HTTPStatus.OK if link else HTTPStatus.GONE, link=link, proven=None
    )


@page("POST", "/app/address/{token}", open_to_all=True)
def prove_address(visit: Visit) -> Response:
    """Use the link up; notices go to the address from now on."""
    proven = visit.services.people.address_proofs.prove(visit.path["token"])
    return visit.show(
        "address.html",
        status=HTTPStatus.OK if proven else HTTPStatus.GONE,
        link=None,
        proven=proven,
    )
