"""The name that was meant by one that nobody knows."""

import pytest

from chalicelib.domain.nearest_name import nearest_name


@pytest.mark.parametrize(
    ("sent", "known", "meant"),
    [
        ("boards", ("board_section", "board"), "board"),
        ("board_sections", ("board", "board_section"), "board_section"),
        ("size", ("filename", "size_bytes"), "size_bytes"),
        ("titel", ("title", "link"), "title"),
    ],
)
def test_the_nearest_name_wins(sent: str, known: tuple[str, ...], meant: str) -> None:
    assert nearest_name(sent, known) == meant
