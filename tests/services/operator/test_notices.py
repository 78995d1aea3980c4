"""Letters to members: what is told, once, and at most one an hour and kind."""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from email.message import EmailMessage
from types import SimpleNamespace
from typing import Any

import pytest

from chalicelib.connectors.shared.mail import SmtpMailer, WrongMailAddress
from chalicelib.domain.engine.holds import Whose, begin, end
from chalicelib.domain.outcome import Failed
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.access import Plan, Role
from chalicelib.domain.workspace.accounts import Health
from chalicelib.domain.workspace.exports import MOST_TRIES
from chalicelib.domain.workspace.notices import Channel, Letter, NoticeKind, NotMailed
from chalicelib.kit.dynamodb.items import attributes, stamp
from chalicelib.services.operator.notices import IncompleteRoundError, Notices
from chalicelib.services.operator.outbox import Outbox
from chalicelib.storage.mail import SesMailer
from chalicelib.storage.workspace.items import account_key, workspace_key
from tests.api.http_house import a_house
from tests.api.http_room import House, Room
from tests.support.emulator import EmulatorProcess
from tests.support.frozen_clock import NOON
from tests.support.mail_server import MailServer, a_mail_server
from tests.web.browser import Browser


@dataclass(frozen=True, slots=True)
class Desk:
    """A workspace whose owner wants to be told of everything, and the mail that went out."""

    room: Room
    mail: MailServer
    notices: Notices

    def after(self, **time: float) -> list[str]:
        """Let time go by and run once; return the subjects of what was mailed then."""
        known = len(self.mail.letters)
        self.room.house.clock.pass_time(timedelta(**time))
        self.notices.run()
        return [str(letter["Subject"]) for letter in self.mail.letters[known:]]

    @property
    def url(self) -> str:
        return self.room.house.deployment.settings.outer_url

    @property
    def last(self) -> EmailMessage:
        return self.mail.letters[-1]


class Refusing:
    """A mail server that knows no mailbox."""

    def send(self, letter: Letter) -> None:
        raise NotMailed(letter.to, timedelta(hours=1))


@pytest.fixture(scope="module")
def house(emulator: EmulatorProcess, tmp_path_factory: pytest.TempPathFactory) -> House:
    return a_house(emulator, tmp_path_factory.mktemp("house"))


@pytest.fixture
def mail() -> Iterator[MailServer]:
    with a_mail_server() as server:
        yield server


@pytest.fixture
def desk(house: House, mail: MailServer) -> Iterator[Desk]:
    house.clock.now = NOON
    room, given = house.room(approvals=True), house.deployment
    owner = given.people.administration.list_members(room.workspace_id)[0]
    given.people.administration.tell_member(
        owner.id, email="ada@bakery.example", notices=frozenset(NoticeKind)
    )
    notices = given.people.make_notices(SmtpMailer(mail.url))
    yield Desk(room, mail, notices)
    given.people.administration.tell_member(owner.id, email="")


def test_a_failed_post_is_told_once_with_the_reason_and_the_way_there(desk: Desk) -> None:
    """Without a Message-ID Gmail answers 550-5.7.1.

    github.com/element-hq/matrix-authentication-service/issues/4747
    """
    post = desk.room.sent("x", caption="sandbox:fail:media_rejected")

    told, again = desk.after(seconds=15), desk.after(hours=2)

    text = desk.last.get_content()
    assert ["Not posted: Lighthouse"] == [each.partition(" Bakery")[0] for each in told]
    assert [] == again
    assert ("ada@bakery.example", "posts@bakery.example") == (desk.last["To"], desk.last["From"])
    assert desk.last["Date"].datetime is not None
    assert re.fullmatch(r"<[^<>@\s]+@bakery\.example>", desk.last["Message-ID"])
    assert "on X (@lighthouse) failed:" in text
    assert f"{desk.url}/app/posts/{post['id']}" in text


