"""Plans in the app: the lines of an uploaded sheet are checked, corrected, and become posts.

A line is read by the same code as in the command line, then drafted and checked by the rules of
drafts and checks, without asking a platform. Posts are made for some lines at a time, so that no
request takes long; the next request goes on.
"""

import builtins
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import islice
from typing import Final, cast
from zoneinfo import ZoneInfo

from chalicelib.domain.clock import Clock
from chalicelib.domain.error_kinds import ServiceError
from chalicelib.domain.errors import PostNotFound
from chalicelib.domain.ids import new_id
from chalicelib.domain.media.media import Media
from chalicelib.domain.media.query import MediaQuery
from chalicelib.domain.posts.charging import counters_for
from chalicelib.domain.posts.drafting import NewPost, NewTarget, new_post
from chalicelib.domain.posts.known import Known
from chalicelib.domain.posts.plans import (
    MOST_PLANS,
    LineState,
    Plan,
    PlanLine,
    PlanNotFound,
    cells_of,
    is_text,
    read_sheet,
)
from chalicelib.domain.posts.post import may_reach_scheduled
from chalicelib.domain.posts.problems import Level, Problem
from chalicelib.domain.posts.verbs import Verb
from chalicelib.domain.spoken.rows import Mistake, Row, Setting, WrongPlan, read_lines
from chalicelib.domain.spoken.unclear import UnclearError
from chalicelib.domain.workspace.access import Caller, Scope, may, require
from chalicelib.domain.workspace.accounts import Account
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.transaction import StaleWriteError
from chalicelib.kit.json_value import Json
from chalicelib.services.posts.checks import PostChecks
from chalicelib.services.posts.drafts import Drafts
from chalicelib.services.posts.scheduling import Scheduling
from chalicelib.storage.media.records import MediaRepository
from chalicelib.storage.posts.known import KnownReads
from chalicelib.storage.posts.plans import PlanRepository
from chalicelib.storage.posts.posts import PostRepository

A_PAGE: Final = 50
_AT_ONCE: Final = 25
_MOST_FILES: Final = 20_000
_VERBS: Final = {"at": Verb.SCHEDULE, "queue": Verb.QUEUE, "golden": Verb.BEST, "draft": Verb.SAVE}
_COLUMNS: Final = {"option": "options", "caption": "caption", "media": "file", "scheduled": "at"}

