"""Assistants whose client id is the address of a document: who has it fetched, and what it may say.

draft-ietf-oauth-client-id-metadata-document-01; MCP's specification of 2026-07-28 prefers it to
registration. `tests/domain/workspace/test_client_metadata.py` has the document's own rules.
"""

import gzip
import json
import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.kit.transport.guarded import GuardedFetch, Network
from chalicelib.services.app.client_documents import ClientDocuments
from tests.api.http_room import House, Room
from tests.connectors.support.fake_platform import Answer
from tests.kit.transport.tls_host import a_tls_host
from tests.web import test_assistants
from tests.web.browser import Browser
from tests.web.test_assistants import AUTHORIZE, CALLBACK, TOKEN, Client, error_of, of, sent

room = test_assistants.room
HOST = "otto.example"
ADDRESS = f"https://{HOST}/client.json"
PUBLIC, INSIDE = "93.184.215.14", "10.0.0.1"
JSON = {"Content-Type": "application/json"}
ALLOW = {"answer": "allow", "scope": ["post.read"]}
OTTO = {
    "client_id": ADDRESS,
    "client_name": "Otto",
    "redirect_uris": [CALLBACK],
    "logo_uri": f"https://{HOST}/logo.png",
}


def published(headers: dict[str, str] | None = None, **members: object) -> Answer:
    """Return Otto's document with other members than usual."""
    return Answer(200, json.dumps({**OTTO, **members}).encode(), {**JSON, **(headers or {})})


@dataclass
class Site:
    """The host that publishes what `says` has; `asked` are the paths that were fetched."""

    says: Answer
    address: str = PUBLIC
    port: int = 0
    asked: list[str] = field(default_factory=list)
    connected: list[str] = field(default_factory=list)

    def answer(self, path: str) -> Answer:
        self.asked.append(path)
        return self.says

    def look_up(self, host: str, port: int) -> list[str]:
        del host, port
        return [self.address]

    def connect(self, place: tuple[str, int], *_: object, **__: object) -> socket.socket:
        self.connected.append(place[0])
        return socket.create_connection(("127.0.0.1", self.port), 5)


@pytest.fixture
def site(house: House, room: Room, tmp_path: Path) -> Iterator[Site]:
    """Publish Otto's document where the deployment finds it."""
    del room
    site = Site(published())
    with a_tls_host(HOST, tmp_path, says=site.answer) as host:
        site.port = host.port
        fetch = GuardedFetch(network=Network(site.look_up, site.connect))
        fetch._session.verify = str(host.certificate)
        made: Deployment = house.deployment
        made.people.client_documents = ClientDocuments(fetch, made.workspace.calls_out, house.clock)
        yield site


def _problem(browser: Browser, address: str) -> str:
    """Return why a request is refused, opened and sent; it leads nowhere."""
    answers = [browser.open(address), browser.send(address, ALLOW)]
    assert [400, 400] == [answer.status for answer in answers]
    assert not any("Location" in answer.response.headers for answer in answers)
    assert answers[0].problem == answers[1].problem
    return answers[0].problem


def test_an_assistant_with_a_document_is_allowed_and_its_document_is_fetched_once(
    browser: Browser, site: Site
) -> None:
    otto = Client(browser, ADDRESS)

    page = browser.open(otto.address())
    tokens = otto.tokens()
    renewed = of(otto.refresh(tokens["refresh_token"]))
    given_back = sent(
        browser, "/app/oauth/revoke", {"client_id": ADDRESS, "token": renewed["refresh_token"]}
    )

    assert "Allow Otto to use Lighthouse Bakery as Ada?" in page.text
    said = re.sub(r"<[^>]+>", "", page.text)
    assert "Its description is from otto.example. Your answer goes to 127.0.0.1:3118" in said
    assert "a program on this computer: whether it comes from otto.example cannot be" in said
    assert 200 == given_back.status
    assert (400, "invalid_grant") == error_of(otto.refresh(renewed["refresh_token"]))
    assert ["/client.json"] == site.asked


def test_a_registered_assistant_has_no_site(browser: Browser) -> None:
    page = browser.open(Client.registered(browser).address())

    assert "Its description is from" not in page.text


def test_a_logo_is_neither_fetched_nor_shown(browser: Browser, site: Site) -> None:
    page = browser.open(Client(browser, ADDRESS).address())

    assert "logo.png" not in page.text
    assert "/logo.png" not in site.asked
    assert HOST not in page.response.headers["Content-Security-Policy"]


