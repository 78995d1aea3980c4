"""`workspace create | show | list | update | activity | delete | move`: customers and plans."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import click

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.cli.console import Answer, OpenServices, answers, listing, moment, table
from chalicelib.domain.workspace.access import Plan
from chalicelib.domain.workspace.activity import Activity
from chalicelib.domain.workspace.deletion import Deletion
from chalicelib.domain.workspace.operator_errors import OperatorError, UnknownWorkspaceError
from chalicelib.kit.dynamodb.failures import AwsFailure, explain
from chalicelib.services.operator.moving.move import Move, where
from chalicelib.services.operator.workspace_use import WorkspaceUse

_PLANS = click.Choice([plan.value for plan in Plan])
_HEADINGS = (
    *("WORKSPACE", "NAME", "PLAN", "TIME ZONE", "APPROVALS", "X POSTS", "FILES (GB)"),
    "TRIAL ENDS",
)
_DONE_HEADINGS = ("AT", "BY", "NAME", "FROM", "ACTION", "SUBJECT", "DETAIL")
_GIGABYTE = 1_073_741_824


@click.group()
def workspace() -> None:
    """Create, show and change workspaces."""


@workspace.command("create")
@click.option("--name", required=True)
@click.option("--plan", type=_PLANS, default=Plan.STUDIO.value, show_default=True)
@click.option("--timezone", required=True, help="Such as Europe/Paris.")
@click.option("--approvals", is_flag=True, help="Members who may not publish need approval.")
@click.option("--owner-name", required=True)
@click.option("--owner-timezone", help="Default: the workspace's.")
@answers
def create(  # noqa: PLR0913  # one parameter an option
    services: Deployment,
    *,
    name: str,
    plan: str,
    timezone: str,
    approvals: bool,
    owner_name: str,
    owner_timezone: str | None,
) -> Answer:
    """Create a workspace with its owner."""
    made, owner = services.people.administration.create_workspace(
        name=name,
        plan=Plan(plan),
        timezone=timezone,
        approvals=approvals,
        owner_name=owner_name,
        owner_timezone=owner_timezone,
    )
    return Answer(
        document={"workspace_id": made.id, "member_id": owner.id},
        lines=[f"workspace  {made.id}", f"owner      {owner.id}"],
    )


@workspace.command("show")
@click.argument("workspace_id", metavar="ID")
@answers
def show(services: Deployment, *, workspace_id: str) -> Answer:
    """Show a workspace and its use this month, or where it has moved."""
    try:
        return _one(services.people.administration.show_workspace(workspace_id))
    except UnknownWorkspaceError:
        mark = services.stores.marks.find(workspace_id)
        if mark is not None:
            raise OperatorError(where(mark)) from None
        raise


@workspace.command("list")
@answers
def list_all(services: Deployment) -> Answer:
    """List all workspaces, oldest first."""
    found = services.people.administration.list_workspaces()
    return listing(found, _document, _HEADINGS, _row)


@workspace.command("update")
@click.argument("workspace_id", metavar="ID")
@click.option("--plan", type=_PLANS)
@click.option("--timezone")
@click.option("--approvals", type=click.Choice(["on", "off"]))
@click.option(
    "--storage-gb",
    type=click.IntRange(0, 1_000_000),
    help="Storage for files, if more than the plan includes; 0 for the plan's.",
)
@answers
def update(  # one parameter an option
    services: Deployment,
    *,
    workspace_id: str,
    plan: str | None,
    timezone: str | None,
    approvals: str | None,
    storage_gb: int | None,
) -> Answer:
    """Change a workspace's plan, time zone, approvals or storage."""
    if (plan, timezone, approvals, storage_gb) == (None, None, None, None):
        raise click.UsageError(
            "Nothing to change: give --plan, --timezone, --approvals or --storage-gb."
        )
    changed = services.people.administration.update_workspace(
        workspace_id,
        plan=None if plan is None else Plan(plan),
        timezone=timezone,
        approvals=None if approvals is None else approvals == "on",
        raised_storage=None if storage_gb is None else storage_gb * _GIGABYTE,
    )
    return _one(changed)


