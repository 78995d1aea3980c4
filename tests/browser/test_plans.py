"""A spreadsheet dropped in the app: a mistake corrected in place, then all of it scheduled."""

import pytest
from playwright.sync_api import expect

from tests.browser.visitor import Visitor

pytestmark = pytest.mark.browser

LINES = 60


def test_a_sheet_is_dropped_corrected_and_scheduled(visitor: Visitor) -> None:
    """Sixty lines take three requests, which the page sends by itself."""
    workspace, member = visitor.workspace("--timezone", "UTC")
    visitor.test_account(workspace, "linkedin")
    page = visitor.signed_in(member)
    times = [f"2031-03-03 {number // 60 + 9:02}:{number % 60:02}" for number in range(LINES)]
    lines = [f"linkedin,Loaf {number},{at}" for number, at in enumerate(times)]
    lines[7] = "linkedn,Loaf 7,2031-03-03 12:00"
    sheet = "\n".join(["to,caption,at", *lines]).encode()

    page.goto(f"{visitor.base_url}/app/plans")
    page.get_by_label("A sheet as XLSX or CSV").set_input_files(
        {"name": "march.csv", "mimeType": "text/csv", "buffer": sheet}
    )
    page.get_by_role("button", name="Read the sheet").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("march.csv")
    page.get_by_role("link", name="With a mistake").click()
    expect(page.locator(".lines > li")).to_have_count(1)
    page.get_by_text("Correct line 9", exact=False).click()
    page.get_by_label("Accounts", exact=True).last.fill("linkedin")
    page.get_by_role("button", name="Save line 9").click()
    expect(page.get_by_text("No line has a mistake")).to_be_visible()
    page.get_by_role("button", name="Schedule 60 posts").click()

    expect(page.get_by_text("60 lines: 0 ready, 0 with a mistake, 60 made")).to_be_visible()
    page.goto(f"{visitor.base_url}/app/posts?status=scheduled")
    expect(page.get_by_text("Loaf 59", exact=True)).to_be_visible()
