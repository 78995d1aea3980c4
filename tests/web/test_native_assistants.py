"""Assistants on a person's own machine, and in web pages, as the RFCs allow them.

RFC 8252 (native apps): 7.1 a scheme of a program's own, 7.3 any port on the loopback address, 8.4 a
scheme without a period is refused. RFC 8707: a token request for another server is invalid_target.
CORS: Fetch Standard 3.2, for programs in web pages.
"""

import json

import pytest

from chalicelib.domain.workspace.redirects import source_of
from chalicelib.kit.asgi.messages import Request
from tests.api.http_room import House, Room
from tests.web import test_assistants
from tests.web.browser import Browser, Page
from tests.web.test_assistants import Client, error_of, of, registered, sent

room = test_assistants.room
METADATA = "/.well-known/oauth-authorization-server"
PROGRAMS = [METADATA, "/app/oauth/register", "/app/oauth/token", "/app/oauth/revoke"]


def asked_from(browser: Browser, method: str, path: str) -> Page:
    headers = {
        "origin": "https://inspector.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,mcp-protocol-version",
        "content-type": "application/json",
    }
    return Page(browser.pipeline.answer(Request(method=method, path=path, headers=headers)))


@pytest.mark.parametrize(
    ("registered", "asked"),
    [
        ("http://127.0.0.1/callback", "http://127.0.0.1:51004/callback"),
        ("http://[::1]/callback", "http://[::1]:51004/callback"),
        ("com.example.otto:/callback", "com.example.otto:/callback"),
    ],
)
def test_a_program_on_the_machine_gets_tokens(
    browser: Browser, registered: str, asked: str
) -> None:
    otto = Client.registered(browser, registered)
    page = browser.open(otto.address(redirect_uri=asked))
    answer = browser.send(
        otto.address(redirect_uri=asked), {"answer": "allow", "scope": ["post.read"]}
    )
    code = answer.location.partition("code=")[2].partition("&")[0]

    tokens = of(otto.exchange(code=code, redirect_uri=asked))

    assert "a program on this computer" in page.text
    assert answer.location.startswith(f"{asked}?")
    assert source_of(asked) in page.response.headers["Content-Security-Policy"]
    assert str(tokens["access_token"]).startswith("gh_live_")


def test_the_port_that_was_asked_for_must_be_the_one_that_fetches(browser: Browser) -> None:
    otto, asked = (
        Client.registered(browser, "http://127.0.0.1/callback"),
        "http://127.0.0.1:51004/callback",
    )
    answer = browser.send(
        otto.address(redirect_uri=asked), {"answer": "allow", "scope": ["post.read"]}
    )
    code = answer.location.partition("code=")[2].partition("&")[0]

    refused = otto.exchange(code=code, redirect_uri="http://127.0.0.1:51005/callback")

    assert 400 == refused.status


@pytest.mark.parametrize(
    "resource", ["https://evil.example/mcp", "", "https://mcp.example.com/mcp/other"]
)
def test_tokens_for_another_server_are_refused_and_use_nothing_up(
    browser: Browser, resource: str
) -> None:
    otto = Client.registered(browser)
    code = otto.code()

    refused = otto.exchange(code=code, resource=resource)
    tokens = of(otto.exchange(code=code))
    again = otto.refresh(str(tokens["refresh_token"]), resource=resource)
    renewed = otto.refresh(str(tokens["refresh_token"]))

    assert (400, "invalid_target") == error_of(refused)
    assert (400, "invalid_target") == error_of(again)
    assert 200 == renewed.status


def test_a_second_resource_in_a_request_for_tokens_is_refused(browser: Browser) -> None:
    otto = Client.registered(browser)
    body = f"grant_type=refresh_token&client_id={otto.id}&refresh_token=x"
    both = f"{body}&resource={test_assistants.RESOURCE}&resource=https://evil.example/mcp"

    kind = {"content-type": "application/x-www-form-urlencoded"}
    request = Request(method="POST", path="/app/oauth/token", headers=kind, body=both.encode())

    assert (400, "invalid_target") == error_of(Page(browser.pipeline.answer(request)))


@pytest.mark.parametrize("path", PROGRAMS)
def test_programs_in_web_pages_may_ask_and_read(browser: Browser, path: str) -> None:
    first = asked_from(browser, "OPTIONS", path).response
    answer = asked_from(browser, "GET" if path == METADATA else "POST", path).response

    assert 204 == first.status
    assert {"content-type", "mcp-protocol-version"} <= {
        name.strip().lower() for name in first.headers["Access-Control-Allow-Headers"].split(",")
    }
    assert ("*", "*") == tuple(
        one.headers["Access-Control-Allow-Origin"] for one in (first, answer)
    )
    assert "Access-Control-Allow-Credentials" not in {**first.headers, **answer.headers}


@pytest.mark.parametrize(
    "path", ["/app/oauth/authorize", "/app/settings", "/app/sign-in", "/app/posts", "/app"]
)
def test_no_page_of_a_person_is_read_from_another_origin(browser: Browser, path: str) -> None:
    first, answer = (
        asked_from(browser, "OPTIONS", path).response,
        asked_from(browser, "GET", path).response,
    )

    assert 405 == first.status
    assert not [n for n in {**first.headers, **answer.headers} if n.startswith("Access-Control")]


def test_the_names_of_grants_say_where_the_answer_went(room: Room, house: House) -> None:
    browser = Browser.of(room).signed_in()
    otto = Client.registered(browser, "com.example.otto:/callback")
    answer = browser.send(
        otto.address(redirect_uri="com.example.otto:/callback"),
        {"answer": "allow", "scope": ["post.read"]},
    )
    code = answer.location.partition("code=")[2].partition("&")[0]
    of(otto.exchange(code=code, redirect_uri="com.example.otto:/callback"))

    names = [one.name for one in house.operator.people.administration.list_keys(room.workspace_id)]

    assert "Otto (com.example.otto:)" in names
    assert json.loads(sent(browser, "/app/oauth/token", {"grant_type": "x"}).text)["error"]


def test_of_several_addresses_those_that_are_taken_are_registered(browser: Browser) -> None:
    """RFC 7591, 3.2.1. Cursor sends these, and is answered at the last, on the web at the second.

    It gave up where one was refused (https://github.com/soflyy/agent-connector-for-wp/issues/111).
    """
    sent_by_cursor = [
        "cursor://anysphere.cursor-mcp/oauth/callback",
        "https://www.cursor.com/agents/mcp/oauth/callback",
        "http://localhost:8787/callback",
    ]

    made = registered(browser, {"client_name": "Cursor", "redirect_uris": sent_by_cursor})
    told = json.loads(made.text)
    cursor = Client(browser, told["client_id"])

    assert 201 == made.status
    assert sent_by_cursor[1:] == told["redirect_uris"]
    assert [400, 200, 200] == [
        browser.open(cursor.address(redirect_uri=address)).status for address in sent_by_cursor
    ]
