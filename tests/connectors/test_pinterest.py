"""The Pinterest connector over a strict fake; `test_pinterest_official.py` holds both to account.

Looking for lost pins has `test_pinterest_looking.py`, accounts and figures
`test_pinterest_accounts.py`.
"""

from typing import ClassVar

from chalicelib.connectors.pinterest.post import LARGEST_VIDEO
from tests.connectors.checks import ConnectorChecks
from tests.connectors.pinterest_rig import a_rig
from tests.connectors.rig import Rig


class TestPinterest(ConnectorChecks):
    """What every connector must pass."""

    biggest: ClassVar[int] = LARGEST_VIDEO

    def make_rig(self) -> Rig:
        return a_rig()
