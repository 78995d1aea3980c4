"""The composer's button and its menu: what each does, with its words, and what is said afterwards.

Somebody who may not publish saves, or asks for review; everybody else also schedules, queues and
publishes. What a button does is a verb of `domain/posts/verbs`.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.posts.post import Approval, Post, PostStatus
from chalicelib.domain.posts.target import TargetStatus
from chalicelib.domain.posts.verbs import Verb
from chalicelib.domain.workspace.access import Scope
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.in_parallel import in_parallel
from chalicelib.web.forms.composition import Composition, Part
from chalicelib.web.forms.times import near
from chalicelib.web.routing import Visit

AWAITS_REVIEW = "It awaits review, and nothing goes out before it is approved."
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Sending:
    """What the composer's button and its menu do, each with the words that stand on it."""

    main: Verb
    labels: Mapping[Verb, str]

    @property
    def others(self) -> list[Verb]:
        """Return what stands in the menu: publishing now asks once, and has its own place."""
        return [verb for verb in self.labels if verb not in (self.main, Verb.NOW)]


def read_verb(visit: Visit) -> Verb:
    """Return what the button says; what would go out needs the permission to publish."""
    try:
        verb = Verb(visit.form["do"])
    except ValueError:
        verb = Verb.SAVE
    if verb is not Verb.SAVE:
        visit.require(Scope.PUBLISH)
    return verb


def done(visit: Visit, post: Post, verb: Verb) -> str:
    """Say what became of a post."""
    times = {t.scheduled_at for t in post.targets if t.status is TargetStatus.SCHEDULED}
    if post.approval is Approval.PENDING:
        return f"Saved. {AWAITS_REVIEW}"
    if verb in (Verb.NOW, Verb.RETRY):
        return "It is going out now."
    if verb is Verb.SAVE or not times:
        return "Saved."
    named = sorted(at for at in times if at is not None)
    more = f" and {len(named) - 1} more" if len(named) > 1 else ""
    return f"Scheduled for {near(named[0], visit.zone, visit.now)}{more}."


def sending_of(visit: Visit, written: Composition, post: Post | None) -> Sending:
    """Return the button and its menu, each entry with its time."""
    status = PostStatus.DRAFT if post is None else post.status
    if not visit.may(Scope.PUBLISH):
        asks = visit.caller.approvals
        what = "Ask for review" if asks else "Save draft"
        label = typed_label(written, visit.zone, visit.now, f"{what},") if asks else what
        return Sending(main=Verb.SAVE, labels={Verb.SAVE: label.removesuffix(",")})
    labels: dict[Verb, str] = {}
    fresh = [part for part in written.parts if part.target is None or part.target.is_unscheduled]
    is_open = post is None or (post.approval is not Approval.REJECTED and bool(fresh))
    if is_open:
        labels |= _times(visit, written)
    if post is not None and any(t.status is TargetStatus.FAILED for t in post.targets):
        labels[Verb.RETRY] = "Save and retry"
    if post is None or any(target.is_sendable for target in post.targets):
        labels[Verb.NOW] = "Publish now"
    is_draft = status is PostStatus.DRAFT
    labels[Verb.SAVE] = "Save draft" if is_draft else "Save changes"
    return Sending(main=_main(visit, written, labels, status), labels=labels)


def _main(visit: Visit, written: Composition, labels: dict[Verb, str], status: PostStatus) -> Verb:
    asked = visit.query["do"] or visit.form["do"]
    has_time = bool(written.at or any(part.at for part in written.parts))
    if Verb.RETRY in labels:
        return Verb.RETRY
    if status is PostStatus.SCHEDULED or Verb.SCHEDULE not in labels:
        return Verb.SAVE
    if has_time:
        return Verb.SCHEDULE
    if asked in {verb.value for verb in labels} and asked not in (Verb.NOW, Verb.SAVE):
        return Verb(asked)
    return Verb.QUEUE if Verb.QUEUE in labels else Verb.SCHEDULE


def _times(visit: Visit, written: Composition) -> dict[Verb, str]:
    """Return the ways to schedule, each named with the time or times that it would take."""
    caller, hours, now = visit.caller, visit.services.golden_hours, visit.now
    slots, learned = in_parallel(
        lambda: visit.services.queue_slots.list(caller), lambda: hours.learned(caller)
    )
    labels = {Verb.SCHEDULE: typed_label(written, visit.zone, now, "Schedule")}
    if slots.next_free is not None:
        labels[Verb.QUEUE] = f"Next queue time ({near(slots.next_free, visit.zone, now)})"
    best = [
        (part, hours.next_of(caller, part.platform, part.account_id, learned, now=now))
        for part in written.parts
        if part.target is None or part.target.is_unscheduled
    ]
    labels[Verb.BEST] = f"Golden hours{_each(visit, best, now)}"
    return labels


def _each(visit: Visit, best: Sequence[tuple[Part, datetime]], now: datetime) -> str:
    named = [
        f"{FACTS[part.platform].name} {near(at, visit.zone, now)}"
        for part, at in best[:_MOST_NAMED]
    ]
    more = " …" if len(best) > _MOST_NAMED else ""
    return f" ({', '.join(named)}{more})" if named else ""


def typed_label(written: Composition, zone: ZoneInfo, now: datetime, what: str) -> str:
    """Return the words of a button that goes by the times that were typed."""
    try:
        times = sorted(set(written.times(zone)))
    except InvalidInput:
        times = []
    if not times:
        return what
    if len(times) > 1:
        return f"{what} for {len(times)} times from {near(times[0], zone, now)}"
    return f"{what} for {near(times[0], zone, now)}"
