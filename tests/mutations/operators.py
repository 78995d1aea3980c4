"""Operators of mutations: each breaks one place of a function, named by what it is and not as text.

A place is the only one of its kind, or the only one that mentions a word, or one by its number.
Whatever does not name exactly one raises ValueError: no mutation moves to another place unseen.
"""

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import Generic, ParamSpec, TypeVar

Place = int | str | None
_Tests = ast.If | ast.IfExp | ast.While | ast.comprehension
_P = ParamSpec("_P")
_NodeT = TypeVar("_NodeT", bound=ast.AST)


@dataclass(frozen=True, slots=True)
class Operator:
    """A way to break a function; `name` says it as a list of mutations does."""

    name: str
    change: Callable[[ast.AST], None] = field(repr=False, compare=False)


def _operator(make: Callable[_P, Callable[[ast.AST], None]]) -> Callable[_P, Operator]:
    @wraps(make)
    def named(*args: _P.args, **kwargs: _P.kwargs) -> Operator:
        return Operator(f"{make.__name__}{args!r}", make(*args, **kwargs))

    return named


class _Inside(Generic[_NodeT]):
    """What a function has of one kind, in the order of the source."""

    def __init__(self, kind: str, found: Sequence[_NodeT]) -> None:
        self._kind = kind
        self._found = found

    def at(self, place: Place) -> _NodeT:
        """Return the one that a place names."""
        if isinstance(place, int):
            return self._found[place - 1 : place][0] if place <= len(self._found) else self._no(0)
        found = [one for one in self._found if place is None or _mentions(one, place)]
        return found[0] if len(found) == 1 else self._no(len(found))

    def _no(self, count: int) -> _NodeT:
        raise ValueError(f"{self._kind}: it is there {count} times")


def _mentions(node: ast.AST, word: str) -> bool:
    return re.search(rf"\b{re.escape(word)}\b", ast.unparse(node)) is not None


def _all_in(function: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(function):
        yield node
        yield from _all_in(node)


def _of(function: ast.AST, kind: type[_NodeT]) -> _Inside[_NodeT]:
    return _Inside(kind.__name__, [one for one in _all_in(function) if isinstance(one, kind)])


def _put(function: ast.AST, old: ast.AST, new: ast.AST) -> None:
    """Put a node in the place of another, which is told by identity."""
    for parent in (function, *_all_in(function)):
        for name, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, name, new)
            elif isinstance(value, list):
                value[:] = [new if one is old else one for one in value]


def _read(source: str) -> ast.expr:
    return ast.parse(source, mode="eval").body


def _called(node: ast.AST) -> str:
    """Return the name of what an expression calls: the last one, of a method."""
    if not isinstance(node, ast.Call):
        return ""
    called = node.func
    return called.attr if isinstance(called, ast.Attribute) else ast.unparse(called)


def _have(answer: ast.Constant, place: Place) -> Callable[[ast.AST], None]:
    """Have a condition come to this whatever is the case."""

    def change(function: ast.AST) -> None:
        tests = [
            test
            for node in _all_in(function)
            if isinstance(node, _Tests)
            for test in (node.ifs if isinstance(node, ast.comprehension) else [node.test])
        ]
        _put(function, _Inside("condition", tests).at(place), answer)

    return change


@_operator
def never(place: Place = None) -> Callable[[ast.AST], None]:
    """Have a condition never hold: of an if, a while or a comprehension."""
    return _have(ast.Constant(value=False), place)


@_operator
def always(place: Place = None) -> Callable[[ast.AST], None]:
    """Have a condition always hold."""
    return _have(ast.Constant(value=True), place)


@_operator
def takes_first(place: Place = None) -> Callable[[ast.AST], None]:
    """Take what a conditional expression says first whatever is the case."""

    def change(function: ast.AST) -> None:
        node = _of(function, ast.IfExp).at(place)
        _put(function, node, node.body)

    return change


