"""How a spreadsheet program writes a sheet as CSV: which sign stands between its cells.

| program | between cells | begins with | times |
|---|---|---|---|
| Excel, "CSV UTF-8", in English or Japanese | comma | a mark | 12/1/2030 9:00, 2030/12/1 9:00 |
| Excel in German or French (decimal comma) | semicolon | a mark | 01.12.2030 9:00, 1/12/2030 9:00 |
| Excel, "Unicode text" | tab | UTF-16 | as above |
| programs that write for Excel | what `sep=` says | - | - |
| databases' exports | bar | - | - |
| Google Sheets | comma | - | by the sheet's locale |
| Numbers, LibreOffice | what their export asks | - | by the sheet's locale |

Excel takes the sign from Windows' "List separator" (support.microsoft.com, "Import or export text
files"), and `sep=` for a hint that it does not show. Which times are certain says `spoken/times`.
"""

import csv
import io
import re
from collections.abc import Iterator, Sequence

_HINT = re.compile(r'"?sep=([^"\r\n])"?[,;\t]*\r?\n', re.IGNORECASE)
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_SIGNS = ",;\t|"


def sheet_lines(text: str) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield the number of each line in the file and its cells. Raises csv.Error."""
    hint = _HINT.match(text)
    body = text[hint.end() :] if hint else text
    sign = hint[1] if hint else _sign_of(body)
    reader = csv.reader(io.StringIO(body, newline=""), delimiter=sign, strict=True)
    skipped = 1 if hint else 0
    for cells in reader:
        yield reader.line_num + skipped, cells


def _sign_of(body: str) -> str:
    """Return the sign that the first line has most of, outside of quotes."""
    header = _QUOTED.sub("", body).partition("\n")[0]
    return max(_SIGNS, key=header.count)
