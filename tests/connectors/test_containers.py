"""Publishing by containers, on both platforms that do it: what hostile answers lead to."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

from chalicelib.connectors.connector import MediaFile, ReportsMetrics
from chalicelib.connectors.replies import RateLimitedError
from chalicelib.domain.outcome import Absent, Checkpoint, Done, Failed, Unknown, Wait
from tests.connectors import instagram_rig, threads_rig
from tests.connectors.fake_instagram import FakeInstagram
from tests.connectors.fake_platform import Answer
from tests.connectors.fake_threads import FakeThreads
from tests.connectors.graph_answers import graph_error
from tests.connectors.places import arrive, confirm, names, pass_by
from tests.connectors.rig import PatternSource, Rig, a_photo

NOT_THERE = graph_error(100, 33, message="Unsupported get request")


@dataclass(frozen=True, slots=True)
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


@pytest.fixture(params=[INSTAGRAM, THREADS], ids=["instagram", "threads"])
def kind(request: pytest.FixtureRequest) -> Kind:
    chosen: Kind = request.param
    return chosen


@pytest.fixture
def rig(kind: Kind) -> Iterator[Rig]:
    made = kind.make()
    yield made
    made.platform.close()


def fake(rig: Rig) -> FakeInstagram | FakeThreads:
    assert isinstance(rig.platform, FakeInstagram | FakeThreads)
    return rig.platform


def says(kind: Kind, status: str) -> Answer:
    """Return what a container's status is answered with."""
    return Answer(200, {kind.status: status, "id": kind.container})


def count(rig: Rig, end_of_path: str) -> int:
    """Return how many calls there were to one edge."""
    verb, edge = end_of_path.split(" ")
    return sum(one.startswith(verb) and one.endswith(f"/{edge}") for one in names(rig))


@dataclass(slots=True)
class LinkSource(PatternSource):
    """A file that remembers for how long its address was asked to hold."""

    lifetime: timedelta | None = None

    def public_url(self, lifetime: timedelta) -> str | None:
        """Return the address."""
        self.lifetime = lifetime
        return self.link


def test_a_files_address_holds_as_long_as_its_container(kind: Kind, rig: Rig) -> None:
    source = LinkSource(3_000)
    photo: MediaFile = replace(a_photo(), source=source)
    rig.shapes = {"photo": replace(rig.shapes["photo"], media=photo)}

    rig.drive("photo").run()

    assert source.lifetime is not None
    assert source.lifetime >= timedelta(hours=24)
    assert count(rig, kind.create) == 1


@pytest.mark.parametrize(
    ("times", "containers"), [(1, 1), (2, 0)], ids=["one retry", "then it is final"]
)
def test_a_container_that_could_not_be_made_is_tried_once_more(
    kind: Kind, rig: Rig, times: int, containers: int
) -> None:
    fake(rig).script = {kind.create: [graph_error(9004, 2207052)] * times}

    end = rig.drive("photo").run()

    assert count(rig, kind.create) == 2
    assert len(fake(rig).containers) == containers
    assert isinstance(end, Done if containers else Failed)
    if isinstance(end, Failed):
        assert not end.is_transient


def test_a_container_is_read_again_when_it_is_not_there_for_a_moment(kind: Kind, rig: Rig) -> None:
    fake(rig).script = {f"GET {kind.container}": [NOT_THERE] * 3}

    end = rig.drive("photo").run()

    assert isinstance(end, Done)
    assert len(fake(rig).containers) == 1


def test_a_container_that_stays_away_is_made_anew(kind: Kind, rig: Rig) -> None:
    fake(rig).script = {f"GET {kind.container}": [NOT_THERE] * 4}

    end = rig.drive("photo").run()

    assert isinstance(end, Done)
    assert (len(fake(rig).containers), len(rig.platform.posts)) == (2, 1)


@pytest.mark.parametrize(
    "answer", [graph_error(2, status=500), graph_error(100)], ids=["500", "no"]
)
def test_a_quota_that_cannot_be_read_hinders_nobody(kind: Kind, rig: Rig, answer: Answer) -> None:
    fake(rig).script = {kind.limit: [answer]}

    end = rig.drive("photo").run()

    assert isinstance(end, Done)
    assert count(rig, kind.limit) == 1


def test_a_container_that_went_out_in_spite_of_a_refusal_is_not_published_again(
    kind: Kind, rig: Rig
) -> None:
    fake(rig).publish_errors, fake(rig).taken_anyway = [kind.too_early], True

    end = rig.drive("photo").run()

    assert end == Done(remote_id=f"container:{kind.container}", url=kind.profile)
    assert (count(rig, kind.publish), len(rig.platform.posts)) == (1, 1)


def test_a_container_that_cannot_be_read_is_no_proof_that_nothing_went_out(
    kind: Kind, rig: Rig
) -> None:
    checkpoint = pass_by(rig, "photo", "publish")
    fake(rig).unlisted = True
    fake(rig).script = {f"GET {kind.container}": [NOT_THERE] * 2}

    early = confirm(rig, "photo", timedelta(minutes=4), checkpoint)
    late = confirm(rig, "photo", timedelta(minutes=5), checkpoint)

    assert isinstance(early, Wait)
    assert late == Unknown()


def test_a_container_that_cannot_be_read_is_found_in_the_list(kind: Kind, rig: Rig) -> None:
    checkpoint = pass_by(rig, "photo", "publish")
    fake(rig).script = {f"GET {kind.container}": [NOT_THERE]}

    found = confirm(rig, "photo", timedelta(seconds=5), checkpoint)

    assert isinstance(found, Done)
    assert found.remote_id == kind.media


@pytest.mark.parametrize("status", ["ERROR", "EXPIRED"])
def test_a_container_that_died_before_it_was_published_is_made_anew(
    kind: Kind, rig: Rig, status: str
) -> None:
    checkpoint = arrive(rig, "photo", "publish")
    fake(rig).script = {f"GET {kind.container}": [says(kind, status)]}

    first = confirm(rig, "photo", timedelta(seconds=5), checkpoint)
    assert isinstance(first, Wait)
    second = confirm(rig, "photo", timedelta(seconds=5), first.checkpoint)

    assert second == Absent()
    assert first.checkpoint.step not in rig.connector.irreversible


@pytest.mark.parametrize("step", ["permalink", "live"])
def test_a_post_whose_id_was_stored_is_not_looked_for(kind: Kind, rig: Rig, step: str) -> None:
    found = confirm(rig, "photo", timedelta(hours=2), Checkpoint(step, {"media": kind.media}))

    assert found == Done(remote_id=kind.media, url=kind.profile)
    assert rig.platform.calls == []


def test_a_usage_near_its_end_leaves_figures_alone_and_not_posts(kind: Kind, rig: Rig) -> None:
    headers: Mapping[str, str] = {"X-App-Usage": '{"call_count": 97}'}
    fake(rig).script = {kind.limit: [Answer(200, {"data": []}, headers)]}

    end = rig.drive("photo").run()

    assert isinstance(end, Done)
    assert_resting(rig, end)


def assert_resting(rig: Rig, end: Done) -> None:
    """Hold that figures are left alone for a quarter of an hour since the header came."""
    assert isinstance(rig.connector, ReportsMetrics)
    metrics = rig.connector.metrics
    calls = len(rig.platform.calls)
    with pytest.raises(RateLimitedError):
        metrics([rig.live(end)])
    assert len(rig.platform.calls) == calls
    rig.clock.pass_time(timedelta(minutes=15))
    assert metrics([rig.live(end)]) != [None]
