"""Kinds of fields that several bodies and queries share, with what each refuses.

The resources build models of them. What gets past here can be stored: finite numbers, bounded depth
and size, times with an offset in years that every zone can show. A target's options have a schema
for each platform in the description; which one holds follows from the target's account.
"""

import math
import re
from dataclasses import fields
from datetime import UTC, date, datetime
from typing import Annotated, Any, Final, TypeVar, get_args, get_origin

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    WithJsonSchema,
)
from pydantic import JsonValue as PydanticJson
from pydantic_core import PydanticCustomError, PydanticKnownError, to_json

from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.option import Fields
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.text import (
    CONTROL_CHARACTER,
    PRINTABLE_PATTERN,
    all_with_line_feeds,
    control_character_problem,
    with_line_feeds,
)
from chalicelib.http.messages import JsonObject


def options_schemas() -> dict[str, JsonObject]:
    """Return the schema of each platform's options, by its name among the schemas."""
    return {_name(platform): _schema(platform) for platform in Platform}


def _name(platform: Platform) -> str:
    return f"{FACTS[platform].name.replace(' ', '')}Options"


def _schema(platform: Platform) -> JsonObject:
    shape = Fields(of=FACTS[platform].options, is_draft=True)
    return {
        "title": _name(platform),
        "description": f"Options on {FACTS[platform].name}; other keys are refused.",
        **shape.schema,
    }


OPTIONS_SCHEMA: Final[JsonObject] = {
    "description": "What the platform of the target's account offers besides caption and file.",
    "anyOf": [{"$ref": f"#/components/schemas/{_name(platform)}"} for platform in Platform],
    "examples": [{"privacy_level": "PUBLIC_TO_EVERYONE", "allow_comment": True}],
}
"""What a body says of options."""

MOST_OPTIONS_BYTES = 16_384
DEEPEST_OPTIONS = 10
MOST_DIGITS = 10**38
MOST_TEXT_BYTES = 350_000
"""A row has 400 KB at most ("Constraints in Amazon DynamoDB"), and holds more than the text."""

LONGEST_ID = 64

ValueT = TypeVar("ValueT")
AN_ID: Final = "0192f0c1a7b87c3d9e5f60718293a4b5"
A_TIME: Final = "2030-01-31T09:00:00+01:00"
"""What examples show."""
_EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST = datetime(2999, 12, 31, tzinfo=UTC)
_BASIC = re.compile(r"\s*([0-9]{4})([0-9]{2})([0-9]{2})[Tt]([0-9]{2})([0-9]{2})(?:([0-9]{2}))?(.*)")
"""ISO 8601's basic format, as calendars write it: 20300131T090000Z."""
_HOURS_APART = re.compile(r"(:[0-9]{2}(?:[.,][0-9]+)?) ?([+-][0-9]{2})\s*")
"""An offset of whole hours, as PostgreSQL writes a timestamptz: 2030-01-31 09:00:00+01."""
_OFFSET_APART = re.compile(r"(:[0-9]{2}(?:[.,][0-9]+)?) ([+-][0-9]{2}:?[0-9]{2}|[Zz])\s*")
"""An offset behind a space, as Ruby writes it."""
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DATE_FIRST = re.compile(r"\s*[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SPACE_WAS_PLUS = re.compile(
    r"([0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?) ([0-9]{2}:?[0-9]{2})\s*"
)


class In(BaseModel):
    """A JSON body: strict types, unknown fields refused. Built when the first one arrives."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, defer_build=True)

    def to_domain(self, cls: type[ValueT]) -> ValueT:
        """Return the domain's value with the same fields; what is null it has by itself."""
        given: dict[str, Any] = {}
        for each in fields(cls):  # type: ignore[arg-type]  # a dataclass
            sent = getattr(self, each.name, None)
            if sent is not None:
                given[each.name] = _domain_value(sent, each.type)
        return cls(**given)


def _domain_value(sent: object, kind: Any) -> object:  # noqa: ANN401 - a type, of whatever form
    """Return what was sent as a field of the domain's has it: lists as tuples of values."""
    if not isinstance(sent, list):
        return sent
    of = next(each for each in (kind, *get_args(kind)) if get_origin(each) is tuple)
    return tuple(one.to_domain(get_args(of)[0]) if isinstance(one, In) else one for one in sent)


class Query(BaseModel):
    """Query parameters: texts that become what they say, unknown ones refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


def _dated_text(sent: object) -> object:
    """Refuse numbers, which pydantic would take for seconds since 1970."""
    if not isinstance(sent, str):
        raise PydanticKnownError("datetime_type")
    sent = _to_extended_form(sent)
    if _DATE_FIRST.match(sent) is None:
        raise PydanticKnownError("datetime_parsing", {"error": "expected YYYY-MM-DD first"})
    return sent


def _to_extended_form(sent: str) -> str:
    """Return a time of another usual form of ISO 8601 in the one that is read."""
    if basic := _BASIC.fullmatch(sent):
        year, month, day, hour, minute, second, offset = basic.groups()
        sent = f"{year}-{month}-{day}T{hour}:{minute}:{second or '00'}{offset}"
    for apart, minutes in ((_HOURS_APART, ":00"), (_OFFSET_APART, "")):
        if (found := apart.search(sent)) and found.end() == len(sent):
            sent = f"{sent[: found.start()]}{found[1]}{found[2]}{minutes}"
    return sent


def _plus_restored(sent: str) -> str:
    """Return a time whose offset's `+` arrived as a space, as it was meant."""
    return _SPACE_WAS_PLUS.sub(r"\1+\2", sent)