@pytest.mark.parametrize("of", ["account", "workspace"])
def test_a_workspace_that_cannot_be_told_keeps_no_other_waiting(
    house: House, desk: Desk, of: str
) -> None:
    """A row that a later release wrote stays there when that release is taken back."""
    given, other = house.deployment, house.room()
    owner = given.people.administration.list_members(other.workspace_id)[0]
    given.people.administration.tell_member(
        owner.id, email="grace@mill.example", notices=frozenset(NoticeKind)
    )
    other.sent("x", caption="sandbox:fail:media_rejected")
    account = account_key(desk.room.workspace_id, desk.room.account("linkedin"))
    key = account if of == "account" else workspace_key(desk.room.workspace_id)
    row = given.stores.directory_table.table.get(key)
    assert row is not None
    given.stores.directory_table.table.put({**row, "platform": "myspace", "plan": "agency"})

    with pytest.raises(IncompleteRoundError):
        desk.after(seconds=15)
    given.stores.directory_table.table.put(row)
    given.people.administration.tell_member(owner.id, email="")

    assert [letter["To"] for letter in desk.mail.letters] == ["grace@mill.example"]


def test_what_fails_days_after_its_time_since_nothing_ran_is_told(desk: Desk) -> None:
    post = desk.room.scheduled("x", caption="Rye", at=desk.room.in_(hours=1))
    desk.room.house.clock.pass_time(timedelta(days=3))
    desk.room.run_due()

    told, again = desk.after(seconds=15), desk.after(hours=2)

    failed = [one for one in told if one.startswith("Not posted")]
    assert desk.room.statuses(post) == ["failed"]
    assert ([one.partition(" Bakery")[0] for one in failed], again) == (
        ["Not posted: Lighthouse"],
        [],
    )


def test_all_that_failed_at_once_is_in_one_letter(desk: Desk) -> None:
    for _ in range(101):
        desk.room.sent("x", caption="sandbox:fail:media_rejected")

    told, again = desk.after(seconds=15), desk.after(hours=2)

    text = desk.last.get_content()
    assert [one.partition(":")[0] for one in told] == ["Not posted (101)"]
    assert (text.count("failed:"), text.count("And 1 more.")) == (100, 1)
    assert again == []


def test_what_failed_days_ago_is_not_told(desk: Desk) -> None:
    desk.room.sent("x", caption="sandbox:fail:media_rejected")
    desk.room.house.clock.pass_time(timedelta(days=3))

    assert not any(one.startswith("Not posted") for one in desk.after(seconds=15))


def test_what_fails_within_the_hour_is_in_one_letter_after_it(desk: Desk) -> None:
    desk.room.sent("x", caption="sandbox:fail:media_rejected one")
    first = desk.after(seconds=15)
    for caption in ("two", "three"):
        desk.room.sent("x", caption=f"sandbox:fail:media_rejected {caption}")

    soon, later = desk.after(minutes=30), desk.after(minutes=31)

    assert ([1, 0, 1]) == [len(first), len(soon), len(later)]
    assert "Not posted (2)" in later[0]


def test_what_will_fail_is_told_before_its_time_once_and_in_the_workspaces_zone(
    desk: Desk,
) -> None:
    account = desk.room.account("linkedin")
    at = (NOON + timedelta(days=2)).isoformat()
    post = desk.room.scheduled("linkedin", at=at, caption="Rye")
    later = (NOON + timedelta(days=8)).isoformat()
    desk.room.scheduled("linkedin", at=later, caption="Beyond the week")
    connections = desk.room.house.deployment.people.connections
    connections.set_health(account, Health.BROKEN)

    told, again = desk.after(seconds=15), desk.after(hours=2)
    letters = {str(one["Subject"]).partition(":")[0]: one for one in desk.mail.letters}
    connections.set_health(account, Health.OK)
    over = desk.after(hours=1)
    connections.set_health(account, Health.BROKEN)
    anew = desk.after(hours=1)

    assert {"At risk", "Sign in again"} == {each.partition(":")[0] for each in told}
    text = letters["At risk"].get_content()
    assert "“Rye” on LinkedIn (@lighthouse) is at risk at its time, 2026-11-22 12:00:" in text
    assert f"{desk.url}/app/posts/{post['id']}" in text
    assert "Beyond the week" not in text
    assert [again, over] == [[], []]
    assert "At risk" in {each.partition(":")[0] for each in anew}