@_operator
def takes_else(place: Place = None) -> Callable[[ast.AST], None]:
    """Take what it says else."""

    def change(function: ast.AST) -> None:
        node = _of(function, ast.IfExp).at(place)
        _put(function, node, node.orelse)

    return change


@_operator
def drops(word: str) -> Callable[[ast.AST], None]:
    """Leave out the part of an `and` or `or` that mentions a word."""

    def change(function: ast.AST) -> None:
        joined = [node for node in _all_in(function) if isinstance(node, ast.BoolOp)]
        node = _Inside("and or or", [one for one in joined if _is_innermost(one, word)]).at(None)
        node.values.remove(_Inside("part", node.values).at(word))
        if len(node.values) == 1:
            _put(function, node, node.values[0])

    return change


def _is_innermost(node: ast.BoolOp, word: str) -> bool:
    within = (one for one in _all_in(node) if isinstance(one, ast.BoolOp))
    return _mentions(node, word) and not any(_mentions(one, word) for one in within)


@_operator
def skips(name: str, place: Place = None) -> Callable[[ast.AST], None]:
    """Leave out a statement: a call by that name, setting it, a `with` of it, or a `return`."""

    def change(function: ast.AST) -> None:
        found = [node for node in _all_in(function) if name in _names_of(node)]
        _put(function, _Inside(name, found).at(place), ast.Pass())

    return change


def _names_of(node: ast.AST) -> Sequence[str]:
    match node:
        case ast.Expr(value):
            return (_called(value),)
        case ast.Assign(targets):
            return [ast.unparse(one) for one in targets]
        case ast.With(items):
            return [ast.unparse(one) for one in items]
        case ast.Return(value):
            return ("return", "" if value is None else ast.unparse(value))
    return ()


@_operator
def returns(source: str, place: Place = None) -> Callable[[ast.AST], None]:
    """Have a return give something else."""

    def change(function: ast.AST) -> None:
        _of(function, ast.Return).at(place).value = _read(source)

    return change


@_operator
def sets(name: str, source: str, place: Place = None) -> Callable[[ast.AST], None]:
    """Give a name another value."""

    def change(function: ast.AST) -> None:
        found = [one for one in _all_in(function) if isinstance(one, ast.Assign)]
        named = [one for one in found if ast.unparse(one.targets[0]) == name]
        _Inside(name, named).at(place).value = _read(source)

    return change


@_operator
def passes(name: str, source: str | None, place: Place = None) -> Callable[[ast.AST], None]:
    """Give an argument that has a name another value, or leave it out."""

    def change(function: ast.AST) -> None:
        calls = [one for one in _all_in(function) if isinstance(one, ast.Call)]
        found = [one for one in calls if any(given.arg == name for given in one.keywords)]
        call = _Inside(name, found).at(place)
        if source is None:
            call.keywords = [given for given in call.keywords if given.arg != name]
        for given in call.keywords:
            if given.arg == name and source is not None:
                given.value = _read(source)

    return change


@_operator
def catches(name: str, place: Place = None) -> Callable[[ast.AST], None]:
    """Have a handler catch another error."""

    def change(function: ast.AST) -> None:
        _of(function, ast.ExceptHandler).at(place).type = _read(name)

    return change


@_operator
def swaps(before: str, after: str, place: Place = None) -> Callable[[ast.AST], None]:
    """Put one expression in the place of another; both are read, so that layout does not count."""

    def change(function: ast.AST) -> None:
        wanted = ast.dump(_read(before))
        found = [node for node in _all_in(function) if ast.dump(node) == wanted]
        _put(function, _Inside(before, found).at(place), _read(after))

    return change


@_operator
def rewords(before: str, after: str) -> Callable[[ast.AST], None]:
    """Change the words of a condition that a table checks."""

    def change(function: ast.AST) -> None:
        texts = [one for one in _all_in(function) if isinstance(one, ast.Constant)]
        found = [one for one in texts if isinstance(one.value, str) and before in one.value]
        text = _Inside(before, found).at(None)
        text.value = str(text.value).replace(before, after)

    return change
