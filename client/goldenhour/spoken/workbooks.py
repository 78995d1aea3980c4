"""The first sheet of an XLSX workbook, read line by line in bounded time and memory.

The format is ECMA-376, part 1, 18.3 and 18.8: a ZIP archive of XML files. A formula has the value
that its program last computed. Libraries that keep a sheet as a rectangle run out of memory on a
file of 1 KB that names its last cell, and the process dies; here only existing cells take memory.
"""

import io
import re
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from enum import Enum, auto
from itertools import count
from posixpath import join, normpath
from typing import NoReturn
from xml.parsers.expat import ExpatError, ParserCreate

from goldenhour.spoken.unclear import UnclearError

LARGEST_PART_BYTES = 32 * 1024 * 1024
MOST_CELLS = 250_000
MOST_ELEMENTS = 4 * MOST_CELLS
MOST_COLUMNS = 200

_BEGINNING = b"PK\x03\x04"
_PIECE = 64 * 1024
_OF_DATES = frozenset([*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)])
_WITHOUT_CLOCK = frozenset(range(14, 18))
_NO_DATE = re.compile(r'"[^"]*"|\[[^\]]*(?:\]|\Z)|\\.|_.|\*.')
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_PLACE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_SECOND_S = 1
_TOO_MUCH = "The workbook holds more than 32 MB, or a million elements. Split it into several."

Attributes = Mapping[str, str]


class WrongWorkbook(UnclearError):
    """A file that is no workbook, or one that is too large."""


def is_workbook(content: bytes) -> bool:
    """Tell whether a file begins as workbooks do."""
    return content.startswith(_BEGINNING)


def workbook_lines(content: bytes) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield the number of each line of the first sheet and its cells. Raises WrongWorkbook."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            yield from _Workbook(archive).lines()
    except (zipfile.BadZipFile, zlib.error, ExpatError, ValueError, LookupError) as broken:
        raise WrongWorkbook(
            "The file is no XLSX workbook. Save the sheet as XLSX again."
        ) from broken
    except (RuntimeError, NotImplementedError, EOFError) as locked:
        raise WrongWorkbook("The workbook has a password. Save the sheet without one.") from locked


class _Shown(Enum):
    """How a style shows a number. A date without a clock has no time of day: not midnight."""

    NUMBER = auto()
    DATE = auto()
    MOMENT = auto()

    @property
    def is_date(self) -> bool:
        return self is not _Shown.NUMBER

    @classmethod
    def by(cls, signs: Collection[str]) -> "_Shown":
        """Return it by the signs of a format's code."""
        if not {"d", "m", "y", "h"}.intersection(signs):
            return cls.NUMBER
        return cls.MOMENT if {"h", "s"}.intersection(signs) else cls.DATE

    @classmethod
    def of_number(cls, number: int) -> "_Shown":
        """Return it by the number of a format that every program has."""
        if number not in _OF_DATES:
            return cls.NUMBER
        return cls.DATE if number in _WITHOUT_CLOCK else cls.MOMENT


