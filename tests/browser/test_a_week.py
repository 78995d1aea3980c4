"""A week of four members and two clients around their posts, each at a browser of their own.

One story, because what is proven is that the pieces fit: what one person does, the next one finds.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Page, expect

from chalicelib.connectors.shared.mail import SmtpMailer
from tests.browser.composer_page import A_POST, choose, next_page, pick_time, text_field
from tests.browser.visitor import Visitor
from tests.support.mail_server import MailServer, a_mail_server
from tests.support.other_name import by_address
from tests.web.browser import a_photo

pytestmark = pytest.mark.browser

ADDRESS = "ada@bakery.example"
SATURDAY = datetime(2031, 3, 1, 8, 1, tzinfo=UTC)
SIGNED = "Rye on Saturday at seven\n\nBakers & Sons, Mill Lane 3"
SHEET = """to,caption,at
bakery,Seed loaf on Monday,2031-03-03 09:00
bakry,Rye on Tuesday,2031-03-04 09:00
mill,Flour on Wednesday,2031-03-05 09:00
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Team:
    """A workspace with approvals and two clients' accounts, and its members' windows."""

    base_url: str
    visitor: Visitor
    workspace: str
    mail: MailServer
    ada: Page  # owner
    max: Page  # editor: publishes, so he approves
    lin: Page  # contributor: writes, publishes nothing
    vera: Page  # viewer

    def go(self, page: Page, path: str) -> None:
        page.goto(f"{self.base_url}/app/{path}")

    def told(self, at: datetime | None = None) -> list[str]:
        """Have everybody be told what is new, now or at a later time; return what Ada is mailed."""
        known, people = len(self.mail.letters), self.visitor.operator.local.people
        notices = people.make_notices(SmtpMailer(self.mail.url))
        if at is not None:
            digests = replace(notices.digests, clock=lambda: at)
            notices = replace(notices, clock=lambda: at, digests=digests)
        notices.run()
        new = [one for one in self.mail.letters[known:] if one["To"] == ADDRESS]
        return [one["Subject"] + "\n" + one.get_content() for one in new]

    def press(self, page: Page, name: str) -> None:
        """Press a button that leads to another page."""
        with next_page(page):
            page.get_by_role("button", name=name, exact=True).first.click()


@pytest.fixture
def mail() -> Iterator[MailServer]:
    with a_mail_server() as server:
        yield server


@pytest.fixture
def team(visitor: Visitor, mail: MailServer) -> Team:
    workspace, owner = visitor.workspace("--approvals", "--timezone", "UTC")
    for platform, handle in (("bluesky", "bakery"), ("linkedin", "mill")):
        visitor.test_account(workspace, platform, handle)
    ids = {"ada": owner}
    for name, role in (("max", "editor"), ("lin", "contributor"), ("vera", "viewer")):
        asked = ("member", "add", workspace, "--name", name.capitalize(), "--role", role)
        ids[name] = visitor.operator.text(*asked, field="member_id")
    windows = {name: visitor.signed_in(member) for name, member in ids.items()}
    return Team(
        base_url=visitor.base_url, visitor=visitor, workspace=workspace, mail=mail, **windows
    )


@pytest.mark.costly
def test_a_week_of_four_members_and_two_clients(team: Team) -> None:
    bakers, millers = _monday_the_owner_prepares(team)
    _monday_the_owner_wants_a_letter_each_morning(team)
    rye, flour = _tuesday_the_writer_asks_for_review(team)
    _wednesday_the_photo_is_found_and_described(team)
    _wednesday_the_editor_is_mentioned_and_wants_changes(team, rye)
    _thursday_each_client_decides_on_their_own(team, bakers, millers)
    _friday_what_they_decided_is_seen(team, rye, flour)
    _friday_the_rest_comes_from_a_sheet_and_again_each_week(team, rye)
    _the_viewer_saw_it_all_and_could_change_nothing(team, rye)
    _saturday_begins_with_a_letter(team)
    _next_month_nothing_is_paid_and_they_post_by_hand(team)


def _monday_the_owner_prepares(team: Team) -> tuple[str, str]:
    ada = team.ada
    team.go(ada, "groups")
    ada.get_by_label("Name").fill("Both houses")
    for account in ("bakery Bluesky", "mill LinkedIn"):
        ada.get_by_role("checkbox", name=account, exact=True).check()
    team.press(ada, "Make the group")
    team.go(ada, "labels")
    ada.get_by_label("Name, at most").fill("Autumn")
    team.press(ada, "Make the label")
    team.go(ada, "words")
    ada.get_by_label("Name").fill("Bread tags")
    ada.get_by_role("textbox", name="Text", exact=True).fill("#bread #rye")
    team.press(ada, "Save the text")
    signature = ada.get_by_role("textbox", name="Signature of bakery on Bluesky")
    signature.fill("Bakers & Sons, Mill Lane 3")
    with next_page(ada):
        ada.get_by_role("button", name="Save the signature of bakery").click()

    links = []
    for client, account in (
        ("Bakers & Sons", "bakery on Bluesky"),
        ("Mill & Co", "mill on LinkedIn"),
    ):
        team.go(ada, "review")
        ada.locator("summary", has_text="one link to all posts").click()
        ada.get_by_label("Client", exact=True).fill(client)
        ada.get_by_role("checkbox", name=account).check()
        team.press(ada, "Make the page")
        links.append(ada.locator(".secret").inner_text())
    return links[0], links[1]


