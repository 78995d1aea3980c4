"""The Google Business Profile connector over a strict fake: what every post goes through."""

from tests.connectors.checks import ConnectorChecks
from tests.connectors.google_business_profile_rig import a_rig
from tests.connectors.rig import Rig


class TestGoogleBusinessProfile(ConnectorChecks):
    """What every connector must pass."""

    def make_rig(self) -> Rig:
        return a_rig()