class _Workbook:
    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._names = frozenset(archive.namelist())
        self._sheet = ""
        self._is_from_1904 = False
        self._strings: list[str] = []
        self._dates: list[_Shown] = []
        self._find_sheet()
        self._read_strings()
        self._read_styles()

    def lines(self) -> Iterator[tuple[int, Sequence[str]]]:
        """Yield the lines that have a cell."""
        sheet = _Sheet(self._text)
        for _ in self._parse(self._sheet, sheet.start, sheet.end, sheet.words):
            yield from sheet.take()
        yield from sheet.take()

    def _find_sheet(self) -> None:
        wanted: list[str] = []
        targets: dict[str, str] = {}

        def start(name: str, given: Attributes) -> None:
            if name == "sheet" and given.get("state", "visible") == "visible":
                wanted.extend(value for key, value in given.items() if _local(key) == "id")
            elif name == "workbookPr":
                self._is_from_1904 = given.get("date1904") in {"1", "true"}
            elif name == "Relationship":
                targets[given["Id"]] = given["Target"]

        self._read("xl/workbook.xml", start)
        self._read("xl/_rels/workbook.xml.rels", start)
        found = next((targets[one] for one in wanted if one in targets), None)
        if found is None:
            raise WrongWorkbook("The workbook has no sheet.")
        self._sheet = found[1:] if found.startswith("/") else normpath(join("xl", found))

    def _read_strings(self) -> None:
        """Read the texts that cells name by number, without their phonetic guides."""
        texts: list[str] = []
        spoken = 0

        def start(name: str, _given: Attributes) -> None:
            nonlocal spoken
            spoken += name == "rPh"

        def end(name: str, text: str) -> None:
            nonlocal spoken
            spoken -= name == "rPh"
            if name == "t" and not spoken:
                texts.append(text)
            elif name == "si":
                self._strings.append(_plain("".join(texts)))
                texts.clear()

        if "xl/sharedStrings.xml" in self._names:
            self._read("xl/sharedStrings.xml", start, end)

    def _read_styles(self) -> None:
        """Find which cell styles show a number as a date, and which of these show no time."""
        own: dict[int, _Shown] = {}
        inside: list[str] = []

        def start(name: str, given: Attributes) -> None:
            if name == "numFmt":
                code = _NO_DATE.sub("", given.get("formatCode", "")).lower()
                own[int(given["numFmtId"])] = _Shown.by(set(code.replace("general", "")))
            elif name == "xf" and inside[-1:] == ["cellXfs"]:
                shown = int(given.get("numFmtId", "0"))
                self._dates.append(own.get(shown, _Shown.of_number(shown)))
            inside.append(name)

        def end(_name: str, _text: str) -> None:
            inside.pop()

        if "xl/styles.xml" in self._names:
            self._read("xl/styles.xml", start, end)

    def _text(self, kind: str, style: str, value: str) -> str:
        """Return a cell's text."""
        match kind:
            case "s":
                return self._strings[int(value)] if value else ""
            case "b":
                return "true" if value == "1" else "false"
            case "" | "n" if value and style and self._form_of(int(style)).is_date:
                return self._moment(float(value), self._form_of(int(style)))
            case _:
                return _plain(value)

    def _form_of(self, style: int) -> "_Shown":
        return next(iter(self._dates[style : style + 1]), _Shown.NUMBER)

    def _moment(self, days: float, shown: "_Shown") -> str:
        first = datetime(1904, 1, 1) if self._is_from_1904 else datetime(1899, 12, 30)  # noqa: DTZ001 - a sheet's clock has no zone
        try:
            at = first + timedelta(seconds=round(days * 86_400))
        except OverflowError:
            return str(days)
        if shown is _Shown.DATE and days.is_integer():
            return f"{at:%Y-%m-%d}"
        return f"{at:%H:%M}" if 0 <= days < _SECOND_S else f"{at:%Y-%m-%d %H:%M:%S}"

    def _read(
        self,
        name: str,
        start: Callable[[str, Attributes], None],
        end: Callable[[str, str], None] | None = None,
    ) -> None:
        text: list[str] = []

        def begin(tag: str, given: Attributes) -> None:
            text.clear()
            start(tag, given)

        def finish(tag: str) -> None:
            if end is not None:
                end(tag, "".join(text))
            text.clear()

        for _ in self._parse(name, begin, finish, text.append):
            pass

    def _parse(
        self,
        name: str,
        start: Callable[[str, Attributes], None],
        end: Callable[[str], None],
        words: Callable[[str], object],
    ) -> Iterator[None]:
        """Parse a part of the archive, and yield after each piece of it."""
        begun = count(1)

        def begin(tag: str, given: Attributes) -> None:
            if next(begun) > MOST_ELEMENTS:
                raise WrongWorkbook(_TOO_MUCH)
            start(_local(tag), given)

        parser = ParserCreate()
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = _refuse_doctype
        parser.StartElementHandler = begin
        parser.EndElementHandler = lambda tag: end(_local(tag))
        parser.CharacterDataHandler = words
        read = 0
        with self._archive.open(name) as part:
            while piece := part.read(_PIECE):
                read += len(piece)
                if read > LARGEST_PART_BYTES:
                    raise WrongWorkbook(_TOO_MUCH)
                parser.Parse(piece, False)  # noqa: FBT003 - expat takes it by position
                yield
        parser.Parse(b"", True)  # noqa: FBT003 - as above


class _Sheet:
    """The parsed part of a sheet that was not yielded yet."""

    def __init__(self, text: Callable[[str, str, str], str]) -> None:
        self._text = text
        self._done: list[tuple[int, Sequence[str]]] = []
        self._cells: dict[int, str] = {}
        self._line = self._column = self._count = 0
        self._kind = self._style = self._value = ""
        self._said: list[str] = []
        self._spoken = 0

    def take(self) -> list[tuple[int, Sequence[str]]]:
        """Return the complete lines."""
        done, self._done = self._done, []
        return done

    def start(self, tag: str, given: Attributes) -> None:
        """Note where a line or a cell begins."""
        self._said.clear()
        match tag:
            case "row":
                self._line = int(given["r"]) if "r" in given else self._line + 1
                self._column = 0
                self._cells = {}
            case "c":
                self._begin_cell(given)
            case "rPh":
                self._spoken += 1

    def words(self, text: str) -> None:
        """Keep an element's text."""
        self._said.append(text)

    def end(self, tag: str) -> None:
        """Keep a value, a cell or a line."""
        match tag:
            case "v":
                self._value = "".join(self._said)
            case "t" if not self._spoken:
                self._value += "".join(self._said)
            case "rPh":
                self._spoken -= 1
            case "c":
                if said := self._text(self._kind, self._style, self._value):
                    self._cells[self._column - 1] = said
            case "row" if self._cells:
                width = max(self._cells) + 1
                self._done.append((self._line, [self._cells.get(at, "") for at in range(width)]))
        self._said.clear()

    def _begin_cell(self, given: Attributes) -> None:
        self._count += 1
        place = _PLACE.fullmatch(given.get("r", ""))
        self._column = _number_of(place[1]) if place else self._column + 1
        if self._count > MOST_CELLS or self._column > MOST_COLUMNS:
            raise WrongWorkbook(
                f"The sheet has more than {MOST_CELLS:,} cells or {MOST_COLUMNS} columns."
                " Delete what is not part of the plan."
            )
        self._kind, self._style, self._value = given.get("t", ""), given.get("s", ""), ""


def _local(name: str) -> str:
    return name.rpartition(":")[2]


def _number_of(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def _plain(text: str) -> str:
    """Return a text without the format's escapes of signs that XML cannot have."""
    if "_x" not in text:
        return text
    found = _ESCAPED.sub(lambda sign: chr(int(sign[1], 16)), text)
    return found.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _refuse_doctype(*_declared: object) -> NoReturn:
    raise WrongWorkbook("The workbook declares entities, which none does. Save it again.")
