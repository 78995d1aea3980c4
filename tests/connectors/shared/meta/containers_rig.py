"""Instagram and Threads in parallel: what both do with containers, and how each spells it."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.connectors.instagram import rig as instagram_rig
from tests.connectors.instagram.fake import FakeInstagram
from tests.connectors.support.fake_platform import Answer
from tests.connectors.support.places import names
from tests.connectors.support.rig import Rig
from tests.connectors.threads import rig as threads_rig
from tests.connectors.threads.fake import FakeThreads


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A platform, and how it spells what both have."""

    make: Callable[[], Rig]
    container: str
    media: str
    create: str
    publish: str
    limit: str
    status: str
    too_early: tuple[int, int]
    profile: str


INSTAGRAM = Kind(
    make=instagram_rig.a_rig,
    container="18000000000000055",
    media="17900000000000077",
    create="POST media",
    publish="POST media_publish",
    limit="GET content_publishing_limit",
    status="status_code",
    too_early=(9007, 2207027),
    profile="https://www.instagram.com/lumenbakes/",
)
THREADS = Kind(
    make=threads_rig.a_rig,
    container="18050000000000010",
    media="18060000000000020",
    create="POST threads",
    publish="POST threads_publish",
    limit="GET threads_publishing_limit",
    status="status",
    too_early=(24, 4279009),
    profile="https://www.threads.com/@lumenbakes",
)

KINDS = (INSTAGRAM, THREADS)


def fake(rig: Rig) -> FakeInstagram | FakeThreads:
    """Return the rig's fake, whichever it is."""
    assert isinstance(rig.platform, FakeInstagram | FakeThreads)
    return rig.platform


def says(kind: Kind, status: str) -> Answer:
    """Return what a container's status is answered with."""
    return Answer(200, {kind.status: status, "id": kind.container})


def count(rig: Rig, end_of_path: str) -> int:
    """Return how many calls there were to one edge."""
    verb, edge = end_of_path.split(" ")
    return sum(one.startswith(verb) and one.endswith(f"/{edge}") for one in names(rig))
