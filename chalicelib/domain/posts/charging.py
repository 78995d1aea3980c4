"""What a change of a post costs: its targets' charges, by the plan.

Services call `charge` with the post before and after; it returns the post with its charges, and the
uses to save in the same transaction (docs/api.md "Plans").
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.texts.captions import has_link
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import LIVE, Reminder, Target, TargetStatus
from chalicelib.domain.workspace.access import Caller, Plan
from chalicelib.domain.workspace.plans import (
    TRIAL_COUNTER,
    Charge,
    Use,
    give_back,
    period_of,
    take,
    trial_post,
    x_charge,
)
from chalicelib.domain.workspace.workspaces import Workspace
from chalicelib.kit.dataclass import dataclass

_OUT = LIVE | {TargetStatus.PUBLISHING}
_COMMENT = "first_comment"
_COUNTED = LIVE | {TargetStatus.SCHEDULED, TargetStatus.PUBLISHING}


@dataclass(frozen=True, slots=True, kw_only=True)
class Payer:
    """The plan that pays and the zone whose calendar its months follow."""

    plan: Plan
    timezone: str


def payer_for(who: Caller | Workspace) -> Payer:
    """Return who pays for what a caller does, or for what is done for a workspace."""
    return Payer(plan=who.plan, timezone=who.timezone)


def counters_for(who: Caller | Workspace, times: Iterable[datetime]) -> tuple[str, ...]:
    """Return the counters that what somebody posts at these times would use, each once."""
    if who.plan is Plan.TRIAL:
        return (TRIAL_COUNTER,)
    return tuple(sorted({period_of(at, who.timezone) for at in times}))


def charge(before: Post, after: Post, payer: Payer) -> tuple[Post, tuple[Use, ...]]:
    """Return `after` with every target's charge as it should be, and the uses this takes.

    Reminders are marked, and cost nothing. It raises nothing: the limit is checked where the uses
    are written.
    """
    uses: list[Use] = []
    targets = []
    for target in after.targets:
        earlier = before.target(target.id)
        had = None if earlier is None else earlier.charge
        same = earlier is not None and _costs_the_same(before, earlier, after, target)
        moved = target if same else _mark_reminder(earlier, target, payer.plan)
        due = had if same else _charge_of(earlier, moved, after.caption, payer)
        uses += _use_changes(had, due, payer.plan)
        targets.append(replace(moved, charge=due))
    for gone in before.targets:
        if after.target(gone.id) is None:
            uses += _use_changes(gone.charge, None, payer.plan)
    counted, trial_uses = trial_count(after, payer.plan)
    charged = replace(after, targets=tuple(targets), trial_counted=counted)
    return charged, (*uses, *trial_uses)


def trial_count(post: Post, plan: Plan | None = None) -> tuple[bool, tuple[Use, ...]]:
    """Return whether the post counts among the trial's, and the use that makes it so.

    Without a plan it can only stop counting: that is what the end of an attempt may bring.
    """
    goes_out = any(target.status in _COUNTED for target in post.targets)
    if post.trial_counted and (post.deleted_at is not None or not goes_out):
        kept = any(target.status in _OUT for target in post.targets)
        return (True, ()) if kept else (False, (trial_post(-1),))
    if goes_out and not post.trial_counted and plan is Plan.TRIAL:
        return True, (trial_post(1),)
    return post.trial_counted, ()


def draft_uses(post: Post, payer: Payer, *, now: datetime) -> tuple[Use, ...]:
    """Return what a draft would use if it went out, to check whether the plan allows it."""
    uses = draft_x_uses(post, payer, now=now)
    return (*uses, trial_post(1)) if payer.plan is Plan.TRIAL else uses


def draft_x_uses(post: Post, payer: Payer, *, now: datetime) -> tuple[Use, ...]:
    """Return what the X targets of a draft would use if they went out."""
    drafts = [target for target in post.targets if target.status is TargetStatus.DRAFT]
    return sending_uses(post, drafts, payer, now=now)


def sending_uses(
    post: Post, targets: Iterable[Target], payer: Payer, *, now: datetime
) -> tuple[Use, ...]:
    """Return the X units that some targets would use if they went out at their times."""
    return tuple(
        use
        for target in targets
        if FACTS[target.platform].takes_from_allowance and payer.plan is not Plan.FREE
        for use in take(
            x_charge(
                payer.plan,
                at=max(target.scheduled_at or now, now),
                timezone=payer.timezone,
                with_links=_links(target, post.caption),
            ),
            payer.plan,
        )
    )


def _mark_reminder(earlier: Target | None, target: Target, plan: Plan) -> Target:
    """Return a target after a change; on the Free plan, one that it scheduled is a reminder."""
    was_under_way = earlier is not None and earlier.status is TargetStatus.PUBLISHING
    is_looked_for = target.status is TargetStatus.PUBLISHING and not was_under_way
    if target.status is TargetStatus.SCHEDULED or is_looked_for:
        return replace(target, reminder=Reminder.PLANNED if plan is Plan.FREE else None)
    return replace(target, reminder=None) if target.status is TargetStatus.CANCELLED else target


def _costs_the_same(before: Post, earlier: Target, after: Post, target: Target) -> bool:
    """Tell whether a scheduled target keeps its charge, also after a change of the plan."""
    scheduled = earlier.status is target.status is TargetStatus.SCHEDULED
    same_text = earlier.caption(before.caption) == target.caption(after.caption)
    same_comment = earlier.options.get(_COMMENT) == target.options.get(_COMMENT)
    same = same_text and same_comment
    return scheduled and same and earlier.scheduled_at == target.scheduled_at


def _links(target: Target, caption: str) -> tuple[bool, ...]:
    """Tell of each post that a target makes whether it has a link: a first comment is one too."""
    comment = target.options.get(_COMMENT)
    comments = (comment,) if isinstance(comment, str) and comment else ()
    return tuple(has_link(target.platform, text) for text in (target.caption(caption), *comments))


def _charge_of(earlier: Target | None, target: Target, caption: str, payer: Payer) -> Charge | None:
    """Return what a target should be charged in its state; one that went out keeps its charge."""
    had_status = target.status if earlier is None else earlier.status
    looks_first = had_status is TargetStatus.FAILED and target.status is TargetStatus.PUBLISHING
    if target.status is not TargetStatus.SCHEDULED and not looks_first:
        return target.charge if target.status in _COUNTED else None
    is_sent = target.reminder is None and FACTS[target.platform].takes_from_allowance
    if not is_sent or target.scheduled_at is None:
        return None
    return x_charge(
        payer.plan,
        at=target.scheduled_at,
        timezone=payer.timezone,
        with_links=_links(target, caption),
    )


def _use_changes(had: Charge | None, due: Charge | None, plan: Plan) -> Sequence[Use]:
    """Return the uses that bring one charge to another; none where nothing changed."""
    if had == due:
        return ()
    return (
        *(give_back(had) if had is not None else ()),
        *(take(due, plan) if due is not None else ()),
    )
