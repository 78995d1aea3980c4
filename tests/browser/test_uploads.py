"""Large files leave the browser straight for the storage, where a stage offers that."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.slow_line import slow_line
from tests.browser.visitor import Visitor
from tests.local.running_stack import PROJECT

pytestmark = pytest.mark.browser

LARGE_BYTES = 4 * 1024 * 1024
SLOW, FAST = 64 * 1024, 1e9
"""Bytes a second: on the slow line the large file takes a minute."""
STRAIGHT = "/app/media/uploads"
FILE_ID = "1" * 32


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """Return a photo that is large because of what follows its end."""
    path = tmp_path / "loaf.jpg"
    path.write_bytes((PROJECT / "docs" / "sample.jpg").read_bytes().ljust(LARGE_BYTES, b"\0"))
    return path


def a_form(visitor: Visitor, width: int = 1280) -> Page:
    """Open the form of a new post as a deployed stage shows it: with a way to the storage."""
    _, owner = visitor.workspace()
    page = visitor.signed_in(owner, width=width)
    page.goto(f"{visitor.base_url}/app/posts/new")
    page.eval_on_selector("#upload", f"form => form.dataset.straight = '{STRAIGHT}'")
    return page


def a_storage(page: Page, status: int, states: list[dict[str, str]]) -> list[str]:
    """Play the storage and how the upload stands, at last for good; return what is asked for."""
    asked: list[str] = []

    def begin(route: Route) -> None:
        asked.append("begin")
        assert "form_token=" in (route.request.post_data or "")
        found = {"media_id": FILE_ID, "url": "/storage/loaf"}
        route.fulfill(status=201, json=found)

    def put(route: Route) -> None:
        asked.append(route.request.method)
        route.fulfill(status=status)

    def state(route: Route) -> None:
        found = states.pop(0) if len(states) > 1 else states[0]
        asked.append(found["state"])
        route.fulfill(body=json.dumps({"id": FILE_ID, "filename": "loaf.jpg", **found}))

    page.route(f"**{STRAIGHT}", begin)
    page.route("**/storage/loaf", put)
    page.route(f"**{STRAIGHT}/{FILE_ID}", state)
    return asked


def upload(page: Page, file: Path) -> None:
    page.locator("#uploader input[type=file]").set_input_files(file)


def test_a_large_file_goes_straight_to_the_storage_and_is_chosen(
    visitor: Visitor, large: Path
) -> None:
    page = a_form(visitor)
    asked = a_storage(page, 200, [{"state": "waiting"}, {"state": "ready"}])

    upload(page, large)

    expect(page.get_by_text("Uploaded and selected.")).to_be_visible()
    assert (["begin", "PUT", "waiting"], "ready") == (asked[:3], asked[-1])
    assert FILE_ID == page.locator("input[name=media]:checked").get_attribute("value")


def test_a_file_that_is_none_is_told_as_such(visitor: Visitor, large: Path) -> None:
    page = a_form(visitor)
    a_storage(page, 200, [{"state": "refused", "message": "This is no photo."}])

    upload(page, large)

    expect(page.locator(".said")).to_have_text("This is no photo.")


def test_a_large_file_goes_by_the_form_where_the_storage_does_not_take_it(
    visitor: Visitor, large: Path
) -> None:
    page = a_form(visitor)
    asked = a_storage(page, 403, [])

    upload(page, large)

    expect(page.get_by_text("Uploaded and selected.")).to_be_visible()
    assert ["begin", "PUT"] == asked
    assert FILE_ID != page.locator("input[name=media]:checked").get_attribute("value")


@pytest.mark.costly
@pytest.mark.parametrize("width", [390, 1280])
def test_a_file_is_dropped_pasted_and_cancelled_while_a_text_is_kept(
    visitor: Visitor, large: Path, width: int
) -> None:
    page = a_form(visitor, width)
    page.locator("#caption").fill("Typed before")
    photo = (PROJECT / "docs" / "sample.jpg").read_bytes()
    page.evaluate(_PASTE, [list(photo), "Words of a table"])
    expect(page.locator("#chosen img")).to_have_count(0)

    page.evaluate(_PASTE, [list(photo), ""])
    expect(page.get_by_text("Uploaded and selected.")).to_be_visible()
    expect(page.locator(".library img")).to_have_count(1)
    page.route(f"**{STRAIGHT}", lambda _route: None)  # an answer that never comes
    with page.expect_request(f"**{STRAIGHT}"):
        upload(page, large)
    loaf = page.get_by_role("group", name="loaf.jpg")
    loaf.get_by_role("button", name="Cancel", exact=True).click()

    expect(page.locator(".said")).to_contain_text("Cancelled.")
    expect(page.locator("#caption")).to_have_value("Typed before")
    expect(page.locator("input[name=media]:checked")).to_have_count(1)


@pytest.mark.costly
@pytest.mark.parametrize("width", [390, 1280])
def test_over_a_slow_line_an_upload_tells_how_far_it_is(
    visitor: Visitor, large: Path, width: int
) -> None:
    """Its text is typed meanwhile, and the file is chosen only when it is there."""
    workspace, owner = visitor.workspace()
    visitor.test_account(workspace, "linkedin")
    with slow_line(bytes_a_second=FAST) as line:
        page = visitor.signed_in(owner, width=width, proxy=line.proxy)
        page.goto(f"{visitor.base_url}/app/posts/new")
        page.get_by_label("bakery").check()
        expect(page.locator(".panel")).to_have_count(1)
        line.bytes_a_second = SLOW

        upload(page, large)
        expect(page.locator(".said")).to_have_text(
            re.compile(r"Uploading: \d+ %, [\d.]+ [KM]B a second, \d+ (s|min) left")
        )
        expect(page.locator(".said")).to_have_attribute("aria-live", "off")  # many times a second
        page.locator("#caption").fill("Typed while it goes up")
        expect(page.locator("input[name=media][value='']")).to_be_checked()
        line.bytes_a_second = FAST

        expect(page.get_by_text("Uploaded and selected.")).to_be_visible()
        expect(page.locator("#caption")).to_have_value("Typed while it goes up")
        expect(page.locator("input[name=media]:checked")).not_to_have_value("")


def test_a_line_that_goes_down_is_told_in_our_words_and_the_file_goes_up_again(
    visitor: Visitor, large: Path
) -> None:
    """Browsers' own are "Failed to fetch", "Load failed" and "NetworkError when attempting …"."""
    page = a_form(visitor, 390)
    page.context.set_offline(True)
    upload(page, large)
    expect(page.locator(".said")).to_have_text("The upload was interrupted. Try again.")

    page.context.set_offline(False)
    a_storage(page, 200, [{"state": "ready"}])
    page.get_by_role("button", name="Retry").click()

    expect(page.get_by_text("Uploaded and selected.")).to_be_visible()


