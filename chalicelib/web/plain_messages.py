"""Refusals in words for a person at a page, where the API's own speak of fields and instants."""

from datetime import datetime
from zoneinfo import ZoneInfo

from chalicelib.domain.control_characters import CONTROL_CHARACTER, control_character_problem
from chalicelib.domain.error_kinds import InvalidInput, ServiceError
from chalicelib.domain.errors import Stale
from chalicelib.domain.posts.drafting import TIME_IN_PAST
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.web.messages import Form

_CONTROL = (
    "What you typed holds a control character, which nobody can see. Delete the text around the "
    "place where it came from and type it, or paste it as plain text."
)
_STALE = (
    "Somebody changed this post after you opened it, and nothing of yours was done. Below it is as "
    "it is now, with what you typed still in the fields: look through it, then send it again."
)


def check_texts(form: Form) -> None:
    """Check that what was typed holds no control character. Raises InvalidInput."""
    for name in form.names():
        if any(control_character_problem(text) for text in form.all(name)):
            raise InvalidInput(_CONTROL, loc=("body", name), kind=CONTROL_CHARACTER)


def plain_message(error: ServiceError | OperatorError, now: datetime, zone: ZoneInfo | None) -> str:
    """Return what a page says about a refusal."""
    match error:
        case InvalidInput(kind=kind) if kind == TIME_IN_PAST:
            local = now.astimezone(zone)
            name = zone or "UTC"
            return (
                f"That time has passed: it is {local:%a %-d %b %Y, %H:%M} now ({name}). "
                "Choose a later one, or send the post at once."
            )
        case Stale():
            return _STALE
        case _:
            return error.message
