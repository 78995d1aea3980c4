"""No connection of SQLite is opened where nobody closes it, in the service and its tests."""

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
OWNERS = {
    "chalicelib/kit/aws_on_sqlite/engine.py": "Engine.close and Checkpoints close them",
    "chalicelib/storage/sandbox_file.py": "SqliteSandboxStore.close closes them",
    "tests/kit/aws_on_sqlite/test_connections.py": "it counts those that nobody closed",
}


def test_every_connection_is_opened_to_be_closed() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "*.py"], cwd=PROJECT, capture_output=True, text=True, check=True
    )

    unowned = {
        f"{name}:{line}"
        for name in listed.stdout.splitlines()
        if name not in OWNERS
        for line in _unclosed(ast.parse((PROJECT / name).read_text(encoding="utf-8")))
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