@workspace.command("passkeys-only")
@click.argument("workspace_id", metavar="ID")
@click.argument("setting", type=click.Choice(["on", "off"]))
@answers
def passkeys_only(services: Deployment, *, workspace_id: str, setting: str) -> Answer:
    """Choose whether members need a passkey; then a sign-in link alone shows them nothing."""
    administration = services.people.administration
    return _one(administration.update_workspace(workspace_id, passkeys_only=setting == "on"))


@workspace.command("activity")
@click.argument("workspace_id", metavar="ID")
@click.option("--limit", type=click.IntRange(1, 1_000), default=100, show_default=True)
@click.option("--before", default="", help="The last id of an earlier --json answer.")
@answers
def activity(services: Deployment, *, workspace_id: str, limit: int, before: str) -> Answer:
    """List who signed in, and who changed people, keys, accounts and settings, newest first."""
    found = services.workspace.activity.newest(workspace_id, before, limit)
    return listing(found, _deed, _DONE_HEADINGS, _deed_row)


def _deed_row(one: Activity) -> tuple[object, ...]:
    by, subject = (one.by, one.by_name, one.client), one.subject or one.subject_id
    return (moment(one.at), *by, one.deed, subject, one.detail)


def _deed(one: Activity) -> dict[str, object]:
    return {
        "id": one.id,
        "at": moment(one.at),
        "action": one.deed,
        "by": one.by,
        "by_id": one.by_id or None,
        "by_name": one.by_name or None,
        "client": one.client or None,
        "subject_id": one.subject_id or None,
        "subject": one.subject or None,
        "detail": one.detail or None,
    }


@workspace.command("export")
@click.argument("workspace_id", metavar="ID")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@answers
def export(services: Deployment, *, workspace_id: str, folder: Path) -> Answer:
    """Write everything of a workspace to a folder, as zips with JSON lines and its files.

    The workspace stays in use meanwhile. If it is interrupted, run it again with the same folder.
    """
    done = None
    for done in services.whole_workspace.export.go_on(workspace_id, folder):
        click.echo(f"Part {done.parts} is complete, up to {done.source}.", err=True)
    counts = {} if done is None else dict(done.counts)
    said = ", ".join(f"{count:,} {name}" for name, count in sorted(counts.items()))
    return Answer(
        document={
            "workspace_id": workspace_id,
            "folder": str(folder),
            "parts": done.parts if done else None,
            "counts": counts,
        },
        lines=[f"Exported to {folder}: {said}." if done else f"{folder} is complete already."],
    )


@workspace.command("delete")
@click.argument("workspace_id", metavar="ID")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--even-scheduled", is_flag=True, help="Delete it even if posts are scheduled.")
@answers
def delete(services: Deployment, *, workspace_id: str, yes: bool, even_scheduled: bool) -> Answer:
    """Delete a workspace for good: members, keys, accounts, posts, results and files.

    It refuses while something is scheduled. What is live stays on its platforms. If it is
    interrupted, it continues by itself, or when it is run again.
    """
    if not yes and services.whole_workspace.deletion.rows.find(workspace_id) is None:
        shown = services.people.administration.show_workspace(workspace_id).workspace
        click.confirm(
            f"Permanently delete {shown.name} and everything in it?", abort=True, err=True
        )
    gone = services.whole_workspace.deletion.begin(workspace_id, even_scheduled=even_scheduled)
    for step in services.whole_workspace.deletion.steps(gone):
        gone = step
        click.echo(_how_far(gone), err=True)
    counts = f"{gone.members} members, {gone.accounts} accounts, {gone.posts} posts"
    again = moment(gone.not_before) if gone.rests(services.clock()) else None
    ends = "" if again is None else f" At {again}, everything is checked once more."
    return Answer(
        document={
            "deleted": workspace_id,
            "members": gone.members,
            "accounts": gone.accounts,
            "posts": gone.posts,
            "files": gone.files,
            "looked_for_again_at": again,
        },
        lines=[f"Deleted {workspace_id}: {counts}, {gone.files} files.{ends}"],
    )