def _monday_the_owner_wants_a_letter_each_morning(team: Team) -> None:
    ada = team.ada
    team.go(ada, "settings?page=notices")
    ada.get_by_label("Your address for e-mail").fill(ADDRESS)
    ada.get_by_label(re.compile("^a day begins.*: E-mail$")).check()
    ada.get_by_label("a post waits for approval: Morning").uncheck()
    team.press(ada, "Save")
    (asked,) = team.told()
    link = re.search(r"https?://\S+/app/address/\S+", asked)
    assert link is not None, asked
    ada.goto(by_address(link[0]))
    team.press(ada, "Send notices here")
    expect(ada.get_by_text(f"go to {ADDRESS} from now on")).to_be_visible()


def _written(team: Team, text: str, account: str, photo: str | None = None) -> str:
    """Have the writer ask for review of a text on an account; return where the post is."""
    lin = team.lin
    team.go(lin, "posts/new")
    if photo:
        lin.locator("#uploader input[type=file]").set_input_files(
            {"name": photo, "mimeType": "image/jpeg", "buffer": a_photo()}
        )
        expect(lin.locator(".library :checked[data-kind=image]")).to_have_count(1)
    text_field(lin).fill(text)
    lin.get_by_role("checkbox", name=account).check()
    expect(lin.locator(".panel")).to_have_count(1)
    lin.locator("summary[aria-label='Saved words']").click()
    lin.get_by_role("button", name="Bread tags").click()
    expect(text_field(lin)).to_have_value(f"{text} #bread #rye")
    lin.locator("summary", has_text="Labels").click()
    lin.get_by_role("checkbox", name="Autumn").check()
    pick_time(lin, "2031-03-01T09:00")
    with next_page(lin):
        lin.get_by_role("button", name=re.compile("^Ask for ")).first.click()
    lin.wait_for_url(A_POST)
    return lin.url


def _tuesday_the_writer_asks_for_review(team: Team) -> tuple[str, str]:
    lin = team.lin
    rye = _written(team, "Rye on Saturday", "bakery", "loaf.jpg")
    lin.get_by_placeholder("Write a comment").fill("Is the day right, @Max?")
    team.press(lin, "Comment")
    return rye, _written(team, "New flour", "mill")


def _wednesday_the_photo_is_found_and_described(team: Team) -> None:
    page = team.max
    team.go(page, "library")
    page.get_by_label("Search names and alt texts").fill("loaf")
    page.get_by_label("Used").select_option("On a post")
    team.press(page, "Show")
    page.get_by_label("Change loaf.jpg").click()
    page.get_by_label("What it shows").fill("A dark loaf on a board")
    team.press(page, "Save")
    expect(page.locator("#found")).to_contain_text("A dark loaf on a board")
    page.get_by_label("Used").select_option("On no post")
    team.press(page, "Show")
    expect(page.get_by_text("No files match")).to_be_visible()


def _wednesday_the_editor_is_mentioned_and_wants_changes(team: Team, rye: str) -> None:
    page, lin = team.max, team.lin
    page.reload()
    page.locator("a.bell").click()
    expect(page.locator("main")).to_contain_text("Is the day right, @Max?")
    page.goto(rye)
    page.get_by_role("button", name="Resolve the comment of Lin").click()
    expect(page.locator("summary", has_text="One resolved")).to_be_visible()
    team.go(page, "review")
    card = page.get_by_label("Awaiting review: Rye on Saturday")
    card.get_by_label("Note, or what to change").fill("Say the hour, please")
    with next_page(page):
        card.get_by_role("button", name="Request changes").click()

    lin.goto(rye)
    expect(lin.locator("main")).to_contain_text("Say the hour, please")
    text_field(lin).fill("Rye on Saturday at seven\n\n")
    lin.locator("summary[aria-label='Saved words']").click()
    lin.get_by_role("button", name="Signature of bakery").click()
    expect(text_field(lin)).to_have_value(SIGNED)
    with next_page(lin):
        choose(lin, "Ask for review")


