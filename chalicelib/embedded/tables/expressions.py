"""Reads DynamoDB's conditions into trees, and trees into functions, each text once.

Known are comparisons, BETWEEN, IN, AND, OR, NOT, brackets and the functions `attribute_exists`,
`attribute_not_exists` and `begins_with`, over a row's own attributes: no paths into maps or lists.
By "Condition and filter expressions" and "Reserved words" of the Developer Guide.
"""

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

from chalicelib.embedded.failures import invalid
from chalicelib.embedded.tables.rows import Attribute

Names = tuple[tuple[str, str], ...]
Values = Mapping[str, Attribute]
Condition = Callable[[Mapping[str, Attribute], Values], bool]
Tree = tuple[Any, ...]
"""An operator or function with what it is used on; ("name", …) and (":", …) are the leaves."""

_MOST_BYTES = 4096
_MOST_IN = 100
_KEPT_READY = 1024
_TOKEN = re.compile(r"\s*(?:(:\w+)|(#\w+)|([A-Za-z_][\w.\[\]]*)|(<=|>=|<>|[=<>(),+\-.\[\]]))")
_COMPARISONS = ("=", "<>", "<", "<=", ">", ">=")
RESERVED = frozenset(
    Path(__file__).with_name("reserved_words.txt").read_text(encoding="ascii").split()
)


class Reader:
    """Reads one expression from its first token to its last."""

    def __init__(self, text: str, names: Names) -> None:
        if len(text.encode()) > _MOST_BYTES:
            raise invalid("Expression size has exceeded the maximum allowed size")
        self._text = text
        self._known = dict(names)
        self._tokens = [*_tokens(text), ""]
        self._place = 0
        self.attributes: set[str] = set()
        self.names: set[str] = set()
        self.values: set[str] = set()

    def peek(self) -> str:
        """Return the next token, in capitals if it is a word; nothing at the end."""
        token = self._tokens[self._place]
        return token if token[:1] in ":#" else token.upper()

    def take(self) -> str:
        """Return the next token as it is written, and go on."""
        token = self._tokens[self._place]
        self._place += 1
        return token

    def expect(self, wanted: str) -> None:
        """Go past a token that must be there."""
        if self.peek() != wanted:
            raise self.wrong()
        self._place += 1

    def comes(self, wanted: str) -> bool:
        """Go past a token if it is there; tell whether it was."""
        if self.peek() != wanted:
            return False
        self._place += 1
        return True

    def wrong(self) -> Exception:
        """Return the error of an expression that is not known here."""
        rest = " ".join(self._tokens[self._place :]).strip()
        return invalid(f"Invalid expression: Syntax error at {rest!r} of {self._text!r}")

    def name(self) -> str:
        """Read an attribute's name, behind a `#` or bare."""
        token = self.take()
        if token.startswith("#"):
            if token not in self._known:
                raise invalid(f"An expression attribute name used is not defined: {token}")
            self.names.add(token)
            found = self._known[token]
        elif not token or not (token[0].isalpha() or token[0] == "_"):
            raise self.wrong()
        elif token.upper() in RESERVED:
            raise invalid(f"Attribute name is a reserved keyword: {token}")
        else:
            found = token
        if "." in token or "[" in token or self.peek() in (".", "["):
            raise invalid(f"The document path provided is not known here: {self._text!r}")
        self.attributes.add(found)
        return found

    def value(self) -> Tree:
        """Read one of the call's values."""
        token = self.take()
        if not token.startswith(":"):
            raise self.wrong()
        self.values.add(token)
        return (":", token)

    def operand(self) -> Tree:
        """Read a value or an attribute."""
        return self.value() if self.peek().startswith(":") else ("name", self.name())

    def end(self) -> None:
        """Demand that nothing is left."""
        if self.peek():
            raise self.wrong()

    def condition(self) -> Tree:
        """Read a condition: ORs of ANDs."""
        left = self._all()
        while self.comes("OR"):
            left = ("OR", left, self._all())
        return left

    def _all(self) -> Tree:
        left = self._one()
        while self.comes("AND"):
            left = ("AND", left, self._one())
        return left

    def _one(self) -> Tree:
        if self.comes("NOT"):
            return ("NOT", self._one())
        if self.comes("("):
            inner = self.condition()
            self.expect(")")
            return inner
        function = self.peek().lower()
        if function in ("attribute_exists", "attribute_not_exists", "begins_with"):
            return self._function(function)
        return self._comparison()

    def _function(self, function: str) -> Tree:
        self.take()
        self.expect("(")
        operands: list[Tree] = [("name", self.name())]
        if function == "begins_with":
            self.expect(",")
            operands.append(self.operand())
        self.expect(")")
        return (function, *operands)

    def _comparison(self) -> Tree:
        left = self.operand()
        sign = self.peek()
        if sign in _COMPARISONS:
            self.take()
            return (sign, left, self.operand())
        if self.comes("BETWEEN"):
            low = self.operand()
            self.expect("AND")
            return ("BETWEEN", left, low, self.operand())
        self.expect("IN")
        self.expect("(")
        among = [self.operand()]
        while self.comes(","):
            among.append(self.operand())
        self.expect(")")
        if len(among) > _MOST_IN:
            raise invalid("The IN operator is provided with too many operands")
        return ("IN", left, *among)


def _tokens(text: str) -> Iterator[str]:
    place, end = 0, len(text.rstrip())
    while place < end:
        found = _TOKEN.match(text, place)
        if found is None:
            raise invalid(f"Invalid expression: Syntax error at {text[place:]!r}")
        place = found.end()
        yield found[found.lastindex or 0]


@dataclass(frozen=True, slots=True)
class ReadCondition:
    """A condition that was read: the tree, the function, and what it speaks of."""

    tree: Tree
    holds: Condition
    attributes: frozenset[str]
    names: frozenset[str]
    values: frozenset[str]


@lru_cache(_KEPT_READY)
def read_condition(text: str, names: Names) -> ReadCondition:
    """Return what a condition means. Raises ValidationException for what is not known."""
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
    """Return what makes a condition of two operands."""

    def make(left: Tree, right: Tree) -> Condition:
        one, other = operand(left), operand(right)
        return lambda row, values: compare(one(row, values), other(row, values))

    return make


Operand = Callable[[Mapping[str, Attribute], Values], Attribute | None]


def operand(tree: Tree) -> Operand:
    """Return what gives an attribute's or a value's content."""
    kind, name = tree
    if kind == "name":
        return lambda row, _: row.get(name)
    return lambda _, values: values[name]


def number(text: str) -> int | Decimal:
    """Return a number as it is compared and added."""
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
    """Return what makes a condition that compares as the types say."""

    def compared(one: Attribute | None, other: Attribute | None) -> bool:
        """Different types and absent attributes never hold."""
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
