"""Whoever searches the logs for an action finds in docs/operations.md what it means."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
_LOGGED = re.compile(r'"action": "([a-z_.]+)"')
_CHAPTER = re.compile(r"## What the logs say\n(.*?)\n## ", re.DOTALL)


def test_every_action_that_is_logged_is_explained() -> None:
    code = [file.read_text(encoding="utf-8") for file in (ROOT / "chalicelib").rglob("*.py")]
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    (chapter,) = _CHAPTER.findall(page)

    logged = {action for text in code for action in _LOGGED.findall(text)}
    explained = {
        action
        for row in re.findall(r"^\| (`.+?) \|", chapter, re.MULTILINE)
        for action in re.findall(r"`([a-z_.]+)`", row)
    }

    assert explained - {"action"} == logged
