"""`post approve | reject | show | stuck`: what clients cannot do, or cannot see, of a post."""

import click

from chalicelib.cli.console import Answer, answers, moment, table
from chalicelib.cli.post_documents import inside_document, post_document, stuck_document
from chalicelib.domain.history import History
from chalicelib.domain.ids import is_id
from chalicelib.domain.operator_errors import OperatorError
from chalicelib.domain.post import Post
from chalicelib.domain.target import Target
from chalicelib.services.operator_services import OperatorServices

_TARGETS = ("TARGET", "PLATFORM", "STATUS", "SCHEDULED", "WAKES", "STEP", "IN DOUBT", "ERROR")
_STUCK = ("POST", "TARGET", "PLATFORM", "STATUS", "OVERDUE", "IN DOUBT", "WAKES")


@click.group()
def post() -> None:
    """Approve, reject and look into posts."""


@post.command("approve")
@click.argument("post_id", metavar="ID")
@click.option("--workspace", "workspace_id", required=True, metavar="ID")
@answers
def approve(services: OperatorServices, *, post_id: str, workspace_id: str) -> Answer:
    """Let a post go out; what is past its time goes at once."""
    return _one(services.operations.approve(workspace_id, _known(post_id)))


@post.command("reject")
@click.argument("post_id", metavar="ID")
@click.option("--workspace", "workspace_id", required=True, metavar="ID")
@answers
def reject(services: OperatorServices, *, post_id: str, workspace_id: str) -> Answer:
    """Keep a post from going out, and give back its times and allowance."""
    return _one(services.operations.reject(workspace_id, _known(post_id)))


@post.command("show")
@click.argument("post_id", metavar="ID")
@answers
def show(services: OperatorServices, *, post_id: str) -> Answer:
    """Show the inside of a post, a deleted one too."""
    shown, history = services.operations.show(_known(post_id))
    return Answer(
        document=inside_document(shown, history), lines=[*_summary(shown), *_story(history)]
    )


@post.command("stuck")
@answers
def stuck(services: OperatorServices) -> Answer:
    """List every target that is overdue or in doubt, the oldest first."""
    found = services.operations.stuck()
    rows = [
        (
            one.post_id,
            one.target.id,
            one.target.platform,
            one.target.status,
            "yes" if one.is_overdue else "no",
            "yes" if one.target.is_in_doubt else "no",
            moment(one.target.motion.wake_at),
        )
        for one in found
    ]
    return Answer(
        document={"data": [stuck_document(one) for one in found]},
        lines=table(_STUCK, rows) if rows else ["Nothing is overdue or in doubt."],
    )


def _known(post_id: str) -> str:
    if not is_id(post_id):
        raise OperatorError("There is no such post.")
    return post_id


def _one(changed: Post) -> Answer:
    return Answer(document=post_document(changed), lines=_summary(changed))


def _summary(shown: Post) -> list[str]:
    gone = "" if shown.deleted_at is None else f", deleted {moment(shown.deleted_at)}"
    approval = "" if shown.approval is None else f", {shown.approval}"
    return [
        f"post {shown.id} of workspace {shown.workspace_id}: {shown.status}{approval}{gone}",
        "",
        *table(_TARGETS, [_row(target) for target in shown.targets]),
    ]


def _row(target: Target) -> tuple[object, ...]:
    checkpoint = target.motion.checkpoint
    return (
        target.id,
        target.platform,
        target.status,
        moment(target.scheduled_at),
        moment(target.motion.wake_at),
        None if checkpoint is None else checkpoint.step,
        "yes" if target.is_in_doubt else "no",
        target.error_code,
    )


def _story(history: History) -> list[str]:
    events = [(moment(one.at), one.action, one.by) for one in history.events]
    attempts = [
        (moment(one.at), one.target_id, one.status, one.error_code, one.found)
        for one in history.attempts
    ]
    lines = ["", *table(("AT", "EVENT", "BY"), events)]
    if attempts:
        lines += ["", *table(("AT", "ATTEMPT AT TARGET", "STATUS", "ERROR", "FOUND"), attempts)]
    return lines
