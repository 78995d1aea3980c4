"""Handles in platforms' form: people write them with `@`, platforms without.

Instagram refuses `@bob` among the collaborators with 110/2207018 (a public report: Postiz #2088).
"""

from chalicelib.kit.json_value import Json


def bare_handle(handle: Json) -> str:
    """Return a handle without its `@`."""
    return str(handle or "").strip().removeprefix("@")
