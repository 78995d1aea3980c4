"""A rig of every platform, for what every connector must do: found in the platforms' folders.

Each `rig.py` has `a_rig`, and `a_rig_for` too where another kind of post needs another rig.
"""

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module

from chalicelib.domain.platforms.facts import read_declaration
from chalicelib.domain.platforms.platform import Platform
from tests.connectors.support.rig import Rig


def a_rig_for(platform: Platform, shape: str) -> Rig:
    """Return a rig that has the shape. Raises MissingStepError."""
    folder = f"tests.connectors.{platform.name.lower()}.rig"
    make: Callable[[], Rig] = read_declaration(folder, "a_rig", step=4)
    by_shape = getattr(import_module(folder), "a_rig_for", None)
    rig: Rig = make() if by_shape is None else by_shape(shape)
    return rig


RIGS: Mapping[Platform, Callable[[], Rig]] = {
    platform: partial(a_rig_for, platform, "photo") for platform in Platform
}
