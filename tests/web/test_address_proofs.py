"""An address that a member typed is used only after a link that was sent there was opened."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest

from chalicelib.connectors.shared.mail import SmtpMailer
from chalicelib.domain.workspace.access import Role
from chalicelib.domain.workspace.notices import NoticeKind
from chalicelib.services.operator.notices import Notices
from tests.api.http_room import Room
from tests.support.mail_server import MailServer, a_mail_server
from tests.web.browser import Browser
from tests.web.test_persons import who

FORM = "/app/settings/notices"
ADA, STRANGER = "ada@bakery.example", "stranger@elsewhere.example"
EVE = "eve@bakery.example"
SHARED = "both@bakery.example"
ALL = [kind.value for kind in NoticeKind]


@pytest.fixture
def mail() -> Iterator[MailServer]:
    with a_mail_server() as server:
        yield server


@pytest.fixture
def notices(room: Room, mail: MailServer) -> Notices:
    """Return what mails, as a stage with a mail server has it."""
    return room.house.deployment.people.make_notices(SmtpMailer(mail.url))


def told(mail: MailServer, address: str) -> list[str]:
    """Return the subjects of what went to an address, without what stands behind them."""
    letters = [letter for letter in mail.letters if letter["To"] == address]
    return [re.split(r"[:?]", str(letter["Subject"]))[0] for letter in letters]


def link_in(mail: MailServer) -> str:
    """Return the path of the link in the last letter."""
    found = re.search(r"https?://[^/\s]+(/app/address/\S+)", mail.letters[-1].get_content())
    assert found is not None
    return found[1]


def fail(room: Room) -> None:
    """Let something happen that members are told of."""
    room.sent("x", caption="sandbox:fail:media_rejected")


def test_nothing_but_the_question_goes_to_an_address_before_its_link_is_opened(
    browser: Browser, room: Room, notices: Notices, mail: MailServer
) -> None:
    browser.send(FORM, {"email": STRANGER, "mail": ALL})
    fail(room)

    for _ in range(30):
        notices.run()
        room.house.clock.pass_time(timedelta(minutes=10))

    assert ["Notices to this address"] == told(mail, STRANGER)
    assert "waits for you to open the link" in browser.open("/app/settings?page=notices").text


def test_the_button_of_the_link_proves_the_address_once(
    browser: Browser, room: Room, notices: Notices, mail: MailServer
) -> None:
    browser.send(FORM, {"email": ADA, "mail": ALL})
    fail(room)
    notices.run()
    reader, link = Browser.of(room), link_in(mail)

    opened = [reader.open(link, method=method).status for method in ("HEAD", "GET", "GET")]
    notices.run()
    before = told(mail, ADA)
    pressed, again = reader.send(link), reader.send(link)
    notices.run()

    assert [200] * 3 == opened
    assert ["Notices to this address"] == before
    assert (200, 410) == (pressed.status, again.status)
    assert ["Notices to this address", "Not posted"] == told(mail, ADA)


def test_an_address_of_before_stays_in_use_until_the_new_one_is_proven(
    browser: Browser, room: Room, notices: Notices, mail: MailServer
) -> None:
    people = room.house.operator.people.administration
    (owner,) = people.list_members(room.workspace_id)
    people.tell_member(owner.id, email=ADA, notices=frozenset(NoticeKind))

    browser.send(FORM, {"email": STRANGER, "mail": ALL})
    fail(room)
    notices.run()

    assert (["Not posted"], ["Notices to this address"]) == (told(mail, ADA), told(mail, STRANGER))


@pytest.mark.costly
def test_one_question_an_hour_goes_out_whatever_is_typed(
    browser: Browser, room: Room, notices: Notices, mail: MailServer
) -> None:
    sent = []
    for minute in range(61):
        browser.send(FORM, {"email": f"stranger{minute}@elsewhere.example", "mail": ALL})
        notices.run()
        sent.append(len(mail.letters))
        room.house.clock.pass_time(timedelta(minutes=1))

    assert [1] * 60 + [2] == sent


@pytest.mark.parametrize("then", ["another address", "no address", "a day", "removed"])
def test_a_link_proves_nothing_that_nobody_asks_for_any_more(
    browser: Browser, room: Room, notices: Notices, mail: MailServer, then: str
) -> None:
    grace = browser.as_role(Role.EDITOR)
    grace.send(FORM, {"email": STRANGER, "mail": ALL})
    notices.run()
    link, people = link_in(mail), room.house.operator.people.administration
    member = next(m for m in people.list_members(room.workspace_id) if m.name == "Grace")

    match then:
        case "another address":
            grace.send(FORM, {"email": "grace@bakery.example", "mail": ALL})
        case "no address":
            grace.send(FORM, {"email": ""})
        case "a day":
            room.house.clock.pass_time(timedelta(days=1))
        case _:
            people.remove_member(member.id)
    reader = Browser.of(room)

    assert (410, 410) == (reader.open(link).status, reader.send(link).status)
    assert all(one.email is None for one in people.list_members(room.workspace_id))


def test_another_site_cannot_press_the_button(
    browser: Browser, room: Room, notices: Notices, mail: MailServer
) -> None:
    browser.send(FORM, {"email": EVE, "mail": ALL})
    notices.run()
    reader, link = Browser.of(room), link_in(mail)

    foreign = reader.send(link, headers={"origin": "https://evil.example"})

    assert 403 == foreign.status
    assert 200 == reader.send(link).status


def test_no_row_holds_the_secret_of_a_link(
    browser: Browser, room: Room, notices: Notices, mail: MailServer
) -> None:
    browser.send(FORM, {"email": ADA, "mail": ALL})
    notices.run()
    secret = link_in(mail).rpartition("/")[2][32:]

    client, table = room.house.deployment.clients.dynamodb, room.house.deployment.tables.directory
    pages = client.get_paginator("scan").paginate(TableName=table)

    assert not any(secret in str(page["Items"]) for page in pages)


def test_while_the_mail_server_is_away_the_question_waits(
    browser: Browser, notices: Notices, mail: MailServer
) -> None:
    browser.send(FORM, {"email": ADA, "mail": ALL})
    mail.is_away = True
    away = notices.run()
    mail.is_away = False

    assert (0, 1) == (away, notices.run())


def test_a_link_of_another_kind_or_of_nobody_proves_nothing(room: Room) -> None:
    operator, reader = room.house.operator, Browser.of(room)
    (owner,) = operator.people.administration.list_members(room.workspace_id)
    sign_in = operator.people.sign_in_links.make(owner.id)

    statuses = [
        reader.send(f"/app/address/{token}").status
        for token in (sign_in, "nonsense", f"{room.workspace_id}{'A' * 43}")
    ]

    assert [410] * 3 == statuses


def test_two_persons_are_never_joined_by_one_address(
    browser: Browser, room: Room, notices: Notices, mail: MailServer
) -> None:
    """Who proves it second is refused in one sentence, and neither person changes."""
    other = Browser.of(room.house.room()).signed_in()
    for each in (browser, other):
        each.send(FORM, {"email": SHARED, "mail": ALL})
    notices.run()
    links = [
        found[1]
        for letter in mail.letters
        if (found := re.search(r"https?://[^/\s]+(/app/address/\S+)", letter.get_content()))
    ]
    before = [who(each).person for each in (browser, other)]

    answers = [Browser.of(room).send(link) for link in links]

    assert len(links) == 2
    refused = [
        answer for answer in answers if "This address belongs to another person" in answer.text
    ]
    assert len(refused) == 1
    proven = [each for each in (browser, other) if _notified_at(each) == SHARED]
    assert len(proven) == 1
    assert [who(each).person.memberships for each in (browser, other)] == [
        person.memberships for person in before
    ]
    assert who(browser).person.id != who(other).person.id


def _notified_at(browser: Browser) -> str | None:
    """Return where the member of a browser is told of things."""
    members = browser.room.house.deployment.stores.members
    return members.get(who(browser).workspace.id, who(browser).caller.member_id).email
