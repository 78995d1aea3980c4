"""A workspace's own applications at platforms, for owners; only its accounts use them."""

from chalicelib.connectors.shared.auth.oauth import Client
from chalicelib.domain.errors import RoleForbids
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.access import Role, Scope
from chalicelib.domain.workspace.activity import Actor, Deed
from chalicelib.kit.asgi.messages import Response
from chalicelib.web.pages.accounts import read_platform
from chalicelib.web.routing import Visit, page

_PAGE = "/app/accounts/applications"


@page("GET", _PAGE, scope=Scope.ACCOUNTS)
def show_applications(visit: Visit) -> Response:
    """Show the workspace's own applications, without secrets, and the form for another."""
    _require_owner(visit)
    ways = visit.services.sign_in.connecting.ways
    return visit.show(
        "accounts/applications.html",
        applications=ways.applications.list(visit.caller.workspace_id),
        platforms=[platform for platform in Platform if ways.sign_ins.methods(platform)],
        redirect_uri=visit.services.sign_in.connecting.redirect_uri,
    )


@page("POST", _PAGE, scope=Scope.ACCOUNTS, fresh=True)
def keep_application(visit: Visit) -> Response:
    """Save an application of the workspace, encrypted."""
    _require_owner(visit)
    form = visit.form
    client = Client(
        form["client_id"].strip(),
        form["client_secret"].strip() or None,
        form["config_id"].strip() or None,
    )
    visit.services.sign_in.connecting.ways.set(
        read_platform(form["platform"]),
        client,
        method=form["method"].strip() or None,
        workspace_id=visit.caller.workspace_id,
    )
    _note(visit, f"application of {form['platform']} saved")
    return visit.lead_to(_PAGE, "The application was saved. New sign-ins go through it.")


@page("POST", f"{_PAGE}/remove", scope=Scope.ACCOUNTS, fresh=True)
def remove_application(visit: Visit) -> Response:
    """Remove an application; accounts connected through it stay connected."""
    _require_owner(visit)
    visit.services.sign_in.connecting.ways.remove(
        read_platform(visit.form["platform"]),
        method=visit.form["method"] or None,
        workspace_id=visit.caller.workspace_id,
    )
    _note(visit, f"application of {visit.form['platform']} removed")
    return visit.lead_to(_PAGE, "The application was removed. Connected accounts stay connected.")


def _require_owner(visit: Visit) -> None:
    if visit.caller.role is not Role.OWNER:
        raise RoleForbids


def _note(visit: Visit, what: str) -> None:
    visit.services.people.connections.activity.note(
        visit.caller.workspace_id,
        Deed.SETTINGS_CHANGED,
        Actor.of(visit.caller),
        detail=what,
    )
