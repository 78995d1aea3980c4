"""A week of four members and two clients around their posts, each at a browser of their own.

One story, because what is proven is that the pieces fit: what one person does, the next one finds.
"""

import re
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from tests.browser.composer_page import A_POST, choose, next_page, pick_time, text_field
from tests.browser.visitor import Visitor

pytestmark = pytest.mark.browser

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
    ada: Page  # owner
    max: Page  # editor: publishes, so he approves
    lin: Page  # contributor: writes, publishes nothing
    vera: Page  # viewer

    def go(self, page: Page, path: str) -> None:
        page.goto(f"{self.base_url}/app/{path}")

    def press(self, page: Page, name: str) -> None:
        """Press a button that leads to another page."""
        with next_page(page):
            page.get_by_role("button", name=name, exact=True).first.click()


@pytest.fixture
def team(visitor: Visitor) -> Team:
    workspace, owner = visitor.workspace("--approvals", "--timezone", "UTC")
    for platform, handle in (("bluesky", "bakery"), ("linkedin", "mill")):
        visitor.test_account(workspace, platform, handle)
    ids = {"ada": owner}
    for name, role in (("max", "editor"), ("lin", "contributor"), ("vera", "viewer")):
        asked = ("member", "add", workspace, "--name", name.capitalize(), "--role", role)
        ids[name] = visitor.operator.text(*asked, field="member_id")
    windows = {name: visitor.signed_in(member) for name, member in ids.items()}
    return Team(base_url=visitor.base_url, visitor=visitor, **windows)


def test_a_week_of_four_members_and_two_clients(team: Team) -> None:
    bakers, millers = _monday_the_owner_prepares(team)
    rye, flour = _tuesday_the_writer_asks_for_review(team)
    _wednesday_the_editor_is_mentioned_and_wants_changes(team, rye)
    _thursday_each_client_decides_on_their_own(team, bakers, millers)
    _friday_what_they_decided_is_seen(team, rye, flour)
    _friday_the_rest_comes_from_a_sheet_and_again_each_week(team, rye)
    _the_viewer_saw_it_all_and_could_change_nothing(team, rye)


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
    team.go(ada, "settings?page=notices")
    ada.get_by_label("a day begins").check()
    team.press(ada, "Save")

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


def _written(team: Team, text: str, account: str) -> str:
    """Have the writer ask for review of a text on an account; return where the post is."""
    lin = team.lin
    team.go(lin, "posts/new")
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
    rye = _written(team, "Rye on Saturday", "bakery")
    lin.get_by_placeholder("Say something").fill("Is the day right, @Max?")
    team.press(lin, "Comment")
    return rye, _written(team, "New flour", "mill")


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
    text_field(lin).fill("Rye on Saturday at seven")
    with next_page(lin):
        choose(lin, "Ask for review")


def _thursday_each_client_decides_on_their_own(team: Team, bakers: str, millers: str) -> None:
    baker, miller = (team.visitor.page(width=390, height=844) for _ in range(2))
    baker.goto(bakers)
    expect(baker.locator("main")).to_contain_text("Rye on Saturday at seven")
    expect(baker.locator("main")).not_to_contain_text("New flour")
    baker.get_by_label("Your name").first.fill("Bo")
    with next_page(baker):
        baker.locator("button.main").click()
    expect(baker.get_by_role("status")).to_contain_text("approved")

    miller.goto(millers)
    expect(miller.locator("main")).not_to_contain_text("Rye")
    miller.get_by_label("Your name").first.fill("Mia")
    miller.get_by_label("Note, or what to change").fill("Without the tags")
    team.press(miller, "Request changes")
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
    team.press(ada, "Revoke")
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
