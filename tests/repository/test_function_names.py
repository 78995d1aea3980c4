"""A function begins with a verb or names what it returns; a bare participle does neither.

`paged` says of what, but not what is done or what comes back: `page_of` does, `paged_list` does. So
does an instant (`made_at`) and what a row is read into (`learned_from`, of which `Learned` is the
class). Properties are attributes: there an adjective says what is so.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
_IRREGULAR = (
    "begun bound bought brought built chosen drawn driven found given gone held hidden kept known "
    "laid led left lost made meant met paid said seen sent shown sold spoken spun taken taught "
    "thought thrown told won worn written"
)
_LITTLE_WORDS = (
    "after again ahead anew as at_once away back before beside besides by for here in is it of off "
    "on once ones out over since then there to together twice until up when where whole with"
)
_PARTICIPLE = rf"(?:[a-z]+[^e]ed|{'|'.join(_IRREGULAR.split())})"
_BARE = re.compile(rf"{_PARTICIPLE}(?:_(?:{'|'.join(_LITTLE_WORDS.split())})(?:_[a-z_]+)?)?")
_VERBS = re.compile(r"(?:embed|feed|need|seed|shed|speed|weed)(?:_|$)")
_DEFINED = re.compile(r"\bdef\s+(\w+)")
_ATTRIBUTES = {"property", "cached_property"}


def test_no_function_has_a_bare_participle_for_a_name() -> None:
    found = [
        f"{path.relative_to(PROJECT)}:{line} {name}"
        for path in sorted((PROJECT / "chalicelib").rglob("*.py"))
        for line, name in _functions(path.read_text(encoding="utf-8"))
        if _is_bare(name)
    ]

    assert found == [], "Begin with a verb, or name what is returned."


@pytest.mark.parametrize(
    "name",
    [
        "paged",
        "_told",
        "told_of",
        "made",
        "posted_since",
        "refused_by",
        "known_of",
        "chosen_once_more",
    ],
)
def test_a_bare_participle_is_found(name: str) -> None:
    assert _is_bare(name)


@pytest.mark.parametrize(
    "name",
    [
        "page_of",
        "paged_list",
        "made_at",
        "learned_from",
        "feed",
        "embed",
        "is_paged",
        "known_names",
    ],
)
def test_a_verb_or_what_is_returned_is_a_name(name: str) -> None:
    assert not _is_bare(name)


def test_an_attribute_may_say_what_is_so() -> None:
    source = "class A:\n    @property\n    def closed(self): ...\n    def opened(self): ..."

    assert [(4, "opened")] == list(_functions(source))


def _is_bare(name: str) -> bool:
    said = name.lstrip("_")
    return _BARE.fullmatch(said) is not None and _VERBS.match(said) is None


def _functions(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and name of each function of a module and its classes that is no attribute.

    Of a module without a bare participle nothing: to parse all takes seconds.
    """
    if not any(map(_is_bare, _DEFINED.findall(source))):
        return
    module = ast.parse(source)
    scopes = [node for node in ast.walk(module) if isinstance(node, ast.Module | ast.ClassDef)]
    for node in (each for scope in scopes for each in scope.body):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            marks = {ast.unparse(mark).rpartition(".")[2] for mark in node.decorator_list}
            if not marks & _ATTRIBUTES:
                yield node.lineno, node.name
