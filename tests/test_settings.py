"""What the environment says about addresses, and which way files go to platforms by it."""

from collections.abc import Mapping
from types import NoneType

import pytest
from botocore.session import Session

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.settings import Settings
from chalicelib.storage.media.addresses import OwnDoor, PresignedLinks

PUBLIC = {"GOLDENHOUR_PUBLIC_URL": "https://post.example"}
PULL = {"GOLDENHOUR_PULL_URL": "https://files.example/"}
DEPLOYED = {"GOLDENHOUR_STAGE": "prod"}
EMULATED = {"AWS_ENDPOINT_URL": "http://127.0.0.1:9"}


@pytest.mark.parametrize(
    ("environment", "pull_url"),
    [
        pytest.param({}, None, id="the world cannot reach it"),
        pytest.param(PUBLIC, "https://post.example", id="local: wherever the world reaches it"),
        pytest.param(
            {"GOLDENHOUR_PUBLIC_URL": "http://post.example"}, None, id="no platform takes http"
        ),
        pytest.param({**PUBLIC, **PULL}, "https://files.example", id="the setting goes first"),
        pytest.param({**DEPLOYED, **PUBLIC}, None, id="deployed: not without a front"),
        pytest.param({**DEPLOYED, **PULL}, "https://files.example", id="deployed with a front"),
        pytest.param({**DEPLOYED, "GOLDENHOUR_PULL_URL": ""}, None, id="empty is none"),
    ],
)
def test_where_platforms_fetch_files(environment: Mapping[str, str], pull_url: str | None) -> None:
    assert pull_url == Settings.from_environment(environment).pull_url


@pytest.mark.parametrize(
    ("environment", "kind"),
    [
        pytest.param({**DEPLOYED, **PULL}, OwnDoor, id="a front"),
        pytest.param(DEPLOYED, PresignedLinks, id="AWS without a front"),
        pytest.param(EMULATED, NoneType, id="an emulator that the world cannot reach"),
        pytest.param({**EMULATED, **PUBLIC}, OwnDoor, id="an emulator behind a public address"),
    ],
)
def test_which_way_files_go_to_platforms(environment: Mapping[str, str], kind: type) -> None:
    session = Session()
    session.set_credentials("test", "test")
    deployment = Deployment(Settings.from_environment(environment), session=session)

    assert kind is type(deployment.media.public_addresses)


def test_no_address_of_ours_is_taken_for_a_platform() -> None:
    settings = Settings.from_environment(
        {**PUBLIC, **PULL, "GOLDENHOUR_BASE_URL": "http://b", "GOLDENHOUR_X_URL": "http://x"}
    )

    assert {"x": "http://x"} == settings.platform_urls


@pytest.mark.parametrize(
    ("environment", "url"),
    [
        pytest.param({}, None, id="AWS's own"),
        pytest.param(EMULATED, "http://127.0.0.1:9", id="where everything is"),
        pytest.param(
            {**EMULATED, "AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:8001"},
            "http://127.0.0.1:8001",
            id="an engine of its own",
        ),
    ],
)
def test_where_tables_are(environment: Mapping[str, str], url: str | None) -> None:
    assert url == Settings.from_environment(environment).dynamodb_url


def test_only_a_local_stack_trusts_origins_that_are_not_public() -> None:
    named = {"GOLDENHOUR_TRUSTED_ORIGINS": "http://127.0.0.1:2583, http://LOCALHOST:8001/"}

    local = Settings.from_environment(named)
    deployed = Settings.from_environment({**named, "GOLDENHOUR_STAGE": "prod"})

    assert local.trusted_origins == {"http://127.0.0.1:2583", "http://localhost:8001"}
    assert deployed.trusted_origins == frozenset()
