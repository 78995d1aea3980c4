"""A plan's lines, read and checked before anything is made.

Columns: `to` (accounts), `caption`, `caption:x` (a text for that account alone), `file`, `at` (a
date and time, `queue`, `golden`, or empty for a draft), `zone`, `options`
(`pinterest.board=1; x.alt_text=A loaf`), `key`. The sheet is CSV or XLSX.
"""

import codecs
import csv
import difflib
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePath
from typing import Generic, TypeVar
from unicodedata import normalize
from zoneinfo import ZoneInfo

from goldenhour.spoken.cells import unguard
from goldenhour.spoken.choosing import (
    AccountT,
    IsText,
    captions_of,
    find_accounts,
    options_of,
    read_options,
)
from goldenhour.spoken.sheets import sheet_lines
from goldenhour.spoken.times import find_zone, parse_dated_time
from goldenhour.spoken.unclear import UnclearError
from goldenhour.spoken.workbooks import is_workbook, workbook_lines

COLUMNS = ("to", "caption", "file", "at", "zone", "options", "key")
OWN_CAPTION = "caption:"
WAYS = ("queue", "golden")
NOT_COMPUTED = frozenset(
    {"#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "#NULL!", "#NUM!", "#SPILL!", "#CALC!"}
)
_SHOWN_OF_MISTAKE = 500
_UNKNOWN_TOLD = 12
_OTHER_NAMES = {
    **dict.fromkeys(("text", "message", "content", "post", "post text"), "caption"),
    **dict.fromkeys(("image", "image url", "media", "media url", "picture", "photo"), "file"),
    **dict.fromkeys(("posting time", "time", "date", "scheduled at", "schedule date"), "at"),
    **dict.fromkeys(("account", "accounts", "profile", "profiles", "channel", "platform"), "to"),
    "timezone": "zone",
    "id": "key",
}
"""What other tools' sheets call it."""
FileT = TypeVar("FileT")
Cells = Mapping[str, str]
Line = tuple[int, Cells]


class WrongPlan(UnclearError):
    """The file as a whole cannot be read as a plan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row(Generic[AccountT, FileT]):
    """One valid line of a plan.

    `key` is the Idempotency-Key of its post, the same for the same line of the same plan, always;
    `is_named` tells that the plan gave it. `digest` tells one content of a line from another. Texts
    and options of single accounts are by account id. `way` is `draft`, `at`, `queue` or `golden`.
    """

    line: int
    key: str
    caption: str
    file: FileT | None
    accounts: Sequence[AccountT]
    captions: Mapping[str, str]
    options: Mapping[str, Mapping[str, object]]
    at: datetime | None
    way: str
    is_named: bool
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """What is wrong with a line (`error`) or may be (`warning`)."""

    line: int
    column: str
    message: str
    level: str = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting(Generic[AccountT, FileT]):
    """The context for reading lines; `find_file` raises UnclearError for a name that is no file."""

    name: str
    accounts: Sequence[AccountT]
    zone: ZoneInfo
    now: datetime
    find_file: Callable[[str], FileT]
    is_text: IsText


_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
"""The first bytes of Excel's "Unicode Text"."""


def plan_lines(content: bytes) -> Iterator[Line]:
    """Yield the number of each line of a sheet and its cells by column. Raises UnclearError."""
    is_book = is_workbook(content)
    lines = workbook_lines(content) if is_book else _csv_lines(content)
    line, names = next(lines, (1, []))
    columns = [name.strip().lower() for name in names]
    if is_book:
        while columns and not columns[-1]:
            columns.pop()
    _require_known(columns)
    for line, cells in lines:
        if any(cell.strip() for cell in cells):
            yield line, _cells_by_column(columns, cells, line)


def read_lines(
    lines: Iterable[Line], setting: Setting[AccountT, FileT]
) -> tuple[list[Row[AccountT, FileT]], list[Mistake]]:
    """Return the rows and the mistakes of a plan's lines."""
    rows: list[Row[AccountT, FileT]] = []
    mistakes: list[Mistake] = []
    seen: Counter[str] = Counter()
    for line, cells in lines:
        try:
            rows.append(_row(line, cells, setting, seen))
        except _WrongCell as wrong:
            mistakes.append(
                Mistake(line=line, column=wrong.column, message=_without_middle(str(wrong)))
            )
    return rows, [*mistakes, *_repeated_keys(rows)]


def _without_middle(said: str) -> str:
    """Return a mistake without most of a long cell that it quotes."""
    if len(said) <= 2 * _SHOWN_OF_MISTAKE:
        return said
    return f"{said[:_SHOWN_OF_MISTAKE]} … {said[-_SHOWN_OF_MISTAKE:]}"


class _WrongCell(Exception):
    def __init__(self, column: str, message: str) -> None:
        super().__init__(message)
        self.column = column


def _csv_lines(content: bytes) -> Iterator[tuple[int, Sequence[str]]]:
    line = 1
    try:
        for line, cells in sheet_lines(_text(content)):
            yield line, cells
    except csv.Error as broken:
        raise WrongPlan(f"After line {line} the file is not CSV: {broken}.") from broken


def _text(content: bytes) -> str:
    """Return a sheet's text. Raises WrongPlan for another encoding."""
    try:
        if content.startswith(_UTF_16):
            return content.decode("utf-16")
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as odd:
        line = content.count(b"\n", 0, odd.start) + 1
        shown = content[odd.start : odd.end].decode("cp1252", "replace")
        raise WrongPlan(
            f"Line {line}: {shown!r} is not written in UTF-8. Save the sheet as XLSX, or as"
            ' "CSV UTF-8" (in Excel by File, Save As).'
        ) from odd


def _require_known(columns: Sequence[str]) -> None:
    unknown = [name for name in columns if name not in COLUMNS and not name.startswith(OWN_CAPTION)]
    if unknown:
        told = ", ".join(_tell_unknown(name[:80]) for name in unknown[:_UNKNOWN_TOLD])
        raise WrongPlan(f"There is no column {told}. Columns: {', '.join(COLUMNS)}.")
    if "to" not in columns:
        raise WrongPlan("The first line must name the columns, and 'to' must be one of them.")
    if len(set(columns)) < len(columns):
        raise WrongPlan("A column appears twice in the first line.")


def _tell_unknown(name: str) -> str:
    other = _OTHER_NAMES.get(name)
    near = [other] if other else difflib.get_close_matches(name, COLUMNS, n=1)
    return f"{name!r} (did you mean {near[0]!r}?)" if near else repr(name)


def _cells_by_column(columns: Sequence[str], cells: Sequence[str], line: int) -> Cells:
    if len(cells) > len(columns):
        raise WrongPlan(f"Line {line} has more cells than there are columns; quote its commas.")
    return dict(zip(columns, map(unguard, cells), strict=False))


def _row(
    line: int, cells: Cells, setting: Setting[AccountT, FileT], seen: Counter[str]
) -> Row[AccountT, FileT]:
    _require_computed(cells)
    at, way = _time(cells, setting)
    accounts = _accounts(cells, setting)
    options = _options(cells, accounts, setting.is_text)
    captions = _captions(cells, accounts)
    name = cells.get("file", "").strip()
    file = _file(name, setting) if name else None
    caption = cells.get("caption", "")
    if not caption and file is None:
        raise _WrongCell("caption", "The line has neither a caption nor a file.")
    parts = [
        (one.id, options.get(one.id), *([own] if (own := captions.get(one.id)) else []))
        for one in accounts
    ]
    digest = _digest([caption, _file_name(name), parts, at and at.timestamp(), way])
    given = cells.get("key", "").strip()
    seen[digest] += 1
    return Row(
        line=line,
        key=_key(setting.name, given or f"{digest}#{seen[digest]}"),
        caption=caption,
        file=file,
        accounts=accounts,
        captions=captions,
        options=options,
        at=at,
        way=way,
        is_named=bool(given),
        digest=digest,
    )


def _require_computed(cells: Cells) -> None:
    for column, cell in cells.items():
        if cell.strip() in NOT_COMPUTED:
            raise _WrongCell(column, f"The spreadsheet could not compute this cell: {cell.strip()}")


def _time(cells: Cells, setting: Setting[AccountT, FileT]) -> tuple[datetime | None, str]:
    text = cells.get("at", "").strip()
    if text.lower() in {"", "draft", *WAYS}:
        return None, text.lower() or "draft"
    try:
        zone = find_zone(name) if (name := cells.get("zone", "").strip()) else setting.zone
        return parse_dated_time(text, zone, setting.now), "at"
    except UnclearError as unclear:
        raise _WrongCell("at", str(unclear)) from unclear


def _accounts(cells: Cells, setting: Setting[AccountT, FileT]) -> list[AccountT]:
    names = [name.strip() for name in cells.get("to", "").replace(";", ",").split(",")]
    try:
        accounts = find_accounts(filter(None, names), setting.accounts)
    except UnclearError as unclear:
        raise _WrongCell("to", str(unclear)) from unclear
    if not accounts:
        raise _WrongCell("to", "The line names no account.")
    return accounts


def _options(
    cells: Cells, accounts: Sequence[AccountT], is_text: IsText
) -> dict[str, Mapping[str, object]]:
    texts = [each.strip() for each in cells.get("options", "").split(";")]
    try:
        return options_of(accounts, read_options(filter(None, texts), is_text))
    except UnclearError as wrong:
        raise _WrongCell("options", str(wrong)) from wrong


def _captions(cells: Cells, accounts: Sequence[AccountT]) -> dict[str, str]:
    """Return the texts for single accounts, which are named by platform or platform:handle."""
    given = {
        name.removeprefix(OWN_CAPTION): text
        for name, text in cells.items()
        if name.startswith(OWN_CAPTION) and text.strip()
    }
    try:
        return captions_of(accounts, given)
    except UnclearError as wrong:
        raise _WrongCell("caption", str(wrong)) from wrong


def _file(name: str, setting: Setting[AccountT, FileT]) -> FileT:
    if "://" in name:
        raise _WrongCell(
            "file", f"{name} is an address. Save what is there as a file, and give its name."
        )
    try:
        return setting.find_file(name)
    except UnclearError as wrong:
        raise _WrongCell("file", str(wrong)) from wrong


def _file_name(name: str) -> str | None:
    return normalize("NFC", PurePath(name).name) if name else None


def _digest(content: Sequence[object]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]


def _key(plan: str, row: str) -> str:
    return "plan-" + hashlib.sha256(f"{plan}\n{row}".encode()).hexdigest()[:48]


def _repeated_keys(rows: Sequence[Row[AccountT, FileT]]) -> Iterator[Mistake]:
    first: dict[str, int] = {}
    for row in rows:
        if first.setdefault(row.key, row.line) != row.line:
            message = f"The key is already in line {first[row.key]}."
            yield Mistake(line=row.line, column="key", message=message)
