"""Forms for a target's options, made from the same declarations that the API's are.

`FACTS` says which keys there are and what each may hold; here a rule becomes a field,
and what was typed becomes a value again. Keys that have no field keep what they hold.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from chalicelib.domain.outcome import Json
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.option import Option
from chalicelib.domain.platforms.option_rules import Choice, Flag, Many, Number, OneOrMany, Text
from chalicelib.domain.platforms.platform import Platform
from chalicelib.web.messages import Form

Kind: TypeAlias = Literal["choice", "text", "number", "lines", "json"]

_FLAG_CHOICES = (("true", "yes"), ("false", "no"))
_FLAGS = {"true": True, "false": False}

Offered: TypeAlias = Mapping[str, Sequence[tuple[str, str]]]
"""What an account can choose for some keys, as (value, label)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionField:
    """One field of the form; `choices` are (value, label), `text` is what stands in it."""

    name: str
    about: str
    kind: Kind
    text: str
    choices: Sequence[tuple[str, str]] = ()
    longest: int | None = None


def option_fields(
    platform: Platform, options: Mapping[str, Json], offered: Offered
) -> list[OptionField]:
    """Return the fields for a target on a platform, holding its options."""
    known = FACTS[platform].options
    return [_field(one.name, one, options.get(one.name), offered) for one in known]


def read_options(
    platform: Platform, before: Mapping[str, Json], form: Form, prefix: str
) -> dict[str, Json]:
    """Return the options as they were typed; a field that the form lacks keeps its value."""
    after = dict(before)
    for option in FACTS[platform].options:
        name = option.name
        if f"{prefix}{name}" not in form:
            continue
        typed = form[f"{prefix}{name}"].strip()
        if typed:
            after[name] = _value(option, typed)
        else:
            after.pop(name, None)
    return after


def _field(name: str, option: Option, value: Json, offered: Offered) -> OptionField:
    kind, choices, longest = _shape(option)
    if offered.get(name):
        kind, choices = "choice", offered[name]
    text = _text(value, kind)
    if kind == "choice" and text and text not in {given for given, _ in choices}:
        choices = (*choices, (text, text))
    return OptionField(
        name=name, about=option.help, kind=kind, text=text, choices=choices, longest=longest
    )


def _shape(option: Option) -> tuple[Kind, Sequence[tuple[str, str]], int | None]:
    match option.rule:
        case Flag():
            return "choice", _FLAG_CHOICES, None
        case Choice():
            return "choice", option.choices, None
        case Number():
            return "number", (), None
        case Text(longest=longest):
            return "text", (), longest
        case Many(of=Text()) | OneOrMany(of=Text()):
            return "lines", (), None
        case _:
            return "json", (), None


def _text(value: Json, kind: Kind) -> str:
    match value:
        case None:
            return ""
        case str():
            return value
        case list() if kind == "lines" and all(isinstance(one, str) for one in value):
            return "\n".join(str(one) for one in value)
        case _:
            return json.dumps(value, ensure_ascii=False)


def _value(option: Option, typed: str) -> Json:
    """Return what was typed as the rule's kind of value; what cannot be one stays a text."""
    match option.rule:
        case Flag():
            return _FLAGS.get(typed, typed)
        case Many(of=Text()) | OneOrMany(of=Text()):
            return [line.strip() for line in typed.splitlines() if line.strip()]
        case Text() | Choice():
            return typed
        case _:
            return _parsed(typed)


def _parsed(typed: str) -> Json:
    try:
        found: Json = json.loads(typed)
    except (ValueError, RecursionError):
        return typed
    return found
