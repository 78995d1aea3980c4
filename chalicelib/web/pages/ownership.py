"""Exporting and deleting a whole workspace, for its owners.

An export is made in the background and can be downloaded for 7 days. A deletion asks for the
workspace's name and then once more. Both need a passkey or sign-in link used within 10 minutes.
"""

from http import HTTPStatus
from typing import Final

from chalicelib.domain.workspace.access import Scope
from chalicelib.kit.asgi.messages import Response
from chalicelib.kit.json_value import whole_number
from chalicelib.web.messages import redirect
from chalicelib.web.routing import Visit, page

_PAGE: Final = "/app/settings/data"
_MOST_DIGITS: Final = 6


@page("GET", _PAGE, scope=Scope.ACCOUNTS)
def show_data(visit: Visit) -> Response:
    """Show the export, and the form that deletes the workspace."""
    request = visit.services.whole_workspace.ownership.export_of(visit.caller)
    return visit.show(
        "workspace/data.html",
        export=request,
        can_be_had=request is not None and request.can_be_had(visit.now),
        mails=visit.services.settings.mails,
    )


@page("POST", f"{_PAGE}/export", scope=Scope.ACCOUNTS, fresh=True)
def ask_for_export(visit: Visit) -> Response:
    """Ask for an export."""
    visit.services.whole_workspace.ownership.ask_for_export(visit.caller)
    return visit.lead_to(_PAGE, "The export is being made. You can leave this page.")


@page("GET", f"{_PAGE}/parts/{{number}}", scope=Scope.ACCOUNTS)
def part(visit: Visit) -> Response:
    """Redirect to a part of the export."""
    url = visit.services.whole_workspace.ownership.part_address(
        visit.caller, whole_number(visit.path["number"], _MOST_DIGITS) or 0
    )
    return redirect(url, status=HTTPStatus.FOUND)


@page("POST", f"{_PAGE}/delete", scope=Scope.ACCOUNTS, fresh=True, again=show_data)
def ask_once_more(visit: Visit) -> Response:
    """Ask once more before deleting; say whether posts are scheduled."""
    _require_name(visit)
    has_scheduled = visit.services.whole_workspace.ownership.has_scheduled(visit.caller)
    return visit.show("workspace/delete.html", has_scheduled=has_scheduled)


@page("POST", f"{_PAGE}/delete/sure", scope=Scope.ACCOUNTS, fresh=True, again=show_data)
def delete(visit: Visit) -> Response:
    """Delete the workspace for good, and end the session in it."""
    _require_name(visit)
    name, elsewhere = visit.who.workspace.name, visit.who.elsewhere
    visit.services.whole_workspace.ownership.delete(
        visit.caller, even_scheduled=visit.form["even_scheduled"] == "yes"
    )
    visit.signed_in = None
    return visit.show("workspace/deleted.html", was=name, elsewhere=elsewhere)


def _require_name(visit: Visit) -> None:
    """Check that the workspace's name was typed. Raises what `require_name` raises."""
    visit.services.whole_workspace.ownership.require_name(
        visit.caller, typed=visit.form["name"], name=visit.who.workspace.name
    )
