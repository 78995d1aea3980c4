"""Makes functions of a row from DynamoDB's conditions; each text is read once."""

import operator
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Any

from chalicelib.kit.aws_on_sqlite.tables.expressions import Names, Reader, Tree, Values
from chalicelib.kit.aws_on_sqlite.tables.rows import Attribute
from chalicelib.kit.dataclass import dataclass

Condition = Callable[[Mapping[str, Attribute], Values], bool]
_KEPT_READY = 1024


@dataclass(frozen=True, slots=True)
class ReadCondition:
    """A condition that was read: its tree, its function, and the names and values it uses."""

    tree: Tree
    holds: Condition
    attributes: frozenset[str]
    names: frozenset[str]
    values: frozenset[str]


@lru_cache(_KEPT_READY)
def read_condition(text: str, names: Names) -> ReadCondition:
    """Read a condition. Raises ValidationException for unknown syntax."""
    reader = Reader(text, names)
    tree = reader.condition()
    reader.end()
    return ReadCondition(
        tree,
        _condition(tree),
        frozenset(reader.attributes),
        frozenset(reader.names),
        frozenset(reader.values),
    )


def _condition(tree: Tree) -> Condition:
    """Return the function of a tree."""
    return _MEANINGS[tree[0]](*tree[1:])


def _and(left: Tree, right: Tree) -> Condition:
    first, second = _condition(left), _condition(right)
    return lambda row, values: first(row, values) and second(row, values)


def _or(left: Tree, right: Tree) -> Condition:
    first, second = _condition(left), _condition(right)
    return lambda row, values: first(row, values) or second(row, values)


def _not(inner: Tree) -> Condition:
    denied = _condition(inner)
    return lambda row, values: not denied(row, values)


def _exists(named: Tree) -> Condition:
    name = named[1]
    return lambda row, _: name in row


def _in(left: Tree, *among: Tree) -> Condition:
    one, others = operand(left), [operand(each) for each in among]
    return lambda row, values: any(_equal(one(row, values), each(row, values)) for each in others)


def _between(left: Tree, low: Tree, high: Tree) -> Condition:
    return _and((">=", left, low), ("<=", left, high))


def _pair(
    compare: Callable[[Attribute | None, Attribute | None], bool],
) -> Callable[..., Condition]:
    """Return a function that makes a condition of two operands."""

    def make(left: Tree, right: Tree) -> Condition:
        one, other = operand(left), operand(right)
        return lambda row, values: compare(one(row, values), other(row, values))

    return make


Operand = Callable[[Mapping[str, Attribute], Values], Attribute | None]


def operand(tree: Tree) -> Operand:
    """Return a function that reads an attribute's or a value's content."""
    kind, name = tree
    if kind == "name":
        return lambda row, _: row.get(name)
    return lambda _, values: values[name]


def number(text: str) -> int | Decimal:
    """Return a number for comparing and adding."""
    try:
        return int(text)
    except ValueError:
        return Decimal(text)


def _equal(one: Attribute | None, other: Attribute | None) -> bool:
    if one == other:
        return one is not None
    if one is None or other is None or "N" not in one or "N" not in other:
        return False
    return number(one["N"]) == number(other["N"])


def _comparing(compare: Callable[[Any, Any], bool]) -> Callable[..., Condition]:
    """Return a function that makes a condition that compares by type."""

    def compared(one: Attribute | None, other: Attribute | None) -> bool:
        """Compare; different types and an absent attribute are always false."""
        if one is None or other is None:
            return False
        ((kind, left),), ((other_kind, right),) = one.items(), other.items()
        if kind != other_kind or kind not in ("S", "N", "B"):
            return False
        return compare(number(left), number(right)) if kind == "N" else compare(left, right)

    return _pair(compared)


def _begins(one: Attribute | None, other: Attribute | None) -> bool:
    if one is None or other is None:
        return False
    return any(kind in one and kind in other and one[kind].startswith(other[kind]) for kind in "SB")


_MEANINGS: dict[str, Callable[..., Condition]] = {
    "AND": _and,
    "OR": _or,
    "NOT": _not,
    "IN": _in,
    "BETWEEN": _between,
    "attribute_exists": _exists,
    "attribute_not_exists": lambda named: _not(("attribute_exists", named)),
    "begins_with": _pair(_begins),
    "=": _pair(_equal),
    "<>": _pair(lambda one, other: not _equal(one, other)),
    "<": _comparing(operator.lt),
    "<=": _comparing(operator.le),
    ">": _comparing(operator.gt),
    ">=": _comparing(operator.ge),
}
