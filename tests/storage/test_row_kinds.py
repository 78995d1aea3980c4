"""No row and no object is forgotten: whatever key the code can make is of exactly one kind."""

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from types import ModuleType

import pytest

import chalicelib
from chalicelib import storage
from chalicelib.domain.platforms.platform import Platform
from chalicelib.storage import tables
from chalicelib.storage.media import store
from chalicelib.storage.row_kinds import ROW_KINDS, Erased, Exported, Moved, Owner, Store
from tests.storage.test_recorded_rows import CASES

ID = "0a" * 16
GIVEN: Mapping[object, object] = {
    str: ID,
    str | None: ID,
    int: 3,
    datetime: datetime(2026, 11, 25, 12, tzinfo=UTC),
    date: date(2026, 11, 25),
    Platform: Platform.X,
}
OTHERWISE = {
    "storage/posts/items.py": {"event_item", "attempt_item"},
}
"""Functions that write a key without one that is named for it, by their file."""

SANDBOX_ROWS = (
    (f"TARGET#{ID}#{ID}", f"2026-11-25T12:00:00Z#x#{ID}"),
    ("COUNTER#fail#1", "COUNTER"),
    ("sandbox-files/5e", ""),
)


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(storage.__path__, "chalicelib.storage."):
        yield importlib.import_module(found.name)


def _makers() -> Iterator[Callable[..., object]]:
    """Yield every function of the storage whose name says that it makes a key, of plain values."""
    for module in _modules():
        for name, made in vars(module).items():
            if not inspect.isfunction(made) or made.__module__ != module.__name__:
                continue
            taken = [one.annotation for one in inspect.signature(made).parameters.values()]
            if name.endswith("_key") and all(one in GIVEN for one in taken):
                yield made


def _made(maker: Callable[..., object]) -> object:
    return maker(*(GIVEN[one.annotation] for one in inspect.signature(maker).parameters.values()))


def _keys() -> list[tuple[str, str]]:
    """Return every key of a row that the storage makes, as its two parts."""
    made = [_made(maker) for maker in _makers()]
    constants = [value for module in _modules() for value in vars(module).values()]
    rows = [*(case.item for case in CASES.values()), *made, *constants]
    found = [(row["pk"], row["sk"]) for row in rows if isinstance(row, dict) and "pk" in row]
    return sorted({*found, *SANDBOX_ROWS})


def _objects() -> list[str]:
    made = (_made(maker) for maker in _makers() if maker.__module__ == store.__name__)
    return [key for key in made if isinstance(key, str)]


def _kinds_of(pk: str, sk: str) -> list[str]:
    rows = [name for name in Store if name is not Store.BUCKET]
    return [name for name, kind in ROW_KINDS.items() if any(kind.fits(one, pk, sk) for one in rows)]


def _literal_keys(source: str) -> Iterator[str]:
    """Yield the name of what holds each `{"pk": …, "sk": …}` that was in no row before."""

    def walk(node: ast.AST, holder: str) -> Iterator[str]:
        if isinstance(node, ast.FunctionDef):
            holder = node.name
        if isinstance(node, ast.Dict):
            names = {key.value for key in node.keys if isinstance(key, ast.Constant)}
            is_read = all(isinstance(value, ast.Subscript) for value in node.values)
            if {"pk", "sk"} <= names and not is_read:
                yield holder
        for child in ast.iter_child_nodes(node):
            yield from walk(child, holder)

    yield from walk(ast.parse(source), "")


@pytest.mark.parametrize("key", _keys(), ids=" ".join)
def test_each_key_is_of_one_kind(key: tuple[str, str]) -> None:
    assert len(_kinds_of(*key)) == 1


@pytest.mark.parametrize("key", _objects())
def test_each_object_is_of_one_kind(key: str) -> None:
    assert [kind.store for kind in ROW_KINDS.values() if kind.fits(Store.BUCKET, key)] == ["bucket"]


def test_each_kind_is_one_that_the_code_writes() -> None:
    written = {name for key in _keys() for name in _kinds_of(*key)}
    in_bucket = {
        name
        for name, kind in ROW_KINDS.items()
        if any(kind.fits(Store.BUCKET, key) for key in _objects())
    }

    assert written | in_bucket == set(ROW_KINDS)


def test_a_kind_without_a_line_is_noticed() -> None:
    assert _kinds_of(tables.workspace_pk(ID), f"DIARY#{ID}") == []
    assert _kinds_of(f"DIARY#{ID}", "DIARY") == []


def test_keys_are_made_where_these_tests_look() -> None:
    root = Path(chalicelib.__file__).parent

    for file in sorted((root / "storage").rglob("*.py")):
        named = OTHERWISE.get(file.relative_to(root).as_posix(), set())
        for holder in _literal_keys(file.read_text(encoding="utf-8")):
            assert holder == "" or holder.endswith("_key") or holder in named, (file, holder)


def test_what_ends_by_itself_or_never_is_of_no_workspace() -> None:
    alone = [kind for kind in ROW_KINDS.values() if kind.owner is Owner.SERVICE]

    assert all(kind.exported is Exported.NOT and kind.moved is Moved.NOT for kind in alone)
    assert {kind.erased for kind in alone} == {Erased.NEVER, Erased.BY_ITSELF}
    others = [kind for kind in ROW_KINDS.values() if kind not in alone]
    assert not {kind.erased for kind in others} & {Erased.NEVER, Erased.BY_ITSELF}
