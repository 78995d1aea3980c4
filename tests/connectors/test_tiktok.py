"""The TikTok connector: the harness, the fact sheet's exchange, chunks, every way a post can go."""

from collections.abc import Iterator

import pytest

from tests.connectors.checks import ConnectorChecks
from tests.connectors.rig import Rig
from tests.connectors.tiktok_rig import SMALL, a_rig


@pytest.fixture
def rig() -> Iterator[Rig]:
    made = a_rig("video", "photo")
    yield made
    made.platform.close()


class TestVideo(ConnectorChecks):
    """A video in one piece."""

    def make_rig(self) -> Rig:
        return a_rig("video")


class TestChunks(ConnectorChecks):
    """A video in several chunks."""

    def make_rig(self) -> Rig:
        return a_rig("chunks", sizes=SMALL)


class TestPhoto(ConnectorChecks):
    """A photo, whose lost answer TikTok cannot be asked about."""

    def make_rig(self) -> Rig:
        rig = a_rig("photo")
        rig.cannot_tell = True
        return rig
