"""Series: posts that repeat. Members begin and end them; occurrences are made when they are due.

`workers/series_making` goes through all series; beginning one makes what is due already. An
occurrence is made like any post, in its author's name and with the author's rights of that day. If
a rule refuses it, the series stops, and the post's history, the list and a notice say why.
"""

import builtins
import logging
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from itertools import islice
from zoneinfo import ZoneInfo

from chalicelib.domain.clock import Clock
from chalicelib.domain.error_kinds import (
    NotFound,
    Overloaded,
    PlatformFailure,
    ServiceError,
)
from chalicelib.domain.errors import PlanLimit, PostNotFound, SeriesNotFound, Stale
from chalicelib.domain.posts.drafting import NewPost, copy_of
from chalicelib.domain.posts.history import SYSTEM, Action, event, event_by
from chalicelib.domain.posts.post import Post, may_reach_scheduled
from chalicelib.domain.posts.verbs import Verb
from chalicelib.domain.repeating import Making
from chalicelib.domain.times.recurrence import Rule
from chalicelib.domain.times.series import (
    Series,
    State,
    begin_series,
    is_untouched,
    require_room,
)
from chalicelib.domain.workspace.access import Caller, Scope, may, require
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.domain.workspace.plans import TRIAL_OVER
from chalicelib.domain.workspace.workspaces import Workspace
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.transaction import StaleWriteError
from chalicelib.services.posts.drafts import Drafts
from chalicelib.services.posts.scheduling import Scheduling
from chalicelib.services.repeats import Marking, Repeatable, Repeats
from chalicelib.services.workspace.acting import member_caller
from chalicelib.storage.posts.posts import PostRepository
from chalicelib.storage.posts.series import SeriesRepository
from chalicelib.storage.workspace.accounts import AccountRepository
from chalicelib.storage.workspace.members import MemberRepository
from chalicelib.storage.workspace.workspaces import WorkspaceRepository

_TRIES = 8
_LATER = (Overloaded, PlatformFailure)
"""What says nothing of the post: the next round tries again."""
logger = logging.getLogger(__name__)


class _AuthorLeft(NotFound):
    """The member who began the series is no longer in the workspace."""

    code = "author_left"


