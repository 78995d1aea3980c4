"""An assistant's request in a real browser, which holds the form to its page's policy."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.visitor import Visitor
from tests.support.other_name import by_address

pytestmark = pytest.mark.browser

RESOURCE = "http://127.0.0.1:8765/mcp"  # what a local stack names by itself
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


class _Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        """Answer as an assistant's own page does."""
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"You can close this page.")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Stay quiet."""


@pytest.fixture
def callback() -> Iterator[str]:
    """Listen where an assistant waits for its answer; return the address."""
    with HTTPServer(("127.0.0.1", 0), _Answers) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/callback"
        server.shutdown()
        thread.join()


def _address(visitor: Visitor, page: Page, callback: str) -> str:
    """Register an assistant; return the page that asks for it."""
    described = {"client_name": "Otto", "redirect_uris": [callback]}
    made = page.request.post(f"{visitor.base_url}/app/oauth/register", data=described)
    client_id = made.json()["client_id"]
    asked = {
        "response_type": "code",
        "client_id": client_id,
        "redirect_uri": callback,
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        "state": "xyz",
        "resource": RESOURCE,
    }
    return f"{visitor.base_url}/app/oauth/authorize?{urlencode(asked)}"


@pytest.mark.parametrize("scripts", [True, False])
def test_a_member_allows_an_assistant_and_is_led_back_to_it(
    visitor: Visitor, callback: str, *, scripts: bool
) -> None:
    _, owner = visitor.workspace()
    page = visitor.signed_in(owner, scripts=scripts)

    page.goto(_address(visitor, page, callback))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Allow Otto to use")
    page.get_by_role("button", name="Allow").click()
    page.wait_for_url(f"{callback}*")

    answer = parse_qs(urlsplit(page.url).query)
    assert ["xyz"] == answer["state"]
    assert answer["code"]


def test_who_is_not_signed_in_signs_in_beside_it_and_goes_on(
    visitor: Visitor, callback: str
) -> None:
    _, owner = visitor.workspace()
    page = visitor.page()
    page.goto(_address(visitor, page, callback))

    beside = page.context.new_page()
    beside.goto(by_address(visitor.operator.text("member", "sign-in", owner, field="url")))
    beside.get_by_role("button", name="Sign in as").click()
    beside.wait_for_url("**/app")
    page.get_by_role("link", name="I have signed in").click()

    expect(page.get_by_role("heading", level=1)).to_contain_text("Allow Otto to use")


def test_the_longest_host_is_shown_whole_on_a_small_phone(visitor: Visitor) -> None:
    """RFC 1035, 2.3.4: a part of a name has up to 63 characters, and no place to break."""
    _, owner = visitor.workspace()
    page = visitor.signed_in(owner, width=320)
    host = f"{'a' * 63}.{'b' * 63}.example"

    page.goto(_address(visitor, page, f"https://{host}/callback"))

    expect(page.get_by_text(host)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
