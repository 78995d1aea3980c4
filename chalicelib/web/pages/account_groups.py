"""Groups of accounts, which the composer can choose together: making, changing, deleting them."""

from chalicelib.domain.workspace.access import Scope
from chalicelib.domain.workspace.account_groups import LONGEST_NAME, MOST_GROUPS
from chalicelib.kit.asgi.messages import Response
from chalicelib.web.routing import Visit, page

_PAGE = "/app/groups"


@page("GET", _PAGE)
def show_groups(visit: Visit) -> Response:
    """Show the workspace's groups of accounts."""
    return visit.show(
        "accounts/groups.html",
        groups=visit.services.workspace.account_groups.read(visit.caller).groups,
        longest=LONGEST_NAME,
        most=MOST_GROUPS,
    )


@page("POST", _PAGE, scope=Scope.WRITE, pays=True, again=show_groups)
def add_group(visit: Visit) -> Response:
    """Make a group."""
    made = visit.services.workspace.account_groups.add(
        visit.caller, name=visit.form["name"], account_ids=visit.form.all("account")
    )
    return visit.lead_to(_PAGE, f"The group {made.name} was made. Choose it in a new post.")


@page("POST", f"{_PAGE}/{{group_id}}", scope=Scope.WRITE, pays=True, again=show_groups)
def change_group(visit: Visit) -> Response:
    """Change a group's name and accounts."""
    changed = visit.services.workspace.account_groups.change(
        visit.caller,
        visit.path["group_id"],
        name=visit.form["name"],
        account_ids=visit.form.all("account"),
    )
    return visit.lead_to(_PAGE, f"The group {changed.name} was changed.")


@page("POST", f"{_PAGE}/{{group_id}}/delete", scope=Scope.WRITE, pays=True, again=show_groups)
def delete_group(visit: Visit) -> Response:
    """Delete a group; its accounts stay connected."""
    visit.services.workspace.account_groups.remove(visit.caller, visit.path["group_id"])
    return visit.lead_to(_PAGE, "The group was deleted. Its accounts stay connected.")
