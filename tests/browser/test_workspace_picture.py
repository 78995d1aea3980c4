"""A workspace's picture is made small by the browser, so that any photo will do."""

import os
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import expect

from chalicelib.domain.media.workspace_pictures import SMALL_SIDE
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.costly]

_MOST_IN_A_FORM = 1024 * 1024
_WIDTH = "one => one.naturalWidth"
_WRITES_NO_WEBP = """const write = HTMLCanvasElement.prototype.toBlob;
HTMLCanvasElement.prototype.toBlob = function (done, type, ...more) {
  write.call(this, done, type === "image/webp" ? "image/png" : type, ...more);
};"""
"""As Safari does, which writes PNG instead."""


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """Return a photo that is larger than a form may be, and has nothing to leave out."""
    out, size = BytesIO(), (1600, 1200)
    Image.frombytes("RGB", size, os.urandom(3 * size[0] * size[1])).save(out, "JPEG")
    assert len(out.getvalue()) > _MOST_IN_A_FORM
    path = tmp_path / "oven.jpg"
    path.write_bytes(out.getvalue())
    return path


@pytest.mark.parametrize("writes", ["WebP", "no WebP"])
def test_a_photo_of_any_size_becomes_the_workspaces_picture(
    visitor: Visitor, large: Path, writes: str
) -> None:
    _, owner = visitor.workspace()
    page = visitor.signed_in(owner)
    if writes != "WebP":
        page.add_init_script(_WRITES_NO_WEBP)
    page.goto(f"{visitor.base_url}/app/settings?page=workspace")

    page.get_by_label("Photo or logo").set_input_files(large)
    page.get_by_role("button", name="Set the picture").click()

    expect(page.locator(".notice")).to_contain_text("The picture was set.")
    assert page.locator("img.ws").evaluate(_WIDTH) >= 160


@pytest.mark.parametrize("scripts", [True, False])
def test_so_does_a_photo_of_the_library(visitor: Visitor, large: Path, *, scripts: bool) -> None:
    """Without scripts the service makes it small, and smaller still."""
    _, owner = visitor.workspace()
    page = visitor.signed_in(owner, scripts=scripts)
    page.goto(f"{visitor.base_url}/app/posts/new")
    page.locator("#library > summary").click()
    page.locator("[name=file]").set_input_files(large)
    if not scripts:
        page.get_by_role("button", name="Upload").click()
    expect(page.locator("#chosen img")).to_be_visible()
    page.goto(f"{visitor.base_url}/app/settings?page=workspace")

    page.get_by_text("Choose from the library").click()
    page.get_by_role("button", name="Use oven.jpg").click()

    expect(page.locator(".notice")).to_contain_text("The picture was set.")
    assert (page.locator("img.ws").evaluate(_WIDTH) > SMALL_SIDE) is scripts
