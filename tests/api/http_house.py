"""Builds the house of `http_room`: one deployment in the emulator, wired as it is deployed.

Time is the only thing made up: the clock stands still, and what would wait moves it.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from chalicelib.api.http.key_gatekeeper import KeyGatekeeper
from chalicelib.api.paths import every_endpoint
from chalicelib.bootstrap.deployment import Deployment
from chalicelib.connectors.sandbox.connector import SandboxConnector
from chalicelib.connectors.shared.registry import Connectors, real_connectors
from chalicelib.domain.platforms.platform import Platform
from chalicelib.storage.sandbox_here import SandboxHere
from tests.api.http_room import House
from tests.support.closed_at_end import closed_at_end
from tests.support.convert_lane import ConvertsAtOnce
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.frozen_clock import FrozenClock
from tests.support.s3_links import give_links
from tests.support.under_policy import ClientsUnderPolicy, PipelineUnderPolicy


def a_house(
    emulator: EmulatorProcess,
    folder: Path,
    *,
    clock: FrozenClock | None = None,
    of_platforms: Mapping[str, str] | None = None,
) -> House:
    """Return a deployment of its own in the emulator; `of_platforms` is what it sets of them."""
    clock = clock or FrozenClock()
    settings = replace(make_resources(emulator.endpoint), platform_versions=of_platforms or {})
    deployment = Deployment(settings, clock=clock)
    deployment.clients = ClientsUnderPolicy(settings)
    give_links(deployment)
    ConvertsAtOnce.into(deployment)
    sandbox = closed_at_end(SandboxHere(folder))
    rules = real_connectors({}, clock)
    connectors = {
        platform: SandboxConnector(
            platform,
            sandbox,
            "http://127.0.0.1:8000",
            rules=rules[platform],
            wait=_passing(clock),
        )
        for platform in Platform
    }
    deployment.connectors = Connectors(sandbox=connectors, real={})
    pipeline = PipelineUnderPolicy(KeyGatekeeper(deployment, every_endpoint(), clock=clock))
    return House(deployment, pipeline, deployment, clock, sandbox)


def _passing(clock: FrozenClock) -> Callable[[float], None]:
    """Return what stands in for waiting: time goes by at once."""

    def wait(seconds: float) -> None:
        clock.pass_time(timedelta(seconds=seconds))

    return wait
