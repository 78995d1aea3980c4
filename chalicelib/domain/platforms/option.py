"""Options of targets: their declaration, for people and programs.

The platforms' pages declare their options with it; forms, the API's description and the checks
follow from the declarations. The fields of an object are options too.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import ClassVar, Final

from chalicelib.domain.nearest_name import unknown_message
from chalicelib.domain.platforms.option_rules import (
    Choice,
    Form,
    Loc,
    Many,
    OptionProblem,
    Rule,
    problem,
)
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json

ALT_TEXT: Final = "alt_text"
OLDER_ALT: Final = "alt"
COVER: Final = "cover_media_id"
"""Options that code outside a platform's own folder knows by name."""

UNKNOWN_OPTION: Final = "extra_forbidden"
"""The type of the problem with a key that is not declared."""


class Group(StrEnum):
    """Where a form shows an option: what is required to send, what many use, and the rest."""

    REQUIRED = "required"
    COMMON = "common"
    MORE = "more"


class ContentKind(StrEnum):
    """What a post has besides its text."""

    TEXT = "a text alone"
    PHOTO = "a photo"
    VIDEO = "a video"


@dataclass(frozen=True, slots=True)
class When:
    """The condition that another option has one of these values."""

    option: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """One key: what its value must be, what it does, and how people are asked for it.

    `default` applies without it, `note` is only for programs. `offered` says that the account lists
    the values (GET /v1/accounts/{id}/choices), `offered_by` names the option on which they depend,
    `searched` says that they are found by searching. `when` is the condition under which it is
    required. `asked_as` is the kind of form field, if not the rule's. It is sent only with content
    in `only`, not under the condition `unless`, and only with the account's sign-in method
    `sign_in`; otherwise the post goes out without it, and a check says so. `is_old` marks a name
    that still works but that forms no longer show.
    """

    name: str
    rule: Rule
    label: str
    help: str
    group: Group = Group.MORE
    default: Json = None
    note: str = ""
    offered: bool = False
    offered_by: str | None = None
    searched: bool = False
    when: When | None = None
    asked_as: Form | None = None
    only: frozenset[ContentKind] = frozenset()
    unless: When | None = None
    sign_in: str | None = None
    is_old: bool = False

    def why_ignored(
        self, carries: ContentKind, options: Mapping[str, Json], sign_in: Json
    ) -> str | None:
        """Return why the post goes out without this option, None if it goes out with it."""
        value = options.get(self.name)
        if value in (None, "", [], {}) or (value is False and self.default is not True):
            return None
        if value == self.default and not isinstance(value, bool):
            return None
        if self.only and carries not in self.only:
            kinds = " or ".join(sorted(self.only))
            return f"{self.label} goes with {kinds} only: the post goes out without it."
        other = self.unless
        if other is not None and (chosen := str(options.get(other.option))) in other.values:
            named = other.option if options[other.option] is True else f"{other.option} {chosen}"
            return f"{self.label} does not go with {named}: the post goes out without it."
        if self.sign_in is not None and sign_in not in (None, self.sign_in):
            return f"{self.label} needs the sign-in {self.sign_in}: the post goes out without it."
        return None

    @property
    def description(self) -> str:
        """Return the help, with the default and what else a program must know."""
        default = "" if self.default is None else f" (default {_spell(self.default)})"
        return f"{self.help[:-1]}{default}{self.note}."

    @property
    def is_required(self) -> bool:
        """Tell whether it is required to send."""
        return self.group is Group.REQUIRED

    @property
    def form(self) -> Form:
        """Return how a form asks for it."""
        return self.asked_as or self.rule.form

    @property
    def choices(self) -> tuple[tuple[str, str], ...]:
        """Return the values that every account can choose, each with its name for people."""
        return tuple(self.rule.values.items()) if isinstance(self.rule, Choice) else ()

    @property
    def fields(self) -> tuple["Option", ...]:
        """Return the fields of an object, or of each row of a list of objects."""
        rule = self.rule.of if isinstance(self.rule, Many) else self.rule
        return rule.of if isinstance(rule, Fields) else ()

    @property
    def schema(self) -> dict[str, Json]:
        """Return the declaration as JSON Schema."""
        old: dict[str, Json] = {"deprecated": True} if self.is_old else {}
        return {"title": self.label, **self.rule.schema, **old, "description": self.description}


def cover_ids(options: Iterable[Mapping[str, Json]]) -> tuple[str, ...]:
    """Return the ids of the photos that targets' options name as covers, each once."""
    named = (each.get(COVER) for each in options)
    return tuple(dict.fromkeys(one for one in named if isinstance(one, str) and one))


def describe_need(option: Option, beside: tuple[Option, ...]) -> str | None:
    """Return the sentence that says with which choice an option is required; None without one."""
    other = next((one for one in beside if option.when and one.name == option.when.option), None)
    if option.when is None or other is None:
        return None
    words = [label for value, label in other.choices if value in option.when.values]
    return f"Needed if “{other.label}” is {' or '.join(words)}."


def lacking(
    declared: tuple[Option, ...], options: Mapping[str, Json], way: str = ""
) -> Iterator[tuple[str, str]]:
    """Yield the path of each missing option that another choice requires, and the reason."""
    for option in declared:
        value, when = options.get(option.name), option.when
        if when is not None and options.get(when.option) in when.values and not value:
            chosen = options[when.option]
            yield f"{way}{option.name}", f"{way}{when.option} {chosen} needs {way}{option.name}."
        if isinstance(option.rule, Fields) and isinstance(value, dict):
            yield from lacking(option.fields, value, f"{way}{option.name}.")


def _spell(value: Json) -> str:
    return json.dumps(value) if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """An object with declared fields and no others; with `is_draft`, none of them is required."""

    form: ClassVar[Form] = Form.FIELDS
    of: tuple[Option, ...]
    is_draft: bool = False

    @property
    def schema(self) -> dict[str, Json]:
        """Return the rule as JSON Schema."""
        properties: dict[str, Json] = {field.name: field.schema for field in self.of}
        schema: dict[str, Json] = {
            "type": "object",
            "properties": properties,
            "additionalProperties": False,
        }
        required: list[Json] = [*self._required]
        return {**schema, "required": required} if required else schema

    @property
    def _required(self) -> tuple[str, ...]:
        fields = () if self.is_draft else self.of
        return tuple(field.name for field in fields if field.is_required)

    def problems(self, value: Json, loc: Loc) -> list[OptionProblem]:
        """Return the object's missing and unknown fields, and what is wrong with the others."""
        if not isinstance(value, dict):
            return [problem(loc, "dict_type", "Input should be a valid dictionary", value)]
        known = {field.name: field.rule for field in self.of}
        missing = [
            problem((*loc, name), "missing", "Field required")
            for name in self._required
            if name not in value
        ]
        unknown = [
            problem((*loc, name), UNKNOWN_OPTION, unknown_message(name, known), value[name])
            for name in value
            if name not in known
        ]
        return [*missing, *unknown] + [
            found
            for name, rule in known.items()
            if name in value
            for found in rule.problems(value[name], (*loc, name))
        ]
