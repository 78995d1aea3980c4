"""A post as operators see it: as the API shows it, and its inside."""

from chalicelib.cli.console import moment
from chalicelib.domain.history import Attempt, Event, History
from chalicelib.domain.post import Post
from chalicelib.domain.target import Target
from chalicelib.services.operations import StuckTarget

Document = dict[str, object]


def post_document(post: Post) -> Document:
    """Return a post with the fields that the API gives it."""
    return {
        "id": post.id,
        "caption": post.caption,
        "media_ids": list(post.media_ids),
        "status": post.status,
        "approval": post.approval,
        "created_at": moment(post.created_at),
        "targets": [_target(target) for target in post.targets],
    }


def inside_document(post: Post, history: History) -> Document:
    """Return all there is of a post: engine state of its targets, history, deletion."""
    return {
        **post_document(post),
        "workspace_id": post.workspace_id,
        "queued_at": moment(post.queued_at),
        "deleted_at": moment(post.deleted_at),
        "version": post.version,
        "targets": [{**_target(target), "inside": _inside(target)} for target in post.targets],
        "events": [_event(event) for event in history.events],
        "attempts": [_attempt(attempt) for attempt in history.attempts],
    }


def stuck_document(stuck: StuckTarget) -> Document:
    """Return a target that is overdue or in doubt, and where it is."""
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


def _target(target: Target) -> Document:
    return {
        "id": target.id,
        "account_id": target.account_id,
        "platform": target.platform,
        "handle": target.handle,
        "status": target.status,
        "caption_override": target.caption_override,
        "options": dict(target.options),
        "scheduled_at": moment(target.scheduled_at),
        "url": target.url,
        "error_code": target.error_code,
        "error_message": target.error_message,
        "trimmed": target.trimmed,
        "published_at": moment(target.published_at),
    }


def _inside(target: Target) -> Document:
    motion = target.motion
    return {
        "due_at": moment(target.due_at),
        "wake_at": moment(motion.wake_at),
        "wakes": motion.wakes,
        "tries": motion.tries,
        "lease_until": None if motion.lease is None else moment(motion.lease.until),
        "step": None if motion.checkpoint is None else motion.checkpoint.step,
        "step_since": moment(motion.checkpoint_since),
        "sent_at": None if motion.sent is None else moment(motion.sent.at),
        "unanswered": motion.unanswered,
        "remote_id": target.remote_id,
        "charged": None if target.charge is None else target.charge.x_units,
        "charged_to": None if target.charge is None else target.charge.counter,
        "version": target.version,
    }


def _event(event: Event) -> Document:
    return {
        "action": event.action,
        "by": event.by,
        "at": moment(event.at),
        "detail": dict(event.detail),
    }


def _attempt(attempt: Attempt) -> Document:
    return {
        "target_id": attempt.target_id,
        "ok": attempt.ok,
        "status": attempt.status,
        "at": moment(attempt.at),
        "error_code": attempt.error_code,
        "error_message": attempt.error_message,
        "remote_id": attempt.remote_id,
        "found": attempt.found,
        "lateness_s": attempt.lateness_s,
    }
