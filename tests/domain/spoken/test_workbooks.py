"""XLSX sheets as a plan: what cells say, and files that were made to do harm."""

import io
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from chalicelib.domain.spoken.rows import Setting, WrongPlan, plan_lines, read_lines
from chalicelib.domain.spoken.unclear import UnclearError
from chalicelib.domain.spoken.workbooks import (
    LARGEST_PART_BYTES,
    MOST_CELLS,
    MOST_ELEMENTS,
    WrongWorkbook,
    workbook_lines,
)
from chalicelib.kit.dataclass import dataclass
from tests.support.costs import readings_s
from tests.support.workbook import workbook, workbook_of

_MOST_READINGS = 32
NOW = datetime(2026, 11, 28, tzinfo=UTC)
NINE = datetime(2031, 3, 3, 9)  # noqa: DTZ001 - a sheet has no zone


@dataclass(frozen=True, slots=True)
class Account:
    """An account."""

    id: str
    platform: str
    handle: str


X = Account("1", "x", "@bakery")


def _no_file(name: str) -> str:
    raise UnclearError(f"There is no file {name}.")


SETTING = Setting(
    name="plan",
    accounts=[X],
    zone=ZoneInfo("Europe/Paris"),
    now=NOW,
    find_file=_no_file,
    is_text=lambda _platform, _names: True,
)


def test_a_workbooks_line_is_a_row_with_its_time() -> None:
    content = workbook(
        [["to", "caption", "at", None], ["x", "Rye & salt", NINE], [None], ["x", "=1+1", "queue"]]
    )

    rows, mistakes = read_lines(plan_lines(content), SETTING)

    assert mistakes == []
    assert [(row.line, row.caption, row.way) for row in rows] == [
        (2, "Rye & salt", "at"),
        (4, "=1+1", "queue"),
    ]
    assert rows[0].at == datetime(2031, 3, 3, 8, tzinfo=UTC)


def test_a_day_that_was_typed_alone_is_no_midnight() -> None:
    """A program gives it format 14 (ECMA-376, part 1, 18.8.30); as CSV it was refused always."""
    names = "".join(f'<c t="str"><v>{name}</v></c>' for name in ("to", "caption", "at"))
    cells = '<c t="str"><v>x</v></c><c t="str"><v>Rye</v></c><c s="4"><v>47910</v></c>'

    rows, (mistake,) = read_lines(
        plan_lines(workbook_of(f"<row>{names}</row><row>{cells}</row>")), SETTING
    )

    assert rows == []
    assert (mistake.column, "has no time of day" in mistake.message) == ("at", True)


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("<c><f>1+1</f><v>2</v></c>", "2"),
        ('<c t="str"><f>A1&amp;"x"</f><v>Rye</v></c>', "Rye"),
        ("<c><f>1+1</f></c>", ""),
        ('<c t="e"><f>1/0</f><v>#DIV/0!</v></c>', "#DIV/0!"),
        ('<c t="b"><v>1</v></c>', "true"),
        ('<c t="inlineStr"><is><r><t>Rye </t></r><r><t>bread</t></r></is></c>', "Rye bread"),
        ('<c t="inlineStr"><is><t>山</t><rPh sb="0" eb="1"><t>やま</t></rPh></is></c>', "山"),
        ('<c t="inlineStr"><is><t>a_x000A_b_xD83E_</t></is></c>', "a\nb�"),
        ('<c t="d"><v>2031-03-03T09:00:00</v></c>', "2031-03-03T09:00:00"),
        ('<c s="3"><v>47910.375</v></c>', "2031-03-03 09:00:00"),
        ('<c s="3"><v>47910</v></c>', "2031-03-03 00:00:00"),
        ('<c s="4"><v>47910</v></c>', "2031-03-03"),
        ('<c s="5"><v>47910</v></c>', "2031-03-03"),
        ('<c s="5"><v>47910.375</v></c>', "2031-03-03 09:00:00"),
        ('<c s="2"><v>3</v></c>', "3"),
        ('<c s="1"><v>0.375</v></c>', "09:00"),
        ('<c s="9"><v>3</v></c>', "3"),
        ('<c s="1"><v>1e300</v></c>', "1e+300"),
    ],
)
def test_a_cell_says_what_the_program_shows(cell: str, said: str) -> None:
    content = workbook_of(f'<row r="7"><c t="str"><v>first</v></c>{cell}</row>')

    (line,) = workbook_lines(content)

    assert line == (7, ["first", said] if said else ["first"])


