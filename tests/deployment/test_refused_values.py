"""A value that Lambda would refuse is refused by CloudFormation before anything is changed."""

from collections.abc import Iterator

import pytest
from botocore.exceptions import ClientError

from infra.packaging.package import Package
from tests.deployment.cloud import Cloud, a_cloud
from tests.deployment.stage import propose

pytestmark = pytest.mark.deploy


@pytest.fixture(scope="module")
def cloud() -> Iterator[Cloud]:
    with a_cloud() as started:
        yield started


def test_a_single_poller_is_refused_since_lambda_keeps_two_or_more(
    cloud: Cloud, packaged: Package
) -> None:
    """Lambda API, ProvisionedPollerConfig: for SQS, MinimumPollers is 2 to 200."""
    with pytest.raises(ClientError, match="PublishPollers is 0, or 2 and more"):
        propose(cloud, packaged, PublishPollers="1")


@pytest.mark.parametrize("pollers", ["0", "2", "200"])
def test_no_poller_or_several_are_taken(cloud: Cloud, packaged: Package, pollers: str) -> None:
    proposed = propose(cloud, packaged, PublishPollers=pollers)

    assert pollers == proposed.values["PublishPollers"]
