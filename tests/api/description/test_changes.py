"""The description against that of the release before: nothing that callers rely on was taken away.

`docs/openapi-released.json.gz` is the description as it was released last; `make release` writes it
anew. oasdiff, built from `changes/go.mod`, compares the two and knows what breaks a caller.
"""

import gzip
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from chalicelib.domain.text import portable_pattern
from tests.api.description.descriptions import DESCRIPTION, RELEASED
from tests.support.go_modules import fetched

pytestmark = [pytest.mark.node, pytest.mark.timeout(900)]

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def oasdiff(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build oasdiff as the lock file names it."""
    folder = tmp_path_factory.mktemp("oasdiff")
    go = fetched(HERE / "changes", ("go.mod", "go.sum"), folder, "oasdiff")
    build = [go, "build", "-o", "oasdiff", "github.com/oasdiff/oasdiff"]
    subprocess.run(build, cwd=folder, check=True)
    return folder / "oasdiff"


def breaking(oasdiff: Path, folder: Path, before: Any, after: Any) -> str:  # noqa: ANN401 - JSON
    """Return what breaks callers of the one description when the other takes its place."""
    for name, document in (("before.json", before), ("after.json", after)):
        (folder / name).write_text(json.dumps(document), encoding="utf-8")
    words = [str(oasdiff), "breaking", "--fail-on", "ERR", "before.json", "after.json"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout if done.returncode else ""


def _as_said_now(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema of 0.2.0 as the same is said now.

    It gave times a length, which their format bounds, and spelled characters as JavaScript does.
    """
    if schema.get("format") in {"date-time", "date"}:
        schema.pop("maxLength", None)
    if isinstance(pattern := schema.get("pattern"), str):
        schema["pattern"] = portable_pattern(pattern)
    return schema


def test_nothing_breaks_the_callers_of_the_release_before(oasdiff: Path, tmp_path: Path) -> None:
    released = json.loads(gzip.decompress(RELEASED.read_bytes()), object_hook=_as_said_now)
    described = json.loads(DESCRIPTION.read_text(encoding="utf-8"))

    assert "" == breaking(oasdiff, tmp_path, released, described)


def test_what_would_break_a_caller_is_noticed(oasdiff: Path, tmp_path: Path) -> None:
    described = json.loads(DESCRIPTION.read_text(encoding="utf-8"))
    changed = json.loads(DESCRIPTION.read_text(encoding="utf-8"))
    del changed["paths"]["/v1/golden-hour"]
    del changed["components"]["schemas"]["Target"]["properties"]["url"]
    changed["components"]["schemas"]["Target"]["required"].remove("url")

    said = breaking(oasdiff, tmp_path, described, changed)

    assert "api-path-removed-without-deprecation" in said
    assert "response-required-property-removed" in said