def test_a_letter_of_risks_opens_no_sign_in(desk: Desk) -> None:
    """What writes letters on a stage may not: a sign-in that may be renewed is no risk there."""
    given = desk.room.house.deployment
    account_id = desk.room.account("linkedin")
    desk.room.scheduled("linkedin", at=(NOON + timedelta(days=2)).isoformat(), caption="Rye")
    given.clients.dynamodb.update_item(
        TableName=given.tables.directory,
        Key=attributes(account_key(desk.room.workspace_id, account_id)),
        UpdateExpression="SET test = :no, token_expires_at = :soon",
        ExpressionAttributeValues=attributes(
            {":no": False, ":soon": stamp(NOON + timedelta(days=1))}
        ),
    )
    risks = given.checking.told_risks

    assert risks.checks.tokens is None
    assert risks.find(desk.room.workspace_id, [account_id]) == []
    assert given.checking.coming_risks.checks.tokens is not None


def test_what_waits_for_approval_and_a_broken_sign_in_are_told(desk: Desk) -> None:
    waiting = desk.room.member(Role.CONTRIBUTOR).draft("x", caption="Please look")
    account = desk.room.account("linkedin")
    desk.room.house.deployment.people.connections.set_health(account, Health.BROKEN)

    told = desk.after(seconds=15)

    assert {"Waiting for approval", "Sign in again"} == {each.split(":")[0] for each in told}
    assert waiting["id"] in "".join(letter.get_content() for letter in desk.mail.letters)


def test_a_paused_engine_is_told_again_when_it_is_paused_again(desk: Desk) -> None:
    control = desk.room.house.deployment.people.engine_control
    control.switch.pause()
    first = desk.after(seconds=15)
    control.switch.resume()
    between = desk.after(hours=2)
    control.switch.pause()
    second = desk.after(seconds=15)
    control.switch.resume()

    assert ["Nothing is going out"] * 2 == [each.split(":")[0] for each in first + second]
    assert [] == between


def test_an_application_that_a_platform_holds_up_is_told_once(desk: Desk) -> None:
    switch = desk.room.house.deployment.stores.engine_switch
    spent = Failed(code="rate_limited", message="The credits are used up.", app_wide=True)
    whose = Whose(platform=Platform.X, application="client-1")
    switch.change_holds(lambda holds: begin(holds, whose, spent, desk.room.house.clock()))
    first = desk.after(seconds=15)
    switch.change_holds(lambda holds: begin(holds, whose, spent, desk.room.house.clock()))
    again = desk.after(hours=2)
    switch.change_holds(lambda holds: end(holds, whose))

    assert ["X holds up posts"] == [each.split(":")[0] for each in first]
    assert [] == again
    assert "The credits are used up." in desk.last.get_content()


def test_while_the_mail_server_is_away_nothing_is_lost(desk: Desk) -> None:
    desk.room.sent("x", caption="sandbox:fail:media_rejected")
    desk.mail.is_away = True
    away = desk.after(seconds=15)
    desk.mail.is_away = False

    assert [0, 1] == [len(away), len(desk.after(seconds=15))]


def test_a_server_that_looks_through_a_letter_for_long_gets_it_once(desk: Desk) -> None:
    """RFC 1047: who gives up before the answer to the last dot sends the letter twice."""
    desk.mail.thinks_s = 0.6
    people = desk.room.house.deployment.people
    notices = people.make_notices(SmtpMailer(desk.mail.url, patience_s=0.3))
    desk.room.sent("x", caption="sandbox:fail:media_rejected")

    notices.run()
    notices.run()

    assert len(desk.mail.letters) == 1


def test_a_letter_that_hangs_holds_up_nobody_else_and_is_sent_once(
    house: House, desk: Desk
) -> None:
    """RFC 5321, 4.5.3.2.6: a server may look through a letter for ten minutes."""
    given, people = desk.room.house.deployment, house.deployment.people
    grace = people.administration.add_member(desk.room.workspace_id, name="Grace", role=Role.EDITOR)
    people.administration.tell_member(
        grace.id, email="grace@bakery.example", notices=frozenset({NoticeKind.FAILED})
    )
    desk.mail.slow = "ada@bakery.example"
    notices = replace(given.people.make_notices(SmtpMailer(desk.mail.url)), patience_s=2)

    desk.room.sent("x", caption="sandbox:fail:media_rejected Rye")
    notices.run()
    first = [letter["To"] for letter in desk.mail.letters]
    house.clock.pass_time(timedelta(hours=2))
    desk.room.sent("x", caption="sandbox:fail:media_rejected Spelt")
    notices.run()
    meanwhile = [letter["To"] for letter in desk.mail.letters[2:]]
    desk.mail.is_through.set()
    until = time.monotonic() + 20
    while len(desk.mail.letters) < 4 and time.monotonic() < until:
        notices.run()

    assert {"ada@bakery.example", "grace@bakery.example"} == set(first)
    assert ["grace@bakery.example"] == meanwhile
    later = desk.mail.letters[3:]
    assert ["ada@bakery.example"] == [letter["To"] for letter in later]
    assert ["Rye" in later[0].get_content(), "Spelt" in later[0].get_content()] == [False, True]
    people.administration.tell_member(grace.id, email="")


