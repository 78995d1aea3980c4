"""Where notices go, in a real browser: a stranger is asked once and told nothing; Ada is told."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from chalicelib.connectors.shared.mail import SmtpMailer
from chalicelib.services.operator.notices import Notices
from tests.browser.composer_page import next_page
from tests.browser.test_passkeys import add_passkey, on_localhost, with_device
from tests.browser.visitor import Visitor
from tests.support.mail_server import MailServer, a_mail_server
from tests.support.other_name import by_address

pytestmark = pytest.mark.browser

ASKED = "Notices to this address? Lighthouse Bakery"
STRANGER, ADA = "stranger@elsewhere.example", "ada@addresses.example"
"""An address proves who has it on the whole server: no other file's test has these."""


@pytest.fixture
def mail() -> Iterator[MailServer]:
    with a_mail_server() as server:
        yield server


@pytest.fixture
def notices(visitor: Visitor, mail: MailServer) -> Notices:
    return visitor.operator.local.people.make_notices(SmtpMailer(mail.url))


def asks_for(page: Page, address: str) -> None:
    """Have notices go to an address, in the settings."""
    page.goto(page.url.partition("/app")[0] + "/app/settings?page=notices")
    page.get_by_label("Your address for e-mail").fill(address)
    with next_page(page):
        page.get_by_role("button", name="Save", exact=True).first.click()


def opens_link(visitor: Visitor, mail: MailServer) -> Page:
    """Open the link of the last letter, in a browser that is signed in nowhere."""
    link = re.search(r"https?://\S+/app/address/\S+", mail.letters[-1].get_content())
    assert link is not None
    reader = visitor.page()
    reader.goto(by_address(link[0]))
    return reader


def told(mail: MailServer, address: str) -> list[str]:
    return [str(one["Subject"]) for one in mail.letters if one["To"] == address]


@pytest.mark.costly
def test_an_address_is_asked_once_and_told_nothing_before_its_reader_says_so(
    visitor: Visitor, notices: Notices, mail: MailServer
) -> None:
    _, owner = visitor.workspace()
    page = on_localhost(visitor, owner)
    with_device(page)
    asks_for(page, STRANGER)
    notices.run()
    add_passkey(page, "Blue laptop")
    expect(page.get_by_role("status")).to_contain_text("was added")
    asks_for(page, STRANGER)
    notices.run()

    assert [ASKED] == told(mail, STRANGER)
    expect(page.get_by_text(f"{STRANGER} waits for you to open the link")).to_be_visible()
    reader = opens_link(visitor, mail)
    expect(reader.get_by_role("heading", name=f"Notices to {STRANGER}?")).to_be_visible()
    asks_for(page, ADA)  # she saw that it was mistyped
    reader.get_by_role("button", name="Send notices here").click()
    expect(reader.get_by_role("alert")).to_contain_text("no longer works")
    notices.run()

    assert [ASKED] == told(mail, STRANGER)


def test_a_new_passkey_is_told_to_the_address_that_its_reader_proved(
    visitor: Visitor, notices: Notices, mail: MailServer
) -> None:
    _, owner = visitor.workspace()
    page = on_localhost(visitor, owner)
    with_device(page)
    asks_for(page, ADA)
    notices.run()
    reader = opens_link(visitor, mail)
    reader.get_by_role("button", name="Send notices here").click()
    expect(reader.get_by_text(f"go to {ADA} from now on")).to_be_visible()
    add_passkey(page, "Blue laptop")
    expect(page.get_by_role("status")).to_contain_text("was added")
    notices.run()

    assert "passkey" in told(mail, ADA)[-1]
    assert "Blue laptop" in mail.letters[-1].get_content()
