"""Style and scripts: whose they are, that nobody changed them, and how much a first page weighs."""

import gc
import gzip
import hashlib
import re
import tracemalloc
from pathlib import Path

import pytest

from chalicelib.api.http.response_headers import compress
from chalicelib.kit.asgi.messages import Request
from infra.packaging.package import _copy_code
from tests.local.running_stack import PROJECT
from tests.web.browser import Browser

STATIC = Path(__file__).parents[2] / "chalicelib" / "web" / "static"
MOST_FIRST_PAGE_BYTES = 100 * 1024
MOST_COMPOSER_BYTES = 110 * 1024
MOST_STYLE_BYTES = 14 * 1024
OURS = {
    *("app.css", "calendar.css", "composer.css", "gate.css", "home.css", "looks.css"),
    *(
        "accounts.css",
        "library.css",
        "plans.css",
        "post.css",
        "posts.css",
        "results.css",
        "review.css",
        "settings.css",
    ),
    *(
        "app.js",
        "calendar.js",
        "composer.js",
        "crop.js",
        "drafts.js",
        "emoji.js",
        "keys.js",
        "next.js",
        "picture.js",
        "plans.js",
        "tiktok.js",
    ),
    *("plans.js", "passkeys.js", "push.js", "clock.js", "upload.js", "worker.js", "offline.js"),
    *(
        "offline.html",
        "app.webmanifest",
        "icon.svg",
        "icon-180.png",
        "icon-192.png",
        "icon-512.png",
    ),
    *("icon-mask-512.png", "icons.svg", "dawn.webp", "README.md"),
}
_DRAWN = re.compile(r"\| ([\w-]+) \| \S+ \S+, \S+ \| \S+, (\S+) \| ([0-9a-f]{16}) \|")
_REMARK = re.compile(rb"^\s*(//|/\*.*\*/$)", re.MULTILINE)
_ROW = re.compile(r"\| (\S+) \| (\S+) \S+, \S+ \| .*?, (\S+) \| ([0-9a-f]{64}) \|")


NAMES, LONG_NAME = 200, 4_000


def asking(address: str) -> Request:
    """Return the request of a browser that takes gzip."""
    path = address.partition("?")[0]
    return Request(method="GET", path=path, headers={"accept-encoding": "gzip"})


def listed() -> list[tuple[str, str, str]]:
    """Return file, licence file and checksum of each library that is named."""
    rows = _ROW.findall((STATIC / "README.md").read_text())
    return [(name, licence, checksum) for name, _, licence, checksum in rows]


@pytest.mark.parametrize(("name", "licence", "checksum"), listed(), ids=lambda value: value[:12])
def test_a_library_is_what_its_package_holds(name: str, licence: str, checksum: str) -> None:
    assert hashlib.sha256((STATIC / name).read_bytes()).hexdigest() == checksum
    assert (STATIC / licence).exists()


def test_every_drawing_of_the_sprite_is_its_package_s_and_named() -> None:
    sprite = (STATIC / "icons.svg").read_text()

    found = {
        name: hashlib.sha256(symbol.encode()).hexdigest()[:16]
        for symbol, name in re.findall(r'(<symbol id="([\w-]+)".*?</symbol>)', sprite, re.DOTALL)
        if name != "sun"
    }

    rows = _DRAWN.findall((STATIC / "README.md").read_text())
    assert found == {name: checksum for name, _, checksum in rows}
    assert {(STATIC / licence).exists() for _, licence, _ in rows} == {True}


def test_every_script_and_style_is_ours_or_named() -> None:
    found = {path.name for path in STATIC.iterdir()} - OURS

    named = {name for row in listed() for name in row[:2]}
    assert found == named | {"icons.LICENSE.txt", "simple-icons.LICENSE.md"}


def test_comments_of_ours_are_sent_to_nobody_and_what_is_not_ours_as_it_is(
    browser: Browser,
) -> None:
    sent = {name: browser.open(f"/app/static/{name}").response.body for name in _written()}

    told = [one for one in OURS & {*sent} if _REMARK.search(sent[one])]
    changed = [one for one in {*sent} - OURS if sent[one] != (STATIC / one).read_bytes()]
    assert (told, changed) == ([], [])


def _written() -> list[str]:
    return [path.name for path in STATIC.iterdir() if path.suffix in {".css", ".js"}]


def test_the_style_of_every_page_is_small() -> None:
    style = gzip.compress((STATIC / "app.css").read_bytes())

    assert len(style) <= MOST_STYLE_BYTES


