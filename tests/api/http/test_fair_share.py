"""A workspace beyond its share: 429 before everything else about it is looked at."""

import json
from typing import TYPE_CHECKING, cast

from chalicelib.api.http.key_gatekeeper import KeyGatekeeper
from chalicelib.bootstrap.deployment import Deployment
from chalicelib.domain.errors import TooManyRequests
from chalicelib.http.pipeline import Pipeline
from chalicelib.settings import Settings
from tests.api.http.pipelines import NOW, OneKey, StubServices, a_request, error_code
from tests.api.http.things import THINGS
from tests.support.frozen_clock import FrozenClock

if TYPE_CHECKING:
    from chalicelib.services.workspace.fair_shares import FairShares


class UsedUp:
    """A share of which nothing is left."""

    def take(self, workspace_id: str) -> None:
        del workspace_id
        raise TooManyRequests(retry_after_s=7)


def a_full_stage() -> Pipeline:
    services = cast("Deployment", StubServices(OneKey()))
    shares = cast("FairShares", UsedUp())
    return Pipeline(KeyGatekeeper(services, THINGS, clock=lambda: NOW, shares=shares))


def test_a_workspace_beyond_its_share_is_told_how_long_to_wait() -> None:
    refused = a_full_stage().answer(a_request())

    assert (refused.status, error_code(refused)) == (429, "too_many_requests")
    assert refused.headers["Retry-After"] == "7"
    assert "#too_many_requests" in refused.headers["Link"]


def test_what_needs_no_key_counts_for_nobody() -> None:
    page = a_full_stage().answer(a_request("GET", "/v1/open", key=None))

    assert page.status == 200


def test_a_wrong_key_is_still_told_that_it_is_wrong() -> None:
    refused = a_full_stage().answer(a_request(key="gh_live_bad"))

    assert (refused.status, json.loads(refused.body)["error"]["code"]) == (401, "bad_api_key")


def test_nobody_counts_unless_it_is_switched_on() -> None:
    of_a_machine = Deployment(Settings.from_environment({}), clock=FrozenClock())
    rate = {"GOLDENHOUR_WORKSPACE_RATE": "50"}
    of_a_stage = Deployment(Settings.from_environment(rate), clock=FrozenClock())

    assert of_a_machine.workspace.fair_shares is None
    assert of_a_stage.workspace.fair_shares is not None
