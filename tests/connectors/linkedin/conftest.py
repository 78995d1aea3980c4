"""What tests of LinkedIn share: its two kinds of accounts."""

from collections.abc import Iterator

import pytest

from tests.connectors.linkedin.fake import MEMBER, PAGE
from tests.connectors.linkedin.rig import LinkedInRig, a_rig


@pytest.fixture
def page() -> Iterator[LinkedInRig]:
    """Connect an organization's page."""
    made = a_rig(PAGE)
    yield made
    made.platform.close()


@pytest.fixture
def member() -> Iterator[LinkedInRig]:
    """Connect a person."""
    made = a_rig(MEMBER)
    yield made
    made.platform.close()
