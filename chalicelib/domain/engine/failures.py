"""The engine's own reasons for a failed target: what happened, and what its person does next.

What a platform says itself is in its connector's error table.
"""

from dataclasses import replace

from chalicelib.domain.outcome import Blame, Failed, FailureCode, PlatformAnswer

_FAULTS = range(500, 600)

TIMED_OUT = Failed(
    code=FailureCode.PROCESSING_TIMEOUT,
    message="The platform did not finish in time. Check the platform first; a retry"
    " checks too before it sends.",
)
DELETED = Failed(
    code=FailureCode.PLATFORM_UNAVAILABLE,
    message="The post was deleted before the platform accepted it.",
)
UNTOLD = Failed(
    code=FailureCode.OUTCOME_UNKNOWN,
    message="The platform did not say whether it accepted the post."
    " Check the platform before you retry.",
)
UNACCOUNTED = Failed(
    code=FailureCode.OUTCOME_UNKNOWN,
    message="The service was restored from a backup and cannot tell whether this post went out"
    " since. Check the platform; if it is not there, duplicate the post and schedule the copy.",
)
NEVER_TOOK = Failed(
    code=FailureCode.PLATFORM_UNAVAILABLE,
    message="The platform did not accept the post while the service was retrying. Retry it later.",
)
NOT_THERE = Failed(
    code=FailureCode.PLATFORM_UNAVAILABLE,
    message="The platform's answer did not say whether it took the post. The service looked, and"
    " the post is not there.",
)
NEVER_REACHED = Failed(
    code=FailureCode.PLATFORM_UNAVAILABLE,
    message="What answered this service was a page, perhaps of a network on the way, and never the"
    " platform itself. Ask this service's operator to look at that, then retry.",
    blame=Blame.APPLICATION,
)
NEVER_BUT_PAGES = Failed(
    code=FailureCode.PLATFORM_UNAVAILABLE,
    message="What answered this service was a page that says that something does not work: of the"
    " platform's own servers, or of a network on the way. Nobody refused the post. Retry it later;"
    " if others can post there, ask this service's operator to look at that.",
)
PAGE_BETWEEN = Failed(
    code=FailureCode.PLATFORM_UNAVAILABLE,
    message="A page came in the place of the platform's answer, perhaps of a network on the way."
    " That is no refusal of the post.",
    blame=Blame.APPLICATION,
)
PAGE_OF_A_FAULT = Failed(
    code=FailureCode.PLATFORM_UNAVAILABLE,
    message="A page came in the place of the platform's answer. It says that something does not"
    " work: the platform's own servers, or a network on the way. That is no refusal of the post.",
)


def page_for(answer: PlatformAnswer) -> Failed:
    """Return what a page means that came in the place of an answer, with that."""
    return replace(PAGE_OF_A_FAULT if answer.status in _FAULTS else PAGE_BETWEEN, answer=answer)


KEPT_REFUSING = Failed(
    code=FailureCode.UNKNOWN,
    message="The platform refused the post each time that the service sent it.",
)
"""Of refusals that no table lists: none proved anything by itself, the looks after them did."""

GONE = Failed(
    code=FailureCode.ACCOUNT_REMOVED,
    message="The account was disconnected before the post went out."
    " Connect it and make a new post.",
)
GONE_IN_DOUBT = Failed(
    code=FailureCode.OUTCOME_UNKNOWN,
    message="The account was disconnected while the post was being sent. Check the platform.",
)
LATE = Failed(
    code=FailureCode.TOO_LATE,
    message="The service was down for more than a day when this was due."
    " Schedule it for a new time.",
)
NOT_CONVERTED = Failed(
    code=FailureCode.PROCESSING_TIMEOUT,
    message="The file was not converted for the platform within an hour."
    " Retry, or upload a smaller one.",
)
NO_CONNECTOR = Failed(
    code=FailureCode.PERMISSION_MISSING,
    message="This deployment cannot publish to the platform yet.",
)
KEEPS_STOPPING = Failed(
    code=FailureCode.UNKNOWN,
    message="The service stopped each time that it worked on this target: for a reason of its own,"
    " or because of the target.",
    blame=Blame.APPLICATION,
)
WORN_OUT = Failed(
    code=FailureCode.UNKNOWN,
    message="The service could not process this target. Retry it; if it fails again, report it.",
    blame=Blame.APPLICATION,
)
"""Of a target whose workers all ended, or broke, while they had it."""
WORN_OUT_IN_DOUBT = replace(WORN_OUT, code=FailureCode.OUTCOME_UNKNOWN)
