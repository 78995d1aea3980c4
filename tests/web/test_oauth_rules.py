"""What the RFCs say of requests and refusals, to the letter: clients compare texts and codes.

RFC 6749, 3.1 (an empty parameter is none) and 5.2 (codes); RFC 7591, 3.2.2; RFC 9110, 15.5.6;
RFC 3986, 6.2.2.1 and 6.2.3 (the same address, written otherwise).
"""

import json
import re
from collections.abc import Mapping
from dataclasses import replace

import pytest

from tests.web import test_assistants
from tests.web.browser import Browser
from tests.web.test_assistants import (
    AUTHORIZE,
    CALLBACK,
    RESOURCE,
    TOKEN,
    Client,
    error_of,
    of,
    registered,
    sent,
)

room = test_assistants.room
METADATA = "/.well-known/oauth-authorization-server"


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({}, "invalid_request"),
        ({"grant_type": ""}, "invalid_request"),
        ({"grant_type": "password"}, "unsupported_grant_type"),
    ],
    ids=str,
)
def test_a_kind_of_grant_that_is_missing_is_told_from_one_that_is_unknown(
    browser: Browser, form: Mapping[str, str], code: str
) -> None:
    refused = sent(browser, TOKEN, {"client_id": Client.registered(browser).id, **form})

    assert (400, code) == error_of(refused)


def test_json_in_the_place_of_a_form_is_told_so(browser: Browser) -> None:
    body = json.dumps(Client.registered(browser).form(code="x")).encode()

    kind = {"content-type": "application/json"}
    refused = replace(browser, cookies={})._ask("POST", TOKEN, kind, body)

    assert (400, "invalid_request") == error_of(refused)
    assert "form" in json.loads(refused.text)["error_description"]


@pytest.mark.parametrize("name", ["scope", "state", "response_mode"])
def test_an_empty_parameter_is_none(browser: Browser, name: str) -> None:
    client = Client.registered(browser)

    page = browser.open(client.address(**{name: ""}))
    answer = browser.send(client.address(**{name: ""}), {"answer": "allow", "scope": "post.read"})

    assert 200 == page.status, page.text
    assert "code=" in answer.location


def test_a_scope_that_nobody_can_grant_is_left_out(browser: Browser) -> None:
    """RFC 6749, 3.3. Claude Code asks for offline_access, whatever a service says that it has.

    Where that was refused, nobody could allow it
    (https://github.com/anthropics/claude-code/issues/41610).
    """
    client = Client.registered(browser)
    asked = client.address(scope="post.read account.manage offline_access")

    page = browser.open(asked)
    answer = browser.send(asked, {"answer": "allow", "scope": ["post.read", "account.manage"]})
    code = answer.location.partition("code=")[2].partition("&")[0]

    assert 200 == page.status, page.text
    assert ["post.read"] == re.findall(r'name="scope" value="([^"]+)"', page.text)
    assert "post.read" == of(client.exchange(code=code))["scope"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", "invalid_client_metadata"),
        (b"[]", "invalid_client_metadata"),
        (b"redirect_uris=https://otto.example.com/", "invalid_client_metadata"),
        (b'{"redirect_uris": ["https://otto.example.com/"], "client_name": "\\u0000"}',
         "invalid_client_metadata"),
        (b'{"redirect_uris": ["https://otto.example.com/"], "x": "%s"}' % (b"x" * 10_000),
         "invalid_client_metadata"),
        (b'{"redirect_uris": ["http://otto.example.com/"]}', "invalid_redirect_uri"),
        (b'{"redirect_uris": []}', "invalid_redirect_uri"),
        (b"{}", "invalid_redirect_uri"),
    ],
    ids=lambda value: str(value)[:60],
)  # fmt: skip
def test_a_refused_registration_says_what_is_wrong(
    browser: Browser, body: bytes, code: str
) -> None:
    kind = {"content-type": "application/json"}
    refused = Browser.of(browser.room)._ask("POST", "/app/oauth/register", kind, body)

    assert (400, code) == error_of(refused)


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", TOKEN, {"POST"}),
        ("PUT", "/app/oauth/register", {"POST"}),
        ("POST", METADATA, {"GET", "HEAD"}),
        ("DELETE", AUTHORIZE, {"GET", "HEAD", "POST"}),
        ("PUT", "/app/settings", {"GET", "HEAD"}),
    ],
)
def test_a_method_that_is_not_allowed_is_answered_with_those_that_are(
    browser: Browser, method: str, path: str, allowed: set[str]
) -> None:
    refused = browser.open(path, method=method)

    assert 405 == refused.status
    assert allowed == {*refused.response.headers["Allow"].split(", ")}


OTHERWISE = [
    "HTTPS://Assistants.Example.COM/mcp",
    "https://assistants.example.com:443/mcp",
    "https://assistants.example.com/mcp/",
]


@pytest.mark.parametrize("spelled", OTHERWISE)
def test_the_server_of_assistants_may_be_written_otherwise(browser: Browser, spelled: str) -> None:
    client = Client.registered(browser)
    answer = browser.send(
        client.address(resource=spelled), {"answer": "allow", "scope": "post.read"}
    )
    code = answer.location.partition("code=")[2].partition("&")[0]

    assert of(client.exchange(code=code, resource=spelled))


@pytest.mark.parametrize("spelled", OTHERWISE)
def test_its_address_may_be_set_otherwise(browser: Browser, spelled: str) -> None:
    """`goldenhour mcp --http` names it as Pydantic writes it, and clients repeat that."""
    deployment = browser.room.house.deployment
    deployment.settings = replace(
        deployment.settings, assistant_url=spelled, public_url="https://Post.Example:443"
    )

    page = browser.open(Client.registered(browser).address())
    metadata = json.loads(browser.open(METADATA).text)

    assert 200 == page.status, page.text
    assert [RESOURCE] == metadata["protected_resources"]
    assert "https://post.example" == metadata["issuer"]


@pytest.mark.parametrize(
    "other", [RESOURCE.upper(), "https://assistants.example.com:80/mcp", "https://[/mcp", "mcp"]
)
def test_another_address_is_another_server(browser: Browser, other: str) -> None:
    client = Client.registered(browser)

    assert 400 == browser.open(client.address(resource=other)).status
    assert (400, "invalid_target") == error_of(client.exchange(code="x", resource=other))


@pytest.mark.parametrize("name", ["", "  ", None])
def test_an_assistant_may_have_no_name(browser: Browser, name: str | None) -> None:
    made = registered(browser, {"client_name": name, "redirect_uris": [CALLBACK]})

    assert (201, "An assistant") == (made.status, json.loads(made.text)["client_name"])