@pytest.mark.parametrize(
    "text", ["#REF!", " #N/A ", "#VALUE!"], ids=["reference", "spaces", "value"]
)
def test_a_cell_that_could_not_be_computed_goes_out_nowhere(text: str) -> None:
    rows, (mistake,) = read_lines([(2, {"to": "x", "caption": text})], SETTING)

    assert rows == []
    assert (mistake.line, mistake.column) == (2, "caption")
    assert "could not compute" in mistake.message


def _bomb() -> bytes:
    return workbook_of(f'<row><c t="str"><v>{"a" * (LARGEST_PART_BYTES + 1)}</v></c></row>')


def _a_cell_too_many() -> bytes:
    return workbook_of("<row><c/></row>" * (MOST_CELLS + 1))


def _elements() -> bytes:
    return workbook_of("<row><c/></row>", "<si/>" * (MOST_ELEMENTS + 1))


def _entities() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("xl/workbook.xml", '<!DOCTYPE w [<!ENTITY a "a">]><w>&a;</w>')
    return packed.getvalue()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"PK\x03\x04 and nothing more", "no XLSX workbook"),
        (workbook_of("<row><c t='s'><v>9</v></c></row>"), "no XLSX workbook"),
        (workbook_of("<row><c></row>"), "no XLSX workbook"),
        (workbook_of('<row r="x"><c/></row>'), "no XLSX workbook"),
        (workbook_of('<row r="1"><c r="XFD1"><v>1</v></c></row>'), "200 columns"),
        (workbook_of("<row>" + "<c/>" * 201 + "</row>"), "200 columns"),
    ],
    ids=["cut", "text", "xml", "number", "far", "wide"],
)
def test_a_file_that_is_no_plan_is_told_apart(content: bytes, said: str) -> None:
    with pytest.raises(WrongWorkbook, match=said):
        list(workbook_lines(content))


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (_a_cell_too_many, "250,000 cells"),
        (_bomb, "more than 32 MB"),
        (_elements, "more than 32 MB"),
        (_entities, "declares entities"),
    ],
    ids=["long", "bomb", "elements", "entities"],
)
def test_a_file_that_was_made_to_do_harm_is_refused(made: Callable[[], bytes], said: str) -> None:
    content = made()

    with pytest.raises(WrongWorkbook, match=said):
        list(workbook_lines(content))


def test_a_bomb_takes_little_room() -> None:
    content = _bomb()

    tracemalloc.start()
    with pytest.raises(WrongWorkbook):
        list(workbook_lines(content))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert most < 3 * LARGEST_PART_BYTES


@pytest.mark.parametrize("sign", ["[", "&quot;", "\\", "_", "*"])
def test_no_form_of_numbers_takes_long_to_be_read(sign: str) -> None:
    """800 bytes of a file took 8 seconds, 40 KB hours."""
    form = f'<numFmt numFmtId="164" formatCode="{sign * 60_000}"/>'
    content = workbook_of("<row><c/></row>", styles=f"<styleSheet>{form}</styleSheet>")
    began = time.process_time()

    list(workbook_lines(content))

    assert time.process_time() - began < readings_s(_MOST_READINGS)


def test_a_columns_endless_name_takes_little_room() -> None:
    name = "captoin" * (LARGEST_PART_BYTES // 8)
    content = workbook_of(f'<row><c t="str"><v>{name}</v></c></row>')

    tracemalloc.start()
    with pytest.raises(WrongPlan, match="no column 'captoincaptoin"):
        list(plan_lines(content))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert most < 6 * LARGEST_PART_BYTES


def test_a_far_line_takes_no_room_for_those_before_it() -> None:
    content = workbook_of('<row r="1048576"><c r="A1048576"><v>1</v></c></row>')

    assert list(workbook_lines(content)) == [(1_048_576, ["1"])]


def test_an_empty_workbook_lacks_its_columns() -> None:
    with pytest.raises(WrongPlan, match="must name the columns"):
        list(plan_lines(workbook_of("")))
