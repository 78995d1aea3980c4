"""The table of what each connector can do, made from the registry."""

from collections.abc import Iterator

from chalicelib.bootstrap.connectors import real_connectors
from chalicelib.connectors.abilities import Ability, abilities_of
from chalicelib.domain.clock import system_clock
from chalicelib.domain.platforms.platform import NAMES, Platform


def ability_table() -> Iterator[str]:
    """Yield the lines of the table: platforms down, abilities across."""
    connectors = real_connectors({}, system_clock)
    yield f"| platform | {' | '.join(Ability)} |"
    yield f"|---|{'---|' * len(Ability)}"
    for platform in Platform:
        able = abilities_of(connectors[platform])
        marks = ("yes" if ability in able else "—" for ability in Ability)
        yield f"| {NAMES[platform]} | {' | '.join(marks)} |"
