"""To which host passkeys belong, and where the app of one machine is opened."""

import pytest

from chalicelib.domain.workspace.passkeys import RelyingParty, page_address

PARTY = RelyingParty("localhost", "http://localhost:8000")


@pytest.mark.parametrize(
    ("base_url", "party"),
    [
        ("https://post.example", RelyingParty("post.example", "https://post.example")),
        ("https://post.example:8443", RelyingParty("post.example", "https://post.example:8443")),
        ("http://127.0.0.1:8000", PARTY),
        ("http://[::1]:8000", PARTY),
        ("http://localhost", RelyingParty("localhost", "http://localhost")),
        ("http://post.example", None),
        ("http://192.168.1.5:8000", None),
        ("https://192.168.1.5", None),
    ],
)
def test_passkeys_belong_to_the_host_of_the_service_by_https_or_on_this_machine(
    base_url: str, party: RelyingParty | None
) -> None:
    assert RelyingParty.at(base_url) == party


@pytest.mark.parametrize(
    ("url", "opened"),
    [
        ("http://127.0.0.1:8000", "http://localhost:8000"),
        ("http://[::1]:8000", "http://localhost:8000"),
        ("http://localhost", "http://localhost"),
        ("http://192.0.2.7:8000", "http://192.0.2.7:8000"),
        ("https://post.example/x", "https://post.example/x"),
    ],
)
def test_on_one_machine_the_app_is_opened_where_passkeys_work(url: str, opened: str) -> None:
    assert opened == page_address(url)
