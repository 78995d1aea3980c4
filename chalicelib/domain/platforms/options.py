"""The `options` of a target: checks before anything is stored.

The API refuses values of a wrong type and keys that the platform does not have (422 `detail`). Only
the platform can tell whether a board or community exists: if not, the target fails as
`invalid_options`.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.option import Fields
from chalicelib.domain.platforms.option_rules import Loc, OptionProblem
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.text import CONTROL_CHARACTER, control_character_problem
from chalicelib.kit.json_value import Json

DEEPEST: Final = 10
LARGEST_NUMBER: Final = 1e38
"""DynamoDB's numbers can hold this, and no option needs more."""


def option_problems(platform: Platform, options: Mapping[str, Json]) -> list[OptionProblem]:
    """Return what is wrong with a target's options; an empty list if they can be stored.

    Every key must be known and its value follow its rule. Values are at most 10 levels deep, with
    finite numbers below 1e38 and strings of Unicode text without control characters.
    """
    unfit = list(_unfit(dict(options), (), depth=1))
    if unfit:
        return unfit
    return Fields(of=FACTS[platform].options, is_draft=True).problems(dict(options), ())


def known_options(platform: Platform, options: Mapping[str, Json]) -> dict[str, Json]:
    """Return the options that the platform has; old drafts may contain others."""
    known = {option.name for option in FACTS[platform].options}
    return {name: value for name, value in options.items() if name in known}


def _unfit(value: Json, loc: Loc, *, depth: int) -> Iterator[OptionProblem]:
    """Yield what cannot be stored or sent as JSON."""
    match value:
        case dict() | list() if depth > DEEPEST:
            message = f"Options can be nested at most {DEEPEST} levels deep"
            yield OptionProblem(loc=_printable(loc), msg=message, type="value_error")
        case dict():
            for key, inner in value.items():
                yield from _unfit(key, loc, depth=depth)
                yield from _unfit(inner, (*loc, key), depth=depth + 1)
        case list():
            for place, inner in enumerate(value):
                yield from _unfit(inner, (*loc, place), depth=depth + 1)
        case str() if not _is_unicode(value):
            message = "Input should be a valid string, unable to parse raw data as a unicode string"
            yield OptionProblem(loc=_printable(loc), msg=message, type="string_unicode")
        case str() if (found := control_character_problem(value)) is not None:
            yield OptionProblem(loc=loc, msg=found, type=CONTROL_CHARACTER)
        case int() | float() if not abs(value) < LARGEST_NUMBER:  # NaN is below nothing
            message = "Input should be a finite number below 1e38"
            yield OptionProblem(loc=_printable(loc), msg=message, type="finite_number")
        case _:
            pass


def _is_unicode(text: str) -> bool:
    """Tell whether a text has no lone surrogates, which JSON can contain but UTF-8 cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _printable(loc: Loc) -> Loc:
    return tuple(p if isinstance(p, int) or _is_unicode(p) else "?" for p in loc)
