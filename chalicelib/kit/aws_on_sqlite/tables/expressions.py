"""Parses DynamoDB's expressions into trees; `conditions` and `updates` evaluate them.

Supported are comparisons, BETWEEN, IN, AND, OR, NOT, brackets and the functions `attribute_exists`,
`attribute_not_exists` and `begins_with`, over a row's own attributes: no paths into maps or lists.
By "Condition and filter expressions" and "Reserved words" of the Developer Guide.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from chalicelib.kit.aws_on_sqlite.failures import invalid
from chalicelib.kit.aws_on_sqlite.tables.rows import Attribute

Names = tuple[tuple[str, str], ...]
Values = Mapping[str, Attribute]
Tree = tuple[Any, ...]
"""An operator or function with its operands; ("name", …) and (":", …) are the leaves."""

_MOST_BYTES = 4096
_MOST_IN = 100
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
        """Return the next token as it is written, and consume it."""
        token = self._tokens[self._place]
        self._place += 1
        return token

    def expect(self, wanted: str) -> None:
        """Consume a token that must be next."""
        if self.peek() != wanted:
            raise self.wrong()
        self._place += 1

    def comes(self, wanted: str) -> bool:
        """Consume a token if it is next; tell whether it was."""
        if self.peek() != wanted:
            return False
        self._place += 1
        return True

    def wrong(self) -> Exception:
        """Return the error of an unsupported expression."""
        rest = " ".join(self._tokens[self._place :]).strip()
        return invalid(f"Invalid expression: Syntax error at {rest!r} of {self._text!r}")

    def name(self) -> str:
        """Read an attribute's name, by its `#` placeholder or plain."""
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
        """Require that nothing is left."""
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