def test_a_letter_that_was_taken_is_not_sent_again_whatever_follows(desk: Desk) -> None:
    """RFC 5321, 3.8: a server that shuts down may answer 421 to any command, QUIT too."""
    desk.mail.answers["QUIT"] = "421 shutting down"
    desk.room.sent("x", caption="sandbox:fail:media_rejected")

    desk.after(seconds=15)
    desk.after(hours=2)

    assert len(desk.mail.letters) == 1


@pytest.mark.parametrize(
    ("command", "refusal", "times"),
    [
        ("AUTH", "535 5.7.8 Username and Password not accepted", 1),
        ("MAIL", "550 5.7.60 Client does not have permissions to send as this sender", 1),
        ("RCPT", "550 5.1.1 no such mailbox", 1),
        ("RCPT", "451 4.7.1 greylisted, come again", 4),
        ("DATA", "554 5.7.1 Message rejected as spam", 1),
        ("DATA", "451 4.3.0 try later", 4),
    ],
)
def test_what_a_mail_server_refuses_for_good_is_tried_again_after_an_hour(
    desk: Desk, command: str, refusal: str, times: int
) -> None:
    """RFC 5321, 4.2.1. Exim 4.96 was sent what it had called junk every 15 seconds."""
    url = desk.mail.url.replace("//", "//posts:s3cret@")
    notices = desk.room.house.deployment.people.make_notices(SmtpMailer(url))
    desk = replace(desk, notices=notices)
    desk.mail.answers[command] = refusal
    desk.room.sent("x", caption="sandbox:fail:media_rejected")

    for _ in range(4):
        desk.after(seconds=15)
    tried = sum(line.startswith(command) for line in desk.mail.heard)
    desk.mail.answers.clear()
    told = desk.after(hours=1)

    assert tried == times
    assert [one.partition(":")[0] for one in told] == ["Not posted"]


def test_addresses_that_were_refused_are_remembered_only_while_they_rest(desk: Desk) -> None:
    outbox = Outbox(rows=desk.notices.rows, mailer=Refusing(), url="", clock=desk.room.house.clock)

    for number in range(100):
        desk.room.house.clock.pass_time(timedelta(minutes=10))
        outbox.send(Letter(to=f"{number}@mill.example", subject="", text=""), "w", "failed")

    assert list(outbox.rests) == [f"{number}@mill.example" for number in range(94, 100)]


def test_a_refused_password_is_tried_for_one_address_an_hour(desk: Desk) -> None:
    """fail2ban, as Debian sets it, bans who fails five times in ten minutes."""
    mailer = SmtpMailer(desk.mail.url.replace("//", "//posts:wrong@"))
    outbox = Outbox(rows=desk.notices.rows, mailer=mailer, url="", clock=desk.room.house.clock)
    desk.mail.answers["AUTH"] = "535 5.7.8 Username and Password not accepted"

    for number in range(10):
        outbox.send(Letter(to=f"{number}@mill.example", subject="", text=""), "w", "failed")

    assert sum(line.startswith("AUTH") for line in desk.mail.heard) == 1


def test_a_stage_mails_by_ses_from_its_sender_and_tells_no_secret(desk: Desk) -> None:
    sent: list[dict[str, Any]] = []
    ses: Any = SimpleNamespace(send_email=lambda **call: sent.append(call))
    people = desk.room.house.deployment.people
    by_ses = people.make_notices(SesMailer(ses, "posts@bakery.example"))
    post = desk.room.sent("x", caption="sandbox:fail:media_rejected")

    by_ses.run()

    (call,) = sent
    message = call["Content"]["Simple"]
    assert call["FromEmailAddress"] == "posts@bakery.example"
    assert call["Destination"] == {"ToAddresses": ["ada@bakery.example"]}
    assert message["Subject"]["Data"].startswith("Not posted: Lighthouse Bakery")
    assert f"{desk.url}/app/posts/{post['id']}" in message["Body"]["Text"]["Data"]
    assert desk.room.key not in str(call)


