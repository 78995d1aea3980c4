"""Every form of the app with every role, and late: no form is left out of the table.

What is expected stands in `tests/support/rights/forms.txt` and `roles.txt`, read by hand.
"""

from datetime import timedelta

import pytest

from chalicelib.domain.workspace.access import Role
from chalicelib.web.routes import ROUTES
from tests.api.http_room import UNKNOWN_ID, House
from tests.support.kept_texts import every_row
from tests.support.rights.tables import FORMS, ROLES
from tests.web.browser import Browser, Page
from tests.web.test_persons import join

NAMES = sorted({name for name, _ in FORMS})
HASH = "0" * 64
OF_A_FILE = {"/app/media", "/app/plans", "/app/settings/picture"}


@pytest.fixture(scope="module")
def owner(house: House) -> Browser:
    return Browser.of(house.room()).signed_in()


def filled(name: str) -> str:
    ids = (
        "account_id",
        "post_id",
        "target_id",
        "slot_id",
        "member_id",
        "key_id",
        "label_id",
        "text_id",
        "group_id",
        "comment_id",
        "series_id",
        "media_id",
        "plan_id",
    )
    hashes = ("session_hash", "passkey_hash", "link_hash", "browser_hash")
    filling = {**dict.fromkeys(ids, UNKNOWN_ID), **dict.fromkeys(hashes, HASH), "number": "2"}
    return name.format(**filling)


def send(browser: Browser, name: str) -> Page:
    """Send a form that is all but empty; that of a file has its token in the address."""
    token = f"?form_token={browser.form_token}" if name in OF_A_FILE else ""
    return browser.send(f"{filled(name)}{token}")


def test_every_form_that_needs_a_session_is_in_the_table() -> None:
    sent = {page.path for page in ROUTES if page.method == "POST" and not page.open_to_all}

    assert sent == set(NAMES)


def test_a_token_in_the_address_opens_no_form_but_one_of_a_file(
    owner: Browser, house: House
) -> None:
    """Addresses are kept by browsers and told to other sites, bodies are not.

    404: a form that would be shown again, of a post that is not there.
    """
    address, before = f"form_token={owner.form_token}", list(every_row(house.deployment))

    answers = {
        name: owner.send(f"{filled(name)}?{address}", token="").status
        for name in set(NAMES) - OF_A_FILE
    }

    assert set(answers.values()) <= {403, 404}, answers
    assert before == list(every_row(house.deployment))


@pytest.mark.parametrize("role", Role)
def test_a_form_is_refused_by_the_role_and_by_nothing_else(owner: Browser, role: Role) -> None:
    who = owner.as_role(role)
    last = [name for name in NAMES if name == "/app/sign-out"]

    answers = {name: send(who, name) for name in [*set(NAMES) - set(last), *last]}

    for name, answer in answers.items():
        right = FORMS[name, "right"]
        is_lacked = right != "own" and ROLES[role, right] == "no"
        is_refused = answer.status == 403 and "Your role does not allow this" in answer.text
        assert is_lacked == is_refused, (name, answer.status, answer.text[-600:])


def test_a_form_that_opens_the_workspace_asks_who_is_there_after_10_minutes(
    owner: Browser,
) -> None:
    late = owner.as_role(Role.OWNER)
    late.room.house.clock.pass_time(timedelta(minutes=10))

    asked = {
        name
        for name in NAMES
        if name not in {"/app/sign-out", "/app/proof"} and "Is it you?" in send(late, name).text
    }

    assert {name for name in NAMES if FORMS[name, "proof"] == "yes"} == asked


def test_every_form_of_one_workspace_does_nothing_once_the_browser_shows_another(
    owner: Browser, house: House
) -> None:
    """Both are the person's own, so that nothing but the form's workspace keeps it from acting."""
    browser, other = owner.as_role(Role.OWNER), house.room()
    token = browser.form_token
    join(browser, other, Role.OWNER)
    before = list(every_row(house.deployment))

    browser.form_token = token
    answers = {name: send(browser, name).status for name in NAMES if name != "/app/sign-out"}

    assert {409} == set(answers.values()), answers
    assert before == list(every_row(house.deployment))
