"""What the model's platforms and workers do as time goes by, and how a PATCH changes a post.

The second half of `model`: the words of docs/api.md "Sandbox" in a target's text say what happens
to it. Times are whole minutes, so everything that takes seconds is over at the next one.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tests.api.state_machine.model import Model, Post, Refusal, Target, check_length, check_sendable

SLOW = timedelta(seconds=90)
SECONDS = timedelta(seconds=10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Patch:
    """What a PATCH names: None leaves as it is."""

    caption: str | None = None
    target_id: str | None = None
    override: str | None = None
    time: datetime | None = None
    add: Sequence[Target] = field(default_factory=tuple)
    remove: Sequence[str] = field(default_factory=tuple)


def edit(model: Model, post: Post, patch: Patch, golden: Mapping[str, datetime]) -> Post:
    """Return the post as a PATCH leaves it; refuse it in the contract's order."""
    after = deepcopy(post)
    named = [one for one in (patch.target_id, *patch.remove) if one is not None]
    fixed = [target.id for target in after.targets if target.is_fixed]
    if (set(named) & set(fixed)) or (patch.caption is not None and fixed):
        raise Refusal(409, "already_live")
    if any(after.target(one) is None for one in named):
        raise Refusal(422, "target_not_found")
    was_scheduled = any(target.status == "scheduled" for target in after.targets)
    stay = [target for target in after.targets if target.id not in patch.remove]
    added = [deepcopy(target) for target in patch.add]
    if {target.platform for target in stay} & {target.platform for target in added}:
        raise Refusal(422, "duplicate_account")
    if not stay and not added:
        raise Refusal(422, "no_platforms")
    after.targets = [*stay, *added]
    after.caption = post.caption if patch.caption is None else patch.caption
    _change(model, after, patch)
    _check(after, patch, added)
    if was_scheduled:
        for target in added:
            check_sendable(after, target)
            target.set_off(model.own_or_golden(target, golden), model.now)
    model.require_room(after, added)
    if after == post:
        return post
    model.keep(post, after, "post.edited")
    return after


def _change(model: Model, after: Post, patch: Patch) -> None:
    target = None if patch.target_id is None else after.target(patch.target_id)
    if target is None:
        return
    if patch.override is not None:
        target.override = patch.override or None
    if patch.time is not None and target.status == "scheduled":
        target.set_off(patch.time, model.now)
    elif patch.time is not None:
        target.time = patch.time


def _check(after: Post, patch: Patch, added: Sequence[Target]) -> None:
    for target in after.targets:
        is_named = target.id == patch.target_id or target in added
        if not target.is_fixed and (patch.caption is not None or is_named):
            check_length(after, target)
        if target.status == "scheduled":
            check_sendable(after, target)


def advance(model: Model, until: datetime) -> None:
    """Let time go by, and everything that is due go out or fail."""
    for post in model.posts:
        for target in post.targets:
            if target.status == "scheduled" and target.time and target.time <= until:
                _begin(post, target, target.time)
            if target.status == "publishing" and target.ready_at and target.ready_at <= until:
                _end(post, target)
    model.now = until


def _begin(post: Post, target: Target, at: datetime) -> None:
    text = target.text(post.caption)
    if target.doubt:
        _fail(post, target, "outcome_unknown")
        return
    if "sandbox:fail:" in text:
        _fail(post, target, "caption_rejected")
        return
    if "sandbox:flaky:1" in text:
        target.flaky += 1
        if target.flaky == 1:
            target.status, target.waits, target.ready_at = "publishing", True, at + SECONDS
            return
    target.taken += 1
    target.sent_text = text
    if "sandbox:untellable" in text:
        target.status, target.doubt, target.ready_at = "publishing", True, at + SECONDS
    elif "sandbox:slow:90" in text:
        target.status, target.ready_at = "publishing", at + SLOW
    else:
        _publish(post, target)


def _end(post: Post, target: Target) -> None:
    if target.doubt:
        _fail(post, target, "outcome_unknown")
        return
    if target.waits:
        target.flaky += 1
        target.taken += 1
        target.sent_text = target.text(post.caption)
    _publish(post, target)


def _publish(post: Post, target: Target) -> None:
    target.status, target.waits, target.ready_at = "published", False, None
    post.actions["target.published"] += 1


def _fail(post: Post, target: Target, code: str) -> None:
    target.status, target.error, target.charge, target.ready_at = "failed", code, None, None
    post.actions["target.failed"] += 1
