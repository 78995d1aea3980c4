"""`engine status | pause | resume` and `queue redrive`: the state of sending, and stopping it."""

from dataclasses import asdict
from datetime import UTC, datetime

import click

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.cli.console import Answer, answers, answers_meanwhile, moment
from chalicelib.domain.engine.holds import Hold, describe_hold
from chalicelib.domain.platforms.versions import ApiVersion
from chalicelib.services.operator.engine_control import EngineStatus
from chalicelib.settings import starting_command
from chalicelib.storage.engine.switch import SwitchState

LOCAL_WORKER = "chalicelib.local.triggers.runner"
"""The module whose process works on targets, on a machine that runs the local stack."""


class PastMoment(click.ParamType[datetime, str]):
    """An instant in ISO 8601 with its offset, not in the future."""

    name = "moment"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        """Read the instant; anything else is wrong usage."""
        try:
            read = datetime.fromisoformat(str(value))
        except ValueError:
            self.fail(
                f"{value!r} is not a time. Write it like 2026-11-20T12:00:00+00:00.", param, ctx
            )
        if read.tzinfo is None:
            self.fail(f"{value!r} needs an offset, such as +00:00.", param, ctx)
        if read > datetime.now(UTC):
            self.fail(f"{value!r} is in the future: give the time of the backup.", param, ctx)
        return read.astimezone(UTC)


@click.group()
def engine() -> None:
    """Show the publishing engine's state; pause and resume it."""


@engine.command("status")
@answers_meanwhile
def status(services: Deployment) -> Answer:
    """Show whether posts are sent, the oldest overdue target, and the length of the queue."""
    found = services.people.engine_control.engine_status()
    rebuild = None if services.indexes is None else services.indexes.progress()
    overdue = None if rebuild else moment(found.oldest_overdue)
    return Answer(
        document={
            "paused": found.paused,
            "confirm_since": moment(found.confirm_since),
            "oldest_overdue": overdue,
            "queue": {
                "waiting": found.waiting,
                "working": found.working,
                "delayed": found.delayed,
                "dead": found.dead,
            },
            "versions": [_version(one) for one in found.versions],
            "held_applications": [_hold(hold) for hold in found.holds],
            "worker": LOCAL_WORKER,
            "running": services.stack_runs,
            "rebuilding": None if rebuild is None else asdict(rebuild),
        },
        lines=[
            *([] if rebuild is None else [f"indexes         being rebuilt, {rebuild}"]),
            f"engine          {_how_it_is(services, found, is_rebuilding=rebuild is not None)}",
            f"oldest overdue  {overdue or ('known after the rebuild' if rebuild else 'none')}",
            f"waiting         {found.waiting}, and {found.delayed} for later",
            f"working on      {found.working}",
            f"dead letters    {found.dead}",
            *(f"held up         {describe_hold(hold)}" for hold in found.holds),
            *(f"version         {one.api} {one.version}: {one.told}" for one in found.versions),
        ],
    )


def _version(one: ApiVersion) -> dict[str, object]:
    return {
        "api": one.api,
        "version": one.version,
        "standing": one.standing,
        "ends": moment(one.ends),
        "message": one.told,
    }


def _hold(hold: Hold) -> dict[str, object]:
    return {
        "platform": hold.whose.platform,
        "application": hold.whose.application,
        "workspace_id": hold.whose.workspace_id,
        "code": hold.code,
        "message": hold.message,
        "since": moment(hold.since),
        "until": moment(hold.until),
    }


def _how_it_is(services: Deployment, found: EngineStatus, *, is_rebuilding: bool) -> str:
    """Return whether anything is sent, and what to do if not."""
    if services.stack_runs is False:
        rest = ", and it is paused: `engine resume` ends that" if found.paused else ""
        return f"stopped: the local stack is not running, `{starting_command()}` starts it{rest}"
    if is_rebuilding:
        return "starting: nothing is sent, and the API answers 503, until the indexes are rebuilt"
    return "paused: nothing is sent until `engine resume`" if found.paused else "running"


@engine.command("pause")
@answers
def pause(services: Deployment) -> Answer:
    """Stop sending, and wait until armed targets have gone out."""
    pause = services.people.engine_control.pause()
    return Answer(
        document={
            "paused": pause.state.paused,
            "confirm_since": moment(pause.state.confirm_since),
            "may_have_gone_out": pause.may_have_gone_out,
            "being_sent": pause.being_sent,
        },
        lines=[
            "Paused: nothing more is sent.",
            f"armed before    {pause.may_have_gone_out} targets may have gone out meanwhile",
            f"being sent      {pause.being_sent} targets end within a minute",
        ],
    )


@engine.command("resume")
@click.option(
    "--confirm-since",
    type=PastMoment(),
    metavar="T",
    help="After a restore, the backup's time: look for posts since then before sending any.",
)
@answers
def resume(services: Deployment, *, confirm_since: datetime | None) -> Answer:
    """Start sending again after a pause."""
    state = services.people.engine_control.resume(confirm_since=confirm_since)
    if confirm_since is None:
        return _state(state, "Running.")
    since = moment(confirm_since)
    return _state(state, f"Running; each target is looked for in posts since {since} first.")


def _state(state: SwitchState, line: str) -> Answer:
    return Answer(
        document={"paused": state.paused, "confirm_since": moment(state.confirm_since)},
        lines=[line],
    )


@click.group()
def queue() -> None:
    """Manage the publish queue."""


@queue.command("redrive")
@answers
def redrive(services: Deployment) -> Answer:
    """Move dead-lettered publish messages back to the queue."""
    moved = services.people.engine_control.redrive()
    return Answer(document={"redriven": moved}, lines=[f"Moved {moved} messages back."])
