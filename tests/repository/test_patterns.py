r"""No pattern of `re` depends on a mend of `re`: a text is read alike on every Python we promise.

Possessive quantifiers and atomic groups match too much before Python 3.11.5 (issues 106052 and
100061 of github.com/python/cpython), and `\B` matches an empty text from 3.14 on (124130). A
pattern that needs one of them is `regex`'s, which is pinned.
"""

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import regex

PROJECT = Path(__file__).parents[2]
_ESCAPED = regex.compile(r"\\[^B]", regex.DOTALL)
_ONE_OF = regex.compile(r"\[\^?\]?[^\]]*\]")
_MAY_HAVE_ONE = regex.compile(r"^\s*(?:import|from)\b.*\bre\b|\bpattern\s*=", regex.MULTILINE)
_MENDED = regex.compile(r"[*+?}]\+|\(\?>|\\B")


def test_no_pattern_needs_a_mended_re() -> None:
    found = [
        f"{path.relative_to(PROJECT)}:{line}: {text}"
        for path in _sources()
        for line, text in _patterns(path.read_text(encoding="utf-8"))
        if _needs_mended(text)
    ]

    assert found == [], "Compile these with `regex` instead."


@pytest.mark.parametrize(
    "pattern", ["a++", r"\d*+", "a?+", "(?:ab?c){1,3}+", "(?>ab?c)", r"\Ba", "[+]++", r"\\++"]
)
def test_what_needs_a_mended_re_is_found(pattern: str) -> None:
    assert _needs_mended(pattern)


@pytest.mark.parametrize("pattern", [r"\++", "[*+]", "[^]*+]+", r"a+\+", "a+?", r"\\Big", "(?=a)"])
def test_what_every_re_reads_alike_is_not_found(pattern: str) -> None:
    assert not _needs_mended(pattern)


@pytest.mark.parametrize(
    "source",
    [
        'import re\nre.compile(f"{LABEL}++")',
        'import re\nLABEL = r"(?:ab?c)*+"',
        "from re import compile\ncompile('a?+')",
        'Text(longest=2, pattern="[A-Z]++")',
    ],
)
def test_a_pattern_is_found_wherever_it_is_written(source: str) -> None:
    assert any(_needs_mended(text) for _, text in _patterns(source))


@pytest.mark.parametrize(
    "source", ['import regex\nregex.compile("a++")', '"""On a++."""\nimport re', 'print("C++")']
)
def test_what_is_no_pattern_of_re_is_not_looked_at(source: str) -> None:
    assert not any(_needs_mended(text) for _, text in _patterns(source))


def _needs_mended(pattern: str) -> bool:
    """Tell whether versions of `re` differ about a pattern."""
    plain = _ESCAPED.sub("e", pattern)
    return _MENDED.search(_ONE_OF.sub("o", plain)) is not None


def _sources() -> Iterator[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "*.py"], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    return map(PROJECT.joinpath, listed.stdout.splitlines())


def _patterns(source: str) -> Iterator[tuple[int, str]]:
    """Yield what `re` may get: each text of a file that imports it, of others each `pattern=`."""
    # To parse all takes seconds.
    if not (_MAY_HAVE_ONE.search(source) and _MENDED.search(source)):
        return
    tree = ast.parse(source)
    if any(_imports_re(node) for node in ast.walk(tree)):
        yield from _texts(tree)
    else:
        for node in ast.walk(tree):
            if isinstance(node, ast.keyword) and node.arg == "pattern":
                yield from _texts(node)


def _imports_re(node: ast.AST) -> bool:
    match node:
        case ast.Import(names=names):
            return any(each.name == "re" for each in names)
        case ast.ImportFrom(module="re"):
            return True
    return False


def _texts(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and text of every string but docstrings; "v" stands for what f-strings get."""
    match node:
        case ast.Expr(value=ast.Constant()):
            return
        case ast.Constant(value=str(text)):
            yield node.lineno, text
        case ast.JoinedStr(values=values):
            parts = (one.value if isinstance(one, ast.Constant) else "v" for one in values)
            yield node.lineno, "".join(map(str, parts))
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _texts(child)