def test_no_style_needs_a_browser_of_this_year() -> None:
    """`light-dark()` is younger than May 2024: the dark has tokens of its own instead."""
    styles = [path.read_text() for path in STATIC.glob("*.css") if path.name in OURS]

    assert not [style for style in styles if "light-dark(" in style]
    assert all("{" in style for style in styles)


@pytest.mark.parametrize(
    ("address", "most"),
    [
        ("/app", MOST_FIRST_PAGE_BYTES),
        ("/app/calendar?view=month", MOST_FIRST_PAGE_BYTES),
        ("/app/posts/new", MOST_COMPOSER_BYTES),
    ],
)
def test_a_first_page_weighs_little(browser: Browser, address: str, most: int) -> None:
    page = browser.open(address)
    text = page.text
    files = list(dict.fromkeys(re.findall(r'(?:src|href)="(/app/static/[^"#]+)', text)))

    answers = [browser.open(address) for address in files]

    requests = [asking(address) for address in files]
    pairs = zip(requests, answers, strict=True)
    weight = len(compress(asking(address), page.response).body)
    weights = [len(compress(request, answer.response).body) for request, answer in pairs]
    assert {answer.status for answer in answers} == {200}
    assert "immutable" in answers[0].response.headers["Cache-Control"]
    print(f"{address}: {weight:,} + {sum(weights):,} bytes")  # noqa: T201 - a figure
    assert weight + sum(weights) <= most


def test_a_name_that_no_file_can_have_is_not_found(browser: Browser) -> None:
    assert browser.open(f"/app/static/{'a' * LONG_NAME}.css").status == 404


@pytest.mark.costly
def test_names_that_are_no_files_take_no_memory(browser: Browser) -> None:
    """Whoever asks needs no session, and may ask for another name each time."""

    def ask(first: int) -> None:
        for number in range(first, first + NAMES):
            browser.open(f"/app/static/{'a%2F' * (LONG_NAME // 4)}{number}.css")

    ask(0)
    tracemalloc.start()
    ask(NAMES)
    gc.collect()
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert kept < NAMES * LONG_NAME / 2


def test_no_two_pages_hold_the_same_token_since_they_are_compressed(browser: Browser) -> None:
    """What stood in each page could be found out by how long pages become (BREACH)."""
    pages = [browser.open("/app/settings") for _ in range(2)]
    tokens = [set(re.findall(r'name="form_token" value="([^"]+)"', page.text)) for page in pages]

    taken = [browser.send("/app/sign-out", token=token).status for token in tokens[0]]

    assert [len(found) for found in tokens] == [1, 1]
    assert tokens[0] != tokens[1]
    assert taken == [303]


def test_what_is_deployed_holds_every_template_and_static_file(tmp_path: Path) -> None:
    _copy_code(tmp_path)

    held = {path.relative_to(tmp_path) for path in (tmp_path / "chalicelib" / "web").rglob("*.*")}
    needed = {
        path.relative_to(PROJECT)
        for folder in ("templates", "static")
        for path in (PROJECT / "chalicelib" / "web" / folder).rglob("*.*")
    }
    assert len(needed) > 25
    assert needed <= held


@pytest.mark.parametrize(
    "name", ["README.md", "..%2frendering.py", "nothing.js", "htmx.LICENSE.txt"]
)
def test_nothing_else_is_served(browser: Browser, name: str) -> None:
    assert browser.open(f"/app/static/{name}").status == 404


def test_a_part_of_a_page_opened_by_itself_may_load_nothing(browser: Browser) -> None:
    policies = {
        name: browser.open(f"/app/static/{name}").response.headers["Content-Security-Policy"]
        for name in ("icons.svg", "app.css", "app.js", "worker.js", "offline.html")
    }

    parts = {policies[name] for name in ("icons.svg", "app.css", "app.js")}
    assert parts == {"default-src 'none'; frame-ancestors 'none'"}
    assert policies["worker.js"] == policies["offline.html"]
    assert "script-src 'self'" in policies["worker.js"]


OF_DOCUMENTS = {
    *("X-Frame-Options", "Cross-Origin-Opener-Policy", "Permissions-Policy", "X-Robots-Tag"),
}


@pytest.mark.parametrize(
    ("name", "carried"), [("offline.html", OF_DOCUMENTS), ("app.css", set()), ("app.js", set())]
)
def test_what_only_documents_heed_is_sent_with_documents(
    browser: Browser, name: str, carried: set[str]
) -> None:
    headers = browser.open(f"/app/static/{name}").response.headers

    assert OF_DOCUMENTS & set(headers) == carried
    assert headers["X-Content-Type-Options"] == "nosniff"
