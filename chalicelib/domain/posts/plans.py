"""A plan in the app: the lines of a sheet, until each has become a post.

A line keeps its cells, so that it can be corrected in place, and what was wrong with it when it was
last checked. Its post's id is chosen before the post is made: however often and by however many
people a plan is carried out, a line becomes one post.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from chalicelib.domain.error_kinds import NotFound
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.option import Option
from chalicelib.domain.platforms.option_rules import Link, Text
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.spoken.rows import Cells, Line, WrongPlan, plan_lines
from chalicelib.domain.text import control_character_problem, with_line_feeds
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.kit.dataclass import dataclass

LARGEST_SHEET_BYTES = 1_000_000
MOST_LINES = 5_000
MOST_PLANS = 20
LONGEST_LINE = 30_000
MOST_SIGNS = 6_000_000
KEPT_FOR = timedelta(days=30)


class PlanNotFound(NotFound):
    """There is no such plan in this workspace any more."""

    code = "plan_not_found"


class LineMadeError(OperatorError):
    """This line is a post already. Change the post."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """An uploaded sheet."""

    id: str
    workspace_id: str
    name: str
    columns: tuple[str, ...]
    lines: int
    created_at: datetime

    @property
    def ends_at(self) -> datetime:
        """Return when it is deleted by itself; its posts stay."""
        return self.created_at + KEPT_FOR


class LineState(StrEnum):
    """How far a line is."""

    WAITS = "waits"
    BEGUN = "begun"
    MADE = "made"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanLine:
    """A line of a sheet, under its number there.

    `post_id` is chosen when somebody first begins to make its post, and stays: of all who then
    try, one can. `wrong` is the first mistake that was found, `media_id` the file that its name
    means.
    """

    number: int
    cells: Mapping[str, str]
    state: LineState = LineState.WAITS
    post_id: str | None = None
    media_id: str | None = None
    wrong: str | None = None
    version: int = 1

    def correct(self, cells: Mapping[str, str]) -> "PlanLine":
        """Return the line with other cells. Raises LineMadeError."""
        if self.state is not LineState.WAITS:
            raise LineMadeError
        return replace(self, cells=cells, media_id=None, wrong=None, version=self.version + 1)

    def begin(self, post_id: str) -> "PlanLine":
        """Return the line as one whose post is being made."""
        chosen = self.post_id or post_id
        return replace(self, state=LineState.BEGUN, post_id=chosen, version=self.version + 1)

    def finish(self) -> "PlanLine":
        """Return the line as a post."""
        return replace(self, state=LineState.MADE, wrong=None, version=self.version + 1)

    def refuse(self, why: str) -> "PlanLine":
        """Return the line as one to correct."""
        return replace(self, state=LineState.WAITS, wrong=why, version=self.version + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """What a file says."""

    columns: tuple[str, ...]
    lines: tuple[PlanLine, ...] = field(default=())


def read_sheet(content: bytes) -> Sheet:
    """Return the lines of a file. Raises UnclearError for one that is no plan or too large."""
    if len(content) > LARGEST_SHEET_BYTES:
        raise WrongPlan("A sheet has at most 1 MB. Split it into several.")
    lines = tuple(
        PlanLine(number=number, cells={name: text for name, text in cells.items() if text})
        for number, cells in _require_bounds(plan_lines(content))
    )
    if not lines:
        raise WrongPlan("The sheet has no line below the names of its columns.")
    return Sheet(columns=_columns(line.cells for line in lines), lines=lines)


def cells_of(columns: Iterable[str], typed: Mapping[str, str]) -> Cells:
    """Return a line's cells as they were typed. Raises WrongPlan for one that is too long."""
    cells = {name: with_line_feeds(typed.get(name, "")) for name in columns}
    if sum(map(len, cells.values())) > LONGEST_LINE:
        raise WrongPlan(f"A line has at most {LONGEST_LINE:,} signs.")
    return {name: text for name, text in cells.items() if text}


def is_text(platform: str, names: Iterable[str]) -> bool:
    """Tell whether an option is a text, whatever it looks like; one that nobody knows is."""
    options: Iterable[Option] = FACTS[Platform(platform)].options if platform in FACTS else ()
    found: Option | None = None
    for name in names:
        found = next((one for one in options if one.name == name), None)
        options = () if found is None else found.fields
    return found is None or isinstance(found.rule, Text | Link)


def _require_bounds(lines: Iterable[Line]) -> Iterator[Line]:
    signs = 0
    for count, (number, cells) in enumerate(lines, start=1):
        if count > MOST_LINES:
            raise WrongPlan(f"A plan has at most {MOST_LINES:,} lines. Split the sheet.")
        plain = {name: with_line_feeds(text) for name, text in cells.items()}
        length = sum(map(len, plain.values()))
        signs += length
        if length > LONGEST_LINE or signs > MOST_SIGNS:
            raise WrongPlan(
                f"Line {number}: a line has at most {LONGEST_LINE:,} signs, and a plan"
                f" {MOST_SIGNS // 1_000_000} million in all."
            )
        if any(control_character_problem(text) for text in plain.values()):
            raise WrongPlan(f"Line {number} holds a control character. Type the cell again.")
        yield number, plain


def _columns(all_cells: Iterable[Cells]) -> tuple[str, ...]:
    """Return the columns that some line uses, in the order in which people fill them in."""
    first = ("to", "caption", "at", "file", "zone", "options")
    used = {name for cells in all_cells for name in cells}
    own = sorted(name for name in used if name not in {*first, "key"})
    return (*first[:2], *own, *first[2:])
