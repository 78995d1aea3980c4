"""What the environment says about addresses."""

from collections.abc import Mapping

import pytest

from chalicelib.settings import Settings

PUBLIC = {"GOLDENHOUR_PUBLIC_URL": "https://post.example"}
PULL = {"GOLDENHOUR_PULL_URL": "https://files.example/"}
DEPLOYED = {"GOLDENHOUR_STAGE": "prod"}


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


def test_no_address_of_ours_is_taken_for_a_platform() -> None:
    settings = Settings.from_environment(
        {**PUBLIC, **PULL, "GOLDENHOUR_BASE_URL": "http://b", "GOLDENHOUR_X_URL": "http://x"}
    )

    assert {"x": "http://x"} == settings.platform_urls