PlanRow = Row[Account, Media]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A line with the post that it would become, and what is wrong with it."""

    line: PlanLine
    row: PlanRow | None
    draft: NewPost | None
    mistakes: tuple[Mistake, ...]

    @property
    def wrong(self) -> str | None:
        """Return the first mistake that keeps it from becoming a post."""
        return next((one.message for one in self.mistakes if one.level == Level.ERROR), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanPage:
    """Some lines of a plan, how many there are of each kind, and after which line more follow."""

    seen: Sequence[Seen]
    made: int
    wrong: int
    ready: int
    following: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plans:
    """The plans of the caller's workspace."""

    rows: PlanRepository
    posts: PostRepository
    files: MediaRepository
    reads: KnownReads
    drafts: Drafts
    scheduling: Scheduling
    checks: PostChecks
    clock: Clock

    def list(self, caller: Caller) -> builtins.list[Plan]:
        """Return the plans that are there, newest first."""
        return self.rows.list(caller.workspace_id)[::-1]

    def get(self, caller: Caller, plan_id: str) -> Plan:
        """Return a plan. Raises PlanNotFound."""
        found = self.rows.find(caller.workspace_id, plan_id)
        if found is None:
            raise PlanNotFound
        return found

    def add(self, caller: Caller, name: str, content: bytes) -> Plan:
        """Store a sheet as a plan, each line with its first mistake. Raises UnclearError."""
        require(caller, Scope.WRITE)
        sheet = read_sheet(content)
        now = self.clock()
        plan = Plan(
            id=new_id(now),
            workspace_id=caller.workspace_id,
            name=name[:100] or "Plan",
            columns=sheet.columns,
            lines=len(sheet.lines),
            created_at=now,
        )
        lines = [_line_as_seen(one) for one in self._look(caller, sheet.lines)]
        self.rows.add(plan, lines, _require_room)
        return plan

    def page(
        self, caller: Caller, plan: Plan, *, after: int = 0, only_wrong: bool = False
    ) -> PlanPage:
        """Return the lines after one; only those with mistakes if asked."""
        lines = list(self.rows.lines(plan))
        wrong = [line for line in lines if line.wrong is not None]
        wanted = [line for line in (wrong if only_wrong else lines) if line.number > after]
        shown = wanted[:A_PAGE]
        made = sum(line.state is LineState.MADE for line in lines)
        return PlanPage(
            seen=self._look(caller, shown),
            made=made,
            wrong=len(wrong),
            ready=len(lines) - made - len(wrong),
            following=shown[-1].number if len(wanted) > A_PAGE else None,
        )

    def correct(
        self, caller: Caller, plan_id: str, number: int, typed: Mapping[str, str]
    ) -> PlanLine:
        """Replace a line's cells. Raises LineMadeError, UnclearError, StaleWriteError."""
        require(caller, Scope.WRITE)
        plan = self.get(caller, plan_id)
        line = self.rows.line(plan, number)
        if line is None:
            raise PlanNotFound
        (seen,) = self._look(caller, [line.correct(cells_of(plan.columns, typed))])
        self.rows.change(plan, line, _line_as_seen(seen))
        return _line_as_seen(seen)

    def make(self, caller: Caller, plan_id: str, *, schedules: bool, after: int = 0) -> int | None:
        """Make posts of the next lines; return the last of them, None after the plan's last.

        Raises PlanNotFound, ScopeMissing, RoleForbids.
        """
        require(caller, Scope.WRITE)
        if schedules and not may_reach_scheduled(caller):
            require(caller, Scope.PUBLISH)
        plan = self.get(caller, plan_id)
        lines = list(islice(self.rows.lines(plan, after=after), _AT_ONCE))
        for seen in self._look(caller, [one for one in lines if one.state is not LineState.MADE]):
            with suppress(StaleWriteError):  # somebody else has this line
                self._make(caller, plan, seen, schedules=schedules)
        return lines[-1].number if len(lines) == _AT_ONCE else None

    def remove(self, caller: Caller, plan_id: str) -> None:
        """Delete a plan; its posts stay."""
        require(caller, Scope.WRITE)
        self.rows.remove(self.get(caller, plan_id))

    def _make(self, caller: Caller, plan: Plan, seen: Seen, *, schedules: bool) -> None:
        line = seen.line
        if line.state is LineState.BEGUN and self._is_post(line):
            self.rows.note_made(plan, line)
            return
        if seen.draft is None or seen.row is None or seen.wrong is not None:
            self.rows.change(plan, line, line.refuse(seen.wrong or ""))
            return
        begun = line
        if line.state is LineState.WAITS:
            begun = line.begin(new_id(self.clock()))
            self.rows.change(plan, line, begun)
        verb = _VERBS[seen.row.way] if schedules and may(caller, Scope.PUBLISH) else Verb.SAVE
        try:
            with suppress(StaleWriteError):  # another made it in this moment
                self.drafts.create(
                    caller,
                    seen.draft,
                    post_id=begun.post_id,
                    then=partial(self.scheduling.ways, caller, verb),
                )
        except ServiceError as refusal:
            if not self._is_post(begun):
                self.rows.change(plan, begun, begun.refuse(refusal.message))
                return
        self.rows.note_made(plan, begun)

    def _is_post(self, line: PlanLine) -> bool:
        """Tell whether a line's post is there, deleted or not."""
        with suppress(PostNotFound):
            return bool(self.posts.get_any(line.post_id or ""))
        return False

    def _look(self, caller: Caller, lines: Sequence[PlanLine]) -> builtins.list[Seen]:
        """Return lines with the posts that they would become; what that needs is read once."""
        named = self._newest_by_name(caller, lines)
        lines = [replace(line, media_id=named.get(_file_of(line), line.media_id)) for line in lines]
        now = self.clock()
        known = self.reads.read(
            caller.workspace_id,
            account_ids=sorted(caller.accounts),
            media_ids=sorted({line.media_id for line in lines if line.media_id is not None}),
            counters=counters_for(caller, [now]),
        )
        return [self._look_at(caller, line, known, now) for line in lines]

    def _newest_by_name(self, caller: Caller, lines: Iterable[PlanLine]) -> dict[str, str]:
        """Return the newest file for each file name of the lines that was not looked up yet."""
        wanted = {name for line in lines if line.media_id is None and (name := _file_of(line))}
        found: dict[str, str] = {}
        query, looked_at = MediaQuery(), 0
        while len(found) < len(wanted) and looked_at < _MOST_FILES:
            page = self.files.find_page(caller.workspace_id, query)
            for media in page.files:
                if media.filename in wanted:
                    found.setdefault(media.filename, media.id)
            looked_at += len(page.files)
            if page.cursor is None:
                break
            query = replace(query, cursor=page.cursor)
        return found

    def _look_at(self, caller: Caller, line: PlanLine, known: Known, now: datetime) -> Seen:
        if line.state is LineState.MADE:
            return Seen(line=line, row=None, draft=None, mistakes=())

        def find_file(name: str) -> Media:
            media = known.media.get(line.media_id or "")
            if media is None:
                raise UnclearError(
                    f"There is no file {name!r} in the library. Upload it, or correct its name."
                )
            return media

        setting = Setting(
            name=line.post_id or "",
            accounts=list(known.accounts.values()),
            zone=ZoneInfo(caller.timezone),
            now=now,
            find_file=find_file,
            is_text=is_text,
        )
        rows, mistakes = read_lines([(line.number, line.cells)], setting)
        if not rows:
            return Seen(line=line, row=None, draft=None, mistakes=tuple(mistakes))
        (row,) = rows
        draft = _draft_of(row)
        found = tuple(self._mistakes(caller, row, draft, known, now))
        return Seen(line=line, row=row, draft=draft, mistakes=found)

    def _mistakes(
        self, caller: Caller, row: PlanRow, draft: NewPost, known: Known, now: datetime
    ) -> Iterator[Mistake]:
        try:
            post = new_post(caller, draft, known, now=now).after
        except ServiceError as refusal:
            yield _mistake(row, refusal.message, f"{refusal.field} {refusal.code}", Level.ERROR)
            return
        for target in post.targets:
            for problem in self.checks.known_target_problems(post, target, known, now):
                level = Level.WARNING if row.way == "draft" else problem.level
                said = f"{target.platform}:{target.handle}: {problem.message}"
                yield _mistake(row, said, _place(problem), level)


def _require_room(plans: Sequence[Plan]) -> None:
    if len(plans) >= MOST_PLANS:
        raise WrongPlan(f"There are {MOST_PLANS} plans here. Delete one first.")


def _line_as_seen(seen: Seen) -> PlanLine:
    return replace(seen.line, wrong=seen.wrong)


def _file_of(line: PlanLine) -> str:
    return line.cells.get("file", "").strip()


def _draft_of(row: PlanRow) -> NewPost:
    targets = tuple(
        NewTarget(
            account_id=account.id,
            caption_override=row.captions.get(account.id),
            options=cast("Mapping[str, Json]", row.options.get(account.id, {})),
            scheduled_at=row.at,
        )
        for account in row.accounts
    )
    media_ids = () if row.file is None else (row.file.id,)
    return NewPost(caption=row.caption, media_ids=media_ids, targets=targets)


def _place(problem: Problem) -> str:
    return f"{problem.field} {problem.code}"


def _mistake(row: PlanRow, message: str, place: str, level: Level) -> Mistake:
    column = next((column for part, column in _COLUMNS.items() if part in place), "to")
    return Mistake(line=row.line, column=column, message=message, level=level.value)
