"""The values of a stage's parameters: what is given, what the stack has, what the account allows.

Every value is told to CloudFormation anew: a parameter that an older template of the stack did not
have cannot keep its previous value, and CloudFormation would refuse the change.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from infra.template.merging import Template

PROTECTED: Final = "DataIsProtected"
PLACES: Final = "AccountPlaces"
FRONT_IMAGE: Final = "FrontImage"
_FIXED: Final = frozenset({"ResourcePrefix", "MediaBucketName", PROTECTED})
_MANY_PLACES: Final = 1000


class ParameterError(Exception):
    """A parameter that there is not, or a value that cannot work; the message says which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a stage goes, and how many executions its account may run at once."""

    stage: str
    account: str
    places: int


def choose(
    template: Template, given: Mapping[str, str], before: Mapping[str, str], place: Place
) -> dict[str, str]:
    """Return every parameter's value; `before` are the stack's, empty for a new one.

    Raises ParameterError. A new stack's tables are not protected yet: if its first creation fails,
    CloudFormation has to remove them, or their names would be taken for ever.
    """
    known = cast("dict[str, dict[str, Any]]", template["Parameters"])
    unknown = sorted(set(given) - (set(known) - _FIXED))
    if unknown:
        there_are = ", ".join(sorted(set(known) - _FIXED))
        raise ParameterError(f"There is no parameter {unknown[0]}; there are {there_are}.")
    defaults = {name: str(one["Default"]) for name, one in known.items()}
    kept = {name: value for name, value in before.items() if name in known}
    fixed = {
        "ResourcePrefix": f"goldenhour-{place.stage}",
        # Names of buckets belong to the whole world, so the account is part of ours.
        "MediaBucketName": f"goldenhour-{place.stage}-media-{place.account}",
        PROTECTED: "yes" if before else "no",
    }
    allowed = {} if PLACES in before else {PLACES: _most_places(place.places)}
    chosen = defaults | allowed | kept | dict(given) | fixed
    if int(chosen[PLACES]) > place.places:
        raise ParameterError(
            f"{PLACES}={chosen[PLACES]}, and this account may run {place.places} executions at "
            f"once. Ask AWS for more (Service Quotas, Lambda, concurrent executions) or set "
            f"{PLACES}=10."
        )
    return chosen


def could_have_more_places(chosen: Mapping[str, str], place: Place) -> bool:
    """Tell whether the account has grown since the stage was told its places."""
    return int(chosen[PLACES]) < int(_most_places(place.places))


def release_name(template: str, values: Mapping[str, str]) -> str:
    """Return the name of what this template makes with these values, whoever makes it."""
    told = "\n".join(f"{name}={values[name]}" for name in sorted(values) if name != PROTECTED)
    return hashlib.sha256(f"{template}\n{told}".encode()).hexdigest()[:12]


def _most_places(places: int) -> str:
    return str(_MANY_PLACES) if places >= _MANY_PLACES else "10"
