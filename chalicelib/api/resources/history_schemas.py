"""The answer of `/v1/posts/{post_id}/history` (docs/api.md "History")."""

from datetime import datetime

from pydantic import Field

from chalicelib.api.http.endpoint import AnyCall
from chalicelib.api.http.fields import Out
from chalicelib.api.http.messages import JsonObject
from chalicelib.domain.posts.history import Action, Attempt, Event, History


class EventOut(Out):
    """Something that was done to a post."""

    action: Action
    by: str
    at: datetime
    detail: dict[str, object]


class AttemptOut(Out):
    """One attempt to post a target; `found` tells what a look on the platform showed."""

    target_id: str
    ok: bool
    status: str
    at: datetime
    remote_id: str | None = Field(description="The platform's own id of the live post.")
    error_code: str | None
    error_message: str | None
    found: str | None
    lateness_s: float | None = Field(description="Seconds after the time it was due.")


class HistoryOut(Out):
    """A post's events and attempts, oldest first."""

    events: list[EventOut]
    attempts: list[AttemptOut]

    @staticmethod
    def of(result: History, _call: AnyCall) -> JsonObject:
        """Write a history."""
        return {
            "events": [_event(event) for event in result.events],
            "attempts": [_attempt(attempt) for attempt in result.attempts],
        }


def _event(event: Event) -> JsonObject:
    return {
        "action": event.action,
        "by": event.by,
        "at": event.at.isoformat(),
        "detail": dict(event.detail),
    }


def _attempt(attempt: Attempt) -> JsonObject:
    return {
        "target_id": attempt.target_id,
        "ok": attempt.ok,
        "status": attempt.status,
        "at": attempt.at.isoformat(),
        "remote_id": attempt.remote_id,
        "error_code": attempt.error_code,
        "error_message": attempt.error_message,
        "found": attempt.found,
        "lateness_s": attempt.lateness_s,
    }