def _thursday_each_client_decides_on_their_own(team: Team, bakers: str, millers: str) -> None:
    baker, miller = (team.visitor.page(width=390, height=844) for _ in range(2))
    baker.goto(bakers)
    expect(baker.locator("main")).to_contain_text("Rye on Saturday at seven")
    expect(baker.locator("main")).to_contain_text("Mill Lane 3")
    expect(baker.locator("main")).not_to_contain_text("New flour")
    baker.locator(".revsays").first.get_by_label("Your name").fill("Bo")
    with next_page(baker):
        baker.locator("button.main").click()
    expect(baker.get_by_role("status")).to_contain_text("approved")

    miller.goto(millers)
    expect(miller.locator("main")).not_to_contain_text("Rye")
    miller.locator(".revsays").first.get_by_label("Your name").fill("Mia")
    miller.get_by_label("Note, or what to change").fill("Without the tags")
    with next_page(miller):
        miller.get_by_role("button", name="Request changes").click()
    expect(miller.get_by_role("status")).to_be_visible()


def _friday_what_they_decided_is_seen(team: Team, rye: str, flour: str) -> None:
    lin = team.lin
    lin.goto(rye)
    expect(lin.locator("#progress")).to_contain_text("Scheduled")
    expect(lin.locator("main")).to_contain_text("Bo")
    lin.goto(flour)
    expect(lin.locator("main")).to_contain_text("Without the tags")


def _friday_the_rest_comes_from_a_sheet_and_again_each_week(team: Team, rye: str) -> None:
    ada = team.ada
    team.go(ada, "plans")
    ada.get_by_label("A sheet as XLSX or CSV").set_input_files(
        {"name": "march.csv", "mimeType": "text/csv", "buffer": SHEET.encode()}
    )
    team.press(ada, "Read the sheet")
    mistaken = ada.locator(".lines > li").filter(has_text="Correct line 3")
    mistaken.locator("summary").click()
    mistaken.get_by_label("Accounts", exact=True).fill("bakery")
    team.press(ada, "Save line 3")
    team.press(ada, "Schedule 3 posts")
    expect(ada.get_by_text("0 with a mistake, 3 made")).to_be_visible()

    ada.goto(rye)
    ada.locator("summary", has_text="Repeat this post").click()
    team.press(ada, "Repeat it")
    expect(ada.get_by_text("Every week")).to_be_visible()
    team.go(ada, "series")
    ada.locator("summary", has_text="End…").click()
    team.press(ada, "End the series")
    expect(ada.locator("tbody")).to_contain_text("Ended")
    team.go(ada, "review")
    team.press(ada, "Revoke link 1")
    expect(ada.get_by_text("The link was revoked.")).to_be_visible()


def _the_viewer_saw_it_all_and_could_change_nothing(team: Team, rye: str) -> None:
    vera = team.vera
    team.go(vera, "posts?q=on")
    for text in ("Rye on Saturday at seven", "Seed loaf on Monday", "Rye on Tuesday"):
        expect(vera.locator("tbody")).to_contain_text(text)
    expect(vera.locator("tbody").get_by_text("Autumn").first).to_be_visible()
    vera.goto(rye)
    expect(vera.locator("main")).to_contain_text("Bo")
    expect(vera.get_by_role("button", name="Comment", exact=True)).to_have_count(0)
    expect(vera.locator("summary", has_text="Repeat this post")).to_have_count(0)


def _saturday_begins_with_a_letter(team: Team) -> None:
    early, letters = team.told(SATURDAY.replace(hour=7)), team.told(SATURDAY)
    again = team.told(SATURDAY.replace(hour=9))

    (letter,) = letters
    assert (early, again) == ([], [])
    assert letter.startswith("Today: 1 going out")
    assert "09:00 “Rye on Saturday at seven" in letter
    assert "on Bluesky" in letter


def _next_month_nothing_is_paid_and_they_post_by_hand(team: Team) -> None:
    ada = team.ada
    team.visitor.operator.ask("workspace", "update", team.workspace, "--plan", "free")
    team.go(ada, "posts/new")
    expect(ada.locator("main")).to_contain_text("you are reminded")
    text_field(ada).fill("Oats on Sunday")
    ada.get_by_role("checkbox", name="mill").check()
    expect(ada.locator(".panel")).to_have_count(1)
    pick_time(ada, "2031-03-02T09:00")
    with next_page(ada):
        choose(ada, "Schedule", "Remind")
    ada.wait_for_url(A_POST)
    post = ada.url
    team.visitor.have_sent(team.workspace, ada)
    posted = ada.get_by_role("button", name="I posted it")
    while not posted.is_visible():  # until the engine has come to it
        ada.reload()
    ada.locator("a.bell").click()
    ada.get_by_role("link", name="Post it", exact=True).first.click()
    ada.wait_for_url(post)
    with next_page(ada):
        posted.click()
    expect(ada.locator(".notice")).to_contain_text("counts as posted")
