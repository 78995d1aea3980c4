"""The browsers that show a member's notices (Web Push): adding this one, ending any of them.

A script subscribes at the browser's push service and sends the subscription as a plain form. No
page asks for permission until the member presses a button.
"""

from chalicelib.domain.error_kinds import NotFound
from chalicelib.kit.asgi.messages import Response
from chalicelib.web.routing import Visit, page

_PAGE = "/app/settings"
_BACK = f"{_PAGE}?page=notices#browsers"


class BrowserUnknown(NotFound):
    """That browser does not show your notices."""

    code = "browser_not_found"


@page("POST", f"{_PAGE}/browsers", scope=None)
def add_browser(visit: Visit) -> Response:
    """Show the member's notices in this browser from now on."""
    added = visit.services.people.browsers.add(
        visit.who,
        address=visit.form["address"].strip(),
        key=visit.form["key"].strip(),
        secret=visit.form["secret"].strip(),
        device=visit.device,
    )
    return visit.lead_to(_BACK, f"Notices appear in {added.device} from now on.")


@page("POST", f"{_PAGE}/browsers/{{browser_hash}}/end", scope=None)
def end_browser(visit: Visit) -> Response:
    """Stop showing notices in a browser. Raises BrowserUnknown."""
    if not visit.services.people.browsers.end(visit.who, visit.path["browser_hash"]):
        raise BrowserUnknown
    return visit.lead_to(_BACK, "Notices no longer appear in that browser.")
