"""The Picnic connector over its fake: what it sends."""

from typing import ClassVar

from tests.connectors.picnic.fake import BLANKET
from tests.connectors.picnic.rig import PicnicRig, a_rig
from tests.connectors.support.checks import ConnectorChecks
from tests.connectors.support.rig import Rig


class TestPicnic(ConnectorChecks):
    """What every connector must pass."""

    biggest: ClassVar[int] = 2_000_000

    def make_rig(self) -> PicnicRig:
        return a_rig()

    def big_uploads(self, rig: Rig) -> dict[str, int]:
        del rig
        return {}


def test_options_go_along(rig: PicnicRig) -> None:
    rig.drive("text").run()

    (post,) = rig.platform.posts.values()
    assert (post["blanket"], post["basket"]) == (BLANKET, {"bread": "rye", "pieces": 2})
