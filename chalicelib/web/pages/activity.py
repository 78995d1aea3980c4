"""The activity page, for owners and admins: what was done in the workspace, by whom, from where."""

from collections.abc import Mapping
from typing import Final

from chalicelib.domain.workspace.access import Scope
from chalicelib.domain.workspace.activity import Deed
from chalicelib.kit.asgi.messages import Response
from chalicelib.services.workspace.activity import A_PAGE
from chalicelib.web.routing import Visit, page

DEEDS: Final[Mapping[Deed, str]] = {
    Deed.SIGNED_IN: "Signed in",
    Deed.SIGNED_IN_ELSEWHERE: "Signed in from a new place",
    Deed.REFUSED: "Was refused",
    Deed.SIGNED_OUT: "Signed out",
    Deed.PASSKEY_ADDED: "Added a passkey",
    Deed.PASSKEY_REMOVED: "Removed a passkey",
    Deed.KEY_CREATED: "Created an API key",
    Deed.KEY_FIRST_USED: "Used an API key for the first time",
    Deed.KEY_REVOKED: "Revoked an API key",
    Deed.KEY_ROTATED: "Replaced an API key",
    Deed.MEMBER_ADDED: "Added a member",
    Deed.MEMBER_INVITED: "Made a sign-in link",
    Deed.MEMBER_CHANGED: "Changed a member",
    Deed.MEMBER_REMOVED: "Removed a member",
    Deed.ACCOUNT_INVITED: "Asked somebody to connect an account",
    Deed.ACCOUNT_CONNECTED: "Connected an account",
    Deed.ACCOUNT_DISCONNECTED: "Disconnected an account",
    Deed.PLAN_CHANGED: "Changed the plan",
    Deed.SETTINGS_CHANGED: "Changed the settings",
    Deed.POST_APPROVED_BY_LINK: "Approved a post by a review link",
    Deed.POST_REJECTED_BY_LINK: "Rejected a post by a review link",
    Deed.EXPORTED: "Exported the workspace",
    Deed.DELETED: "Deleted",
}


@page("GET", "/app/settings/activity", scope=Scope.ACCOUNTS)
def show_activity(visit: Visit) -> Response:
    """Show one page of the activity, newest first."""
    found = visit.services.people.team.activity(visit.caller, visit.query["before"])
    more = found[-1].id if len(found) == A_PAGE else ""
    return visit.show("workspace/activity.html", found=found, deeds=DEEDS, more=more)