def test_what_a_document_says_is_text_on_the_page(browser: Browser, site: Site) -> None:
    site.says = published(client_name="<b onclick=x>Otto</b>")

    page = browser.open(Client(browser, ADDRESS).address())

    assert "<b onclick" not in page.text
    assert "&lt;b onclick" in page.text


# Who has it fetched


def test_nobody_has_it_fetched_who_is_not_signed_in(browser: Browser, site: Site) -> None:
    stranger, otto = Browser.of(browser.room), Client(browser, ADDRESS)

    pages = [stranger.open(Client(stranger, f"{ADDRESS}?{n}").address()) for n in range(20)]
    pressed = stranger.send(otto.address(), ALLOW, token="guessed")
    exchanged, renewed = otto.exchange(code="x"), otto.refresh("gh_refresh_x")
    sent(browser, "/app/oauth/revoke", {"client_id": ADDRESS, "token": "x"})

    assert {401} == {page.status for page in pages}
    assert all("Sign in first" in page.text for page in pages)
    assert "Location" not in pressed.response.headers or pressed.location == "/app/sign-in"
    assert (400, "invalid_grant") == error_of(exchanged) == error_of(renewed)
    assert [] == site.asked == site.connected


def test_a_page_of_another_site_has_it_fetched_only_by_who_just_proved_who_they_are(
    browser: Browser, site: Site
) -> None:
    browser.room.house.clock.pass_time(timedelta(minutes=11))

    page = browser.open(Client(browser, ADDRESS).address())
    pressed = browser.send(Client(browser, ADDRESS).address(), ALLOW)

    assert page.location.startswith("/app/proof?")
    assert pressed.location.startswith(AUTHORIZE)
    assert [] == site.asked


def test_one_workspace_has_only_so_many_fetched_at_once(browser: Browser, site: Site) -> None:
    calls = browser.room.house.deployment.workspace.calls_out
    mine = browser.room.workspace_id

    with calls.place(mine), calls.place(mine):
        page = browser.open(Client(browser, ADDRESS).address())

    assert 503 == page.status
    assert [] == site.asked
    assert 200 == browser.open(Client(browser, ADDRESS).address()).status


def test_of_thousands_of_documents_few_are_kept(browser: Browser, site: Site) -> None:
    documents = browser.room.house.deployment.people.client_documents
    addresses = [f"{ADDRESS}?{number}" for number in range(130)]

    for address in addresses:
        site.says = published(client_id=address)
        assert 200 == browser.open(Client(browser, address).address()).status

    assert addresses[30:] == [*documents._kept]


# What is kept, and how long


@pytest.mark.parametrize(
    ("cache_control", "minutes", "fetched"),
    [("", 4, 1), ("", 5, 2), ("max-age=60", 1, 2), ("max-age=86400", 5, 2), ("no-store", 0, 2)],
)
def test_a_document_is_kept_for_minutes(
    browser: Browser, site: Site, cache_control: str, minutes: int, fetched: int
) -> None:
    site.says = published({"Cache-Control": cache_control})
    address = Client(browser, ADDRESS).address()

    browser.open(address)
    browser.room.house.clock.pass_time(timedelta(minutes=minutes))
    browser.open(address)

    assert fetched == len(site.asked)


@pytest.mark.parametrize("wrong", [Answer(500, b"{}", JSON), Answer(200, b"{}", JSON)], ids=str)
def test_no_refusal_is_kept(browser: Browser, site: Site, wrong: Answer) -> None:
    """The draft, 4.4: neither errors nor invalid documents."""
    site.says = wrong
    refused = browser.open(Client(browser, ADDRESS).address()).status
    site.says = published()

    assert (400, 200) == (refused, browser.open(Client(browser, ADDRESS).address()).status)


# Attacks


@pytest.mark.parametrize(
    "says",
    [
        Answer(404, b"{}", JSON),
        Answer(201, published().body, JSON),
        Answer(302, b"", {"Location": "https://otto.example/other.json"}),
        Answer(200, published().body, {"Content-Type": "text/plain"}),
        Answer(200, published().body, {}),
        Answer(200, published(more="x" * 10_000).body, JSON),
        Answer(200, b"{}", {**JSON, "Content-Length": "1000000000"}),
        Answer(200, gzip.compress(b" " * 50_000_000), {**JSON, "Content-Encoding": "gzip"}),
    ],
    ids=lambda answer: f"{answer.status}-{len(answer.body)}-{answer.headers}",
)
def test_what_is_no_document_is_refused_and_nothing_else_is_fetched(
    browser: Browser, site: Site, says: Answer
) -> None:
    site.says = says

    problem = _problem(browser, Client(browser, ADDRESS).address())

    assert f"The assistant's description at {ADDRESS} cannot be read" in problem
    assert {"/client.json"} == {*site.asked}


