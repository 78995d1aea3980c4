"""What the next page says, where it is more than a cookie holds."""

import pytest

from chalicelib.web.notices import Notice, read_notice, write_notice

TOKEN = "a" * 32
UNDO = "/app/calendar/chosen"


@pytest.mark.parametrize(
    ("said", "entries", "is_told", "is_undone"),
    [
        ("Moved.", 25, True, True),
        ("Moved.", 60, True, False),
        ("Moved. " * 600, 0, False, False),
    ],
)
def test_what_was_done_is_told_also_where_no_way_back_fits(
    said: str,
    entries: int,
    is_told: bool,  # noqa: FBT001 - a column of the table
    is_undone: bool,  # noqa: FBT001 - as above
) -> None:
    fields = {
        "entry": " ".join(
            f"{number:032x}|{'2026-11-20T12:00:00+00:00|' * 2}" for number in range(entries)
        )
    }

    told = read_notice(write_notice(Notice(said=said, undo=UNDO, undo_fields=fields), TOKEN), TOKEN)

    assert (told is not None) is is_told
    assert (told is not None and bool(told.undo_fields)) is is_undone
