"""An assistant's request in a real browser, which holds the form to its page's policy.

Nothing answers at the assistant's address, so the browser is met on its way there.
"""

from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.visitor import Visitor
from tests.support.other_name import by_address

pytestmark = pytest.mark.browser

CALLBACK = "http://127.0.0.1:3118/callback"
RESOURCE = "http://127.0.0.1:8765/mcp"  # what a local stack names by itself
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


def _address(visitor: Visitor, page: Page) -> str:
    """Register an assistant; return the page that asks for it."""
    described = {"client_name": "Otto", "redirect_uris": [CALLBACK]}
    made = page.request.post(f"{visitor.base_url}/app/oauth/register", data=described)
    client_id = made.json()["client_id"]
    asked = {
        "response_type": "code",
        "client_id": client_id,
        "redirect_uri": CALLBACK,
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        "state": "xyz",
        "resource": RESOURCE,
    }
    return f"{visitor.base_url}/app/oauth/authorize?{urlencode(asked)}"


def _meet(page: Page) -> None:
    def answer(route: Route) -> None:
        route.fulfill(body="You can close this page.")

    page.route(f"{CALLBACK}*", answer)


@pytest.mark.parametrize("scripts", [True, False])
def test_a_member_allows_an_assistant_and_is_led_back_to_it(
    visitor: Visitor, *, scripts: bool
) -> None:
    _, owner = visitor.workspace()
    page = visitor.signed_in(owner, scripts=scripts)
    _meet(page)

    page.goto(_address(visitor, page))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Allow Otto to use")
    page.get_by_role("button", name="Allow").click()
    page.wait_for_url(f"{CALLBACK}*")

    answer = parse_qs(urlsplit(page.url).query)
    assert ["xyz"] == answer["state"]
    assert answer["code"]


def test_who_is_not_signed_in_signs_in_beside_it_and_goes_on(visitor: Visitor) -> None:
    _, owner = visitor.workspace()
    page = visitor.page()
    page.goto(_address(visitor, page))

    beside = page.context.new_page()
    beside.goto(by_address(visitor.operator.text("member", "sign-in", owner, field="url")))
    beside.get_by_role("button", name="Sign in as").click()
    beside.wait_for_url("**/app")
    page.get_by_role("link", name="I have signed in").click()

    expect(page.get_by_role("heading", level=1)).to_contain_text("Allow Otto to use")
