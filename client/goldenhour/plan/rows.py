"""A plan's lines, read and checked before anything is made.

Columns: `to` (accounts), `caption`, `caption:x` (a text for that account alone), `file` (beside the
plan), `at` (a date and time, `queue`, `golden`, or empty for a draft), `zone`, `options`
(`pinterest.board=1; x.alt_text=A loaf`), `key`.
"""

import csv
import difflib
import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from unicodedata import normalize
from zoneinfo import ZoneInfo

from goldenhour.errors import GoldenhourError
from goldenhour.models.answers import Account
from goldenhour.models.posts import NewTarget
from goldenhour.plan.cells import unguard
from goldenhour.plan.sheets import sheet_lines
from goldenhour.spoken.choosing import find_accounts, make_targets, options_of, parse_options
from goldenhour.spoken.times import find_zone, parse_dated_time

COLUMNS = ("to", "caption", "file", "at", "zone", "options", "key")
OWN_CAPTION = "caption:"
WAYS = ("queue", "golden")
LARGEST_FILE_BYTES = 1024**3


class WrongPlan(GoldenhourError):
    """The file as a whole cannot be read as a plan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of a plan that can be carried out."""

    line: int
    key: str
    """The Idempotency-Key of its post: the same for the same line of the same plan, always."""

    caption: str
    file: Path | None
    targets: Sequence[NewTarget]
    accounts: Sequence[Account]
    at: datetime | None
    way: str
    """`draft`, `at`, `queue` or `golden`."""

    is_named: bool = False
    """Whether the plan gave the key itself."""

    digest: str = field(default="", repr=False)
    """Tells one content of a line from another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """What is wrong with a line (`error`) or may be (`warning`)."""

    line: int
    column: str
    message: str
    level: str = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What lines are read against."""

    name: str
    folder: Path
    accounts: Sequence[Account]
    zone: ZoneInfo
    now: datetime


def read_plan(text: str, setting: Setting) -> tuple[list[Row], list[Mistake]]:
    """Return the rows and the mistakes of a plan. Raises WrongPlan."""
    rows, mistakes = [], []
    seen: Counter[str] = Counter()
    for line, cells in _lines(text):
        try:
            rows.append(_row(line, cells, setting, seen))
        except _WrongCell as wrong:
            mistakes.append(Mistake(line=line, column=wrong.column, message=str(wrong)))
    return rows, [*mistakes, *_repeated_keys(rows)]


class _WrongCell(Exception):
    def __init__(self, column: str, message: str) -> None:
        super().__init__(message)
        self.column = column


