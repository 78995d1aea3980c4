"""Settings: the plan's use, time zone, queue times, members and keys.

What may be changed here the services decide; a new key's text is shown once, on the answer itself.
"""

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.workspace.access import DEFAULT_SCOPES, Role, Scope
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.domain.workspace.plans import accounts_limit
from chalicelib.domain.workspace.workspaces import all_timezones
from chalicelib.services.app.team import MANAGERS
from chalicelib.services.in_parallel import in_parallel
from chalicelib.web.messages import Answer, redirect
from chalicelib.web.routing import Visit, page

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_PAGE = "/app/settings"
_WEEK = 7


@page("GET", _PAGE)
def show_settings(visit: Visit) -> Answer:
    """Show everything that can be set."""
    return _settings(visit)


@page("POST", f"{_PAGE}/timezone", scope=Scope.ACCOUNTS)
def set_timezone(visit: Visit) -> Answer:
    """Change the workspace's time zone."""
    visit.services.team.set_timezone(visit.caller, visit.form["timezone"])
    return redirect(_PAGE)


@page("POST", f"{_PAGE}/queue", scope=Scope.PUBLISH, pays=True)
def add_queue_time(visit: Visit) -> Answer:
    """Add a weekly queue time."""
    weekdays = {int(day) for day in visit.form.all("weekday") if day in set("0123456")}
    time = visit.form["time"]
    if not weekdays or not _is_time(time):
        raise InvalidInput("Choose weekdays and type a time such as 19:00.", loc=("body", "time"))
    visit.services.api.queue_slots.add(
        visit.caller, weekdays=weekdays, time=time, label=visit.form["label"].strip()[:100]
    )
    return redirect(_PAGE)


@page("POST", f"{_PAGE}/queue/{{slot_id}}/remove", scope=Scope.PUBLISH, pays=True)
def remove_queue_time(visit: Visit) -> Answer:
    """Remove a queue time; scheduled posts keep their times."""
    visit.services.api.queue_slots.remove(visit.caller, visit.path["slot_id"])
    return redirect(_PAGE)


@page("POST", f"{_PAGE}/members", scope=Scope.ACCOUNTS)
def add_member(visit: Visit) -> Answer:
    """Add a person and show the link that signs them in."""
    name, role = visit.form["name"].strip(), _role(visit)
    member = visit.services.team.add_member(visit.caller, name=name, role=role)
    return _with_link(visit, member.id)


@page("POST", f"{_PAGE}/members/{{member_id}}/role", scope=Scope.ACCOUNTS)
def set_role(visit: Visit) -> Answer:
    """Give a member another role."""
    visit.services.team.set_role(visit.caller, visit.path["member_id"], _role(visit))
    return redirect(_PAGE)


@page("POST", f"{_PAGE}/members/{{member_id}}/remove", scope=Scope.ACCOUNTS)
def remove_member(visit: Visit) -> Answer:
    """Remove a person."""
    visit.services.team.remove_member(visit.caller, visit.path["member_id"])
    return redirect(_PAGE)


@page("POST", f"{_PAGE}/members/{{member_id}}/link", scope=Scope.ACCOUNTS)
def make_link(visit: Visit) -> Answer:
    """Show a link that signs a member in once."""
    return _with_link(visit, visit.path["member_id"])


@page("POST", f"{_PAGE}/keys", scope=Scope.ACCOUNTS)
def create_key(visit: Visit) -> Answer:
    """Make a key and show it this once."""
    wanted = set(visit.form.all("scope"))
    made = visit.services.team.create_key(
        visit.caller,
        name=visit.form["name"].strip(),
        scopes=[scope for scope in Scope if scope.value in wanted],
    )
    return _settings(visit, new_key=made.secret)


@page("POST", f"{_PAGE}/keys/{{key_id}}/revoke", scope=Scope.ACCOUNTS)
def revoke_key(visit: Visit) -> Answer:
    """Make a key stop working."""
    visit.services.team.revoke_key(visit.caller, visit.path["key_id"])
    return redirect(_PAGE)


def _settings(visit: Visit, *, new_key: str | None = None, link: str | None = None) -> Answer:
    team, caller = visit.services.team, visit.caller
    manages = caller.role in MANAGERS
    (use, members), (keys, slots) = in_parallel(
        lambda: in_parallel(lambda: team.use(caller), lambda: team.members(caller)),
        lambda: in_parallel(
            lambda: team.keys(caller) if manages else [],
            lambda: visit.services.api.queue_slots.list(caller),
        ),
    )
    return visit.show(
        "workspace/settings.html",
        use=use,
        accounts_limit=accounts_limit(use.workspace.plan),
        members=members,
        names={member.id: member.name for member in members},
        keys=[key for key in keys if key.revoked_at is None],
        slots=slots,
        manages=manages,
        new_key=new_key,
        link=link,
        roles=[r for r in Role if r is not Role.OWNER or caller.role is Role.OWNER],
        scopes=list(Scope),
        default_scopes=DEFAULT_SCOPES,
        weekdays=WEEKDAYS,
        zones=sorted(all_timezones()),
    )


def _with_link(visit: Visit, member_id: str) -> Answer:
    token = visit.services.team.make_sign_in_link(visit.caller, member_id)
    return _settings(visit, link=f"{visit.base_url}/app/sign-in/{token}")


def _role(visit: Visit) -> Role:
    try:
        return Role(visit.form["role"])
    except ValueError as error:
        raise OperatorError("Choose a role.") from error


def _is_time(typed: str) -> bool:
    hours, _, minutes = typed.partition(":")
    if len(typed) != len("19:00") or not (hours + minutes).isdecimal() or not typed.isascii():
        return False
    return int(hours) < 24 and int(minutes) < 60  # noqa: PLR2004 - a clock