def test_who_wants_nothing_is_told_nothing(desk: Desk) -> None:
    people = desk.room.house.deployment.people.administration
    owner = people.list_members(desk.room.workspace_id)[0]
    people.tell_member(owner.id, email="")
    desk.room.sent("x", caption="sandbox:fail:media_rejected")

    assert [] == desk.after(seconds=15)


@pytest.mark.parametrize("url", ["https://mail.example", "smtp://", "mail.example:25"])
def test_an_address_of_no_mail_server_is_refused(url: str) -> None:
    with pytest.raises(WrongMailAddress, match="GOLDENHOUR_SMTP_URL"):
        SmtpMailer(url)


def test_who_asked_for_an_export_is_told_once_that_it_is_ready(desk: Desk) -> None:
    room, given = desk.room, desk.room.house.deployment
    owner = given.people.administration.list_members(room.workspace_id)[0]
    given.whole_workspace.export_requests.ask(room.workspace_id, owner.id)

    early = desk.after(minutes=1)
    given.whole_workspace.export_requests.run()
    told, again = desk.after(minutes=1), desk.after(hours=2)

    assert [] == early == again
    assert ["The export is ready: Lighthouse"] == [one.partition(" Bakery")[0] for one in told]
    assert f"{desk.url}/app/settings/data" in desk.last.get_content()


def test_an_export_that_was_given_up_is_told_too(desk: Desk) -> None:
    room, given = desk.room, desk.room.house.deployment
    owner = given.people.administration.list_members(room.workspace_id)[0]
    requests = given.whole_workspace.export_requests
    requests.rows.keep(replace(requests.ask(room.workspace_id, owner.id), tries=MOST_TRIES))
    requests.run()

    told = desk.after(minutes=1)

    assert ["The export could not be made: Lighthouse"] == [s.partition(" Bakery")[0] for s in told]


def test_a_post_that_waits_is_told_however_many_drafts_are_newer(desk: Desk) -> None:
    desk.room.member(Role.CONTRIBUTOR).draft("x", caption="Rye waits")
    desk.room.house.clock.pass_time(timedelta(seconds=1))
    for number in range(101):
        desk.room.draft("x", caption=f"Draft {number}")

    told = desk.after(seconds=15)

    assert len(told) == 1
    assert "Rye waits" in desk.last.get_content()


def test_an_author_on_the_free_plan_is_reminded_at_once_and_once(house: House, desk: Desk) -> None:
    stores, room = house.deployment.stores, desk.room
    room.account("linkedin")
    stores.workspaces.update(room.workspace_id, plan=Plan.FREE)
    browser = Browser.of(room).signed_in()
    fields = {"account": room.account("linkedin"), "do": "schedule", "way": "", "at": ""}
    for minute, caption in enumerate(("Rye at one", "Spelt at two"), start=1):
        at = f"{NOON + timedelta(minutes=minute):%Y-%m-%dT%H:%M}"
        assert (
            browser.send("/app/posts/new", {**fields, "caption": caption, "at": at}).status == 303
        )

    room.pass_time(timedelta(minutes=1, seconds=30))
    first = desk.after(seconds=0)
    text = desk.last.get_content().replace("\r\n", "\n")
    room.pass_time(timedelta(minutes=1))
    second, again = desk.after(seconds=0), desk.after(hours=2)

    assert [len(first), len(second), len(again)] == [1, 1, 0]
    assert first[0].startswith("Time to post")
    assert "Post “Rye at one” on LinkedIn (@lighthouse) now. The text:\n\nRye at one\n" in text
    assert "an hour" not in text
    assert "Spelt at two" in desk.last.get_content()


def test_a_reminder_that_is_given_days_after_its_time_is_told(house: House, desk: Desk) -> None:
    room = desk.room
    fields = {"account": room.account("linkedin"), "do": "schedule", "way": "", "caption": "Rye"}
    house.deployment.stores.workspaces.update(room.workspace_id, plan=Plan.FREE)
    at = f"{NOON + timedelta(minutes=1):%Y-%m-%dT%H:%M}"
    Browser.of(room).signed_in().send("/app/posts/new", {**fields, "at": at})
    house.clock.pass_time(timedelta(days=3))
    room.run_due()

    told = [*desk.after(seconds=15), *desk.after(hours=2)]

    assert ["Time to post"] == [s.partition(":")[0] for s in told if s.startswith("Time")]


