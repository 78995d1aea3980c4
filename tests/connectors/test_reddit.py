"""The Reddit connector over a strict fake; `test_reddit_official.py` holds that against PRAW."""

from typing import ClassVar

from chalicelib.connectors.reddit.post import LARGEST_VIDEO
from tests.connectors.checks import ConnectorChecks
from tests.connectors.reddit_rig import a_rig
from tests.connectors.rig import Rig


class TestReddit(ConnectorChecks):
    """What every connector must pass."""

    biggest: ClassVar[int] = LARGEST_VIDEO

    def make_rig(self) -> Rig:
        return a_rig()
