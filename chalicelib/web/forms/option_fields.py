"""Forms for a target's options, made from the platforms' own pages of facts (`FACTS`).

An option becomes a field with its label and group; an object becomes a group of fields, a list of
objects rows of them. The input becomes a value again, and a key without a field keeps its value.
Nothing here is typed as JSON.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.option import Group, Option, describe_need
from chalicelib.domain.platforms.option_rules import Form as Asked
from chalicelib.domain.platforms.option_rules import Link, OneOrMany, Text
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json
from chalicelib.web.messages import Form

Offered: TypeAlias = Mapping[str, Sequence[tuple[str, str]]]
"""What an account can choose for some keys, as (value, label)."""

NO_CARD: Final = "none"
"""What one types for no link; an empty field takes the first link of the text."""
_BLANK_ROWS = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionField:
    """One field of the form; `choices` are (value, label), `text` is its content.

    `rows` are the fields of an object, or of each of a list of objects.
    """

    name: str
    label: str
    about: str
    kind: Asked
    group: Group
    text: str = ""
    is_required: bool = False
    choices: Sequence[tuple[str, str]] = ()
    longest: int | None = None
    rows: Sequence[Sequence["OptionField"]] = ()

    @property
    def is_filled(self) -> bool:
        """Tell whether it, or a field of it, has a value."""
        is_typed = bool(self.text) and self.kind is not Asked.SWITCH
        return is_typed or any(one.is_filled for row in self.rows for one in row)


def option_fields(
    platform: Platform, options: Mapping[str, Json], offered: Offered
) -> list[OptionField]:
    """Return the fields for a target on a platform, filled with its options."""
    known = FACTS[platform].options
    asked = [one for one in known if not one.is_old or options.get(one.name)]
    return [_field(one, one.name, options, known, offered.get(one.name, ())) for one in asked]


def read_options(
    platform: Platform, before: Mapping[str, Json], form: Form, prefix: str
) -> dict[str, Json]:
    """Return the options as they were typed; a field that the form lacks keeps its value."""
    return _read_all(FACTS[platform].options, before, form, prefix)


def _field(
    option: Option,
    name: str,
    held: Mapping[str, Json],
    beside: tuple[Option, ...],
    offered: Sequence[tuple[str, str]] = (),
) -> OptionField:
    value, kind, choices = held.get(option.name), _kind(option), option.choices
    if offered:
        kind, choices = Asked.CHOICE, tuple(offered)
    text = _text(option, kind, value)
    if kind is Asked.CHOICE and text and text not in {given for given, _ in choices}:
        choices = (*choices, (text, text))
    return OptionField(
        name=name,
        label=option.label,
        about=" ".join(filter(None, (_about(option), describe_need(option, beside)))),
        kind=kind,
        group=option.group,
        text=text,
        is_required=option.is_required,
        choices=choices,
        longest=option.rule.longest if isinstance(option.rule, Text) else None,
        rows=list(_rows(option, name, kind, value)),
    )


def _rows(option: Option, name: str, kind: Asked, value: Json) -> Iterator[list[OptionField]]:
    if kind is Asked.FIELDS:
        held = value if isinstance(value, dict) else {}
        yield [_field(one, f"{name}.{one.name}", held, option.fields) for one in option.fields]
    elif kind is Asked.ROWS:
        rows: list[Json] = value if isinstance(value, list) else []
        for place, row in enumerate([*rows, *[{}] * _BLANK_ROWS]):
            held = row if isinstance(row, dict) else {}
            start = f"{name}.{place}."
            yield [_field(one, f"{start}{one.name}", held, option.fields) for one in option.fields]


def _kind(option: Option) -> Asked:
    """Return a field's kind; a post has one file, so a list of texts about it is one text."""
    is_one = isinstance(option.rule, OneOrMany) and isinstance(option.rule.of, Text)
    return Asked.LONG_TEXT if is_one else option.form


def _about(option: Option) -> str:
    """Return what an option does, and how the form takes it."""
    if isinstance(option.rule, Link):
        return f'{option.help} Type "{NO_CARD}" for no card.'
    return option.help


def _text(option: Option, kind: Asked, value: Json) -> str:
    match value:
        case _ if kind is Asked.SWITCH:
            return "true" if value is True or (value is None and option.default is True) else ""
        case None | dict():
            return ""
        case bool():
            return "" if value else NO_CARD
        case list():
            return "\n".join(str(one) for one in value)
        case _:
            return str(value)


def _read_all(
    known: Sequence[Option], before: Mapping[str, Json], form: Form, prefix: str
) -> dict[str, Json]:
    after = dict(before)
    for option in known:
        read = _read(option, before.get(option.name), form, f"{prefix}{option.name}")
        if read is None:
            after.pop(option.name, None)
        else:
            after[option.name] = read
    return after


def _read(option: Option, before: Json, form: Form, name: str) -> Json:
    """Return an option's value as it was typed, None for none."""
    kind = _kind(option)
    if kind is Asked.FIELDS:
        held = before if isinstance(before, dict) else {}
        return _read_all(option.fields, held, form, f"{name}.") or None
    if kind is Asked.ROWS:
        return _read_rows(option, before, form, name)
    if name not in form:
        return before
    typed = form[name].strip()
    if typed == _text(option, kind, before):
        return before
    return _value(option, kind, typed)


def _read_rows(option: Option, before: Json, form: Form, name: str) -> Json:
    kept = [row for row in before if isinstance(row, dict)] if isinstance(before, list) else []
    rows: list[Json] = []
    place = 0
    while any(f"{name}.{place}.{one.name}" in form for one in option.fields) or place < len(kept):
        held = kept[place] if place < len(kept) else {}
        row = _read_all(option.fields, held, form, f"{name}.{place}.")
        if row:
            rows.append(row)
        place += 1
    return rows or None


def _value(option: Option, kind: Asked, typed: str) -> Json:
    """Return the input as the rule's kind of value; invalid input stays a text."""
    if kind is Asked.SWITCH:
        return typed == "true"
    if not typed:
        return None
    if kind is Asked.NUMBER:
        return _number(typed)
    if kind is Asked.LINES:
        return [line.strip() for line in typed.splitlines() if line.strip()]
    if isinstance(option.rule, Link) and typed.lower() == NO_CARD:
        return False
    return typed


def _number(typed: str) -> Json:
    try:
        return int(typed) if "." not in typed else float(typed)
    except ValueError:
        return typed