@dataclass(frozen=True, slots=True, kw_only=True)
class PostSeries:
    """The series of all workspaces; what a request reaches names its caller."""

    rows: SeriesRepository
    posts: PostRepository
    drafts: Drafts
    scheduling: Scheduling
    members: MemberRepository
    workspaces: WorkspaceRepository
    accounts: AccountRepository
    repeats: Repeats
    clock: Clock

    def list(self, caller: Caller) -> builtins.list[Series]:
        """Return the workspace's series, newest first; those that are over for 30 days."""
        return self.rows.list(caller.workspace_id)[::-1]

    def find(self, caller: Caller, series_id: str) -> Series:
        """Return a series. Raises SeriesNotFound."""
        found = self.rows.find(caller.workspace_id, series_id)
        if found is None:
            raise SeriesNotFound
        return found

    def of_post(self, caller: Caller, post_id: str) -> builtins.list[Series]:
        """Return the series that repeat a post or have made it, newest first."""
        return [
            one
            for one in self.list(caller)
            if post_id == one.post_id or post_id in one.coming.values()
        ]

    def begin(
        self,
        caller: Caller,
        post_id: str,
        rule: Rule,
        *,
        times: int | None,
        key: str | None = None,
        made_of: str = "",
    ) -> tuple[Series, Making]:
        """Repeat a post once for an Idempotency-Key, and make at once what is due already.

        The key is kept with the series: a call that is repeated after a process ended in between
        finds it. Raises PostNotFound, NoTimeToRepeat and TooManySeries. A refusal of the first
        occurrence is in the answer: the series is stopped then.
        """
        call = Repeatable(
            verb=f"repeat/{post_id}", key=key, find=partial(self.find, caller), made_of=made_of
        )
        begin = partial(self._begin, caller, post_id, rule, times)
        return self.repeats.once(caller, call, begin)

    def _begin(
        self, caller: Caller, post_id: str, rule: Rule, times: int | None, mark: Marking
    ) -> Series:
        post = self.posts.get(caller.workspace_id, post_id)
        now = self.clock()
        series = begin_series(
            post,
            rule,
            member_id=caller.member_id,
            times=times,
            zone=ZoneInfo(caller.timezone),
            now=now,
        )
        self.rows.add(series, mark(series.id), require_room)
        told = event_by(caller, Action.REPEATED, now, {"series_id": series.id})
        try:
            self.posts.note(post.id, [told])
            return self._make(series, caller)
        except Exception:  # it is begun: whoever asked again would have two
            logger.exception("A series is made by the next round.", extra=_facts_of_failure(series))
            return series

    def end(self, caller: Caller, series_id: str) -> Series:
        """End a series; coming occurrences that nobody edited go, the others stay.

        Ending one that is over changes nothing. Raises SeriesNotFound.
        """
        for _ in range(_TRIES):
            series = self.find(caller, series_id)
            if not series.is_running:
                return series
            ended = series.end(State.ENDED, now=self.clock())
            with suppress(StaleWriteError):
                self.rows.change(series, ended)
                # One may be made already that the row does not name yet.
                unnamed = map(series.occurrence_id, islice(series.dates_left(), 1))
                for post_id in (*series.coming.values(), *unnamed):
                    self._take_away(caller, post_id)
                return ended
        raise StaleWriteError

    def make_due(self, workspace: Workspace, end: datetime) -> int:
        """Make what is due in a workspace, and forget what has long been over; return how many.

        It looks at no further series after `end`.
        """
        made = 0
        for series in self.rows.list(workspace.id):
            if self.clock() > end:
                break
            if series.is_forgotten(self.clock()):
                self.rows.remove(series)
            elif series.is_running:
                made += self._make_of(series, workspace)
        return made

    def _make_of(self, series: Series, workspace: Workspace) -> int:
        if next(series.due(ZoneInfo(workspace.timezone), self.clock()), None) is None:
            return 0
        # The round may have read it minutes ago; one that is shut or gone since makes nothing.
        as_it_is = self.workspaces.get(workspace.id)
        if as_it_is is None:
            return 0
        try:
            after = self._make(series, self._author(series, as_it_is))
        except _AuthorLeft as refusal:
            return self._stop(series, refusal).made - series.made
        except Exception:  # one series that fails must not keep the others
            logger.exception("A series could not be looked at.", extra=_facts_of_failure(series))
            return 0
        return after.made - series.made

    def _author(self, series: Series, workspace: Workspace) -> Caller:
        """Return the caller that the author is today. Raises _AuthorLeft."""
        try:
            member = self.members.get(workspace.id, series.member_id)
        except OperatorError as unknown:
            raise _AuthorLeft from unknown
        accounts = self.accounts.list(workspace.id)
        return member_caller(member, workspace, accounts, key_id=f"series:{series.id[:8]}")

    def _make(self, series: Series, author: Caller) -> Series:
        """Make every occurrence that is due; return the series as it then is."""
        zone = ZoneInfo(author.timezone)
        for day in [*series.due(zone, self.clock())]:
            is_past = series.instant(day, zone) <= self.clock()
            try:
                post_id = None if is_past else self._occurrence(series, day, author)
            except _LATER:
                return series
            except ServiceError as refusal:
                return self._stop(series, refusal)
            after = series.with_made(day, post_id, now=self.clock())
            try:
                self.rows.change(series, after)
            except StaleWriteError:
                return self._after_others(series, post_id, author)
            series = after
        return series

    def _after_others(self, series: Series, post_id: str | None, author: Caller) -> Series:
        """Return a series that somebody changed meanwhile; what was made for an ended one goes."""
        found = self.rows.find(series.workspace_id, series.id)
        if found is None or found.state is State.ENDED:
            if post_id is not None:
                self._take_away(author, post_id)
            return found or series
        return found

    def _occurrence(self, series: Series, day: date, author: Caller) -> str:
        """Make the post of a date unless it was made; return its id. Raises ServiceError."""
        post_id = series.occurrence_id(day)
        with suppress(PostNotFound):
            return self.posts.get_any(post_id).id
        _require_plan(author, self.clock())
        require(author, Scope.WRITE)
        if not may_reach_scheduled(author):
            require(author, Scope.PUBLISH)
        source = self.posts.get(series.workspace_id, series.post_id)
        self.drafts.updates.require_file(source)
        verb = Verb.SCHEDULE if may(author, Scope.PUBLISH) else Verb.SAVE
        try:
            post, _ = self.drafts.create(
                author,
                _at(series, day, source, author),
                post_id=post_id,
                then=partial(self.scheduling.ways, author, verb),
            )
        except StaleWriteError:
            return self.posts.get_any(post_id).id  # another made it in this moment
        return post.id

    def _stop(self, series: Series, refusal: ServiceError) -> Series:
        """Stop a series because something was refused, and say so in its post's history."""
        now = self.clock()
        stopped = series.end(State.STOPPED, now=now, code=refusal.code, reason=refusal.message)
        try:
            self.rows.change(series, stopped)
        except StaleWriteError:
            return self.rows.find(series.workspace_id, series.id) or stopped
        told = {"series_id": series.id, "code": refusal.code, "message": refusal.message}
        with suppress(PostNotFound):
            self.posts.get(series.workspace_id, series.post_id)
            self.posts.note(series.post_id, [event(Action.SERIES_STOPPED, SYSTEM, now, told)])
        facts = {
            "action": "series.stopped",
            "workspace_id": series.workspace_id,
            "series_id": series.id,
            "code": refusal.code,
        }
        logger.warning("A series was stopped.", extra=facts)
        return stopped

    def _take_away(self, caller: Caller, post_id: str) -> None:
        """Delete an occurrence that still waits as it was made."""
        with suppress(PostNotFound, Stale):
            post = self.posts.get(caller.workspace_id, post_id)
            if is_untouched(post, self.posts.history(post_id).events):
                as_seen = replace(caller, revisions=frozenset({post.revision}))
                self.drafts.delete(as_seen, post_id)


def _facts_of_failure(series: Series) -> dict[str, str]:
    return {"action": "series.failed", "series_id": series.id}


def _require_plan(author: Caller, now: datetime) -> None:
    """Check that the author's trial is not over; on Free, posts are reminders. Raises PlanLimit."""
    if author.trial_is_over(now):
        raise PlanLimit(TRIAL_OVER)


def _at(series: Series, day: date, source: Post, author: Caller) -> NewPost:
    """Return the occurrence of a date: the source as it is now, at that date's times."""
    zone = ZoneInfo(author.timezone)
    draft = copy_of(source, author)
    targets = tuple(
        replace(new, scheduled_at=series.instant(day, zone, new.account_id))
        for new in draft.targets
    )
    return replace(draft, targets=targets)
