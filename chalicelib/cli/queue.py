"""`queue redrive`: give messages that could not be worked off another chance."""

import click

from chalicelib.cli.console import Answer, answers
from chalicelib.services.operator_services import OperatorServices


@click.group()
def queue() -> None:
    """Tend the publish queue."""


@queue.command("redrive")
@answers
def redrive(services: OperatorServices) -> Answer:
    """Move dead-lettered publish messages back to the queue."""
    moved = services.operations.redrive()
    return Answer(document={"redriven": moved}, lines=[f"Moved {moved} messages back."])
