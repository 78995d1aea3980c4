"""Members told in browsers: who asked, for as long as the browser is signed in, once of each."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import pytest

from chalicelib.connectors.shared.web_push import WebPush
from chalicelib.domain.workspace.access import Role
from chalicelib.domain.workspace.notices import NoticeKind
from chalicelib.domain.workspace.push import MOST_BROWSERS
from chalicelib.kit.transport.guarded import GuardedFetch
from chalicelib.services.app.browsers import Browsers
from chalicelib.services.app.signed_in import SignedIn
from chalicelib.services.operator.notices import Notices
from chalicelib.services.operator.ways import ByPush
from chalicelib.storage.workspace.browsers import PushKey
from chalicelib.storage.workspace.items import browsers_of, member_item
from chalicelib.web.messages import SESSION_COOKIE
from tests.api.http_house import a_house
from tests.api.http_room import House
from tests.support.emulator import EmulatorProcess
from tests.support.frozen_clock import NOON
from tests.support.push_service import PlayedBrowser, PushService, a_push_service
from tests.web.browser import Browser

FORM = "/app/settings/browsers"


@dataclass(frozen=True, slots=True)
class Desk:
    """A workspace whose owner is told in one browser, and the service that carries it."""

    browser: Browser
    service: PushService
    notices: Notices
    browsers: Browsers
    played: PlayedBrowser

    def after(self, **time: float) -> list[dict[str, Any]]:
        """Let time go by and run once; return what the browser was shown then."""
        known = len(self.service.pushed)
        self.browser.room.house.clock.pass_time(timedelta(**time))
        self.notices.run()
        return [self.played.opens(one.body) for one in self.service.pushed[known:]]

    def kept(self) -> int:
        """Return how many browsers the workspace has."""
        return len(self.browsers.rows.list(self.browser.room.workspace_id))


@pytest.fixture(scope="module")
def house(emulator: EmulatorProcess, tmp_path_factory: pytest.TempPathFactory) -> House:
    return a_house(emulator, tmp_path_factory.mktemp("house"))


@pytest.fixture
def desk(house: House) -> Iterator[Desk]:
    house.clock.now = NOON
    browser, given = Browser.of(house.room(approvals=True)).with_session(), house.deployment
    owner = given.people.administration.list_members(browser.room.workspace_id)[0]
    browser.send(
        "/app/settings/notices",
        {"email": "", "push": [kind for kind in NoticeKind if kind is not NoticeKind.DIGEST]},
    )
    played = PlayedBrowser()
    with a_push_service() as service:
        trusted = frozenset({service.origin})
        browsers = replace(given.people.browsers, trusted=trusted)
        pusher = WebPush(
            GuardedFetch(trusted),
            key=lambda: given.people.push_key.private,
            contact="https://post.example",
            clock=house.clock,
        )
        by_push = ByPush(
            key=given.people.push_key,
            browsers=browsers.rows,
            sessions=given.people.sessions.sessions,
            persons=given.people.persons,
            pusher=lambda: pusher,
            clock=house.clock,
        )
        notices = replace(given.people.notices, letters=None, ways=(by_push,))
        made = Desk(browser, service, notices, browsers, played)
        ask(made, browser, played)
        assert owner.email is None
        yield made


def signed_in(browser: Browser) -> SignedIn:
    cookie, _ = browser.cookies[SESSION_COOKIE]
    known = browser.room.house.deployment.people.sessions.read(cookie)
    assert known is not None
    return known


def ask(desk: Desk, browser: Browser, played: PlayedBrowser, name: str = "ada") -> None:
    """Ask to be told in a browser; the key is made by the first who opens the page."""
    assert desk.browsers.key.public
    desk.browsers.add(
        signed_in(browser),
        address=desk.service.address(name),
        key=played.key,
        secret=played.secret,
        device="Firefox on Linux",
    )


def test_a_failed_post_shows_once_in_the_browser_that_asked(desk: Desk) -> None:
    post = desk.browser.room.sent("x", caption="sandbox:fail:media_rejected")

    told, again = desk.after(seconds=15), desk.after(hours=2)

    (message,) = told
    assert message["title"].startswith("Not posted: Lighthouse")
    assert message["path"] == f"/app/posts/{post['id']}"
    assert (message["tag"], again) == ("failed", [])
    claims = desk.service.pushed[0].claims(desk.service.origin)
    assert claims["sub"] == "https://post.example"


def test_who_did_not_choose_a_kind_is_not_told_it(desk: Desk) -> None:
    desk.browser.send("/app/settings/notices", {"email": "", "push": ["review"]})
    desk.browser.room.sent("x", caption="sandbox:fail:media_rejected")

    assert desk.after(seconds=15) == []


def test_who_chose_nothing_for_browsers_is_told_there_what_is_mailed(desk: Desk) -> None:
    """So are members of the release before, whose rows know of one list of kinds alone."""
    given, room = desk.browser.room.house.deployment, desk.browser.room
    owner = given.people.administration.list_members(room.workspace_id)[0]
    row = member_item(replace(owner, notices=frozenset({NoticeKind.FAILED})))
    for name in ("notices_in_bell", "notices_by_push", "notices_in_digest"):
        row.pop(name)
    given.stores.members._directory.table.put(row)
    room.sent("x", caption="sandbox:fail:media_rejected")

    (message,) = desk.after(seconds=15)

    assert message["tag"] == "failed"


def test_what_is_mailed_is_not_told_in_a_browser_unless_chosen_there(desk: Desk) -> None:
    desk.browser.send("/app/settings/notices", {"email": "", "mail": ["failed"], "push": []})
    desk.browser.room.sent("x", caption="sandbox:fail:media_rejected")

    assert desk.after(seconds=15) == []


def test_signing_out_ends_it_and_forgets_the_browser(desk: Desk) -> None:
    desk.browser.room.sent("x", caption="sandbox:fail:media_rejected")
    desk.browser.send("/app/sign-out")

    told = desk.after(seconds=15)

    assert (told, desk.kept()) == ([], 0)


def test_proving_who_is_there_does_not_end_it(desk: Desk) -> None:
    """A proof gives the session another secret; it stays the same session."""
    people, who = desk.browser.room.house.deployment.people, signed_in(desk.browser)
    people.sessions.prove(who)
    desk.browser.room.sent("x", caption="sandbox:fail:media_rejected")

    assert len(desk.after(seconds=15)) == 1


def test_a_session_that_was_not_used_for_14_days_ends_it(desk: Desk) -> None:
    desk.after(days=15)
    desk.browser.room.sent("x", caption="sandbox:fail:media_rejected")

    assert (desk.after(seconds=15), desk.kept()) == ([], 0)


def test_a_member_who_is_removed_is_told_no_more_and_nothing_of_the_browser_stays(
    desk: Desk,
) -> None:
    people = desk.browser.room.house.deployment.people.administration
    grace = desk.browser.as_role(Role.EDITOR)
    other = PlayedBrowser(2)
    ask(desk, grace, other, "grace")
    member = people.list_members(desk.browser.room.workspace_id)[-1]
    before = desk.kept()

    people.remove_member(member.id)

    rows = desk.browser.room.house.deployment.stores.directory_table.rows(
        desk.browser.room.workspace_id, browsers_of(member.id)
    )
    assert (before, desk.kept(), [*rows]) == (2, 1, [])


def test_a_browser_that_its_service_does_not_know_is_forgotten(desk: Desk) -> None:
    desk.browser.room.sent("x", caption="sandbox:fail:media_rejected")
    desk.service.answer = (410, {})

    desk.after(seconds=15)

    assert desk.kept() == 0


def test_a_service_that_is_away_is_let_alone_and_nothing_is_lost(desk: Desk) -> None:
    desk.browser.room.sent("x", caption="sandbox:fail:media_rejected")
    desk.service.answer = (503, {"Retry-After": "1800"})
    desk.after(seconds=15)
    soon = desk.after(minutes=29)
    asked = len(desk.service.pushed)
    desk.service.answer = (201, {})

    assert (soon, asked) == ([], 1)
    assert len(desk.after(minutes=2)) == 1


def test_nobody_else_is_told_of_another_workspace(desk: Desk, house: House) -> None:
    other = house.room()
    other.sent("x", caption="sandbox:fail:media_rejected")

    assert desk.after(seconds=15) == []


def test_a_slow_push_service_of_one_workspace_does_not_keep_another_waiting(
    desk: Desk, house: House
) -> None:
    """A member names the service, which may take its ten seconds of every round."""
    other = Browser.of(house.room(approvals=True)).with_session()
    other.send("/app/settings/notices", {"email": "", "push": ["failed"]})
    ask(desk, other, PlayedBrowser(2), "grace")
    for room in (desk.browser.room, other.room):
        room.sent("x", caption="sandbox:fail:media_rejected")
    desk.service.meets = threading.Barrier(2)

    desk.notices.run()

    assert {one.path for one in desk.service.pushed} == {"/send/ada", "/send/grace"}
    assert not desk.service.meets.broken


def test_while_nobody_asked_a_round_reads_the_key_and_nothing_else(
    emulator: EmulatorProcess, tmp_path_factory: pytest.TempPathFactory
) -> None:
    fresh = a_house(emulator, tmp_path_factory.mktemp("fresh"))
    fresh.room()

    assert not PushKey(
        fresh.deployment.stores.directory_table, fresh.deployment.stores.token_store.vault
    ).is_there
    assert fresh.deployment.people.notices.run() == 0


def test_the_key_is_kept_sealed_and_stays_the_same(desk: Desk) -> None:
    stores = desk.browser.room.house.deployment.stores
    one, two = (PushKey(stores.directory_table, stores.token_store.vault) for _ in range(2))
    row = stores.directory_table.table.get({"pk": "PUSH_KEY", "sk": "PUSH_KEY"})

    assert row is not None
    assert (one.public, one.private) == (two.public, two.private)
    assert one.private.encode() not in bytes(row["private"])


def test_the_page_lists_browsers_and_ends_them(desk: Desk) -> None:
    page = desk.browser.open("/app/settings?page=notices").text
    (mine,) = desk.browsers.list(signed_in(desk.browser))
    grace = desk.browser.as_role(Role.EDITOR)

    assert "Firefox on Linux" in page
    assert f'data-push="{desk.browsers.key.public}"' in page
    assert grace.send(f"{FORM}/{mine.id}/end").status == 404
    assert desk.browser.send(f"{FORM}/{mine.id}/end").status == 303
    assert desk.kept() == 0


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("https://127.0.0.1/send", None),
        ("https://10.1.2.3/send", None),
        ("https://metadata/send", None),
        ("http://push.example/send", None),
        ("javascript:alert(1)", None),
        ("https://push.example/" + "x" * 3_000, None),
        ("https://push.example/send", "no key"),
        ("https://push.example/send", "é" * 88),
        ("", ""),
    ],
)
def test_an_address_or_a_key_that_cannot_be_is_refused(
    desk: Desk, address: str, key: str | None
) -> None:
    played = PlayedBrowser(3)
    sent = {"address": address, "key": played.key if key is None else key, "secret": played.secret}

    refused = desk.browser.send(FORM, sent)

    assert (refused.status, desk.kept()) == (422, 1)


def test_so_many_browsers_and_the_same_one_is_one(desk: Desk) -> None:
    for number in range(MOST_BROWSERS - 1):
        ask(desk, desk.browser, PlayedBrowser(number + 2), f"b{number}")
    ask(desk, desk.browser, desk.played)
    played = PlayedBrowser(99)
    sent = {"address": "https://push.example/x", "key": played.key, "secret": played.secret}

    refused = desk.browser.send(FORM, sent)

    assert (refused.status, desk.kept()) == (422, MOST_BROWSERS)
    assert "Remove one first." in refused.text
