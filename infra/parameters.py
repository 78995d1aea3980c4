"""The values of a stage's parameters: what is given, what the stack has, what the account allows.

Every value is told to CloudFormation anew: a parameter that an older template of the stack did not
have cannot keep its previous value, and CloudFormation would refuse the change.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from chalicelib.storage.tables import ROW_FORMAT
from infra.template.functions import PLACES as PLACES_OF
from infra.template.merging import Template

PROTECTED: Final = "DataIsProtected"
PLACES: Final = "AccountPlaces"
WARM_WRITES: Final = "WarmWrites"
FRONT_IMAGE: Final = "FrontImage"
FORMAT: Final = "RowFormat"
KEY_REGIONS: Final = "TokensKeyRegions"
_FIXED: Final = frozenset({"ResourcePrefix", "MediaBucketName", PROTECTED, FORMAT})
_MANY_PLACES: Final = 1000
_RESERVED: Final = sum(PLACES_OF[str(_MANY_PLACES)].values())
_LEFT_UNRESERVED: Final = 100
"""Lambda refuses a reservation that leaves the rest of the account less than this (Lambda guide,
"Configuring reserved concurrency for a function")."""
_TRIED_IN: Final = "dev"
WARM_WRITES_OF_A_NEW_STAGE: Final = 8_000
"""So that ten thousand texts of one second are claimed within five (docs/capacity.md)."""


class ParameterError(Exception):
    """A parameter that there is not, or a value that cannot work; the message says which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a stage goes, and how many executions its account may run at once.

    Of these `unreserved` are not reserved yet by any function of the account, this stage's own
    included.
    """

    stage: str
    account: str
    places: int
    unreserved: int


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
        FORMAT: str(ROW_FORMAT),
    }
    if int(before.get(FORMAT, 1)) > ROW_FORMAT:
        raise ParameterError(
            f"A newer release wrote rows of format {before[FORMAT]} to this stage, and this code "
            f"reads format {ROW_FORMAT}: deploy that release, or a later one."
        )
    has_reserved = reserves(before)
    allowed = {} if PLACES in before else {PLACES: _places_of_a_new_stage(place)}
    if not before and KEY_REGIONS in known:
        allowed[KEY_REGIONS] = "many"
    if not before and reserves(allowed | dict(given)):
        allowed[WARM_WRITES] = str(WARM_WRITES_OF_A_NEW_STAGE)
    chosen = defaults | allowed | kept | dict(given) | fixed
    if before and chosen.get(KEY_REGIONS) != before.get(KEY_REGIONS, defaults.get(KEY_REGIONS)):
        raise ParameterError(
            f"{KEY_REGIONS} cannot be changed: this stage's key was made otherwise, and KMS makes "
            "no key into the other kind."
        )
    if int(chosen[PLACES]) > place.places:
        raise ParameterError(
            f"{PLACES}={chosen[PLACES]}, and this account may run {place.places} executions at "
            f"once. Ask AWS for more (Service Quotas, Lambda, concurrent executions) or set "
            f"{PLACES}=10."
        )
    if int(chosen.get(WARM_WRITES, 0)) < int(before.get(WARM_WRITES, 0)):
        raise ParameterError(
            f"{WARM_WRITES} is {before[WARM_WRITES]}, and DynamoDB never lowers what is warmed."
        )
    if reserves(chosen) and not has_reserved and not _can_reserve(place):
        raise ParameterError(
            f"{PLACES}={chosen[PLACES]} reserves {_RESERVED} executions, and only "
            f"{place.unreserved} of this account's {place.places} are not reserved yet; Lambda "
            f"keeps {_LEFT_UNRESERVED} of them free. Set {PLACES}=10 here, or in the stage that "
            "reserves them now."
        )
    return chosen


def reserves(values: Mapping[str, str]) -> bool:
    """Tell whether a stage with these values reserves executions for its functions."""
    return values.get(PLACES) == str(_MANY_PLACES)


def advice_on_places(chosen: Mapping[str, str], place: Place) -> str:
    """Return the sentence that the plan shows about the executions a stage may run at once."""
    if reserves(chosen):
        return (
            f"This stage reserves {_RESERVED} of the account's {place.places} executions. Another "
            f"stage in this account runs without reserving: {PLACES}=10.{_on_warmth(chosen)}"
        )
    if place.stage != _TRIED_IN and _can_reserve(place):
        return f"This account may run {place.places} executions at once: {PLACES}=1000 reserves."
    return (
        f"This stage reserves no executions: {PLACES}=10 of an account that may run "
        f"{place.places} at once, {place.unreserved} of them not reserved. Of 1,000 texts due "
        "in one second the last is ten seconds late; docs/deploy.md (Places) asks AWS for more."
    )


def _on_warmth(chosen: Mapping[str, str]) -> str:
    writes = int(chosen.get(WARM_WRITES, 0))
    if not writes:
        return ""
    return (
        f" Its table of posts is warmed for {writes} writes a second, which AWS charges once "
        f"(docs/cost.md); {WARM_WRITES}=0 at the first deployment leaves that out."
    )


def release_name(template: str, values: Mapping[str, str]) -> str:
    """Return the name of what this template makes with these values, whoever makes it."""
    told = "\n".join(f"{name}={values[name]}" for name in sorted(values) if name != PROTECTED)
    return hashlib.sha256(f"{template}\n{told}".encode()).hexdigest()[:12]


def _places_of_a_new_stage(place: Place) -> str:
    return str(_MANY_PLACES) if place.stage != _TRIED_IN and _can_reserve(place) else "10"


def _can_reserve(place: Place) -> bool:
    enough = place.unreserved - _RESERVED >= _LEFT_UNRESERVED
    return place.places >= _MANY_PLACES and enough
