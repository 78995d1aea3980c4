"""Pages are valid HTML: held against the standard by the Nu Html Checker of W3C and WHATWG.

It is what https://validator.w3.org/nu/ runs. Browsers repair what is not valid, each in its own way
and without a word: a menu leaves the line that it was written in, a name that no element may have
is not read aloud.
"""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from chalicelib.domain.platforms.platform import Platform
from chalicelib.web.routes import ROUTES
from tests.api.http_room import House
from tests.browser.pictures.bakery import open_bakery, open_empty
from tests.support import npm
from tests.web.browser import Browser, Page

pytestmark = [pytest.mark.node, pytest.mark.timeout(900)]

HERE = Path(__file__).parent
LET_PASS = (
    "Attribute “hx-.*",  # htmx's own, which a checker cannot know
    "Attribute “pathLength” not allowed on element “circle”.*",  # SVG 2; it knows SVG 1.1
)
_ID = re.compile(r"{(\w+)}")


@pytest.fixture(scope="module")
def checker(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the command that checks files, installed as the lock file names it."""
    (java,) = npm.found("java")
    folder = tmp_path_factory.mktemp("checker")
    for file in HERE.glob("*.json"):
        shutil.copy(file, folder)
    npm.install(folder, "the checker")
    jar = folder / "node_modules" / "vnu-jar" / "build" / "dist" / "vnu.jar"
    return [java, "-jar", str(jar), "--format", "json", "--exit-zero-always"]


@pytest.fixture(scope="module")
def pages(house: House) -> dict[str, Page]:
    """Return every page of a full and of an empty workspace, and every form sent empty."""
    bakery = open_bakery(house)
    owner = Browser.of(bakery.room).with_session()
    ids = {
        "post_id": bakery.draft["id"],
        "media_id": bakery.next["media_ids"][0],
        "account_id": bakery.next["targets"][0]["account_id"],
    }
    whole = [
        *(f"/app/posts/{post['id']}" for post in (bakery.out, bakery.failed, bakery.next)),
        *(f"/app/calendar?view={view}" for view in ("month", "day", "list")),
        *(f"/app/settings?page={page}" for page in ("members", "notices", "you", "workspace")),
        *(f"/review/{bakery.review_link}", f"/review/client/{bakery.client_link}"),
        *(f"/app/posts?status={state}" for state in ("published", "draft")),
        f"/app/posts/{bakery.room.draft(*Platform)['id']}",
    ]
    found = {path: owner.open(path) for path in (*whole, *_addresses("GET", ids))}
    newcomer = Browser.of(open_empty(house)).with_session()
    for path in _addresses("GET", {}):
        found[f"{path} of an empty workspace"] = newcomer.open(path)
    for path in _addresses("POST", ids):
        found[f"{path} sent empty"] = owner.send(path)
    return {path: page for path, page in found.items() if b"<html" in page.response.body[:200]}


def _addresses(method: str, ids: dict[str, str]) -> list[str]:
    """Return what is asked for by a method and needs no other ids."""
    asked = [route.path for route in ROUTES if route.method == method]
    return [path.format(**ids) for path in asked if ids.keys() >= set(_ID.findall(path))]


def test_pages_are_valid_html(pages: dict[str, Page], checker: list[str], tmp_path: Path) -> None:
    names = {f"{number}.html": path for number, path in enumerate(pages)}
    for name, path in names.items():
        (tmp_path / name).write_text(pages[path].text, encoding="utf-8")

    filters = ["--filterpattern", f".*({'|'.join(LET_PASS)})"]
    files = [str(tmp_path / name) for name in names]
    told = subprocess.run([*checker, *filters, *files], capture_output=True, text=True, check=False)

    wrong = [one for one in json.loads(told.stderr)["messages"] if one["type"] != "info"]
    assert len(names) > 60
    assert [
        (names[Path(one["url"]).name], one["message"], one.get("extract")) for one in wrong
    ] == []