def test_who_is_mentioned_is_told_of_a_comment_once(desk: Desk) -> None:
    post = desk.room.draft("x", caption="Rye at seven")
    grace = Browser.of(desk.room).as_role(Role.EDITOR)

    grace.send(f"/app/posts/{post['id']}/comments", {"comment": "Is this right, @ada?"})
    told, again = desk.after(seconds=15), desk.after(hours=2)

    assert [told[0].partition(":")[0], again] == ["New comment", []]
    text = desk.last.get_content().replace("\r\n", "\n")
    assert "Grace of “Rye at seven”:\n\nIs this right, @ada?" in text
    assert f"/app/posts/{post['id']}#comments" in text


@pytest.mark.costly
def test_a_comment_is_told_once_however_many_posts_are_spoken_of(desk: Desk) -> None:
    """The page shows the 20 posts last spoken of; what makes room there tells nobody anew."""
    posts = [desk.room.draft("x", caption=f"Rye {number}") for number in range(21)]
    grace = Browser.of(desk.room).as_role(Role.EDITOR)
    for post in posts:
        grace.send(f"/app/posts/{post['id']}/comments", {"comment": "Right, @ada?"})
        desk.after(hours=1)
    told = "".join(letter.get_content() for letter in desk.mail.letters)
    comments = desk.room.house.deployment.posting.comments
    newest = comments.unread(desk.room.workspace_id)[0]
    owner = Browser.of(desk.room).signed_in()
    owner.send(f"/app/posts/{newest.post.id}/comments/{newest.comment.id}/resolve")

    again = desk.after(hours=2)

    assert all(post["id"] in told for post in posts)
    assert again == []


def test_a_morning_has_one_letter_of_what_goes_out_and_what_waits(desk: Desk) -> None:
    room = desk.room
    room.scheduled("linkedin", "x", caption="Rye at six", at=room.in_(hours=26))
    room.scheduled("x", caption="Next week", at=room.in_(days=7))
    room.sent("x", caption="sandbox:fail:media_rejected burnt")
    desk.after(hours=2)

    night = [each for each in desk.after(hours=17, minutes=59) if each.startswith("Today")]
    morning = [each for each in desk.after(minutes=2) if each.startswith("Today")]
    text = desk.last.get_content().replace("\r\n", "\n")
    later = [*desk.after(minutes=5), *desk.after(hours=2)]

    assert night == []
    assert [each.partition(":")[2].strip() for each in morning] == [
        f"1 going out, 1 waiting for you: {desk.last['Subject'].rpartition(': ')[2]}"
    ]
    assert "14:00 “Rye at six” on LinkedIn, X" in text
    assert "burnt” on X (@lighthouse) failed" in text
    assert "Next week" not in text
    assert [each for each in later if each.startswith("Today")] == []


def test_a_morning_counts_all_that_goes_out(desk: Desk) -> None:
    for _ in range(101):
        desk.room.scheduled("linkedin", at=desk.room.in_(hours=26))

    morning = [one for one in desk.after(hours=21) if one.startswith("Today")]

    assert [one.partition(":")[2].strip()[:13] for one in morning] == ["101 going out"]


def test_a_morning_tells_of_what_its_reader_chose_for_it(desk: Desk) -> None:
    room, people = desk.room, desk.room.house.deployment.people
    owner = people.administration.list_members(room.workspace_id)[0]
    people.administration.tell_member(
        owner.id, elsewhere={Channel.DIGEST: frozenset({NoticeKind.REVIEW})}
    )
    room.scheduled("linkedin", caption="Rye at six", at=room.in_(hours=26))
    room.sent("x", caption="sandbox:fail:media_rejected burnt")
    desk.after(hours=2)

    morning = [each for each in desk.after(hours=18, minutes=1) if each.startswith("Today")]

    assert ["1 going out"] == [each.split(": ")[1] for each in morning]
    assert "burnt" not in desk.last.get_content()


def test_a_morning_with_nothing_to_tell_has_no_letter(desk: Desk) -> None:
    mailed = [*desk.after(hours=20, minutes=30), *desk.after(hours=24)]

    assert [each for each in mailed if each.startswith("Today")] == []
