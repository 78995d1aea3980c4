"""The page of a link that was sent to an address: whoever reads it says that notices may come.

As with a sign-in, opening it asks and its button's POST does it: mail scanners open links too.
"""

from chalicelib.kit.asgi.messages import Response
from chalicelib.web.routing import Visit, page

_GONE = 410


@page("GET", "/app/address/{token}", open_to_all=True)
def ask_address(visit: Visit) -> Response:
    """Ask whether notices may be sent to an address; the link stays as it is."""
    link = visit.services.people.address_proofs.find(visit.path["token"])
    return visit.show("address.html", status=200 if link else _GONE, link=link, proven=None)


@page("POST", "/app/address/{token}", open_to_all=True)
def prove_address(visit: Visit) -> Response:
    """Use the link up and the address from now on."""
    proven = visit.services.people.address_proofs.prove(visit.path["token"])
    return visit.show("address.html", status=200 if proven else _GONE, link=None, proven=proven)