def _how_far(gone: Deletion) -> str:
    return f"{gone.posts:,} posts and {gone.files:,} files are deleted. Next: {gone.step}."


@workspace.command("move")
@click.argument("workspace_id", metavar="ID")
@click.option("--to", "place", required=True, metavar="STAGE|FOLDER", help="A folder contains a /.")
@click.option("--address", metavar="URL", help="Its new address, if not the target's own.")
@click.option("--give-up", "way", flag_value="give_up", help="Undo an unfinished move.")
@click.option(
    "--was-restored",
    "way",
    flag_value="clear_restored",
    help="Delete a moved workspace that restoring an older backup brought back.",
)
@answers
def move(
    services: Deployment, *, workspace_id: str, place: str, address: str | None, way: str | None
) -> Answer:
    """Move a workspace to another stage, or to the data directory of one server.

    If it is interrupted, run it again: it continues where it stopped. See docs/moving.md.
    """
    open_services: OpenServices = click.get_current_context().obj
    with (
        open_services(Path(place) if "/" in place else place) as there,
        _say_what_is_unfinished(way),
    ):
        found = there.whole_workspace.moving_side
        side = replace(found, address=address or found.address)
        moving = Move(
            source=services.whole_workspace.moving_side,
            target=side,
            clock=services.clock,
            say=lambda line: click.echo(line, err=True),
        )
        said = f"The workspace is at {side.address}. Its keys work there."
        match way:
            case "give_up":
                moving.give_up(workspace_id)
                said = "The workspace stays here."
            case "clear_restored":
                moving.clear_restored(workspace_id)
            case _:
                moving.carry_out(workspace_id)
        return Answer(
            document={"workspace_id": workspace_id, "address": side.address},
            lines=[said],
        )


@contextmanager
def _say_what_is_unfinished(way: str | None) -> Iterator[None]:
    """Turn AWS failures into errors that say how to continue or undo the move."""
    try:
        yield
    except AwsFailure as failure:
        reason = explain(failure, advice="`doctor` says what is wrong.")
        back = ", or undo it with --give-up" if way is None else ""
        raise click.ClickException(
            f"{reason} The move stopped, and nothing of the workspace is lost: run the same "
            f"command again to continue{back}."
        ) from failure


def _one(shown: WorkspaceUse) -> Answer:
    return Answer(document=_document(shown), lines=table(_HEADINGS, [_row(shown)]))


def _document(shown: WorkspaceUse) -> dict[str, object]:
    one = shown.workspace
    return {
        "workspace_id": one.id,
        "name": one.name,
        "plan": one.plan,
        "timezone": one.timezone,
        "approvals": one.approvals,
        "passkeys_only": one.passkeys_only,
        "created_at": moment(one.created_at),
        "trial_ends_at": moment(one.trial_ends_at),
        "month": {"x_posts": shown.x_posts, "x_allowance": shown.x_allowance},
        "storage": {"used_bytes": shown.stored_bytes, "allowance_bytes": shown.storage_limit},
    }


def _row(shown: WorkspaceUse) -> tuple[object, ...]:
    one = shown.workspace
    return (
        one.id,
        one.name,
        one.plan,
        one.timezone,
        "on" if one.approvals else "off",
        f"{shown.x_posts} of {shown.x_allowance}",
        f"{shown.stored_bytes / _GIGABYTE:.2f} of {shown.storage_limit / _GIGABYTE:.0f}",
        moment(one.trial_ends_at),
    )
