"""Settings, in five pages: queue times, members, notices, "you and your keys", the workspace.

The services decide who may change what. A new key is shown once, on the page after the form.
"""

from datetime import timedelta

from chalicelib.domain.media.query import MediaQuery
from chalicelib.domain.media.workspace_pictures import LARGEST_BYTES
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.workspace.access import DEFAULT_SCOPES, Role, Scope, manages
from chalicelib.domain.workspace.notices import Channel, NoticeKind
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.domain.workspace.plans import accounts_limit
from chalicelib.domain.workspace.workspaces import all_timezones
from chalicelib.kit.asgi.messages import Response
from chalicelib.services.in_parallel import in_parallel
from chalicelib.web.forms.pictures import picture_in_page
from chalicelib.web.forms.times import read_last_day
from chalicelib.web.pages.queue import show_part, show_queue
from chalicelib.web.routing import Visit, page

NOTICES = {
    NoticeKind.FAILED: "a post failed",
    NoticeKind.AT_RISK: "a post of the next seven days will fail unless somebody fixes it",
    NoticeKind.REVIEW: "a post waits for approval",
    NoticeKind.SIGN_IN: "an account must be signed in again",
    NoticeKind.ENGINE: "nothing is going out",
    NoticeKind.REMINDER: "it is time to post something yourself (Free plan)",
    NoticeKind.COMMENT: "somebody mentions you, or comments on your post",
    NoticeKind.DIGEST: "a day begins (a morning e-mail: what goes out, and what waits for you)",
}
CHANNELS = {
    Channel.BELL: "Bell",
    Channel.MAIL: "E-mail",
    Channel.PUSH: "Browser",
    Channel.DIGEST: "Morning",
}
SCOPES = {
    Scope.READ: "see posts and results",
    Scope.WRITE: "write and change drafts, delete posts",
    Scope.PUBLISH: "schedule, publish, change what is scheduled",
    Scope.DELETE_PUBLISHED: "delete live posts",
    Scope.ACCOUNTS: "manage accounts",
}
OVERLAPS = {
    "24 hours": timedelta(hours=24),
    "7 days": timedelta(days=7),
    "an hour": timedelta(hours=1),
    "not at all": timedelta(),
}
_PAGE = "/app/settings"
_PHOTOS = MediaQuery(kind=MediaKind.IMAGE, limit=60)


@page("GET", _PAGE)
def show_settings(visit: Visit) -> Response:
    """Show one page of settings, the first one for an unknown name."""
    match visit.query["page"]:
        case "members":
            return show_part(visit, "members", _people(visit))
        case "notices":
            return show_part(visit, "notices", _notices(visit))
        case "you":
            return show_part(visit, "you", _you(visit))
        case "workspace":
            return show_workspace(visit)
        case _:
            return show_queue(visit, visit.query["account"])


@page("POST", f"{_PAGE}/timezone", scope=Scope.ACCOUNTS)
def set_timezone(visit: Visit) -> Response:
    """Change the workspace's time zone."""
    visit.services.people.team.set_timezone(visit.caller, visit.form["timezone"])
    return visit.lead_to(f"{_PAGE}?page=workspace", "The time zone was changed.")


@page("POST", f"{_PAGE}/passkeys-only", scope=Scope.ACCOUNTS, fresh=True)
def set_passkeys_only(visit: Visit) -> Response:
    """Choose whether members need a passkey; only owners may."""
    is_on = visit.form["passkeys_only"] == "on"
    visit.services.people.team.set_passkeys_only(visit.who, is_on)
    said = "a passkey only" if is_on else "a passkey or a sign-in link"
    return visit.lead_to(f"{_PAGE}?page=workspace", f"Members now sign in with {said}.")


