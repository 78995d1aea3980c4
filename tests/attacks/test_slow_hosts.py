"""Files that are to be fetched from a host of the attacker's own. Who: one trial key.

200 such orders in eight seconds held all 128 threads that prepare posts and finish uploads, for
four minutes each, and no room was reserved for what the hosts announced.
"""

from collections.abc import Iterator

import pytest

from chalicelib.local.stack_modules import STACK_MODULES
from chalicelib.services.media.fetched_uploads import IN_ALL, OF_A_WORKSPACE
from tests.attacks.hosts import SlowHost, slow_host
from tests.attacks.service import Neighbour, Service, Tenant
from tests.attacks.sockets import becomes
from tests.local.running_stack import Stack, running

pytestmark = pytest.mark.costly

ORDERS = 60


@pytest.fixture(scope="module")
def host() -> Iterator[SlowHost]:
    with slow_host() as started:
        yield started


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, host: SlowHost) -> Iterator[Service]:
    """Start a service that trusts the host, since it is on loopback."""
    data_dir = tmp_path_factory.mktemp("attacked")
    with running(Stack(data_dir, STACK_MODULES, GOLDENHOUR_TRUSTED_ORIGINS=host.origin)) as started:
        yield Service(started)


def test_hosts_that_trickle_hold_two_places_of_their_workspace(
    service: Service, host: SlowHost, eve: Tenant
) -> None:
    direct = Neighbour(
        service.tenant("studio", "linkedin", "instagram"), ("request", "post", "photo", "direct")
    )
    with direct.beside() as seen:
        for _ in range(ORDERS):
            order = {"url": f"{host.origin}/video.mp4"}
            answer = eve.call("POST", "/v1/media/from-url", order)
            assert answer.status_code in (202, 503)
        assert becomes(lambda: host.most_at_once >= OF_A_WORKSPACE, within_s=10)
        seen.beside = direct.measured()

    assert host.most_at_once == OF_A_WORKSPACE < IN_ALL
    assert seen.is_well_served, seen


@pytest.mark.prove
def test_what_trickles_is_given_up(service: Service, host: SlowHost) -> None:
    """And room is kept for what its host announced: 900 MB of the trial's storage."""
    mallory = service.tenant("trial")
    order = {"url": f"{host.origin}/video.mp4"}
    media_id = mallory.made("POST", "/v1/media/from-url", order)["media_id"]

    def is_refused() -> bool:
        told = mallory.made("GET", f"/v1/media/uploads/{media_id}")
        return bool(told["state"] == "refused")

    assert becomes(is_refused, within_s=60)
