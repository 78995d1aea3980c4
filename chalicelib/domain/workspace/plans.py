"""What a plan allows, and how much of it a target uses.

A target is counted atomically when it first gets a time or is sent, and given back when it will not
go out (docs/api.md "Plans"). A counter is a workspace's calendar month such as `2026-11`, or
`trial`; storage keeps it, this file says what to add.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo

from chalicelib.domain.workspace.access import Plan
from chalicelib.kit.dataclass import dataclass

TRIAL_LENGTH = timedelta(days=14)
TRIAL_POSTS = 30
TRIAL_COUNTER = "trial"
LINK_WEIGHT = 10

_X_ALLOWANCE = {
    Plan.FREE: 0,
    Plan.TRIAL: 10,
    Plan.STARTER: 30,
    Plan.CREATOR: 150,
    Plan.STUDIO: 500,
}
_LARGER = (Plan.STARTER, Plan.CREATOR, Plan.STUDIO)
_SAME_SIZE = {Plan.TRIAL: Plan.CREATOR}
_GIGABYTE = 1_073_741_824
_STORED_GB = {Plan.FREE: 5, Plan.TRIAL: 5, Plan.STARTER: 20, Plan.CREATOR: 100, Plan.STUDIO: 500}
_ACCOUNTS = {Plan.FREE: 3, Plan.TRIAL: 8, Plan.STARTER: 3, Plan.CREATOR: 8, Plan.STUDIO: 25}


class Unit(StrEnum):
    """What a counter counts; the value is the counter's attribute."""

    X = "x_units"
    POSTS = "posts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """Units to add to a counter, or if negative to take off, within a limit if there is one."""

    counter: str
    unit: Unit
    units: int
    limit: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """What one target was charged: X units in one counter. It is stored on the target."""

    counter: str
    x_units: int


def x_allowance(plan: Plan) -> int:
    """Return how many X posts a plan allows in a month, or in the whole trial."""
    return _X_ALLOWANCE[plan]


def accounts_limit(plan: Plan) -> int:
    """Return how many accounts a workspace on the plan may connect."""
    return _ACCOUNTS[plan]


def storage_limit(plan: Plan, raised: int | None = None) -> int:
    """Return how many bytes of files a workspace may keep; `raised` is an operator's limit."""
    return max(_STORED_GB[plan] * _GIGABYTE, raised or 0)


def storage_message(limit: int, used: int, more: int) -> str:
    """Return the message on how much a workspace may keep and keeps, and which plan has more."""
    larger = next((plan for plan in _LARGER if storage_limit(plan) > limit), None)
    covers = (
        ""
        if larger is None
        else f" {larger.capitalize()} covers {gigabytes(storage_limit(larger))}."
    )
    return (
        f"The plan covers {gigabytes(limit)} of files; {gigabytes(used)} are used or reserved "
        f"by uploads, and this file needs {gigabytes(more)}.{covers} Remove files or change "
        "the plan."
    )


def gigabytes(size: int) -> str:
    """Return a size in bytes as text in gigabytes (1,073,741,824 bytes), at least 0.01 GB."""
    gigabytes = size / _GIGABYTE
    return f"{max(gigabytes, 0.01 if size else 0):.2f}".rstrip("0").rstrip(".") + " GB"


def next_plan(plan: Plan) -> Plan | None:
    """Return the next larger plan, None for the largest."""
    larger = _LARGER[_LARGER.index(plan) + 1 :] if plan in _LARGER else _LARGER
    return next(iter(larger), None)


def accounts_message(plan: Plan) -> str:
    """Return the message on how many accounts a plan covers and which plan covers more."""
    larger = next_plan(_SAME_SIZE.get(plan, plan))
    more = "" if larger is None else f" {larger.capitalize()} covers {accounts_limit(larger)}."
    return (
        f"The plan {plan} covers {accounts_limit(plan)} accounts, and that many are connected."
        f"{more} Disconnect one or change the plan."
    )


def allowance_message(use: Use) -> str:
    """Return the message on which allowance is used up, how large it is and which plan has more."""
    if use.counter == TRIAL_COUNTER:
        what = f"{use.limit} posts" if use.unit is Unit.POSTS else f"{use.limit} X posts"
        return (
            f"The trial covers {what} in all, and this would exceed it. Choose a plan to continue."
        )
    larger = next((plan for plan in _LARGER if x_allowance(plan) > (use.limit or 0)), None)
    more = (
        ""
        if larger is None
        else f" {larger.capitalize()} covers {x_allowance(larger)}: change the plan,"
    )
    return (
        f"The plan covers {use.limit} X posts in {use.counter}, and this would exceed "
        "it; an X post "
        f"with a link counts as {LINK_WEIGHT}.{more}{' or' if more else ' Please'} "
        "wait for the next month."
    )


NO_API: Final = (
    "API keys do not work on the Free plan. They need Starter, Creator or Studio; "
    "ask the operator of this service to change the plan."
)
TRIAL_OVER: Final = (
    "The trial is over. API keys need Starter, Creator or Studio; "
    "ask the operator of this service to change the plan."
)


def period_of(at: datetime, timezone: str) -> str:
    """Return the calendar month of an instant in a time zone, e.g. `2026-11`."""
    return at.astimezone(ZoneInfo(timezone)).strftime("%Y-%m")


def x_charge(plan: Plan, *, at: datetime, timezone: str, with_links: Iterable[bool]) -> Charge:
    """Return the charge for posts on X at an instant; each one with a link counts as ten."""
    counter = TRIAL_COUNTER if plan is Plan.TRIAL else period_of(at, timezone)
    units = sum(LINK_WEIGHT if with_link else 1 for with_link in with_links)
    return Charge(counter=counter, x_units=units)


def take(charge: Charge, plan: Plan) -> tuple[Use, ...]:
    """Return what a charge adds to its counter, within the plan's allowance."""
    limit = x_allowance(plan)
    return (Use(counter=charge.counter, unit=Unit.X, units=charge.x_units, limit=limit),)


def give_back(charge: Charge) -> tuple[Use, ...]:
    """Return what undoes a charge."""
    return (Use(counter=charge.counter, unit=Unit.X, units=-charge.x_units),)


def trial_post(count: int) -> Use:
    """Return what adds posts to the trial's counter (1) or takes them off (-1)."""
    limit = TRIAL_POSTS if count > 0 else None
    return Use(counter=TRIAL_COUNTER, unit=Unit.POSTS, units=count, limit=limit)