def _lines(text: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Yield each line's number in the file and its cells; a header comes first."""
    line, lines = 1, sheet_lines(text)
    try:
        line, names = next(lines, (1, []))
        columns = [name.strip().lower() for name in names]
        _require_known(columns)
        for line, cells in lines:
            if any(cell.strip() for cell in cells):
                yield line, _named(columns, cells, line)
    except csv.Error as broken:
        raise WrongPlan(f"Line {line} is not CSV: {broken}.") from broken


def _require_known(columns: Sequence[str]) -> None:
    for name in columns:
        if name not in COLUMNS and not name.startswith(OWN_CAPTION):
            near = difflib.get_close_matches(name, COLUMNS, n=1)
            meant = f" Did you mean {near[0]!r}?" if near else ""
            raise WrongPlan(f"There is no column {name!r}.{meant} Columns: {', '.join(COLUMNS)}.")
    if "to" not in columns:
        raise WrongPlan("The first line must name the columns, and 'to' must be one of them.")
    if len(set(columns)) < len(columns):
        raise WrongPlan("A column appears twice in the first line.")


def _named(columns: Sequence[str], cells: Sequence[str], line: int) -> Mapping[str, str]:
    if len(cells) > len(columns):
        raise WrongPlan(f"Line {line} has more cells than there are columns; quote its commas.")
    return dict(zip(columns, map(unguard, cells), strict=False))


def _row(line: int, cells: Mapping[str, str], setting: Setting, seen: Counter[str]) -> Row:
    at, way = _time(cells, setting)
    accounts, targets = _targets(cells, setting)
    file = _file(cells, setting)
    caption = cells.get("caption", "")
    if not caption and file is None:
        raise _WrongCell("caption", "The line has neither a caption nor a file.")
    digest = _digest(caption, file, targets, at, way)
    given = cells.get("key", "").strip()
    seen[digest] += 1
    return Row(
        line=line,
        key=_key(setting.name, given or f"{digest}#{seen[digest]}"),
        caption=caption,
        file=file,
        targets=targets,
        accounts=accounts,
        at=at,
        way=way,
        is_named=bool(given),
        digest=digest,
    )


def _time(cells: Mapping[str, str], setting: Setting) -> tuple[datetime | None, str]:
    text = cells.get("at", "").strip()
    if text.lower() in {"", "draft", *WAYS}:
        return None, text.lower() or "draft"
    try:
        zone = find_zone(name) if (name := cells.get("zone", "").strip()) else setting.zone
        return parse_dated_time(text, zone, setting.now), "at"
    except GoldenhourError as unclear:
        raise _WrongCell("at", str(unclear)) from unclear


def _targets(cells: Mapping[str, str], setting: Setting) -> tuple[list[Account], list[NewTarget]]:
    names = [name.strip() for name in cells.get("to", "").replace(";", ",").split(",")]
    try:
        accounts = find_accounts(filter(None, names), setting.accounts)
    except GoldenhourError as unclear:
        raise _WrongCell("to", str(unclear)) from unclear
    if not accounts:
        raise _WrongCell("to", "The line names no account.")
    texts = [each.strip() for each in cells.get("options", "").split(";")]
    try:
        options = parse_options(filter(None, texts))
        options_of(accounts, options)
    except GoldenhourError as wrong:
        raise _WrongCell("options", str(wrong)) from wrong
    try:
        return accounts, make_targets(accounts, options, _own_captions(cells))
    except GoldenhourError as wrong:
        raise _WrongCell("caption", str(wrong)) from wrong


def _own_captions(cells: Mapping[str, str]) -> dict[str, str]:
    """Return the texts for single accounts, by platform or platform:handle."""
    return {
        name.removeprefix(OWN_CAPTION): text
        for name, text in cells.items()
        if name.startswith(OWN_CAPTION) and text.strip()
    }


def _file(cells: Mapping[str, str], setting: Setting) -> Path | None:
    name = cells.get("file", "").strip()
    if not name:
        return None
    path = _on_disk(setting.folder / name)
    if not path.is_file():
        raise _WrongCell("file", f"There is no file {path}.")
    if not 0 < path.stat().st_size <= LARGEST_FILE_BYTES:
        raise _WrongCell("file", f"{path} is empty or larger than 1 GB.")
    return path


def _on_disk(path: Path) -> Path:
    """Return a file whose letters may be composed otherwise than in the sheet, as Macs do it."""
    if path.exists() or not path.parent.is_dir():
        return path
    wanted = normalize("NFC", path.name)
    alike = (each for each in path.parent.iterdir() if normalize("NFC", each.name) == wanted)
    return next(alike, path)


def _digest(
    caption: str, file: Path | None, targets: Sequence[NewTarget], at: datetime | None, way: str
) -> str:
    content = [
        caption,
        file and normalize("NFC", file.name),
        [
            (each.account_id, each.options, *([own] if (own := each.caption_override) else []))
            for each in targets
        ],
        at and at.timestamp(),
        way,
    ]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]


def _key(plan: str, row: str) -> str:
    return "plan-" + hashlib.sha256(f"{plan}\n{row}".encode()).hexdigest()[:48]


def _repeated_keys(rows: Sequence[Row]) -> Iterator[Mistake]:
    first: dict[str, int] = {}
    for row in rows:
        if first.setdefault(row.key, row.line) != row.line:
            message = f"The key is already in line {first[row.key]} already."
            yield Mistake(line=row.line, column="key", message=message)
