"""The composer's times and buttons: their words, what they do, and what is said afterwards.

A way is a time to choose: golden hours, tomorrow, the next queue time, or one that is typed. The
main button names the time of the chosen way. Whoever may not publish saves, or asks for review.
What a button does is a verb of `domain/posts/verbs`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from chalicelib.domain.analytics.learning import NOTHING_LEARNED, Learned
from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.posts.post import Approval, Post, PostStatus
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.posts.verbs import Verb
from chalicelib.domain.workspace.access import Plan, Scope
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.in_parallel import in_parallel
from chalicelib.web.forms.composition import PICK, Composition, Part
from chalicelib.web.forms.times import exact, near, typed_time
from chalicelib.web.routing import Visit

AWAITS_REVIEW = "It awaits review and does not go out before it is approved."
_MOST_NAMED = 3
_NEXT = "+next"
"""Ends a button's value: afterwards, show the form for another post."""
_MORNING = time(9)


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One time to choose; `says` is the button's words for it, `more` lists each account's time."""

    value: str
    words: str
    says: str
    icon: str = ""
    more: str = ""
    at: datetime | None = None
    """The first time that a post goes out, in UTC or with a zone; None if it is yet to be typed."""
    each: Mapping[str, datetime] = field(default_factory=dict)
    """The time of each account, where they differ."""


_NO_WAY = Way(value=PICK, words="", says="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sending:
    """The ways to choose from, and what the main button and its menu do, with their words."""

    main: Verb
    labels: Mapping[Verb, str]
    ways: Sequence[Way] = ()
    way: Way = _NO_WAY
    learned: Learned = NOTHING_LEARNED

    def leaves(self, target: Target) -> datetime | None:
        """Return when a target would go out, None where no time is known yet."""
        return target.scheduled_at or self.way.each.get(target.account_id, self.way.at)

    @property
    def others(self) -> list[Verb]:
        """Return the menu's verbs; publishing now, which asks once more, has its own entry."""
        return [verb for verb in self.labels if verb not in (self.main, Verb.NOW)]


def read_verb(visit: Visit) -> Verb:
    """Return the pressed button's verb. Raises RoleForbids, but for saving, without publish."""
    asked, way = visit.form["do"].removesuffix(_NEXT), visit.form["way"]
    try:
        verb = Verb(way if asked == Verb.SCHEDULE and way in (Verb.BEST, Verb.QUEUE) else asked)
    except ValueError:
        verb = Verb.SAVE
    if verb is not Verb.SAVE:
        visit.require(Scope.PUBLISH)
    return verb


def wants_another(visit: Visit) -> bool:
    """Tell whether the form asks to write another post after this one."""
    return bool(visit.form["another"]) or visit.form["do"].endswith(_NEXT)


def outcome_sentence(visit: Visit, post: Post, verb: Verb) -> str:
    """Return the sentence that says what became of a post."""
    times = {t.scheduled_at for t in post.targets if t.status is TargetStatus.SCHEDULED}
    if post.approval is Approval.PENDING:
        return f"Saved. {AWAITS_REVIEW}"
    is_reminded = visit.caller.plan is Plan.FREE
    if verb in (Verb.NOW, Verb.RETRY):
        return "You are being reminded now." if is_reminded else "It is going out now."
    if verb is Verb.SAVE or not times:
        return "Saved."
    named = sorted(at for at in times if at is not None)
    more = f" and {len(named) - 1} more" if len(named) > 1 else ""
    scheduled = f"Scheduled for {exact(named[0], visit.zone)}{more}."
    reminded = f"{scheduled} You are reminded then, and post it yourself."
    return reminded if is_reminded else scheduled


def sending_of(visit: Visit, written: Composition, post: Post | None) -> Sending:
    """Return the ways, the main button and its menu, for what is typed so far."""
    status = PostStatus.DRAFT if post is None else post.status
    save = "Save draft" if status is PostStatus.DRAFT else "Save changes"
    if not visit.may(Scope.PUBLISH):
        what = "Ask for review" if visit.caller.approvals else save
        return _with_ways(
            visit, written, {Verb.SAVE: what}, list(_ways_to_ask(visit, written, what))
        )
    labels: dict[Verb, str] = {}
    fresh = [part for part in written.parts if part.target is None or part.target.is_unscheduled]
    is_open = post is None or (post.approval is not Approval.REJECTED and bool(fresh))
    if post is not None and any(t.status is TargetStatus.FAILED for t in post.targets):
        labels[Verb.RETRY] = "Save and retry"
    if is_open and status is not PostStatus.SCHEDULED:
        labels[Verb.SCHEDULE] = "Schedule"
    labels[Verb.SAVE] = save
    if is_open and status is PostStatus.SCHEDULED:
        labels[Verb.SCHEDULE] = "Schedule the rest"
    is_sendable = post is None or any(target.is_sendable for target in post.targets)
    if is_sendable and visit.caller.plan is not Plan.FREE:
        labels[Verb.NOW] = "Publish now"
    ways, learned = _times(visit, written) if is_open else ([], NOTHING_LEARNED)
    return replace(_with_ways(visit, written, labels, ways), learned=learned)


