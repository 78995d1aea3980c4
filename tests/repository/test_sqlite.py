"""How SQLite is used, in the service and its tests: what Python 3.12 and 3.13 warn of.

Python 3.13 tells of a connection that nobody closed; 3.12 takes `?1` beside a sequence for the name
of a placeholder, up to 3.12.3 (gh-117995 of github.com/python/cpython).
"""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

_NUMBERED = re.compile(r"(?<=[\s(=><,])\?[0-9]")
_ANY_NUMBERED = re.compile(r"\?[0-9]")
PROJECT = Path(__file__).parents[2]
OWNERS = {
    "chalicelib/kit/aws_on_sqlite/engine.py": "Engine.close and Checkpoints close them",
    "tests/kit/aws_on_sqlite/test_connections.py": "it counts those that nobody closed",
}


def test_every_connection_is_opened_to_be_closed() -> None:
    unowned = {
        f"{name}:{line}"
        for name, tree in _sources_with(re.compile("sqlite3"))
        if name not in OWNERS
        for line in _unclosed(tree)
    }

    assert unowned == set(), "Write `with closing(sqlite3.connect(…)) as …`."


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("with closing(sqlite3.connect(file)) as state: pass", []),
        ("with contextlib.closing(sqlite3.connect(file)) as state: pass", []),
        ("with sqlite3.connect(file) as state: pass", [1]),  # it only ends a transaction
        ("state = sqlite3.connect(file)\nstate.close()", [1]),
        ("from sqlite3 import connect", [1]),
    ],
)
def test_what_may_stay_open_is_found(source: str, lines: list[int]) -> None:
    assert list(_unclosed(ast.parse(source))) == lines


def test_no_placeholder_has_a_number() -> None:
    numbered = {
        f"{name}:{line}" for name, tree in _sources_with(_ANY_NUMBERED) for line in _numbered(tree)
    }

    assert numbered == set(), "Write `:name`, and give a dictionary."


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("execute('SELECT a FROM b WHERE c > ?1 OR d > ?1', (now,))", [1]),
        ("execute(\n    f'DELETE FROM {table} WHERE a = ?12')", [2]),
        ("execute('SELECT a FROM b WHERE c > ? OR d > :now')", []),
        ("get('https://a.example/b?1')", []),
    ],
)
def test_a_number_of_a_placeholder_is_found(source: str, lines: list[int]) -> None:
    assert list(_numbered(ast.parse(source))) == lines


def _sources_with(words: re.Pattern[str]) -> Iterator[tuple[str, ast.Module]]:
    """Yield the files that have such words: to parse all takes seconds."""
    listed = subprocess.run(
        ["git", "ls-files", "*.py"], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    for name in listed.stdout.splitlines():
        source = (PROJECT / name).read_text(encoding="utf-8")
        if name != "tests/repository/test_sqlite.py" and words.search(source):
            yield name, ast.parse(source)


def _numbered(tree: ast.AST) -> Iterator[int]:
    """Yield the lines of statements of SQL with a numbered placeholder."""
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if _NUMBERED.search(text):
                yield node.lineno


def _unclosed(tree: ast.AST) -> Iterator[int]:
    """Yield the lines that open a connection which no `closing` closes."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.Call(func=ast.Name("closing") | ast.Attribute(attr="closing")):
                pass
            case ast.Call(func=ast.Attribute(value=ast.Name("sqlite3"), attr="connect")):
                yield node.lineno
            case ast.ImportFrom(module="sqlite3", names=names):
                yield from (node.lineno for name in names if name.name == "connect")
            case _:
                yield from _unclosed(node)
