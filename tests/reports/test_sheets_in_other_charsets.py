"""A plan that Excel saved as "Unicode Text" was refused as no UTF-8: it is UTF-16 with a mark.

krisives/cronnit.us#64 asks for tabs, as that format has them; strohne/Facepager#40 for line breaks.
The mark became a part of the first column's name: dotCMS/core#36508, Agence-DnD/PIMGento#215.
"""

import pytest

from chalicelib.domain.spoken.rows import WrongPlan, plan_lines

SHEET = 'to\tcaption\tat\r\nx\t"Rye, ""new""\r\nand 塩"\t2030-03-01 09:00\r\n'
ROW = {"to": "x", "caption": 'Rye, "new"\r\nand 塩', "at": "2030-03-01 09:00"}


@pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_plan_is_read_in_any_charset_that_says_which_it_is(charset: str) -> None:
    """Unicode 17, 23.8: a mark (U+FEFF) at its beginning says which."""
    assert [ROW] == [cells for _, cells in plan_lines(SHEET.encode(charset))]
    swapped = b"\xfe\xff" + SHEET.encode("utf-16-be")
    assert [ROW] == [cells for _, cells in plan_lines(swapped)]


@pytest.mark.parametrize("sent", ["Grüße".encode("cp1252"), b"\xff\xfea", b"\xff\xfe\x00\xd8a\x00"])
def test_what_says_nothing_or_is_broken_is_refused_with_what_to_do(sent: bytes) -> None:
    with pytest.raises(WrongPlan, match="UTF-8"):
        list(plan_lines(sent))
