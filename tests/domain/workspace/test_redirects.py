"""Where an assistant may be answered, and what a person is told of it.

RFC 8252 (native apps): 7.1 a scheme of a program's own, 7.3 any port on the loopback address, 8.4 a
scheme without a period is refused. RFC 9700, 4.1.3: any port at localhost, too; programs that keep
their registration find the port of before taken (https://github.com/punkpeye/mcp-remote/issues/72).
The addresses of assistants are those that their makers publish.
"""

import pytest

from chalicelib.domain.workspace.redirects import (
    LONGEST_ADDRESS,
    fits_registered,
    is_on_this_device,
    is_redirect_uri,
    name_of,
    place_of,
    source_of,
)


@pytest.mark.parametrize(
    "address",
    [
        "https://otto.example.com/callback",
        "http://127.0.0.1/callback",
        "http://127.0.0.1:51004/callback",
        "http://[::1]:51004/callback",
        "http://localhost:51004/callback",
        "com.example.app:/oauth2redirect/example-provider",
        "com.example.otto://callback",
    ],
)
def test_an_assistant_may_be_answered_there(address: str) -> None:
    assert is_redirect_uri(address)


@pytest.mark.parametrize(
    "address",
    [
        "http://otto.example.com/",
        "http://[::2]/",
        "http://[::1/",
        "http://127.0.0.2/",
        "otto:/callback",
        "otto://callback",
        "javascript:alert(1)",
        "data:text/html,x",
        "java.script:alert(1)",
        "com.example.app:callback",
        "com.example.app:",
        "COM.example.app:/x#fragment",
        "com.example.app:/x y",
        "file:///etc/passwd",
    ],
)
def test_an_assistant_may_not_be_answered_there(address: str) -> None:
    assert not is_redirect_uri(address)


@pytest.mark.parametrize(
    ("asked", "known", "fits"),
    [
        ("http://127.0.0.1:51004/cb", "http://127.0.0.1/cb", True),
        ("http://127.0.0.1:51004/cb", "http://127.0.0.1:8080/cb", True),
        ("http://[::1]:51004/cb", "http://[::1]/cb", True),
        ("http://127.0.0.1:51004/other", "http://127.0.0.1/cb", False),
        ("http://127.0.0.1:51004/cb?x=1", "http://127.0.0.1/cb", False),
        ("http://[::1]:51004/cb", "http://127.0.0.1/cb", False),
        ("http://localhost:51004/cb", "http://localhost/cb", True),
        ("http://localhost:51004/cb", "http://localhost:3334/cb", True),
        ("http://localhost:51004/cb", "http://127.0.0.1/cb", False),
        ("http://localhost.evil.example/cb", "http://localhost/cb", False),
        ("http://localhost:51004/cb2", "http://localhost/cb", False),
        ("https://127.0.0.1:51004/cb", "https://127.0.0.1/cb", False),
        ("https://otto.example.com:444/cb", "https://otto.example.com/cb", False),
        ("http://127.0.0.1:51004@evil.example/cb", "http://127.0.0.1/cb", False),
        ("http://127.0.0.1:999999/cb", "http://127.0.0.1/cb", False),
        ("com.example.app:/cb", "com.example.app:/cb", True),
        ("com.example.app:/cb2", "com.example.app:/cb", False),
    ],
)
def test_ports_differ_on_the_loopback_address_alone(asked: str, known: str, *, fits: bool) -> None:
    assert fits == fits_registered(asked, known)


@pytest.mark.parametrize(
    ("length", "may_be"), [(LONGEST_ADDRESS, True), (LONGEST_ADDRESS + 1, False)]
)
def test_an_address_has_a_longest(length: int, *, may_be: bool) -> None:
    start = "https://otto.example.com/"

    assert may_be == is_redirect_uri(start + "a" * (length - len(start)))


@pytest.mark.parametrize(
    ("address", "place", "name", "source", "is_here"),
    [
        (
            "https://claude.ai/api/mcp/auth_callback",
            "claude.ai",
            "claude.ai",
            "https://claude.ai",
            False,
        ),
        (
            "http://127.0.0.1:33418/callback",
            "127.0.0.1:33418",
            "127.0.0.1",
            "http://127.0.0.1:33418",
            True,
        ),
        ("http://localhost/cb", "localhost", "localhost", "http://localhost", True),
        (
            "com.example.otto:/callback",
            "com.example.otto:",
            "com.example.otto:",
            "com.example.otto:",
            True,
        ),
    ],
    ids=["web", "loopback", "localhost", "own scheme"],
)
def test_a_person_is_told_where_an_answer_goes(
    address: str, place: str, name: str, source: str, *, is_here: bool
) -> None:
    told = (place_of(address), name_of(address), source_of(address), is_on_this_device(address))

    assert told == (place, name, source, is_here)


def test_a_long_host_is_named_by_its_end_which_says_whose_it_is() -> None:
    """RFC 7591, 5: what a client says of itself is not believed; its host's owner is known."""
    address = f"https://claude.ai.{'a' * 60}.evil.example/"

    assert name_of(address) == f"…{'a' * 37}.evil.example"
