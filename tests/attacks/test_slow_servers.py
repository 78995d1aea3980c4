"""Servers of the attacker's own that we call while a request waits. Who: one connect link, no key.

48 sign-ins at a Bluesky server that answers after half a minute held all 32 threads in which
requests are worked on; the link is used up by success alone, so it went on for ever.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from chalicelib.local.stack_modules import STACK_MODULES
from chalicelib.services.calls_out import OF_A_WORKSPACE
from tests.attacks.hosts import SlowHost, slow_host
from tests.attacks.service import PATIENCE_S, Neighbour, Service
from tests.attacks.sockets import becomes
from tests.local.running_stack import Stack, running

pytestmark = pytest.mark.costly

FORMS = 48


@pytest.fixture(scope="module")
def host() -> Iterator[SlowHost]:
    with slow_host(b"", a_second=0) as started:
        yield started


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, host: SlowHost) -> Iterator[Service]:
    environment = {
        "GOLDENHOUR_BLUESKY_URL": host.origin,
        "GOLDENHOUR_TRUSTED_ORIGINS": host.origin,
    }
    data_dir = tmp_path_factory.mktemp("attacked")
    with running(Stack(data_dir, STACK_MODULES, **environment)) as started:
        yield Service(started)


def test_sign_ins_at_a_silent_server_hold_two_threads(
    service: Service, host: SlowHost, neighbour: Neighbour
) -> None:
    mallory = service.tenant("trial")
    link = str(service.ask("account", "invite", mallory.workspace_id)["url"])
    form = {"platform": "bluesky", "handle": "eve.example.com", "password": "abcd-efgh-ijkl"}

    def sign_in(_: int) -> int:
        headers = {"Origin": service.url}
        answer = requests.post(link, data=form, headers=headers, timeout=PATIENCE_S)
        return answer.status_code

    with neighbour.beside() as seen, ThreadPoolExecutor(FORMS) as pool:
        sent = [pool.submit(sign_in, number) for number in range(FORMS)]
        assert becomes(lambda: host.open_now >= OF_A_WORKSPACE, within_s=10)
        seen.beside = neighbour.measured()
        refused = FORMS - OF_A_WORKSPACE  # one that came once the server answers would be let in
        assert becomes(lambda: sum(one.done() for one in sent) >= refused, within_s=PATIENCE_S)
        host.stopping.set()
        statuses = [one.result() for one in sent]

    assert host.most_at_once == OF_A_WORKSPACE
    assert statuses.count(503) == refused
    assert seen.is_well_served, seen
