"""One service for the attacks of a file, and a neighbour in it."""

from collections.abc import Iterator

import pytest

from chalicelib.local.stack_modules import STACK_MODULES
from tests.attacks.service import Neighbour, Service, Tenant
from tests.local.running_stack import Stack, running


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(Stack(tmp_path_factory.mktemp("attacked"), STACK_MODULES)) as started:
        yield Service(started)


@pytest.fixture(scope="module")
def neighbour(service: Service) -> Neighbour:
    return Neighbour(service.tenant("studio", "linkedin", "instagram"))


@pytest.fixture(scope="module")
def eve(service: Service) -> Tenant:
    """Somebody with a trial key and nothing to lose."""
    return service.tenant("trial", "linkedin", "instagram", "bluesky", "threads")
