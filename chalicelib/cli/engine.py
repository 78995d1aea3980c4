"""`engine pause | resume`: let nothing be sent for a while, and go on."""

from datetime import UTC, datetime

import click

from chalicelib.cli.console import Answer, answers, moment
from chalicelib.services.operator_services import OperatorServices
from chalicelib.storage.engine_switch import SwitchState


class Moment(click.ParamType[datetime, str]):
    """An instant in ISO 8601 with its offset."""

    name = "moment"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        """Read the instant; one without an offset is wrong usage."""
        try:
            read = datetime.fromisoformat(str(value))
        except ValueError:
            self.fail(f"{value!r} is no time such as 2026-11-20T12:00:00+00:00.", param, ctx)
        if read.tzinfo is None:
            self.fail(f"{value!r} needs an offset, such as +00:00.", param, ctx)
        return read.astimezone(UTC)


@click.group()
def engine() -> None:
    """Pause and resume sending."""


@engine.command("pause")
@answers
def pause(services: OperatorServices) -> Answer:
    """Let nothing more be sent; what is being sent right now finishes."""
    return _state(services.engine.pause(), "Paused: nothing more is sent.")


@engine.command("resume")
@click.option(
    "--confirm-since",
    type=Moment(),
    metavar="T",
    help="After a restore: look on the platforms before sending what was due since then.",
)
@answers
def resume(services: OperatorServices, *, confirm_since: datetime | None) -> Answer:
    """Go on sending."""
    if confirm_since is None:
        return _state(services.engine.resume(), "Running.")
    state = services.engine.resume_confirming(confirm_since)
    return _state(state, f"Running; what was due since {moment(confirm_since)} is confirmed first.")


def _state(state: SwitchState, line: str) -> Answer:
    return Answer(
        document={"paused": state.paused, "confirm_since": moment(state.confirm_since)},
        lines=[line],
    )
