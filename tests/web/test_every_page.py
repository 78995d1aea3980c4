"""Every page of the app that is read, with every role, with no session and with another's ids.

What is expected stands in `tests/support/rights/pages.txt` and `roles.txt`, read by hand.
"""

import re

import pytest

from chalicelib.domain.workspace.access import Role
from chalicelib.web.messages import SESSION_COOKIE
from chalicelib.web.routes import ROUTES
from tests.api.http_room import House, Room
from tests.support.rights.tables import PAGES, ROLES
from tests.web.browser import Browser, Page, a_photo

NAMES = sorted({name for name, _ in PAGES})
_SECRET = "Grandmother's recipe"
_ID = re.compile(r"{(\w+)}")


@pytest.fixture(scope="module")
def ada(house: House) -> Browser:
    return Browser.of(house.room()).signed_in()


@pytest.fixture(scope="module")
def ids(ada: Browser) -> dict[str, str]:
    """Return ids of what there really is: a page of each is found by whoever may see it."""
    room = ada.room
    media = room.upload(a_photo(), f"{_SECRET}.jpg")
    post = room.draft("linkedin", caption=_SECRET, media_ids=[media])
    sheet = f"to,caption,at\nx,{_SECRET},2031-03-03 09:00\n".encode()
    made = ada.upload(sheet, "plan.csv", to="/app/plans")
    plan = re.search(
        r"/app/plans/([0-9a-f]{32})", made.text + made.response.headers.get("Location", "")
    )
    assert plan is not None, made
    ada.send("/app/settings/data/export")
    room.house.deployment.whole_workspace.export_requests.run()
    account = room.account("linkedin")
    found = {"post_id": post["id"], "media_id": media, "plan_id": plan[1], "number": "1"}
    return {**found, "account_id": account}


def read(browser: Browser, name: str, ids: dict[str, str]) -> Page:
    return browser.open(name.format(**ids))


def test_every_page_that_needs_a_session_is_in_the_table() -> None:
    found = {page.path for page in ROUTES if page.method == "GET" and not page.open_to_all}

    assert found == set(NAMES)


@pytest.mark.parametrize("role", Role)
def test_a_page_is_refused_by_the_role_and_by_nothing_else(
    ada: Browser, ids: dict[str, str], role: Role
) -> None:
    who = ada.as_role(role)

    for name in NAMES:
        right, answer = PAGES[name, "right"], read(who, name, ids)
        is_lacked = right != "own" and ROLES[role, right] == "no"
        assert is_lacked == (answer.status == 403), (name, answer.status)
        assert not is_lacked or _SECRET not in answer.text, name


def test_without_a_session_every_page_leads_to_the_sign_in(
    ada: Browser, ids: dict[str, str]
) -> None:
    stranger = Browser.of(ada.room)
    stranger.cookies[SESSION_COOKIE] = ("0" * 107, "/")

    for name in NAMES:
        answer = read(stranger, name, ids)
        assert (303, "/app/sign-in") == (answer.status, answer.location), name


def test_no_page_shows_anything_of_another_workspace(ids: dict[str, str], house: House) -> None:
    """An owner of another one knows every id; what has an id is not found, and nothing is told."""
    neighbour: Room = house.room()
    eve = Browser.of(neighbour).signed_in()

    for name in NAMES:
        answer = read(eve, name, ids)
        assert _SECRET not in answer.text, name
        assert ids["media_id"] not in answer.text.replace(name.format(**ids), ""), name
        assert (answer.status == 404) == bool(_ID.search(name)), (name, answer.status)
