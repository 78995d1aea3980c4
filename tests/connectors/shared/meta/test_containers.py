"""Publishing by containers, on both platforms that do it: what hostile answers lead to."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

from chalicelib.connectors.connector import MediaFile, ReportsMetrics
from chalicelib.connectors.shared.calls.failures import RateLimitedError
from chalicelib.domain.outcome import Done, Failed
from tests.connectors.shared.meta.containers_rig import Kind, count, fake
from tests.connectors.shared.meta.graph_answers import graph_error
from tests.connectors.support.fake_platform import Answer
from tests.connectors.support.rig import PatternSource, Rig, a_photo

NOT_THERE = graph_error(100, 33, message="Unsupported get request")


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
