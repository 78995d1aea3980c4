"""Makes small XLSX files as spreadsheet programs write them, and broken ones."""

import io
import zipfile
from collections.abc import Sequence
from datetime import datetime
from xml.sax.saxutils import escape

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_STYLES = (
    f'<styleSheet xmlns="{_MAIN}"><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yy hh:mm"/>'
    '<numFmt numFmtId="165" formatCode="0 &quot;days&quot;"/>'
    '<numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd"/></numFmts><cellStyleXfs>'
    '<xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/>'
    '<xf numFmtId="165"/><xf numFmtId="22"/><xf numFmtId="14"/><xf numFmtId="166"/></cellXfs>'
    "</styleSheet>"
)
_WORKBOOK = (
    f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELS}"><sheets>'
    '<sheet name="Notes" sheetId="1" state="hidden" r:id="rId1"/>'
    '<sheet name="Plan" sheetId="2" r:id="rId2"/></sheets></workbook>'
)
_LEADS = (
    f'<Relationships xmlns="{_PACKAGE}"><Relationship Id="rId1" Target="worksheets/notes.xml"/>'
    '<Relationship Id="rId2" Target="worksheets/sheet1.xml"/></Relationships>'
)

Cell = str | int | datetime | None


def workbook(lines: Sequence[Sequence[Cell]], *, strings: str | None = None) -> bytes:
    """Return a workbook with a hidden sheet first; texts are shared, times are styled numbers."""
    texts: list[str] = []
    rows = "".join(
        f'<row r="{line}">{"".join(_cell(cell, texts) for cell in cells)}</row>'
        for line, cells in enumerate(lines, start=1)
    )
    said = strings or "".join(f"<si><t>{escape(text)}</t></si>" for text in texts)
    return workbook_of(rows, said)


def workbook_of(rows: str, strings: str = "", *, styles: str = _STYLES) -> bytes:
    """Return a workbook whose sheet holds these rows as they are."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", _WORKBOOK)
        archive.writestr("xl/_rels/workbook.xml.rels", _LEADS)
        archive.writestr("xl/styles.xml", styles)
        archive.writestr("xl/sharedStrings.xml", f'<sst xmlns="{_MAIN}">{strings}</sst>')
        sheet = f'<worksheet xmlns="{_MAIN}"><sheetData>{rows}</sheetData></worksheet>'
        archive.writestr("xl/worksheets/sheet1.xml", sheet)
        archive.writestr("xl/worksheets/notes.xml", sheet.replace("caption", "hidden"))
    return packed.getvalue()


def _cell(cell: Cell, texts: list[str]) -> str:
    match cell:
        case None:
            return "<c/>"
        case datetime():
            days = (cell - datetime(1899, 12, 30)).total_seconds() / 86_400  # noqa: DTZ001 - a sheet has no zone
            return f'<c s="1"><v>{days!r}</v></c>'
        case int():
            return f"<c><v>{cell}</v></c>"
        case _:
            texts.append(cell)
            return f'<c t="s"><v>{len(texts) - 1}</v></c>'
