"""What pages say instead of the API's messages, which name fields, endpoints and keys' roles.

`session_gatekeeper` explains refused forms with them, and the composer what is wrong with a field.
For a code without a sentence here, pages show the API's message, so that must suit people too.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from chalicelib.domain.error_kinds import InvalidInput, ServiceError
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.option import Option
from chalicelib.domain.platforms.option_rules import OptionProblem
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.sendable import TIME_IN_PAST
from chalicelib.domain.workspace.operator_errors import OperatorError

BY_CODE: Final[Mapping[str, str]] = {
    "account_not_found": "This account is not connected any more. Choose another.",
    "account_removed": "The account was disconnected. Connect it again, or choose another.",
    "already_live": "Part of this post is already live or going out, so that part cannot change.",
    "cant_remove": "This platform only lets you delete posts in its own app.",
    "duplicate_account": "Each account can be on a post only once.",
    "file_removed": "The file of this post was deleted. Add it again.",
    "file_missing": "Choose a file first.",
    "forbidden": "Your role does not allow this. Ask an owner or admin of your workspace.",
    "media_not_found": "This file does not exist any more. Choose another.",
    "method_not_allowed": "There is no page at this address.",
    "no_platforms": "Choose at least one account, or delete the post.",
    "not_found": "There is no page at this address.",
    "nothing_to_cancel": "No part of this post is scheduled.",
    "nothing_to_publish": (
        "Nothing is left to publish: each part is live, going out, or needs changes first."
    ),
    "nothing_to_retry": "No part of this post failed.",
    "nothing_to_schedule": (
        "Nothing is left to schedule: each part is scheduled, live, or needs changes first."
    ),
    "option_required": (
        "One of the platforms needs something that is still missing. The post's page says what "
        "it is, with a link to each field."
    ),
    "option_unknown": (
        "One of the choices no longer exists on its platform. The post's page says which, with a "
        "link to each field."
    ),
    "plan_limit": "Your plan does not cover this. Upgrade it, or wait for the next month.",
    "post_not_found": "This post no longer exists.",
    "queue_full": "No queue time is free for 60 days. Add some in Settings, or choose a time.",
    "queue_slot_not_found": "This queue time no longer exists.",
    "stale": (
        "Somebody changed this post after you opened it, so your changes were not saved. Below is "
        "how it is now, with what you typed still in the fields: check it, then send it again."
    ),
    "target_not_found": "This account is no longer on the post.",
    "tiktok_rules": (
        "A choice of who can see the post is missing or not allowed. The post's page says which, "
        "with a link to each field."
    ),
    "unreadable": "Something in the form could not be read. Check what you typed.",
}
FIXES: Final[Mapping[str, tuple[str, str]]] = {
    "media_too_large": ("Make it smaller", "files"),
    "media_rejected": ("Change the file", "files"),
    "video_too_long": ("Shorten the video", "files"),
    "file_removed": ("Add a file", "files"),
    "caption_rejected": ("Change the text", "caption"),
    "duplicate_content": ("Change the text", "caption"),
    "invalid_options": ("Change the options", "options"),
}
"""What to do about a failure that a retry cannot fix, and the part of the post's page for it."""
_SHAPES: Final[Mapping[str, str]] = {
    "string_too_long": "This is too long.",
    "string_pattern_mismatch": "This does not look right. Check what you typed.",
    "too_long": "There are too many.",
    "int_type": "Type a whole number.",
    "float_type": "Type a number.",
    "missing": "This is needed.",
}
_NAMED = re.compile(r"\.options\.(\w+)$")


def sentence(error: ServiceError | OperatorError, now: datetime, zone: ZoneInfo | None) -> str:
    """Return what a page says about a refusal, or its cause; times are in `zone`, or in UTC."""
    cause = error.__cause__
    if isinstance(error, OperatorError) and isinstance(cause, ServiceError):
        error = cause
    match error:
        case InvalidInput():
            return _of_input(error, now, zone)
        case ServiceError(code="plan_limit") if (
            error.message != (type(error).__doc__ or "").strip()
        ):
            return error.message
        case ServiceError():
            return BY_CODE.get(error.code, error.message)
        case _:
            return error.message


def _of_input(error: InvalidInput, now: datetime, zone: ZoneInfo | None) -> str:
    if error.kind == TIME_IN_PAST:
        local = now.astimezone(zone)
        return (
            f"That time has passed: it is {local:%a %-d %b %Y, %H:%M} now ({zone or 'UTC'}). "
            "Choose a later one, or publish the post now."
        )
    if "options" in error.loc:
        said = _SHAPES.get(error.kind, BY_CODE["unreadable"])
        return f"{said} Look at the options of each account."
    return error.message


def of_problem(platform: Platform, code: str, message: str, field: str | None) -> str:
    """Return what a page says about a problem that a check found on one account."""
    option, name = option_at(platform, field), FACTS[platform].name
    if option is None:
        return BY_CODE.get(code, message)
    match code:
        case "option_required":
            verb = "Choose" if option.offered or option.choices else "Fill in"
            return f"{verb} “{option.label}”: {name} needs it."
        case "option_unknown":
            return _of_unknown(option, name)
        case "tiktok_rules":
            return _of_tiktok(option, message)
        case "video_too_long":
            return f"The video is too long for {name}. Choose which part to keep, or another video."
        case _:
            return BY_CODE.get(code, message)


def _of_unknown(option: Option, platform_name: str) -> str:
    if option.name == "crop":
        return "The crop reaches beyond the photo. Make it smaller."
    return f"{platform_name} has no such choice for “{option.label}”. Choose another."


def _of_tiktok(option: Option, message: str) -> str:
    if "disclose_commercial" in message:
        return "Say whose business it promotes: your own, another's, or both."
    if "cannot be private" in message:
        return "Branded content cannot be private: choose who else can see it."
    return f"Choose “{option.label}” from what TikTok offers this account."


def of_shape(problem: OptionProblem) -> str:
    """Return what a page says about a value of the wrong type or form for its option."""
    return _SHAPES.get(problem.type, BY_CODE["unreadable"])


def option_at(platform: Platform, field: str | None) -> Option | None:
    """Return the option that a problem's field names, None if it names none."""
    named = _NAMED.search(field or "")
    return None if named is None else FACTS[platform].option(named[1])
