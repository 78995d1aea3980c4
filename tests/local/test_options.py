"""What the environment of `make run` becomes for the stack's processes."""

from urllib.parse import urlsplit
from urllib.request import proxy_bypass

import localstack_client.config
import pytest

from chalicelib.kit.aws_on_sqlite.address import is_embedded
from chalicelib.local.options import Options, WrongOptions


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"LOCALSTACK_HOST": "stack.example"},
        {"LOCALSTACK_HOST": "stack.example:5003"},
        {"LOCALSTACK_HOST": "stack.example:5003", "USE_SSL": "1"},
        {"USE_SSL": "true"},
        {"USE_SSL": "0"},
        {"AWS_ENDPOINT_URL": "https://stack.example:443", "LOCALSTACK_HOST": "other"},
    ],
    ids=["nothing", "a host", "a port", "TLS", "TLS alone", "no TLS", "a whole address"],
)
def test_localstack_is_where_its_own_client_finds_it(
    given: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LOCALSTACK_HOST", "USE_SSL", "AWS_ENDPOINT_URL"):
        monkeypatch.delenv(name, raising=False)
    for name, text in given.items():
        monkeypatch.setenv(name, text)

    options = Options.from_environment({"STACK": "localstack", **given})

    assert localstack_client.config.get_service_endpoint("dynamodb") == options.localstack_url


def test_tables_may_be_kept_by_a_dynamodb_of_its_own() -> None:
    outer = {"AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:8001", "AWS_PROFILE": "the developer's"}

    environment = Options.from_environment(outer).child_environment(outer)

    assert "http://127.0.0.1:8001" == environment["AWS_ENDPOINT_URL_DYNAMODB"]
    assert is_embedded(environment["AWS_ENDPOINT_URL"])
    assert "AWS_PROFILE" not in environment


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("0.0.0.0", "http://127.0.0.1:8000"),
        ("::", "http://[::1]:8000"),
        ("::1", "http://[::1]:8000"),
        ("fd00::2", "http://[fd00::2]:8000"),
        ("box.lan", "http://box.lan:8000"),
    ],
)
def test_the_address_that_is_told_can_be_opened(host: str, url: str) -> None:
    assert Options.from_environment({"GOLDENHOUR_HOST": host}).base_url == url


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "localhost", "::1", "::", "192.168.1.5"])
def test_the_stack_reaches_itself_behind_a_proxy_of_its_machine(
    monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    """Python's own library says who is asked directly."""
    outer = {"GOLDENHOUR_HOST": host, "http_proxy": "http://proxy:3128", "NO_PROXY": "intranet"}
    options = Options.from_environment(outer)
    monkeypatch.delenv("NO_PROXY", raising=False)
    for name, text in options.child_environment(outer).items():
        if name.endswith("_proxy"):
            monkeypatch.setenv(name, text)

    assert proxy_bypass(urlsplit(options.base_url).netloc)
    assert proxy_bypass("intranet")
    assert not proxy_bypass("example.com")


def test_a_certificate_that_the_caller_trusts_is_trusted_by_the_stack() -> None:
    outer = {"STACK": "localstack", "USE_SSL": "1", "AWS_CA_BUNDLE": "/etc/localstack.pem"}

    environment = Options.from_environment(outer).child_environment(outer)

    assert "/etc/localstack.pem" == environment["AWS_CA_BUNDLE"]
    assert "https://localhost:4566" == environment["AWS_ENDPOINT_URL"]


@pytest.mark.parametrize(
    ("name", "text", "values"),
    [
        ("GOLDENHOUR_TIKTOK_AUDIT", "unaudited", "pending or passed"),
        ("GOLDENHOUR_X_METRICS", "none", "on or off"),
        ("GOLDENHOUR_GRAPH_VERSION", "26", "like v26.0"),
    ],
)
def test_a_setting_of_a_platform_that_does_not_exist_ends_the_start(
    name: str, text: str, values: str
) -> None:
    with pytest.raises(WrongOptions, match=f"^{name} must be {values}, not '{text}'.$"):
        Options.from_environment({name: text})


def test_settings_of_platforms_that_exist_are_taken() -> None:
    named = {"GOLDENHOUR_TIKTOK_AUDIT": "pending", "GOLDENHOUR_X_METRICS": "off"}

    assert Options.from_environment(named).host == "127.0.0.1"
