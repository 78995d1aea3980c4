"""LibreOffice writes a sheet as CSV and as XLSX, and we read it: a living program, two languages.

Right values: what stands in the cells. Debian: apt-get install libreoffice-calc-nogui; it is run
and never shipped (MPL-2.0). `make test-oracles` says so where it is not there.
"""

import shutil
import subprocess
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from xml.sax.saxutils import escape
from zoneinfo import ZoneInfo

import pytest

from chalicelib.domain.spoken.times import parse_dated_time
from chalicelib.domain.spoken.workbooks import workbook_lines

pytestmark = pytest.mark.oracle

CLIENT = Path(__file__).parents[2] / "client"
CAPTIONS = ("Rye, “salt”; and bread", 'Says "now"\non two lines', "=not a sum 🥖 Füße 山")
ZONE, NOW = ZoneInfo("Europe/Berlin"), datetime(2026, 11, 25, tzinfo=UTC)
WHEN = datetime(2030, 12, 1, 8, tzinfo=UTC)
_DATE = "2030-12-01T09:00:00"
_SHEET = """<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"
 xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0" office:version="1.3"
 office:mimetype="application/vnd.oasis.opendocument.spreadsheet">
<office:automatic-styles>
 <number:date-style style:name="when" number:language="{language}" number:country="{country}">{form}
 </number:date-style>
 <style:style style:name="at" style:family="table-cell" style:data-style-name="when"/>
</office:automatic-styles>
<office:body><office:spreadsheet><table:table table:name="Posts">{rows}</table:table>
</office:spreadsheet></office:body></office:document>"""
_TEXT = '<table:table-cell office:value-type="string">{0}</table:table-cell>'
_TIME = (
    '<table:table-cell table:style-name="at" office:value-type="date"'
    ' office:date-value="{0}"></table:table-cell>'
)
_DAY, _MONTH, _YEAR = (f'<number:{one} number:style="long"/>' for one in ("day", "month", "year"))
_CLOCK = '<number:hours/><number:text>:</number:text><number:minutes number:style="long"/>'


def _between(sign: str, *parts: str) -> str:
    joined = f"<number:text>{sign}</number:text>".join(parts)
    return f"{joined}<number:text> </number:text>{_CLOCK}"


GERMAN = ("de", "DE", _between(".", _DAY, _MONTH, _YEAR))
JAPANESE = ("ja", "JP", _between("/", _YEAR, _MONTH, _DAY))


def _paragraphs(caption: str) -> str:
    """Return a cell's lines as the format writes them."""
    return "".join(f"<text:p>{escape(line)}</text:p>" for line in caption.split("\n"))


def _written(folder: Path, habits: tuple[str, str, str], how: str) -> bytes:
    """Return the sheet as LibreOffice writes it in one of its formats."""
    program = shutil.which("soffice")
    if program is None:
        pytest.skip("LibreOffice is not here: apt-get install libreoffice-calc-nogui")
    language, country, form = habits
    lines = [("to", "caption", "at"), *(("x", caption, None) for caption in CAPTIONS)]
    rows = "".join(
        "<table:table-row>"
        + "".join(
            _TIME.format(_DATE) if cell is None else _TEXT.format(_paragraphs(cell))
            for cell in line
        )
        + "</table:table-row>"
        for line in lines
    )
    sheet = folder / "posts.fods"
    sheet.write_text(
        _SHEET.format(language=language, country=country, form=form, rows=rows), encoding="utf-8"
    )
    home = f"-env:UserInstallation=file://{folder}/home"
    command = [program, home, "--headless", "--convert-to", how, "--outdir", str(folder)]
    subprocess.run([*command, str(sheet)], capture_output=True, timeout=240, check=True)
    return (folder / "posts").with_suffix(f".{how.partition(':')[0]}").read_bytes()


@pytest.mark.parametrize(
    ("habits", "sign"),
    [(GERMAN, ";"), (JAPANESE, ",")],
    ids=["German", "Japanese"],
)
def test_a_sheet_of_libreoffice_is_read_as_it_stands_there(
    tmp_path: Path,
    habits: tuple[str, str, str],
    sign: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(CLIENT))
    sheets, times = (import_module(f"goldenhour.spoken.{one}") for one in ("sheets", "times"))
    # Between cells, round texts, UTF-8, from line 1, numbers as they are shown.
    how = f"csv:Text - txt - csv (StarCalc):{ord(sign)},34,76,1,,0,false,true"
    text = _written(tmp_path, habits, how).decode("utf-8-sig")

    (_, header), *rows = sheets.sheet_lines(text)

    assert list(header) == ["to", "caption", "at"]
    assert tuple(cells[1] for _, cells in rows) == CAPTIONS
    found = [times.parse_dated_time(cells[2], ZONE, NOW) for _, cells in rows]
    assert found == [WHEN] * len(CAPTIONS)


@pytest.mark.parametrize("habits", [GERMAN, JAPANESE], ids=["German", "Japanese"])
def test_a_workbook_of_libreoffice_is_read_as_it_stands_there(
    tmp_path: Path, habits: tuple[str, str, str]
) -> None:
    made = _written(tmp_path, habits, "xlsx:Calc MS Excel 2007 XML")

    (_, header), *rows = workbook_lines(made)

    assert list(header) == ["to", "caption", "at"]
    assert tuple(cells[1] for _, cells in rows) == CAPTIONS
    found = [parse_dated_time(cells[2], ZONE, NOW) for _, cells in rows]
    assert found == [WHEN] * len(CAPTIONS)
