"""Reads DynamoDB's update expressions, each text once: SET with sums, REMOVE, ADD.

By "Update expressions" of the Developer Guide. All of a change is computed from the row as it was.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache

from chalicelib.kit.aws_on_sqlite.failures import invalid
from chalicelib.kit.aws_on_sqlite.tables.conditions import Operand, number, operand
from chalicelib.kit.aws_on_sqlite.tables.expressions import Names, Reader, Values
from chalicelib.kit.aws_on_sqlite.tables.rows import Attribute, Row
from chalicelib.kit.dataclass import dataclass

_KEPT_READY = 1024
_CLAUSES = ("SET", "REMOVE", "ADD")
Step = Callable[[Mapping[str, Attribute], Values], Attribute | None]
"""An attribute's new value, from the row as it was; None removes it."""


@dataclass(frozen=True, slots=True)
class ReadUpdate:
    """An update that was read: its changes, and the names and values it uses."""

    given: Mapping[str, str]
    """Attributes that get a value of the call, as most do, with the value's name."""
    steps: tuple[tuple[str, Step], ...]
    """The new values of all others."""
    changed: frozenset[str]
    names: frozenset[str]
    values: frozenset[str]

    def apply(self, row: Row, values: Values) -> Row:
        """Return the row after the update. Raises ValidationException."""
        after = row | {name: values[value] for name, value in self.given.items()}
        for name, step in self.steps:
            becomes = step(row, values)
            if becomes is None:
                after.pop(name, None)
            else:
                after[name] = becomes
        return after


@lru_cache(_KEPT_READY)
def read_update(text: str, names: Names) -> ReadUpdate:
    """Read an update. Raises ValidationException for unknown syntax."""
    reader = Reader(text, names)
    read: list[tuple[str, Step | str]] = []
    while reader.peek():
        clause = reader.take().upper()
        if clause not in _CLAUSES:
            raise reader.wrong()
        read.append(_step(clause, reader))
        while reader.comes(","):
            read.append(_step(clause, reader))
    changed = frozenset(name for name, _ in read)
    if len(changed) < len(read):
        raise invalid("Two document paths overlap with each other")
    return ReadUpdate(
        given={name: step for name, step in read if isinstance(step, str)},
        steps=tuple((name, step) for name, step in read if not isinstance(step, str)),
        changed=changed,
        names=frozenset(reader.names),
        values=frozenset(reader.values),
    )


def _step(clause: str, reader: Reader) -> tuple[str, Step | str]:
    """Read one attribute's new value: a computed one, or a value by its name."""
    name = reader.name()
    if clause == "REMOVE":
        return name, lambda _row, _values: None
    if clause == "ADD":
        return name, _adding(name, operand(reader.value()))
    reader.expect("=")
    tree = None if reader.peek() == "IF_NOT_EXISTS" else reader.operand()
    first = _default(reader) if tree is None else operand(tree)
    for sign in "+-":
        if reader.comes(sign):
            return name, _summing(first, _term(reader), sign)
    if tree is not None and tree[0] == ":":
        return name, str(tree[1])
    return name, lambda row, values: _require_present(first(row, values))


def _term(reader: Reader) -> Operand:
    return _default(reader) if reader.peek() == "IF_NOT_EXISTS" else operand(reader.operand())


def _default(reader: Reader) -> Operand:
    reader.take()
    reader.expect("(")
    name = reader.name()
    reader.expect(",")
    default = operand(reader.operand())
    reader.expect(")")
    return lambda row, values: row[name] if name in row else default(row, values)


def _require_present(found: Attribute | None) -> Attribute:
    if found is None:
        raise invalid(
            "The provided expression refers to an attribute that does not exist in the item"
        )
    return found


def _summing(first: Operand, second: Operand, sign: str) -> Step:
    def step(row: Mapping[str, Attribute], values: Values) -> Attribute:
        one, other = _require_present(first(row, values)), _require_present(second(row, values))
        return _sum(one, other, sign)

    return step


def _adding(name: str, added: Operand) -> Step:
    def step(row: Mapping[str, Attribute], values: Values) -> Attribute:
        before, more = row.get(name), _require_present(added(row, values))
        if "SS" in more and (before is None or "SS" in before):
            return {"SS": sorted({*(before or more)["SS"], *more["SS"]})}
        return _sum({"N": "0"} if before is None else before, more, "+")

    return step


def _sum(one: Attribute, other: Attribute, sign: str) -> Attribute:
    if "N" not in one or "N" not in other:
        raise invalid("An operand in the update expression has an incorrect data type")
    left, right = number(one["N"]), number(other["N"])
    return {"N": str(left + right if sign == "+" else left - right)}
