"""Holds: a platform refuses a whole application, for spent credits, a used quota or no approval.

The first post with such a refusal begins a hold. From then on posts of the same application wait
without a call. Only one at a time tries whether the platform accepts posts again: at the time that
the platform named, otherwise after waits that grow to ten minutes. A post that goes live ends the
hold. Pure; `workers/publishing/application_gate.py` asks, and `storage/engine/switch.py` stores
holds beside the engine's switch, which every worker reads anyway.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from chalicelib.domain.engine.verdicts import LONGEST_RETRY_AFTER, WAITS
from chalicelib.domain.outcome import Blame, Failed
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.dataclass import dataclass

MOST_HOLDS = 150
"""The switch's row has 400 KB: of more, those that no post tried to end for longest are dropped,
and the next post of such an application finds out anew."""
TURN = timedelta(minutes=1)
"""How long one post may try before the next one may."""
_SOON = timedelta(seconds=1)
_OTHERS = " It holds up every post of this application; this one waits, and nothing was sent."


@dataclass(frozen=True, slots=True, kw_only=True)
class Whose:
    """An application at a platform: its client id, and the workspace if it is one's alone."""

    platform: Platform
    application: str
    workspace_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """An application that its platform refuses, why, and when one post may try again.

    `is_named` tells that the platform named that time; `tries` counts the refusals since.
    """

    whose: Whose
    code: str
    message: str
    words: str | None
    since: datetime
    until: datetime
    is_named: bool
    tries: int = 1


Holds = tuple[Hold, ...]


def _without(holds: Holds, whose: Whose) -> Holds:
    return tuple(hold for hold in holds if hold.whose != whose)


def find_hold(holds: Holds, whose: Whose) -> Hold | None:
    """Return the hold of an application, or None."""
    return next((hold for hold in holds if hold.whose == whose), None)


def begin(holds: Holds, whose: Whose, failed: Failed, now: datetime) -> Holds:
    """Return the holds once a platform has refused an application, for the first time or again."""
    earlier = find_hold(holds, whose)
    tries = 1 if earlier is None else earlier.tries + 1
    asked = failed.retry_after or timedelta(0)
    own = WAITS[min(tries, len(WAITS)) - 1]
    hold = Hold(
        whose=whose,
        code=failed.code,
        message=failed.message,
        words=None if failed.answer is None else failed.answer.sentence,
        since=now if earlier is None else earlier.since,
        until=now + max(asked, own),
        is_named=asked > own,
        tries=tries,
    )
    return (*_without(holds, whose), hold)[-MOST_HOLDS:]


def take_turn(holds: Holds, whose: Whose, now: datetime) -> Holds:
    """Return the holds while one post tries: no other one may within the next minute."""
    hold = find_hold(holds, whose)
    if hold is None:
        return holds
    return (*_without(holds, whose), replace(hold, until=now + TURN))


def end(holds: Holds, whose: Whose) -> Holds:
    """Return the holds without that of one application."""
    return _without(holds, whose)


def without_old(holds: Holds, now: datetime) -> Holds:
    """Return the holds without those that no post has tried to end for a day."""
    return tuple(hold for hold in holds if now - hold.until < LONGEST_RETRY_AFTER)


def describe_hold(hold: Hold) -> str:
    """Return the sentence for operators about a hold, which stays true when time passes.

    The platform's words come last: nobody knows how they end.
    """
    name = FACTS[hold.whose.platform].name
    whose = f"{name} holds up the application {hold.whose.application}".rstrip()
    words = "" if hold.words is None else f" {name} said: {hold.words}"
    tried = f"From {hold.until:%Y-%m-%d %H:%M} UTC on, one post at a time is tried."
    return f"{whose} since {hold.since:%Y-%m-%d %H:%M} UTC: {hold.message} {tried}{words}"


def wait_for(hold: Hold, now: datetime) -> Failed:
    """Return the outcome of a post that is not tried because of a hold."""
    return Failed(
        code=hold.code,
        message=f"{hold.message}{_OTHERS}",
        retry_after=max(hold.until - now, _SOON),
        blame=Blame.APPLICATION,
        own_pace=not hold.is_named,
    )
