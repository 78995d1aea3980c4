"""The Range header, as browsers, players and platforms send it, and as nobody should."""

import pytest

from chalicelib.api.doors.platform_files import ByteRange, UnsatisfiableError, asked_range

SIZE = 1_000


@pytest.mark.parametrize(
    ("header", "first", "last"),
    [
        ("bytes=0-0", 0, 0),
        ("bytes=0-", 0, 999),
        ("bytes=200-299", 200, 299),
        ("Bytes= 200-299 ", 200, 299),
        ("bytes=999-", 999, 999),
        ("bytes=0-5000", 0, 999),
        ("bytes=-1", 999, 999),
        ("bytes=-1000", 0, 999),
        ("bytes=-5000", 0, 999),
    ],
)
def test_one_range_is_understood(header: str, first: int, last: int) -> None:
    assert ByteRange(first, last) == asked_range(header, SIZE)


@pytest.mark.parametrize("header", ["bytes=1000-", "bytes=1000-2000", "bytes=-0"])
def test_bytes_that_the_file_does_not_have_are_refused(header: str) -> None:
    with pytest.raises(UnsatisfiableError):
        asked_range(header, SIZE)


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "bytes",
        "bytes=",
        "bytes=-",
        "bytes=a-b",
        "bytes=5-2",
        "bytes=0-1,5-6",
        "lines=0-5",
        "bytes=٣-٤",
        f"bytes=0-{'9' * 19}",
    ],
)
def test_all_else_asks_for_the_whole_file(header: str | None) -> None:
    assert asked_range(header, SIZE) is None


def test_a_range_knows_its_length() -> None:
    assert 100 == ByteRange(200, 299).length