def test_a_file_that_has_arrived_is_waited_for_though_the_line_goes_down(
    visitor: Visitor, large: Path
) -> None:
    page = a_form(visitor, 390)
    asked = a_storage(page, 200, [{"state": "ready"}])
    page.route(f"**{STRAIGHT}/{FILE_ID}", lambda route: route.abort(), times=1)

    upload(page, large)

    expect(page.get_by_text("Uploaded and selected.")).to_be_visible()
    assert ["begin", "PUT", "ready"] == asked


def test_several_files_are_refused_with_a_sentence(visitor: Visitor) -> None:
    page = a_form(visitor)
    photo = (PROJECT / "docs" / "sample.jpg").read_bytes()

    page.evaluate(_PASTE, [list(photo), "", 2])

    expect(page.locator(".said")).to_contain_text("one photo or video")


def test_a_picture_copied_with_its_page_is_taken(visitor: Visitor) -> None:
    """A browser's "Copy image" brings HTML along, Office a text: nothing was taken, in silence."""
    page = a_form(visitor)
    photo = (PROJECT / "docs" / "sample.jpg").read_bytes()

    page.evaluate(_PASTE_BESIDE, [list(photo), "caption", "text/html", "<img src=loaf.jpg>"])
    expect(page.locator(".library img")).to_have_count(1)
    page.evaluate(_PASTE_BESIDE, [list(photo), "", "text/plain", "Loaf"])
    expect(page.locator(".library img")).to_have_count(2)


def test_words_are_dragged_to_another_place_of_a_text(visitor: Visitor) -> None:
    page = a_form(visitor)
    text = page.locator("#caption")
    text.fill("one two")
    text.evaluate("field => field.setSelectionRange(0, 3)")
    box = text.bounding_box()
    assert box is not None
    line = box["y"] + 10

    page.mouse.move(box["x"] + 8, line)
    page.mouse.down()
    page.mouse.move(box["x"] + 150, line, steps=5)
    expect(page.locator("#composer")).not_to_have_class(re.compile("dropping"))
    page.mouse.up()

    expect(text).to_have_value(" twoone")


_PASTE_BESIDE = """([bytes, where, kind, words]) => {
  const data = new DataTransfer();
  data.items.add(new File([new Uint8Array(bytes)], "image.jpg", { type: "image/jpeg" }));
  data.setData(kind, words);
  const about = { clipboardData: data, bubbles: true, cancelable: true };
  const place = where ? document.getElementById(where) : document.body;
  place.dispatchEvent(new ClipboardEvent("paste", about));
}"""

_PASTE = """([bytes, text, times = 1]) => {
  const data = new DataTransfer();
  for (let n = 0; n < times; n += 1)
    data.items.add(new File([new Uint8Array(bytes)], `pasted-${n}.jpg`, { type: "image/jpeg" }));
  if (text) data.setData("text/plain", text);
  const about = { clipboardData: data, bubbles: true, cancelable: true };
  document.getElementById("caption").dispatchEvent(new ClipboardEvent("paste", about));
}"""
