"""Endpoints of the service itself: health, its descriptions, its page."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import ClassVar

import pytest

from chalicelib.api.openapi.error_sections import every_error
from chalicelib.api.paths import every_endpoint
from chalicelib.domain.outcome import FailureCode
from chalicelib.kit.asgi.messages import Request, Response
from tests.api.http.pipelines import a_pipeline, a_request


def answer(request: Request, **parts: object) -> Response:
    return a_pipeline(*every_endpoint(), parts=parts).answer(request)


class HealthStub:
    """A store that can be written."""

    def is_writable(self) -> bool:
        return True


def test_health_needs_no_key() -> None:
    response = answer(a_request("GET", "/v1/health", key=None), health=HealthStub())

    assert (response.status, response.body) == (200, b'{"ok":true}')


def test_the_description_needs_no_key_and_may_be_kept_for_an_hour() -> None:
    response = answer(a_request("GET", "/v1/openapi.json", key=None))

    assert response.status == 200
    assert json.loads(response.body)["info"]["version"] == "0.1.0"
    assert response.headers["Cache-Control"] == "private, max-age=3600"


@pytest.mark.parametrize(
    ("base_path", "server"), [("", "/"), ("/api", "/api/")], ids=["own domain", "API Gateway"]
)
def test_the_description_names_the_address_it_is_read_at(base_path: str, server: str) -> None:
    request = replace(a_request("GET", "/v1/openapi.json", key=None), base_path=base_path)

    assert json.loads(answer(request).body)["servers"] == [{"url": server}]


def test_language_models_are_told_every_operation_without_a_key() -> None:
    response = answer(a_request("GET", "/llms.txt", key=None))

    text = response.body.decode()
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert "- PATCH /v1/accounts/{account_id}: " in text
    assert [one.path for one in every_endpoint() if one.documented and one.path not in text] == []
    assert "{operations}" not in text


def test_the_page_may_load_nothing_from_elsewhere() -> None:
    response = answer(a_request("GET", "/v1/docs", key=None))

    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    assert b"http" not in response.body
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("asset", "kind"),
    [
        ("start.js", "text/javascript; charset=utf-8"),
        ("swagger-ui-bundle.js", "text/javascript; charset=utf-8"),
        ("swagger-ui.css", "text/css; charset=utf-8"),
    ],
)
def test_the_page_is_made_of_files_that_we_serve(asset: str, kind: str) -> None:
    page = answer(a_request("GET", "/v1/docs", key=None)).body.decode()

    response = answer(a_request("GET", f"/v1/docs/{asset}", key=None))

    assert f'"docs/{asset}"' in page
    assert (response.status, response.headers["Content-Type"]) == (200, kind)
    assert response.body.decode()


@pytest.mark.parametrize("asset", ["index.html", "README.md", "..%2Fedge.py", "%2e%2e", "x"])
def test_no_other_file_is_served(asset: str) -> None:
    assert answer(a_request("GET", f"/v1/docs/{asset}", key=None)).status == 404


def test_the_page_is_reached_with_a_slash_behind_it() -> None:
    response = answer(a_request("GET", "/v1/docs/", key=None))

    assert (308, "../docs") == (response.status, response.headers["Location"])


def test_every_code_has_one_section_that_says_what_to_do() -> None:
    class Sections(HTMLParser):
        ids: ClassVar[list[str]] = []

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            if tag == "section":
                self.ids.append(str(dict(attrs)["id"]))

    page = answer(a_request("GET", "/v1/docs/errors", key=None)).body.decode()
    Sections().feed(page)

    refusals = {one.code for one in every_error()} | {"detail"}
    assert len(Sections.ids) == len(set(Sections.ids)) == page.count("What to do:")
    assert refusals <= set(Sections.ids)
    assert "<small>404 or 422</small>" in page
    kinds = set(re.findall("<small>(a failed target.*?)</small>", page))
    assert {"a failed target", "a failed target; tried again by itself first"} == kinds
    assert {*FailureCode} <= {one.removeprefix("target-") for one in Sections.ids}


def test_a_refusal_names_a_section_that_is_there() -> None:
    refused = answer(a_request("GET", "/v1/nowhere"))
    page = answer(a_request("GET", "/v1/docs/errors", key=None)).body.decode()

    _, _, anchor = refused.headers["Link"].partition("#")
    assert f'<section id="{anchor.partition(">")[0]}">' in page