def _in_utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)


Moment = Annotated[
    AwareDatetime,
    Field(strict=False, ge=_EARLIEST, le=_LATEST, examples=[A_TIME]),
    BeforeValidator(_dated_text),
    AfterValidator(_in_utc),
]
"""A date-time with an offset, in UTC once read."""

QueryMoment = Annotated[Moment, BeforeValidator(_plus_restored)]
"""A date-time in a query, where an unencoded `+` arrives as a space."""


def _day(sent: object) -> object:
    """Read a date as people and machines write it, and no other text or number."""
    if not isinstance(sent, str):
        raise PydanticKnownError("date_type")
    try:
        if _DAY.fullmatch(sent):
            return date.fromisoformat(sent)
    except ValueError:
        pass
    raise PydanticKnownError("date_parsing", {"error": "expected a date such as 2030-01-31"})


Day = Annotated[date, Field(ge=_EARLIEST.date(), le=_LATEST.date()), BeforeValidator(_day)]
"""A date without a time."""


def _whole(sent: object) -> object:
    """Take 9.0 for 9: to JSON Schema, and to many clients' JSON, it is the same integer."""
    return int(sent) if isinstance(sent, float) and sent.is_integer() else sent


WHOLE: Final = BeforeValidator(_whole)
"""A whole number in a body, however it is spelled."""


def _shorten(sent: str) -> str:
    return sent[:LONGEST_ID]


Id = Annotated[str, AfterValidator(_shorten), Field(examples=[AN_ID])]
"""An id of something. What is no id is not found later; only its beginning is kept."""


def _storable_text(sent: str) -> str:
    if len(sent.encode()) > MOST_TEXT_BYTES:
        raise PydanticKnownError("string_too_long", {"max_length": MOST_TEXT_BYTES})
    return with_line_feeds(_printable(sent))


def _printable(sent: str) -> str:
    message = control_character_problem(sent)
    if message is not None:
        raise PydanticCustomError(CONTROL_CHARACTER, message)
    return sent


PRINTABLE: Final = AfterValidator(_printable)
"""Refuses control characters; newlines and tabs are none."""

_NO_CONTROL_CHARACTERS: Final = Field(json_schema_extra={"pattern": PRINTABLE_PATTERN})

Text = Annotated[str, AfterValidator(_storable_text), _NO_CONTROL_CHARACTERS]
"""A text of a person, its lines ended by line feeds; platforms' own limits are the domain's."""

Line = Annotated[str, PRINTABLE, _NO_CONTROL_CHARACTERS]
"""A short text of a person, such as a label or the name of a file."""


def _storable_options(sent: dict[str, PydanticJson]) -> dict[str, PydanticJson]:
    _check_json(sent, depth=1)
    if len(to_json(sent)) > MOST_OPTIONS_BYTES:
        raise _value_error(f"options take at most {MOST_OPTIONS_BYTES} bytes as JSON")
    return {name: all_with_line_feeds(value) for name, value in sent.items()}


def _check_json(value: PydanticJson, *, depth: int) -> None:
    if depth > DEEPEST_OPTIONS:
        raise _value_error(f"options are at most {DEEPEST_OPTIONS} levels deep")
    match value:
        case dict():
            for inner in value.values():
                _check_json(inner, depth=depth + 1)
        case list():
            for inner in value:
                _check_json(inner, depth=depth + 1)
        case float() if not math.isfinite(value):
            raise PydanticKnownError("finite_number")
        case int() if abs(value) >= MOST_DIGITS:
            raise _value_error("whole numbers have at most 38 digits")


def _value_error(reason: str) -> PydanticKnownError:
    return PydanticKnownError("value_error", {"error": reason})


Options = Annotated[
    dict[str, PydanticJson],
    AfterValidator(_storable_options),
    WithJsonSchema(OPTIONS_SCHEMA),
]
"""Platform options; which keys mean something `domain/platforms/options.py` says."""


def _split(sent: object) -> object:
    """Take a comma-separated text apart; spaces around its pieces count for nothing."""
    if not isinstance(sent, str):
        return sent
    return tuple(piece.strip() for piece in sent.split(","))


ONE_AT_LEAST: Final = Field(json_schema_extra={"minItems": 1})
"""Tells of a comma-separated list that an empty text is none: it is a value nobody knows."""

COMMA_SEPARATED: Final = BeforeValidator(_split)

MOST_VALUES: Final = 100
"""Of a list in a query: more than there are to name."""

UP_TO_MOST: Final = Field(max_length=MOST_VALUES)

LONGEST_CURSOR: Final = 1_024
