"""`post approve | reject | show | list | stuck | at-risk`: what API clients cannot do or see."""

from datetime import timedelta

import click

from chalicelib.api.resources.post_schemas import PostOut, TargetOut
from chalicelib.api.resources.posts import HistoryOut
from chalicelib.bootstrap.deployment import Deployment
from chalicelib.cli.console import Answer, answers, listing, moment, table, yes_or_no
from chalicelib.domain.ids import is_id
from chalicelib.domain.posts.history import History
from chalicelib.domain.posts.post import Post, PostStatus
from chalicelib.domain.posts.query import PostQuery
from chalicelib.domain.posts.target import Target
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.services.operator.engine_control import StuckTarget
from chalicelib.services.posts.risks import TargetAtRisk

Document = dict[str, object]


def post_document(post: Post) -> Document:
    """Return a post with the fields that the API gives it."""
    return dict(PostOut.serialize(post, None))


def inside_document(post: Post, history: History) -> Document:
    """Return everything about a post: its targets' engine state, its history, its deletion."""
    return {
        **post_document(post),
        "workspace_id": post.workspace_id,
        "queued_at": moment(post.queued_at),
        "deleted_at": moment(post.deleted_at),
        "version": post.version,
        "targets": [
            {**TargetOut.serialize(target, None), "inside": _inside(target)}
            for target in post.targets
        ],
        **HistoryOut.serialize(history, None),
    }


def stuck_document(stuck: StuckTarget) -> Document:
    """Return a target that is overdue or in doubt, with its engine state."""
    return {
        "post_id": stuck.post_id,
        "workspace_id": stuck.workspace_id,
        "target_id": stuck.target.id,
        "platform": stuck.target.platform,
        "status": stuck.target.status,
        "overdue": stuck.is_overdue,
        "in_doubt": stuck.target.is_in_doubt,
        "inside": _inside(stuck.target),
    }


def _stuck_row(stuck: StuckTarget) -> tuple[object, ...]:
    return (
        stuck.post_id,
        stuck.target.id,
        stuck.target.platform,
        stuck.target.status,
        yes_or_no(stuck.is_overdue),
        yes_or_no(stuck.target.is_in_doubt),
        moment(stuck.target.progress.wake_at),
    )


def _post_row(post: Post) -> tuple[object, ...]:
    platforms = ", ".join(target.platform for target in post.targets)
    return (post.id, post.status, moment(post.created_at), platforms)


def _inside(target: Target) -> Document:
    progress = target.progress
    return {
        "due_at": moment(target.due_at),
        "wake_at": moment(progress.wake_at),
        "wakes": progress.wakes,
        "tries": progress.tries,
        "lease_until": None if progress.lease is None else moment(progress.lease.until),
        "step": None if progress.checkpoint is None else progress.checkpoint.step,
        "step_since": moment(progress.checkpoint_since),
        "sent_at": None if progress.sent is None else moment(progress.sent.at),
        "unanswered": progress.unanswered,
        "remote_id": target.remote_id,
        "charged": None if target.charge is None else target.charge.x_units,
        "charged_to": None if target.charge is None else target.charge.counter,
        "version": target.version,
    }


_TARGETS = ("TARGET", "PLATFORM", "STATUS", "SCHEDULED", "WAKES", "STEP", "IN DOUBT", "ERROR")
_AT_RISK = ("POST", "TARGET", "PLATFORM", "DUE", "CODE")
_POSTS = ("POST", "STATUS", "CREATED", "PLATFORMS")
_STUCK = ("POST", "TARGET", "PLATFORM", "STATUS", "OVERDUE", "IN DOUBT", "WAKES")


@click.group()
def post() -> None:
    """Approve, reject and inspect posts."""


@post.command("approve")
@click.argument("post_id", metavar="ID")
@click.option("--workspace", "workspace_id", required=True, metavar="ID")
@answers
def approve(services: Deployment, *, post_id: str, workspace_id: str) -> Answer:
    """Approve a post; targets past their time are published at once."""
    return _one(services.people.approvals.approve(workspace_id, _check_id(post_id)))


@post.command("reject")
@click.argument("post_id", metavar="ID")
@click.option("--workspace", "workspace_id", required=True, metavar="ID")
@answers
def reject(services: Deployment, *, post_id: str, workspace_id: str) -> Answer:
    """Reject a post; its queue times and allowance become free again."""
    return _one(services.people.approvals.reject(workspace_id, _check_id(post_id)))


@post.command("show")
@click.argument("post_id", metavar="ID")
@answers
def show(services: Deployment, *, post_id: str) -> Answer:
    """Show a post's internal state, even if it was deleted."""
    shown, history = services.people.engine_control.show(_check_id(post_id))
    return Answer(
        document=inside_document(shown, history), lines=[*_summary(shown), *_story(history)]
    )


@post.command("stuck")
@answers
def stuck(services: Deployment) -> Answer:
    """List every target that is overdue or in doubt, the oldest first."""
    found = services.people.engine_control.stuck()
    nothing = "Nothing is overdue or in doubt."
    return listing(found, stuck_document, _STUCK, _stuck_row, nothing=nothing)


@post.command("list")
@click.argument("workspace_id", metavar="WORKSPACE")
@click.option(
    "--status", "statuses", multiple=True, type=click.Choice([s.value for s in PostStatus])
)
@click.option("--limit", type=click.IntRange(1, 200), default=50, show_default=True)
@answers
def list_all(
    services: Deployment, *, workspace_id: str, statuses: tuple[str, ...], limit: int
) -> Answer:
    """List a workspace's posts, newest first."""
    services.people.administration.show_workspace(workspace_id)
    wanted = frozenset(PostStatus(status) for status in statuses)
    page = services.stores.post_lists.find(workspace_id, PostQuery(statuses=wanted, limit=limit))
    nothing = "There are no such posts."
    return listing(page.posts, post_document, _POSTS, _post_row, nothing=nothing)


@post.command("at-risk")
@click.option("--within", "hours", type=click.IntRange(1, 168), default=24, show_default=True)
@answers
def at_risk(services: Deployment, *, hours: int) -> Answer:
    """List every target due in the next hours that has a known problem."""
    found = list(services.checking.risks.at_risk(timedelta(hours=hours)))
    rows = [
        (one.post.id, one.target.id, one.target.platform, moment(one.target.due_at), problem.code)
        for one in found
        for problem in one.problems
    ]
    return Answer(
        document={"data": [_at_risk(one) for one in found]},
        lines=table(_AT_RISK, rows) if rows else [f"Nothing is at risk in the next {hours} hours."],
    )


def _at_risk(one: TargetAtRisk) -> Document:
    return {
        "post_id": one.post.id,
        "workspace_id": one.post.workspace_id,
        "target_id": one.target.id,
        "platform": one.target.platform,
        "due_at": moment(one.target.due_at),
        "problems": [
            {"level": problem.level, "code": problem.code, "message": problem.message}
            for problem in one.problems
        ],
    }


def _check_id(post_id: str) -> str:
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
    checkpoint = target.progress.checkpoint
    return (
        target.id,
        target.platform,
        target.status,
        moment(target.scheduled_at),
        moment(target.progress.wake_at),
        None if checkpoint is None else checkpoint.step,
        yes_or_no(target.is_in_doubt),
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
