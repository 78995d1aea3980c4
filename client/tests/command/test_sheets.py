"""Sheets as spreadsheet programs write them, each in its language's own way."""

from collections.abc import Sequence
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

import pytest

from goldenhour.spoken.sheets import sheet_lines
from goldenhour.spoken.times import UnclearTime, parse_dated_time

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 25, tzinfo=timezone.utc)
HEADER = ["to", "caption", "at"]


@pytest.mark.parametrize(
    ("text", "second"),
    [
        ("to,caption,at\r\nx,Rye,1\r\n", (2, ["x", "Rye", "1"])),
        ("to;caption;at\r\nx;a, b;1\r\n", (2, ["x", "a, b", "1"])),
        ("to\tcaption\tat\r\nx\ta, b\t1\r\n", (2, ["x", "a, b", "1"])),
        ("to|caption|at\nx|a; b, c|1\n", (2, ["x", "a; b, c", "1"])),
        ("sep=;\r\nto;caption;at\r\nx;a, b;1\r\n", (3, ["x", "a, b", "1"])),
        ('"sep=|"\nto|caption|at\nx|a;b|1\n', (3, ["x", "a;b", "1"])),
        ("SEP=,\r\nto,caption,at\r\nx,Rye,1\r\n", (3, ["x", "Rye", "1"])),
        ('to,"caption",at\n"x,y","Rye\nand salt",1\n', (3, ["x,y", "Rye\nand salt", "1"])),
    ],
    ids=["English", "German", "tab", "bar", "hint", "quoted hint", "capitals", "Sheets"],
)
def test_cells_are_told_apart_as_the_program_wrote_them(
    text: str, second: tuple[int, Sequence[str]]
) -> None:
    """Excel's "List separator"; `sep=` is what it takes for a hint and never shows."""
    lines = list(sheet_lines(text))

    assert HEADER == lines[0][1]
    assert second == lines[1]


@pytest.mark.parametrize(
    "text",
    [
        "2030-03-01 09:00",
        "01.03.2030 09:00",
        "1.3.2030 9:00:00",
        "2030/3/1 9:00",
        "2030/03/01 09:00:00",
        "2030年3月1日 9:00",
        "2030-03-01 09:00:00+01",
        "2030-03-01T08:00:00Z",
        "20300301T080000Z",
    ],
)
def test_a_time_is_taken_where_its_order_is_certain(text: str) -> None:
    """CLDR 48: with dots a day comes first in every language; ISO 8601; PostgreSQL 8.5.2."""
    found = parse_dated_time(text, BERLIN, NOW)

    assert datetime(2030, 3, 1, 8, tzinfo=timezone.utc) == found


@pytest.mark.parametrize(
    "text", ["3/1/2030 9:00", "01/03/2030 09:00", "1-3-2030 9:00", "1.3.30 9:00"]
)
def test_a_time_whose_order_is_a_guess_is_refused_with_what_to_write(text: str) -> None:
    with pytest.raises(UnclearTime, match="Write the year first"):
        parse_dated_time(text, BERLIN, NOW)
