"""A series, a post that repeats: its content, which occurrences are due, how it ends.

An occurrence is a post of its own, made as its author's act `AHEAD` of its time. Its id follows
from the series and the date, so that the same one is never made twice, even after a crash.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from hashlib import sha256
from itertools import islice
from typing import Final
from zoneinfo import ZoneInfo

from chalicelib.domain.errors import NoTimeToRepeat, TooManySeries
from chalicelib.domain.ids import id_with, new_id
from chalicelib.domain.posts.history import Action, Event
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import TargetStatus
from chalicelib.domain.times.local_time import wall_clock
from chalicelib.domain.times.recurrence import Rule, at_clock, dates
from chalicelib.kit.dataclass import dataclass

AHEAD: Final = timedelta(days=35)
MOST_RUNNING: Final = 50
MOST_TIMES: Final = 200
MOST_INTERVAL: Final = 12
SHOWN_AHEAD: Final = 5
KEPT_AFTER_END: Final = timedelta(days=30)
"""How long an ended series stays in lists."""

_MADE_ONLY: Final = frozenset(
    {
        Action.CREATED,
        Action.SCHEDULED,
        Action.APPROVED,
        Action.REJECTED,
        Action.DUPLICATED,
        Action.COMMENTED,
        Action.RESOLVED,
        Action.TARGET_AT_RISK,
    }
)
_WAITS: Final = frozenset({TargetStatus.DRAFT, TargetStatus.SCHEDULED})


class State(StrEnum):
    """A series' state: it runs, all were made, somebody ended it, or a refusal stopped it."""

    RUNNING = "running"
    COMPLETE = "complete"
    ENDED = "ended"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """A post that repeats.

    `clocks` is what the clock showed for each account on the `first` date, the post's own; `times`
    is how many follow it. `last` is the date up to which all is done, `made` how many were, and
    `coming` those that were made and whose time had not passed when the last one was.
    """

    id: str
    workspace_id: str
    post_id: str
    member_id: str
    rule: Rule
    times: int | None
    first: date
    clocks: Mapping[str, str]
    last: date
    created_at: datetime
    made: int = 0
    coming: Mapping[str, str] = field(default_factory=dict)
    state: State = State.RUNNING
    reason_code: str | None = None
    reason: str | None = None
    ended_at: datetime | None = None
    version: int = 1

    @property
    def is_running(self) -> bool:
        """Tell whether more occurrences may come."""
        return self.state is State.RUNNING

    def dates_left(self) -> Iterator[date]:
        """Yield the remaining dates."""
        left = dates(self.rule, self.first, after=self.last)
        return left if self.times is None else islice(left, max(self.times - self.made, 0))

    def instant(self, day: date, zone: ZoneInfo, account_id: str | None = None) -> datetime:
        """Return when an occurrence is published on an account, or on its first one."""
        clock = self.clocks.get(account_id or "") or min(self.clocks.values())
        return at_clock(datetime.fromisoformat(clock), self.first, day, zone)

    def due(self, zone: ZoneInfo, now: datetime) -> Iterator[date]:
        """Yield the dates whose occurrence is to be made, or skipped, by now."""
        for day in self.dates_left():
            if self.instant(day, zone) > now + AHEAD:
                return
            yield day

    def next_times(self, zone: ZoneInfo, now: datetime) -> list[datetime]:
        """Return the next instants, of occurrences made and not made yet.

        One that is complete has those that were made ahead; one that was ended or stopped has none.
        """
        if self.state in (State.ENDED, State.STOPPED):
            return []
        days = [date.fromisoformat(day) for day in self.coming]
        ahead = (*sorted(days), *islice(self.dates_left(), 2 * SHOWN_AHEAD))
        times = (self.instant(day, zone) for day in ahead)
        return [at for at in times if at > now][:SHOWN_AHEAD]

    def occurrence_id(self, day: date) -> str:
        """Return the id of the post of a date: the same whenever it is asked for."""
        due = datetime.combine(day, time(), UTC) - AHEAD
        random = sha256(f"{self.id}/{day}".encode()).digest()
        return id_with(max(due, self.created_at), random)

    def with_made(self, day: date, post_id: str | None, *, now: datetime) -> "Series":
        """Return it with a date done: with a post, or without when its time had passed."""
        coming = {one: made for one, made in self.coming.items() if one >= f"{now.date()}"}
        if post_id is not None:
            coming |= {f"{day}": post_id}
        done = replace(self, last=day, made=self.made + 1, coming=coming, version=self.version + 1)
        if next(done.dates_left(), None) is not None:
            return done
        return replace(done, state=State.COMPLETE, ended_at=now)

    def end(
        self, state: State, *, now: datetime, code: str | None = None, reason: str | None = None
    ) -> "Series":
        """Return it as ended."""
        return replace(
            self,
            state=state,
            reason_code=code,
            reason=reason,
            ended_at=now,
            version=self.version + 1,
        )

    def is_forgotten(self, now: datetime) -> bool:
        """Tell whether it ended so long ago that its row may be deleted."""
        return self.ended_at is not None and now - self.ended_at > KEPT_AFTER_END


def begin_series(
    post: Post,
    rule: Rule,
    *,
    member_id: str,
    times: int | None,
    zone: ZoneInfo,
    now: datetime,
) -> Series:
    """Return the series that repeats a post; dates that have passed by now are left out.

    Raises NoTimeToRepeat for a post without a time, or a rule by which nothing follows.
    """
    clocks = {
        target.account_id: wall_clock(target.scheduled_at, zone)
        for target in post.targets
        if target.scheduled_at is not None
    }
    if not clocks:
        raise NoTimeToRepeat
    first = min(clocks.values()).date()
    made = Series(
        id=new_id(now),
        workspace_id=post.workspace_id,
        post_id=post.id,
        member_id=member_id,
        rule=rule,
        times=times,
        first=first,
        clocks={account: clock.isoformat() for account, clock in clocks.items()},
        last=first,
        created_at=now,
    )
    for day in dates(rule, first, after=first):
        if made.instant(day, zone) > now:
            return made
        made = replace(made, last=day)
    raise NoTimeToRepeat("By this rule nothing follows. Choose a later end.")


def require_room(series: Sequence[Series]) -> None:
    """Check that one more series may run beside these. Raises TooManySeries."""
    if sum(one.is_running for one in series) >= MOST_RUNNING:
        raise TooManySeries


def is_untouched(post: Post, events: Sequence[Event]) -> bool:
    """Tell whether an occurrence is unchanged: nobody edited, moved or sent it."""
    scheduled = [one for one in events if one.action is Action.SCHEDULED]
    return (
        len(scheduled) <= 1
        and all(one.action in _MADE_ONLY for one in events)
        and all(target.status in _WAITS for target in post.targets)
    )
