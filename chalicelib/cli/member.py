"""`member add | list | update | remove | sign-in | sign-out`: people and their roles."""

import click

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.cli.console import Answer, Several, answers, listing, moment
from chalicelib.domain.workspace.access import Role
from chalicelib.domain.workspace.notices import NoticeKind
from chalicelib.domain.workspace.passkeys import page_address
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
@click.option("--timezone", help="Default: the workspace's.")
@answers
def add(
    services: Deployment, *, workspace_id: str, name: str, role: str, timezone: str | None
) -> Answer:
    """Add a member to a workspace."""
    added = services.people.administration.add_member(
        workspace_id, name=name, role=Role(role), timezone=timezone
    )
    return Answer(document={"member_id": added.id}, lines=[f"member  {added.id}"])


@member.command("list")
@click.argument("workspace_id", metavar="WORKSPACE")
@answers
def list_all(services: Deployment, *, workspace_id: str) -> Answer:
    """List a workspace's members, oldest first."""
    found = services.people.administration.list_members(workspace_id)
    return listing(found, _document, _HEADINGS, _row)


@member.command("update")
@click.argument("member_id", metavar="ID")
@click.option("--role", type=_ROLES)
@click.option("--email", help='Where notices are sent; "" turns them off.')
@click.option(
    "--notices",
    type=Several(NoticeKind, "kind of notice", ("", "none")),
    help=f"What to e-mail about, separated by commas: {', '.join(NoticeKind)}; or none.",
)
@answers
def update(
    services: Deployment,
    *,
    member_id: str,
    role: str | None,
    email: str | None,
    notices: frozenset[NoticeKind] | None,
) -> Answer:
    """Change a member's role, at once for their keys too, or their notices by e-mail."""
    if role is None and email is None and notices is None:
        raise click.UsageError("Nothing to change: give --role, --email or --notices.")
    lines = []
    if role is not None:
        changed = services.people.administration.update_member(member_id, Role(role))
        lines.append(f"{changed.name} is now {changed.role}.")
    if email is not None or notices is not None:
        told = services.people.administration.tell_member(member_id, email=email, notices=notices)
        kinds = ", ".join(sorted(told.notices)) or "nothing"
        lines.append(f"{told.name} is notified of {kinds} at {told.email or 'no address'}.")
        if told.notices and not services.settings.mails:
            lines.append(_nothing_is_mailed(services))
    return Answer(document={"member_id": member_id}, lines=lines)


def _nothing_is_mailed(services: Deployment) -> str:
    if services.stack_runs is None:
        return "Nothing is mailed until the stage's NoticesSender names a sender."
    return "Nothing is mailed until GOLDENHOUR_SMTP_URL names a mail server."


@member.command("remove")
@click.argument("member_id", metavar="ID")
@click.option("--erase", is_flag=True, help="Erase the name and addresses everywhere.")
@click.option("--yes", is_flag=True, help="Do not ask before erasing.")
@answers
def remove(services: Deployment, *, member_id: str, erase: bool, yes: bool) -> Answer:
    """Remove a member; the member's keys stop working at once.

    With --erase, which also works for members removed earlier, histories say "former member", also
    where another member has the same name, and the activity keeps no address. If it is interrupted,
    run it again.
    """
    if not erase:
        removed = services.people.administration.remove_member(member_id)
        return Answer(document={"member_id": removed.id}, lines=[f"{removed.name} was removed."])
    if not yes:
        click.confirm("Erase the member's name for good?", abort=True, err=True)
    rows = services.people.member_erasure.erase(member_id)
    return Answer(
        document={"member_id": member_id, "erased": True, "rows": rows},
        lines=[f"The member was removed, and their name from {rows:,} rows of posts."],
    )


@member.command("sign-in")
@click.argument("member_id", metavar="ID")
@answers
def sign_in(services: Deployment, *, member_id: str) -> Answer:
    """Print a link that signs the member in to the app once, within 15 minutes."""
    token = services.people.sign_in_links.make(member_id)
    link = f"{page_address(services.settings.outer_url)}/app/sign-in/{token}"
    return Answer(document={"member_id": member_id, "url": link}, lines=[link])


@member.command("sign-out")
@click.argument("member_id", metavar="ID")
@answers
def sign_out(services: Deployment, *, member_id: str) -> Answer:
    """End every session, sign-in link and passkey of a member at once."""
    ended = services.people.sessions.sign_out(member_id)
    return Answer(document={"member_id": ended.id}, lines=[f"{ended.name} is signed out."])


def _row(one: Member) -> tuple[object, ...]:
    return (one.id, one.name, one.role, one.timezone, moment(one.created_at))


def _document(one: Member) -> dict[str, object]:
    return {
        "member_id": one.id,
        "name": one.name,
        "role": one.role,
        "timezone": one.timezone,
        "created_at": moment(one.created_at),
        "email": one.email,
        "notices": sorted(one.notices),
    }
