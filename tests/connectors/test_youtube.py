"""The YouTube connector over a strict fake: what it sends, and how uploads go on."""

from tests.connectors.checks import ConnectorChecks
from tests.connectors.rig import Rig
from tests.connectors.youtube_rig import a_rig


class TestYouTube(ConnectorChecks):
    """What every connector must pass."""

    def make_rig(self) -> Rig:
        return a_rig()
