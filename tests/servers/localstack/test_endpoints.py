"""Every way in which localstack-client may name a LocalStack: a whole stack starts against it."""

import ssl
from collections.abc import Mapping
from pathlib import Path
from secrets import token_hex
from urllib.parse import urlsplit

import pytest

from chalicelib.local.stack_modules import STACK_MODULES
from tests.journeys.first_post import FirstPosts
from tests.local.running_stack import Stack, running
from tests.support.emulator import EmulatorProcess

pytestmark = pytest.mark.localstack


@pytest.fixture
def port(emulator: EmulatorProcess) -> int:
    address = urlsplit(emulator.endpoint)
    if address.hostname not in ("localhost", "127.0.0.1"):
        pytest.skip("the LocalStack that was given is on another machine")
    return address.port or 4566


def _sends_a_post(folder: Path, named: Mapping[str, str]) -> list[str]:
    own = {"STACK": "localstack", "GOLDENHOUR_RESOURCE_PREFIX": f"stack-{token_hex(6)}"}
    with running(Stack(folder / "data", STACK_MODULES, **own, **named)) as stack:
        caller = FirstPosts(stack)
        caller.publish_now(caller.draft("Found it"))
        return caller.received()


def test_it_is_found_by_host_and_port(port: int, tmp_path: Path) -> None:
    assert ["Found it"] == _sends_a_post(tmp_path, {"LOCALSTACK_HOST": f"localhost:{port}"})


def test_it_is_found_behind_tls(port: int, tmp_path: Path) -> None:
    """Its certificate is its own, so the caller names it as one to trust."""
    trusted = tmp_path / "localstack.pem"
    trusted.write_text(ssl.get_server_certificate(("localhost", port)))
    named = {"LOCALSTACK_HOST": f"localhost:{port}", "USE_SSL": "1"}

    received = _sends_a_post(tmp_path, {**named, "AWS_CA_BUNDLE": str(trusted)})

    assert ["Found it"] == received
