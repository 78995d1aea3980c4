"""Merges templates: what chalice makes, and what stands in the files of `infra/`.

Unlike chalice's own merge, which mixes two intrinsics into an invalid one and drops lists: an
intrinsic replaces whatever was there, and lists are joined.
"""

from collections.abc import Mapping
from typing import TypeAlias, cast

Json: TypeAlias = "str | int | float | bool | None | list[Json] | dict[str, Json]"
Template: TypeAlias = dict[str, Json]


def merge(base: Mapping[str, Json], *overlays: Mapping[str, Json]) -> Template:
    """Return a new template with every overlay laid over the base, in order."""
    merged = dict(base)
    for overlay in overlays:
        merged = cast("Template", _merged(merged, dict(overlay)))
    return merged


def _merged(below: Json, above: Json) -> Json:
    if isinstance(below, dict) and isinstance(above, dict) and not _is_intrinsic(below, above):
        joined = dict(below)
        for name, value in above.items():
            joined[name] = _merged(below[name], value) if name in below else value
        return joined
    if isinstance(below, list) and isinstance(above, list):
        return [*below, *above]
    return above


def _is_intrinsic(*values: dict[str, Json]) -> bool:
    return any(
        len(value) == 1 and name.startswith(("Fn::", "Ref")) for value in values for name in value
    )