def _with_ways(
    visit: Visit, written: Composition, labels: dict[Verb, str], ways: list[Way]
) -> Sending:
    """Return the buttons; the first one is named after the chosen way."""
    main, chosen = next(iter(labels)), _choose_way(visit, written, ways)
    way = next((one for one in ways if one.value == chosen), _NO_WAY)
    if ways and (main is Verb.SCHEDULE or not visit.may(Scope.PUBLISH)):
        labels = {**labels, main: way.says}
    return Sending(main=main, labels=labels, ways=ways, way=way)


def _choose_way(visit: Visit, written: Composition, ways: Sequence[Way]) -> str:
    """Return the way asked for, else the typed time's, else the next queue time, else the first."""
    known = [way.value for way in ways]
    asked = visit.form["way"] or visit.query["way"] or visit.form["do"] or visit.query["do"]
    if asked in known and asked:
        return asked
    if written.at or any(part.at for part in written.parts) or not known:
        return written.at if written.at in known else PICK
    return next((way for way in (Verb.QUEUE.value, *known) if way in known), PICK)


def _ways_to_ask(visit: Visit, written: Composition, what: str) -> Iterator[Way]:
    """Yield the times that somebody can ask a reviewer for."""
    named = f"{what}, for" if visit.caller.approvals else what
    yield Way(value="none", words="No time yet", says=what)
    yield _tomorrow(visit, f"{named} " if visit.caller.approvals else "")
    says = (
        _words_of_typed_time(written, visit.zone, f"{named} ", what)
        if visit.caller.approvals
        else what
    )
    yield Way(value=PICK, words="Pick a time", says=says, icon="calendar")


def _times(visit: Visit, written: Composition) -> tuple[list[Way], Learned]:
    """Return the ways to schedule, and what was learned about the hours of the day."""
    caller, hours, now, zone = (
        visit.caller,
        visit.services.posting.golden_hours,
        visit.now,
        visit.zone,
    )
    slots, learned = in_parallel(
        lambda: visit.services.posting.queue_slots.list(caller), lambda: hours.read_learned(caller)
    )
    best = [
        (part, hours.next_of(caller, part.platform, part.account_id, learned, now=now))
        for part in written.parts
        if part.target is None or part.target.is_unscheduled
    ]
    ways = [_golden(visit, best), _tomorrow(visit, "Schedule for ")]
    if (free := slots.next_free) is not None:
        words = f"Next queue time, {near(free, zone, now)}"
        ways.append(
            Way(value=Verb.QUEUE, words=words, says=f"Schedule for {exact(free, zone)}", at=free)
        )
    says = _words_of_typed_time(written, zone, "Schedule for ", "Schedule")
    return [*ways, Way(value=PICK, words="Pick a time", says=says, icon="calendar")], learned


def _golden(visit: Visit, best: Sequence[tuple[Part, datetime]]) -> Way:
    times, zone, now = sorted({at for _, at in best}), visit.zone, visit.now
    if not times:
        return Way(value=Verb.BEST, words="Golden hour", says="Schedule", icon="sun")
    is_one, first = len(times) == 1, times[0]
    return Way(
        value=Verb.BEST,
        words=f"Golden hour{'' if is_one else 's'}, {near(first, zone, now)}",
        says=f"Schedule for {'' if is_one else f'{len(times)} times from '}{exact(first, zone)}",
        icon="sun",
        more="" if is_one else _each(visit, best),
        at=first,
        each={part.account_id: at for part, at in best},
    )


def _tomorrow(visit: Visit, says: str) -> Way:
    day = visit.local_now.date() + timedelta(days=1)
    at = datetime.combine(day, _MORNING, visit.zone)
    said = f"{says}{exact(at, visit.zone)}" if says else "Save draft"
    return Way(value=typed_time(at, visit.zone), words=f"Tomorrow {at:%H:%M}", says=said, at=at)


def _each(visit: Visit, best: Sequence[tuple[Part, datetime]]) -> str:
    named = [
        f"{FACTS[part.platform].name} {near(at, visit.zone, visit.now)}"
        for part, at in best[:_MOST_NAMED]
    ]
    more = f" and {len(best) - _MOST_NAMED} more" if len(best) > _MOST_NAMED else ""
    return f"{', '.join(named)}{more}"


def _words_of_typed_time(written: Composition, zone: ZoneInfo, what: str, without: str) -> str:
    """Return a button's words for the typed times; `without` if there is none."""
    try:
        times = sorted(set(written.times(zone)))
    except InvalidInput:
        times = []
    if not times:
        return without
    several = "" if len(times) == 1 else f"{len(times)} times from "
    return f"{what}{several}{exact(times[0], zone)}"
