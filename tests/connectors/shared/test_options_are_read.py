"""An option that is declared is sent: one that no connector reads would be taken and ignored."""

import re
from pathlib import Path

import pytest

import chalicelib.connectors
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform

ROOM = Path(chalicelib.connectors.__file__).parent
READ_BY_THE_FRAME = {"trim", "crop"}
"""The engine cuts the video and the photo; no connector has to know."""

READ_AS = {
    "link": "link_of",
    "cover_media_id": "cover",
    "cover_second": "_cover",
    **{f"allow_{it}": "allow_{name}" for it in ("comment", "duet", "stitch")},
}
"""Options whose name is not in the code that reads them, and what is there."""


@pytest.mark.parametrize("platform", list(Platform))
def test_every_declared_option_is_read_by_its_connector(platform: Platform) -> None:
    folder = ROOM / platform.replace(" ", "_")
    code = "".join(path.read_text() for path in folder.rglob("*.py"))
    shared = "".join(path.read_text() for path in (ROOM / "shared").rglob("*.py"))
    words = set(re.findall(r'"(\w+)"', code + shared))

    declared = {option.name for option in FACTS[platform].options} - READ_BY_THE_FRAME

    ignored = {name for name in declared - words if READ_AS.get(name, name) not in code}
    assert set() == ignored