@pytest.mark.parametrize(
    "address",
    [
        "https://127.0.0.1/client.json",
        "https://localhost/client.json",
        "https://169.254.169.254/latest/meta-data/",
        "https://[::1]/client.json",
        "https://2130706433/client.json",
        "https://otto.example:22/client.json",
        "https://otto.example:99999/client.json",
    ],
)
def test_no_address_inside_is_looked_up_and_all_are_refused_alike(
    browser: Browser, site: Site, address: str
) -> None:
    problem = _problem(browser, Client(browser, address).address())

    assert f"The assistant's description at {address} cannot be read" in problem
    assert [] == site.connected


def test_a_name_that_leads_inside_is_not_connected_to(browser: Browser, site: Site) -> None:
    site.address = INSIDE

    assert "cannot be read" in _problem(browser, Client(browser, ADDRESS).address())
    assert [] == site.connected


@pytest.mark.parametrize(
    "spelled",
    [
        "https://OTTO.example/client.json",
        "https://otto.example:443/client.json",
        "https://otto.example/%63lient.json",
        "https://otto.example/client.json?",
    ],
)
def test_an_address_spelled_otherwise_is_another_client(
    browser: Browser, site: Site, spelled: str
) -> None:
    """RFC 3986, 6.2.1: texts are compared, not addresses."""
    site.says = published()

    assert "is of another assistant" in _problem(browser, Client(browser, spelled).address())


@pytest.mark.parametrize(
    ("elsewhere", "why"),
    [
        ("https://evil.example/", "an address that the assistant did not give as one of its own"),
        ("https://127.0.0.1:3118/callback?app=1", "did not give as one of its own"),
        ("http://127.0.0.1:3118/callback", "did not give as one of its own"),
        ("http://ada@127.0.0.1:3118/callback?app=1", "Invalid redirect URI."),
    ],
)
def test_an_answer_goes_to_no_address_that_is_not_in_the_document(
    browser: Browser, site: Site, elsewhere: str, why: str
) -> None:
    del site

    problem = _problem(browser, Client(browser, ADDRESS).address(redirect_uri=elsewhere))

    assert why in problem


@pytest.mark.parametrize(
    "changed",
    [{"redirect_uris": ["https://evil.example/"]}, {"client_id": "https://evil.example/"}],
)
def test_a_document_that_changes_before_the_press_gets_no_answer(
    browser: Browser, site: Site, changed: dict[str, Any]
) -> None:
    address = Client(browser, ADDRESS).address()
    site.says = published({"Cache-Control": "no-store"})
    shown = browser.open(address)
    site.says = published(**changed)

    pressed = browser.send(address, ALLOW)

    assert (200, 400) == (shown.status, pressed.status)
    assert "Location" not in pressed.response.headers


def test_a_press_fetches_once_and_is_of_what_it_fetched(browser: Browser, site: Site) -> None:
    """The library asks twice who the client is; a document may change between."""
    site.says = published({"Cache-Control": "no-store"})

    location = browser.send(Client(browser, ADDRESS).address(), ALLOW).location

    assert "code=" in location
    assert 1 == len(site.asked)


def test_a_document_that_changes_or_ends_after_the_press_changes_nothing(
    browser: Browser, site: Site
) -> None:
    otto = Client(browser, ADDRESS)
    code = otto.code()
    site.says, browser.room.house.clock.now = Answer(410, b""), browser.room.house.clock()

    tokens = of(otto.exchange(code=code))

    assert of(otto.refresh(tokens["refresh_token"]))


def test_a_code_is_for_the_client_id_to_the_letter(browser: Browser, site: Site) -> None:
    del site
    code = Client(browser, ADDRESS).code()
    others = [f"{ADDRESS}?", "https://OTTO.example/client.json", Client.registered(browser).id]

    refused = [
        error_of(sent(browser, TOKEN, Client(browser, one).form(code=code))) for one in others
    ]

    assert {(400, "invalid_grant")} == {*refused}
    assert of(Client(browser, ADDRESS).exchange(code=code))
