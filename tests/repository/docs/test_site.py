"""The books as a site: every link leads somewhere, and nothing comes from another host."""

import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from chalicelib.api.doors.crowd import strangers
from chalicelib.kit.asgi.messages import Request, Response
from chalicelib.local.docs_site import DocsSite, answer
from infra.docs_site.building import PROJECT, BrokenBooks, build
from infra.docs_site.links import relinked
from tests.local.test_sandbox_pages import ask

PLACES = {
    "README.md": "first-post.md",
    "docs/README.md": "README.md",
    "docs/api.md": "api.md",
    "docs/adr/0001.md": "adr/0001.md",
    "docs/images/a.webp": "images/a.webp",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the site as `make docs` builds it."""
    folder = tmp_path_factory.mktemp("site") / "docs"
    build(folder)
    return folder


@pytest.mark.parametrize(
    ("at", "written", "read"),
    [
        ("docs/adr/0001.md", "[api](../api.md#keys)", "[api](../api.md#keys)"),
        ("docs/api.md", "[start](../README.md#quick-start)", "[start](first-post.md#quick-start)"),
        ("README.md", "[api](docs/api.md)", "[api](api.md)"),
        ("docs/api.md", "see [the test](../tests/test_x.py).", "see the test."),
        ("docs/api.md", "[out](https://x.example/a.md)", "[out](https://x.example/a.md)"),
        ("docs/api.md", "[here](#keys)", "[here](#keys)"),
        ("README.md", "![a](docs/images/a.webp)", "![a](images/a.webp)"),
        ("README.md", '<img src="docs/images/a.webp">', '<img src="../images/a.webp">'),
        ("docs/README.md", '<img src="images/a.webp">', '<img src="images/a.webp">'),
    ],
)
def test_links_lead_to_pages_of_the_site_or_are_words(at: str, written: str, read: str) -> None:
    assert read == relinked(written, at, PLACES)


@pytest.mark.costly
def test_a_link_to_a_heading_that_is_not_there_breaks_the_build(tmp_path: Path) -> None:
    project = tmp_path / "project"
    for name in ("docs", "README.md", "CONTRIBUTING.md", "SECURITY.md", "integrations/n8n"):
        source, target = PROJECT / name, project / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)
    page = project / "docs" / "slo.md"
    page.write_text(f"{page.read_text('utf-8')}\n[no](api.md#no-such-heading)\n", "utf-8")

    with pytest.raises(BrokenBooks, match="no-such-heading"):
        build(tmp_path / "site", project)


def test_nothing_comes_from_another_host_and_no_script_stands_in_a_page(site: Path) -> None:
    pages = {page: page.read_text("utf-8") for page in site.rglob("*.html")}
    styles = [style.read_text("utf-8") for style in site.rglob("*.css")]

    assert 70 < len(pages)
    for page, text in pages.items():
        loaded = re.findall(
            r"<(?:script|link|img|source|iframe)\b[^>]*?(?:src|href)=\"(.*?)\"", text
        )
        assert [] == [one for one in loaded if re.match(r"\w+:|//", one)], page
        assert [] == re.findall(r"<script>|<style|\sstyle=|\son\w+=", text), page
    assert [] == [one for style in styles for one in re.findall(r"url\(\W?(?:https?:)?//", style)]


def test_the_search_finds_each_page_by_its_words(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text("utf-8"))

    found = {each["location"].partition("#")[0] for each in index["docs"]}

    assert {f"{page.parent.relative_to(site)}/" for page in site.rglob("*/index.html")} <= found


def _ask(site: Path, path: str, method: str = "GET") -> Response:
    return answer(site, Request(method=method, path=path))


def test_pages_are_served_with_a_policy_that_lets_in_nothing_foreign(site: Path) -> None:
    home, page = _ask(site, "/docs/"), _ask(site, "/docs/api/")
    script = _ask(site, "/docs/js/start.js")

    assert [200] * 3 == [one.status for one in (home, page, script)]
    assert b"goldenhour" in home.body
    assert "text/javascript; charset=utf-8" == script.headers["Content-Type"]
    for one in (home, page, script):
        policy = one.headers["Content-Security-Policy"]
        assert "default-src 'none'; script-src 'self'; style-src 'self';" in policy
        assert "nosniff" == one.headers["X-Content-Type-Options"]


@pytest.mark.parametrize(
    ("path", "location"), [("/docs", "docs/"), ("/docs/api", "api/"), ("/docs/adr", "adr/")]
)
def test_a_page_without_its_slash_leads_there(site: Path, path: str, location: str) -> None:
    response = _ask(site, path)

    assert (308, location) == (response.status, response.headers["Location"])


@pytest.mark.parametrize(
    "name",
    ["nowhere", "..", "../", "../../etc/passwd", "//etc/passwd", "%2e%2e/x", "a\0b", "x" * 5_000],
)
def test_nothing_else_of_the_machine_is_served(site: Path, name: str) -> None:
    (site.parent / "secret.html").write_text("secret", "utf-8")

    assert 404 == _ask(site, f"/docs/{name}").status
    assert 404 == _ask(site, f"/docs/{name}/../../secret.html").status


def test_a_link_out_of_the_site_is_not_followed(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (tmp_path / "secret.html").write_text("secret", "utf-8")
    (site / "page.html").symlink_to(tmp_path / "secret.html")

    assert 404 == _ask(site, "/docs/page.html").status


def test_other_methods_are_refused(site: Path) -> None:
    refused = _ask(site, "/docs/", "POST")

    assert (405, "GET, HEAD") == (refused.status, refused.headers["Allow"])


async def _api(scope: object, receive: object, send: object) -> None:
    del scope, receive
    await send({"type": "http.response.start", "status": 299, "headers": []})  # type: ignore[operator]
    await send({"type": "http.response.body", "body": b"the API"})  # type: ignore[operator]


@pytest.mark.parametrize("path", ["/v1/docs", "/v1/docs/errors", "/docsy", "/", "/app"])
def test_every_other_path_is_the_apis(site: Path, path: str) -> None:
    assert (299, "the API") == _status_and_text(DocsSite(_api, strangers(), site), path)


def test_where_nothing_was_built_the_api_answers(tmp_path: Path) -> None:
    assert (299, "the API") == _status_and_text(
        DocsSite(_api, strangers(), tmp_path / "none"), "/docs"
    )


def test_a_head_tells_the_length_alone(site: Path) -> None:
    app = DocsSite(_api, strangers(), site)
    got, head = ask(app, "/docs/"), ask(app, "/docs/", method="HEAD")

    assert (200, "") == (head[0], head[2])
    assert str(len(got[2].encode())).encode() == head[1][b"content-length"]


def _status_and_text(app: DocsSite, path: str) -> tuple[int, str]:
    answered: tuple[int, Mapping[bytes, bytes], str] = ask(app, path)
    return answered[0], answered[2]
