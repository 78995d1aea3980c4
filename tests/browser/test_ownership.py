"""An owner in a real browser: an export asked for and downloaded, a workspace deleted for good."""

import io
import re
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.composer_page import next_page
from tests.browser.visitor import Visitor

pytestmark = pytest.mark.browser


def an_owner(visitor: Visitor) -> tuple[str, Page]:
    """Return a workspace with a draft, and its owner's window."""
    workspace, owner = visitor.workspace()
    visitor.test_account(workspace, "x")
    page = visitor.signed_in(owner)
    page.goto(f"{visitor.base_url}/app/posts/new")
    page.locator("textarea[name=caption]").first.fill("Rye on Friday")
    page.locator("input[name=account]").first.check(force=True)
    with next_page(page):
        page.locator("#composer").evaluate(
            "form => form.requestSubmit(form.querySelector('button[value=save]'))"
        )
    expect(page).to_have_url(re.compile(r"/app/posts/[0-9a-f]{32}"))
    return workspace, page


def to_data(page: Page, visitor: Visitor) -> None:
    page.goto(f"{visitor.base_url}/app/settings?page=workspace")
    page.get_by_role("link", name="Export everything, or delete this workspace").click()
    expect(page.get_by_role("heading", name="Export and delete")).to_be_visible()


def test_an_owner_exports_everything_and_reads_it(visitor: Visitor) -> None:
    _, page = an_owner(visitor)
    to_data(page, visitor)

    page.get_by_role("button", name="Export everything").click()
    expect(page.get_by_text("is being made").first).to_be_visible()
    visitor.operator.local.whole_workspace.export_requests.run()  # as the review does
    page.reload()
    with page.expect_download() as begun:
        page.get_by_role("link", name="Part 1 of 1").click()

    file = begun.value
    assert file.suggested_filename.endswith("part-0001.zip")
    with zipfile.ZipFile(io.BytesIO(Path(file.path()).read_bytes())) as opened:
        assert opened.testzip() is None
        assert "Rye on Friday" in opened.read("posts/00001.jsonl").decode()


def test_an_owner_deletes_a_workspace_asked_twice_with_its_name_typed(visitor: Visitor) -> None:
    workspace, page = an_owner(visitor)
    to_data(page, visitor)
    called = page.locator("form[action$='/data/delete'] strong").inner_text()

    page.get_by_label("to go on").fill("something else")
    page.get_by_role("button", name="Delete this workspace").click()
    expect(page.get_by_role("alert")).to_contain_text("not the workspace")
    page.get_by_label("to go on").fill(called)
    page.get_by_role("button", name="Delete this workspace").click()
    expect(page.get_by_role("heading", name=f"Delete {called} for good?")).to_be_visible()
    there = workspace in {str(one["workspace_id"]) for one in visitor.listed("workspace", "list")}
    page.get_by_role("button", name="Delete it for good").click()

    expect(page.get_by_role("heading", name=f"{called} is deleted")).to_be_visible()
    assert there
    assert workspace not in {
        str(one["workspace_id"]) for one in visitor.listed("workspace", "list")
    }
    page.goto(f"{visitor.base_url}/app")
    expect(page).to_have_url(f"{visitor.base_url}/app/sign-in")
