"""The kinds of values that options can have, and the problems of values that do not fit.

The platforms' pages declare their options (`option.py`) with these. Problems have pydantic's form
(`type`, `msg`), because the API answers both in the `detail` of a 422.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import ClassVar, Protocol, TypeAlias

from chalicelib.domain.text import PRINTABLE_PATTERN, portable_pattern
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json

_WEB_ADDRESS = r"https?://\S+"
_LONG = 1_000
"""Texts that may be this long, in characters, get a field of several lines."""

Loc: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionProblem:
    """One thing wrong with the options; `loc` is its path from the options object."""

    loc: Loc
    msg: str
    type: str
    input: Json = None


class Form(StrEnum):
    """How a form asks for a value."""

    SWITCH = "switch"
    CHOICE = "choice"
    TEXT = "text"
    LONG_TEXT = "long text"
    ADDRESS = "address"
    TIME = "time"
    NUMBER = "number"
    LINES = "lines"
    FIELDS = "fields"
    ROWS = "rows"
    """A list of the same fields."""


class Rule(Protocol):
    """What a value must be."""

    @property
    def form(self) -> Form:
        """Return how a form asks for such a value."""
        ...

    @property
    def schema(self) -> dict[str, Json]:
        """Return the rule as JSON Schema, for people and programs that make options."""
        ...

    def problems(self, value: Json, loc: Loc) -> list[OptionProblem]:
        """Return what is wrong with the value at `loc`; an empty list if it is right."""
        ...


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false; 0, 1 and "yes" are not."""

    form: ClassVar[Form] = Form.SWITCH

    @property
    def schema(self) -> dict[str, Json]:
        """Return the rule as JSON Schema."""
        return {"type": "boolean"}

    def problems(self, value: Json, loc: Loc) -> list[OptionProblem]:
        """Return what is wrong with the value."""
        if isinstance(value, bool):
            return []
        return [problem(loc, "bool_type", "Input should be a valid boolean", value)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A string of at most so many code points; all of it must match a pattern, if there is one."""

    longest: int = 2_048
    pattern: str | None = None

    @property
    def form(self) -> Form:
        """Return how a form asks for it: texts that may be long get several lines."""
        return Form.TEXT if self.pattern or self.longest < _LONG else Form.LONG_TEXT

    @property
    def schema(self) -> dict[str, Json]:
        """Return the rule as JSON Schema."""
        schema: dict[str, Json] = {"type": "string", "maxLength": self.longest}
        own = None if self.pattern is None else portable_pattern(f"^{self.pattern}$")
        return {**schema, "pattern": own or PRINTABLE_PATTERN}

    def problems(self, value: Json, loc: Loc) -> list[OptionProblem]:
        """Return what is wrong with the value."""
        if not isinstance(value, str):
            return [problem(loc, "string_type", "Input should be a valid string", value)]
        if len(value) > self.longest:
            message = f"String should have at most {self.longest} characters"
            return [problem(loc, "string_too_long", message)]
        if self.pattern is not None and re.fullmatch(self.pattern, value) is None:
            message = f"String should match pattern '^{self.pattern}$'"
            return [problem(loc, "string_pattern_mismatch", message, value)]
        return []


@dataclass(frozen=True, slots=True)
class Link:
    """A web address, true for the caption's first link, or false for none."""

    form: ClassVar[Form] = Form.ADDRESS

    @property
    def schema(self) -> dict[str, Json]:
        """Return the rule as JSON Schema."""
        address: Json = {"type": "string", "maxLength": 2_048, "pattern": f"^{_WEB_ADDRESS}$"}
        return {"anyOf": [address, {"type": "boolean"}]}

    def problems(self, value: Json, loc: Loc) -> list[OptionProblem]:
        """Return what is wrong with the value."""
        if isinstance(value, bool):
            return []
        return Text(pattern=_WEB_ADDRESS).problems(value, loc)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few strings, in exactly this form, each with its name for people."""

    form: ClassVar[Form] = Form.CHOICE
    values: Mapping[str, str]

    @property
    def schema(self) -> dict[str, Json]:
        """Return the rule as JSON Schema."""
        return {"type": "string", "enum": list(self.values)}

    def problems(self, value: Json, loc: Loc) -> list[OptionProblem]:
        """Return what is wrong with the value."""
        if isinstance(value, str) and value in self.values:
            return []
        *most, last = (f"'{one}'" for one in self.values)
        expected = f"{', '.join(most)} or {last}" if most else last
        return [problem(loc, "literal_error", f"Input should be {expected}", value)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number from `least` to `most`, a whole one unless `whole` is false."""

    form: ClassVar[Form] = Form.NUMBER
    most: int
    least: int = 0
    whole: bool = True

    @property
    def schema(self) -> dict[str, Json]:
        """Return the rule as JSON Schema."""
        kind = "integer" if self.whole else "number"
        return {"type": kind, "minimum": self.least, "maximum": self.most}

    def problems(self, value: Json, loc: Loc) -> list[OptionProblem]:
        """Return what is wrong with the value."""
        kinds: tuple[type, ...] = (int,) if self.whole else (int, float)
        if isinstance(value, bool) or not isinstance(value, kinds):
            name = "integer" if self.whole else "number"
            kind = "int_type" if self.whole else "float_type"
            return [problem(loc, kind, f"Input should be a valid {name}", value)]
        if isinstance(value, int | float) and self.least <= value <= self.most:
            return []
        message = f"Input should be from {self.least} to {self.most}"
        return [problem(loc, "value_error", message, value)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Many:
    """A list of at most `most` values of one kind."""

    of: Rule
    most: int

    @property
    def form(self) -> Form:
        """Return how a form asks for it."""
        return Form.ROWS if self.of.form is Form.FIELDS else Form.LINES

    @property
    def schema(self) -> dict[str, Json]:
        """Return the rule as JSON Schema."""
        return {"type": "array", "items": self.of.schema, "maxItems": self.most}

    def problems(self, value: Json, loc: Loc) -> list[OptionProblem]:
        """Return what is wrong with the list, or if nothing is, with its items."""
        if not isinstance(value, list):
            return [problem(loc, "list_type", "Input should be a valid list", value)]
        if len(value) > self.most:
            message = f"List should have at most {self.most} items, not {len(value)}"
            return [problem(loc, "too_long", message)]
        return [
            found for i, item in enumerate(value) for found in self.of.problems(item, (*loc, i))
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class OneOrMany:
    """A value of one kind, or a list of at most `most` of them."""

    form: ClassVar[Form] = Form.LINES
    of: Rule
    most: int

    @property
    def schema(self) -> dict[str, Json]:
        """Return the rule as JSON Schema."""
        return {"anyOf": [self.of.schema, Many(of=self.of, most=self.most).schema]}

    def problems(self, value: Json, loc: Loc) -> list[OptionProblem]:
        """Return what is wrong with the value, or with the list if it is one."""
        if isinstance(value, list):
            return Many(of=self.of, most=self.most).problems(value, loc)
        return self.of.problems(value, loc)


def problem(loc: Loc, kind: str, message: str, value: Json = None) -> OptionProblem:
    """Return a problem in the form in which the API answers it."""
    return OptionProblem(loc=loc, msg=message, type=kind, input=value)