@page("POST", f"{_PAGE}/members", scope=Scope.ACCOUNTS, fresh=True)
def add_member(visit: Visit) -> Response:
    """Add a person and show the link that signs them in."""
    name, role = visit.form["name"].strip(), _role(visit)
    member = visit.services.people.team.add_member(visit.caller, name=name, role=role)
    return _with_link(
        visit, member.id, f"{member.name} was added. Send this link only to {member.name}"
    )


@page("POST", f"{_PAGE}/members/{{member_id}}/role", scope=Scope.ACCOUNTS)
def set_role(visit: Visit) -> Response:
    """Give a member another role."""
    visit.services.people.team.set_role(visit.caller, visit.path["member_id"], _role(visit))
    return visit.lead_to(f"{_PAGE}?page=members", "The role was changed.")


@page("POST", f"{_PAGE}/members/{{member_id}}/remove", scope=Scope.ACCOUNTS)
def remove_member(visit: Visit) -> Response:
    """Remove a member from the workspace."""
    visit.services.people.team.remove_member(visit.caller, visit.path["member_id"])
    return visit.lead_to(f"{_PAGE}?page=members", "The member was removed.")


@page("POST", f"{_PAGE}/members/{{member_id}}/link", scope=Scope.ACCOUNTS, fresh=True)
def make_link(visit: Visit) -> Response:
    """Show a link that signs a member in once."""
    return _with_link(visit, visit.path["member_id"], "Send this link only to the member")


@page("POST", f"{_PAGE}/notices", scope=None)
def set_notices(visit: Visit) -> Response:
    """Change which notices the member gets by each channel, and their e-mail address."""
    chosen = {
        channel: channel.kinds.intersection(visit.form.all(channel.value)) for channel in Channel
    }
    if visit.services.people.team.asks_for_address(visit.caller, visit.form["email"].strip()):
        visit.require_proof()
    told = visit.services.people.team.tell_me(
        visit.caller,
        email=visit.form["email"].strip(),
        chosen=chosen,
    )
    said = "Your notices were changed."
    if told.asked_email:
        said += f" {told.asked_email} is used after you open the link that is sent there."
    return visit.lead_to(f"{_PAGE}?page=notices", said)


@page("POST", f"{_PAGE}/other-sessions/end", scope=None, fresh=True)
def end_other_sessions(visit: Visit) -> Response:
    """End the member's other sessions."""
    ended = visit.services.people.sessions.end_others(visit.who)
    said = "Your other browsers were signed out." if ended else "You are signed in nowhere else."
    return visit.lead_to(f"{_PAGE}?page=you", said)


@page("POST", f"{_PAGE}/sessions/{{session_hash}}/end", scope=None, fresh=True)
def end_session(visit: Visit) -> Response:
    """End one of the member's own sessions."""
    visit.services.people.sessions.end_one(visit.who, visit.path["session_hash"])
    return visit.lead_to(f"{_PAGE}?page=you", "That browser was signed out.")


@page("POST", f"{_PAGE}/keys", scope=Scope.ACCOUNTS, fresh=True)
def create_key(visit: Visit) -> Response:
    """Create a key and show it once."""
    wanted = set(visit.form.all("scope"))
    made = visit.services.people.team.create_key(
        visit.caller,
        name=visit.form["name"].strip(),
        scopes=[scope for scope in Scope if scope.value in wanted],
        last_day=read_last_day(visit.form["last_day"], "last_day", "the key's last day"),
    )
    said = "Copy the new API key now. It is not shown again."
    return visit.lead_to(f"{_PAGE}?page=you", said, secret=made.secret)


@page("POST", f"{_PAGE}/keys/{{key_id}}/rotate", scope=Scope.ACCOUNTS, fresh=True)
def rotate_key(visit: Visit) -> Response:
    """Create a key that replaces another, and show it once. Raises OperatorError."""
    overlap = OVERLAPS.get(visit.form["overlap"])
    if overlap is None:
        raise OperatorError("Choose how long the old key keeps working.")
    made = visit.services.people.team.rotate_key(visit.caller, visit.path["key_id"], overlap)
    until = f"for {visit.form['overlap']} more" if overlap else "no longer"
    said = f"Copy the new API key now. It is not shown again. The old one works {until}."
    return visit.lead_to(f"{_PAGE}?page=you", said, secret=made.secret)


