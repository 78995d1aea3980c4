"""What is new in the API's description since the last release stands in the API's own changelog."""

import gzip
import json
import re
from collections.abc import Mapping
from pathlib import Path

from tests.api.description.descriptions import DESCRIPTION, RELEASED

PAGE = Path(__file__).parents[3] / "docs" / "api-changelog.md"


def _operations(described: Mapping[str, Mapping[str, Mapping[str, object]]]) -> set[str]:
    return {
        f"{method.upper()} {path}"
        for path, methods in described["paths"].items()
        for method in methods
        if method in {"get", "post", "put", "patch", "delete"}
    }


def _untold(before: set[str], after: set[str], chapter: str) -> list[str]:
    """Return what came or went and is not named; `GET`, `POST /v1/a` names two."""
    told = re.findall(r"((?:`[A-Z]+`, )*)`([A-Z]+) (/v1/[^`?]+)", chapter)
    named = {
        f"{method} {path}"
        for earlier, last, path in told
        for method in (*re.findall(r"[A-Z]+", earlier), last)
    }
    return sorted((before ^ after) - named)


def test_each_endpoint_that_came_or_went_since_the_release_is_told() -> None:
    released = json.loads(gzip.decompress(RELEASED.read_bytes()))
    described = json.loads(DESCRIPTION.read_text(encoding="utf-8"))
    (newest, *_) = re.findall(
        r"^## .+?(?=^## |\Z)", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )

    untold = _untold(_operations(released), _operations(described), newest)

    assert [] == untold, "Name each in docs/api-changelog.md."


def test_an_endpoint_that_nobody_told_of_would_be_noticed() -> None:
    chapter = "- `GET`, `POST /v1/labels`, `PATCH /v1/labels/{label_id}`."
    after = {"GET /v1/labels", "POST /v1/labels", "PATCH /v1/labels/{label_id}", "GET /v1/bread"}

    assert ["DELETE /v1/gone", "GET /v1/bread"] == _untold({"DELETE /v1/gone"}, after, chapter)
