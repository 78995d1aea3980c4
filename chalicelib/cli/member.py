"""`member add | list | update | remove | sign-in | sign-out`: people, their roles."""

import click

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.cli.console import Answer, answers, moment, table
from chalicelib.domain.workspace.access import Role
from chalicelib.domain.workspace.workspaces import Member

_ROLES = click.Choice([role.value for role in Role])
_HEADINGS = ("MEMBER", "NAME", "ROLE", "TIME ZONE", "SINCE")


@click.group()
def member() -> None:
    """Add, list, change and remove members."""


@member.command("add")
@click.argument("workspace_id", metavar="WORKSPACE")
@click.option("--name", required=True)
@click.option("--role", type=_ROLES, required=True)
@click.option("--timezone", help="The workspace's unless given.")
@answers
def add(
    services: Deployment, *, workspace_id: str, name: str, role: str, timezone: str | None
) -> Answer:
    """Add a member to a workspace."""
    added = services.administration.add_member(
        workspace_id, name=name, role=Role(role), timezone=timezone
    )
    return Answer(document={"member_id": added.id}, lines=[f"member  {added.id}"])


@member.command("list")
@click.argument("workspace_id", metavar="WORKSPACE")
@answers
def list_all(services: Deployment, *, workspace_id: str) -> Answer:
    """List a workspace's members, oldest first."""
    found = services.administration.list_members(workspace_id)
    rows = [(one.id, one.name, one.role, one.timezone, moment(one.created_at)) for one in found]
    return Answer(
        document={"data": [_document(one) for one in found]}, lines=table(_HEADINGS, rows)
    )


@member.command("update")
@click.argument("member_id", metavar="ID")
@click.option("--role", type=_ROLES, required=True)
@answers
def update(services: Deployment, *, member_id: str, role: str) -> Answer:
    """Change a member's role; it applies to the member's keys at once."""
    changed = services.administration.update_member(member_id, Role(role))
    return Answer(
        document={"member_id": changed.id}, lines=[f"{changed.name} is now {changed.role}."]
    )


@member.command("remove")
@click.argument("member_id", metavar="ID")
@answers
def remove(services: Deployment, *, member_id: str) -> Answer:
    """Remove a member; the member's keys stop working at once."""
    removed = services.administration.remove_member(member_id)
    return Answer(document={"member_id": removed.id}, lines=[f"{removed.name} was removed."])


@member.command("sign-in")
@click.argument("member_id", metavar="ID")
@answers
def sign_in(services: Deployment, *, member_id: str) -> Answer:
    """Print a link that signs the member in to the app, once and within 15 minutes."""
    token = services.sessions.make_link(member_id)
    link = f"{services.settings.outer_url}/app/sign-in/{token}"
    return Answer(document={"member_id": member_id, "url": link}, lines=[link])


@member.command("sign-out")
@click.argument("member_id", metavar="ID")
@answers
def sign_out(services: Deployment, *, member_id: str) -> Answer:
    """End every session and sign-in link of a member at once."""
    ended = services.sessions.sign_out(member_id)
    return Answer(document={"member_id": ended.id}, lines=[f"{ended.name} is signed out."])


def _document(one: Member) -> dict[str, object]:
    return {
        "member_id": one.id,
        "name": one.name,
        "role": one.role,
        "timezone": one.timezone,
        "created_at": moment(one.created_at),
    }
