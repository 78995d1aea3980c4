"""What the Free plan has in place of publishing: a reminder, and a post made by hand.

`charging.charge` marks targets that are scheduled on the Free plan, instead of charging them. At
its second such a target is not sent (`engine/verdicts.reminder`): it becomes a draft again, and its
author posts it by hand. If the plan changed since, `as_planned` decides:

| set in motion on | its second is on | then                                             |
|------------------|------------------|--------------------------------------------------|
| Free             | Free             | a reminder                                       |
| Free             | a paid plan      | it is sent; a reminder where it needs allowance  |
| any other        | whatever         | it is sent                                       |
"""

from dataclasses import replace
from typing import Final
from urllib.parse import urlsplit

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.errors import NothingToPublish, TargetNotInPost
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.posts.history import Action, event_by
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import Reminder, Target
from chalicelib.domain.posts.verbs import Facts, Update
from chalicelib.domain.workspace.access import Plan

LONGEST_URL: Final = 2_000
_PAID: Final = frozenset({Plan.STARTER, Plan.CREATOR, Plan.STUDIO})


def is_reminded(target: Target, plan: Plan | None) -> bool:
    """Tell whether a target is a reminder in a workspace that has this plan at its second."""
    takes_allowance = FACTS[target.platform].takes_from_allowance
    return target.reminder is not None and (plan not in _PAID or takes_allowance)


def as_planned(target: Target, plan: Plan | None) -> Target:
    """Return a target as it is at its second, on the plan of that moment."""
    return target if is_reminded(target, plan) else replace(target, reminder=None)


def post_by_hand(post: Post, facts: Facts, target_id: str, *, url: str) -> Update:
    """Note that somebody posted what they were reminded of; saying so twice changes nothing.

    Raises TargetNotInPost, NothingToPublish and InvalidInput.
    """
    target = post.target(target_id)
    if target is None:
        raise TargetNotInPost
    if target.reminder is Reminder.GIVEN and target.is_live:
        return Update(after=post)
    if not target.waits_to_be_posted:
        raise NothingToPublish
    live = target.post_by_hand(_require_address(url), now=facts.now)
    detail = {"target_id": target.id, "platform": str(target.platform), "url": live.url}
    happened = event_by(facts.caller, Action.TARGET_PUBLISHED, facts.now, detail)
    return Update(after=post.with_targets([live]), events=(happened,))


def _require_address(url: str) -> str | None:
    """Return the address of a live post, None without one. Raises InvalidInput."""
    address = url.strip()
    if not address:
        return None
    try:
        parts = urlsplit(address)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_address = False
    has_signs = not address.isprintable() or " " in address
    if not is_address or has_signs or len(address) > LONGEST_URL:
        message = "Paste the whole address of the live post, or leave it out: https://…"
        raise InvalidInput(message, loc=("body", "url"))
    return address
