"""Make a picture of every page, on a desk and a phone, light and dark: `make pictures`.

python -m tests.browser.pictures docs/images [name …]
"""

import io
import shutil
import sys
import tempfile
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Final, Literal

from PIL import Image
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page, sync_playwright

from chalicelib.web.messages import SESSION_COOKIE
from tests.api.http_house import a_house
from tests.browser.pictures.bakery import NOW, Bakery, open_bakery, open_empty
from tests.browser.pictures.serving import served
from tests.support.emulator import start_embedded
from tests.support.free_port import free_port
from tests.web.browser import Browser, both

Scheme = Literal["light", "dark"]

PAGES: Final = {
    "home": "/app",
    "first": "/app",
    "calendar": "/app/calendar",
    "calendar-month": "/app/calendar?view=month",
    "calendar-day": "/app/calendar?view=day",
    "posts": "/app/posts?status=published",
    "post": "/app/posts/{next}",
    "published": "/app/posts/{out}",
    "review": "/app/review",
    "waiting": "/app/waiting",
    "library": "/app/library",
    "plans": "/app/plans",
    "results": "/app/results",
    "accounts": "/app/accounts",
    "groups": "/app/groups",
    "settings": "/app/settings",
    "sign-in": "/app/sign-in",
    "review-link": "/review/{link}",
    "client-page": "/review/client/{client}",
    "client-week": "/review/client/{client}?part=2026-11-23",
    "new-post": "/app/posts/new?media={photo}",  # last, since it keeps a draft
}
OPEN_TO_ALL: Final = frozenset({"sign-in", "review-link", "client-page", "client-week"})
DEVICES: Final = {"desktop": (1280, 900), "phone": (390, 844)}
SCHEMES: Final[tuple[Scheme, ...]] = ("light", "dark")
_QUALITY: Final = 62
_WORDS: Final = (
    "Thirty years ago today we lit the oven for the first time. Same stone, same starter, a little "
    "more grey hair.\n\nThursday from seven: the first hundred loaves of rye at the price of 1996."
)
_WORDS_ON_X: Final = _WORDS.replace("a little more grey hair", "greyer hair")
_PAINTED: Final = """() => Promise.all([document.fonts.ready, ...[...document.images]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().top < innerHeight)
  .map((one) => one.decode())])"""


def main(folder: Path, names: Sequence[str]) -> None:
    """Make the pictures that are named, or all."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        sys.exit("Chromium is not here: apt-get install chromium.")
    emulator, port, place = start_embedded(), free_port(), tempfile.mkdtemp(prefix="goldenhour-")
    try:
        bakery, base_url = open_bakery(a_house(emulator, Path(place))), f"http://127.0.0.1:{port}"
        pipeline = both(bakery.room.house.deployment, base_url=base_url, public_url=base_url)
        session = Browser(bakery.room, pipeline).with_session()
        newcomer = Browser(open_empty(bakery.room.house), pipeline).with_session()
        with served(pipeline, port), sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
            for name, (device, size), scheme in product(names or PAGES, DEVICES.items(), SCHEMES):
                page = _opened(chromium, size, scheme)
                # Passkeys work under a name, and the sign-in page shows that they do.
                host = base_url.replace(
                    "127.0.0.1", "localhost" if name == "sign-in" else "127.0.0.1"
                )
                if name not in OPEN_TO_ALL:
                    whose = newcomer if name == "first" else session
                    cookie = whose.cookies[SESSION_COOKIE][0]
                    page.context.add_cookies(
                        [{"name": SESSION_COOKIE, "value": cookie, "url": f"{base_url}/app"}]
                    )
                page.goto(host + _address(bakery, name), wait_until="networkidle")
                if name not in OPEN_TO_ALL | {"first"}:  # counts and faces come after the page
                    page.locator('.side [data-count="Posts"]:not(:empty)').wait_for(
                        state="attached"
                    )
                if name == "new-post":
                    _write(page)
                page.evaluate(_PAINTED)
                _keep(page, folder / device / f"{name}-{scheme}.webp")
                page.context.close()
            chromium.close()
    finally:
        emulator.stop()
        shutil.rmtree(place, ignore_errors=True)


def _address(bakery: Bakery, name: str) -> str:
    return PAGES[name].format(
        next=bakery.next["id"],
        out=bakery.out["id"],
        photo=bakery.next["media_ids"][0],
        link=bakery.review_link,
        client=bakery.client_link,
    )


def _write(page: Page) -> None:
    """Choose two accounts, write what a post is about, and another text for one of them."""
    page.clock.set_fixed_time(NOW)
    for name in ("sauerteig.co, Instagram", "@sauerteigco, X"):
        page.locator(f'.acc[title="{name}"]').click()
    page.get_by_role("tab", name="All accounts").click()
    page.locator("#caption").fill(_WORDS)
    page.get_by_role("tab", name="X").click()
    page.get_by_label("Text for X", exact=False).fill(_WORDS_ON_X)
    page.locator("#beside .look", has_text=_WORDS_ON_X[-20:]).first.wait_for(state="attached")
    page.locator("#ways label", has_text="Golden hour").click()
    page.locator("#saved", has_text="Saved").wait_for()
    page.wait_for_load_state("networkidle")
    page.evaluate("scrollTo(0, 0)")


def _opened(chromium: Chromium, size: tuple[int, int], scheme: Scheme) -> Page:
    context = chromium.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme=scheme,
        locale="en-US",  # as the fields that Chromium draws itself
        reduced_motion="reduce",
        service_workers="block",
        timezone_id="Europe/Berlin",
    )
    context.set_default_timeout(120_000)  # for a machine with much else to do
    return context.new_page()


def _keep(page: Page, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.open(io.BytesIO(page.screenshot())).save(path, quality=_QUALITY, method=6)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
