"""The page about what is proven of each connector, and against what.

Each connector's author keeps a file beside this one.
"""

from collections.abc import Iterator

from chalicelib.domain.platforms.platform import NAMES, Platform
from tests.connectors.proofs import (
    bluesky,
    facebook,
    google_business_profile,
    instagram,
    linkedin,
    pinterest,
    reddit,
    threads,
    tiktok,
    x,
    youtube,
)
from tests.connectors.proofs.abilities import ability_table
from tests.connectors.proofs.evidence import evidence_table

_ROOMS = (
    bluesky,
    facebook,
    google_business_profile,
    instagram,
    linkedin,
    pinterest,
    reddit,
    threads,
    tiktok,
    x,
    youtube,
)
_ORDER = list(Platform)
PROVEN = sorted((room.PROVEN for room in _ROOMS), key=lambda one: _ORDER.index(one.platform))


def page() -> str:
    """Return the page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# What is proven of the connectors"
    yield ""
    yield "Made by `python -m tests.connectors.proofs`; the tests named are below `tests/`."
    yield ""
    yield "## What each can do"
    yield ""
    yield "Made from the registry. For every platform that takes a text alone,"
    yield "`tests/connectors/test_abilities.py` publishes, reads metrics and deletes"
    yield "through the API's services and the engine, on the platform's fake."
    yield ""
    yield from ability_table()
    yield ""
    yield "## After a lost answer"
    yield ""
    yield "What is not there is sent again, what nobody can tell ends as `outcome_unknown`."
    yield ""
    yield from evidence_table()
    for proven in PROVEN:
        yield ""
        yield f"## {NAMES[proven.platform]}"
        yield ""
        yield "| proven | against | test |"
        yield "|---|---|---|"
        for proof in proven.proofs:
            yield f"| {proof.claim} | {proof.against} | `{proof.test}` |"
        yield from _list("Not proven", proven.unproven)
        yield from _list("Where the fact sheet was wrong or silent", proven.corrections)


def _list(heading: str, entries: tuple[str, ...]) -> Iterator[str]:
    if entries:
        yield ""
        yield f"{heading}:"
        yield ""
        for entry in entries:
            yield f"- {entry}"