@page("POST", f"{_PAGE}/assistants/{{key_id}}/revoke", scope=None)
def revoke_assistant(visit: Visit) -> Response:
    """Revoke what the member allowed an assistant."""
    visit.services.people.team.revoke_key(visit.caller, visit.path["key_id"])
    return visit.lead_to(f"{_PAGE}?page=you", "The assistant can no longer use this workspace.")


@page("POST", f"{_PAGE}/keys/{{key_id}}/revoke", scope=Scope.ACCOUNTS)
def revoke_key(visit: Visit) -> Response:
    """Revoke a key."""
    visit.services.people.team.revoke_key(visit.caller, visit.path["key_id"])
    return visit.lead_to(f"{_PAGE}?page=you", "The API key was revoked.")


def show_workspace(visit: Visit) -> Response:
    """Show the workspace's settings."""
    return show_part(visit, "workspace", _workspace(visit))


def _people(visit: Visit) -> dict[str, object]:
    caller = visit.caller
    for_whom = visit.query["member"]
    members = visit.services.people.team.members(caller)
    return {
        "members": members,
        "shown_beside": for_whom if for_whom in {one.id for one in members} else "",
        "roles": [r for r in Role if r is not Role.OWNER or caller.role is Role.OWNER],
    }


def _notices(visit: Visit) -> dict[str, object]:
    people = visit.services.people
    return {
        "me": visit.who.member,
        "notices": NOTICES,
        "channels": CHANNELS,
        "mails": visit.services.settings.mails,
        "browsers": people.browsers.list(visit.who),
        "push_key": people.push_key.public,
    }


def _you(visit: Visit) -> dict[str, object]:
    team, people = visit.services.people.team, visit.services.people
    keys, members, sessions, passkeys = in_parallel(
        lambda: team.visible_keys(visit.caller),
        lambda: team.members(visit.caller),
        lambda: people.sessions.of(visit.who),
        lambda: people.passkeys.list(visit.who.person.id),
    )
    return {
        "names": {member.id: member.name for member in members},
        "managed": {one.id for one in members if manages(visit.caller.role, one.role)},
        "keys": [key for key in keys if key.client_hash is None],
        "assistants": [key for key in keys if key.client_hash is not None],
        "sessions": sessions,
        "passkeys": passkeys,
        "device": visit.device,
        "scopes": SCOPES,
        "overlaps": list(OVERLAPS),
        "today": visit.now.date(),
        "default_scopes": DEFAULT_SCOPES,
    }


def _workspace(visit: Visit) -> dict[str, object]:
    people, library = visit.services.people, visit.services.media.library
    use, picture, photos = in_parallel(
        lambda: people.team.use(visit.caller),
        lambda: people.pictures.find(visit.caller.workspace_id),
        lambda: library.find(visit.caller, _PHOTOS).files,
    )
    return {
        "use": use,
        "photos": photos,
        "picture": picture_in_page(picture),
        "largest_picture": LARGEST_BYTES,
        "accounts_limit": accounts_limit(use.workspace.plan),
        "zones": sorted(all_timezones()),
    }


def _with_link(visit: Visit, member_id: str, said: str) -> Response:
    token = visit.services.people.team.make_sign_in_link(visit.caller, member_id)
    link = f"{visit.base_url}/app/sign-in/{token}"
    place = f"{_PAGE}?page=members&member={member_id}#member-{member_id}"
    return visit.lead_to(place, f"{said}: it works once, within 15 minutes.", secret=link)


def _role(visit: Visit) -> Role:
    try:
        return Role(visit.form["role"])
    except ValueError as error:
        raise OperatorError("Choose a role.") from error
