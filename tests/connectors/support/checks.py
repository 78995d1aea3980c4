"""What every connector must pass, whatever its platform: the harness.

    class TestX(ConnectorChecks):
        def make_rig(self) -> Rig: ...

Each check plays a whole publication over the connector's fake platform, with a crash or a fault at
every place in turn, and asks whether the end is the truth.
"""

import logging
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, ClassVar

import pytest
from requests.structures import CaseInsensitiveDict

from chalicelib.connectors.connector import Deletes
from chalicelib.connectors.shared.calls.failures import (
    ErrorEntry,
    RateLimitedError,
    RejectedError,
    TokenRejectedError,
)
from chalicelib.domain.outcome import Done, Failed, FailureCode
from chalicelib.domain.workspace.accounts import Health
from chalicelib.kit.transport.deadline import PlainPool
from chalicelib.kit.transport.failures import UnansweredError
from chalicelib.kit.transport.responses import PlatformResponse
from chalicelib.workers.publishing.signed_connector import SignedConnector
from tests.connectors.support.driving import Drive
from tests.connectors.support.fake_platform import Fault
from tests.connectors.support.places_to_strike import (
    CRASH_SHARE,
    FAULTS,
    calls_to_connector,
    places,
    some_places,
)
from tests.connectors.support.rig import PatternSource, Rig

BIG = 50_000_000
GIGABYTE = 1_000_000_000
MOST_MEMORY = 24_000_000
TALKED_OF = (Fault.DROP_AFTER, Fault.ERROR_AFTER, Fault.DROP_BEFORE)
"""What a connector would be tempted to write down."""


class ConnectorChecks:
    """The checks; a connector's test class brings the rig.

    `biggest` is the largest file that the platform takes.
    """

    biggest: ClassVar[int] = GIGABYTE

    def make_rig(self) -> Rig:
        """Return a fresh connector over a fresh platform."""
        raise NotImplementedError

    @pytest.fixture
    def rigs(self) -> Iterator[Callable[[], Rig]]:
        """Make rigs, and stop their platforms at the end."""
        made: list[Rig] = []

        def make() -> Rig:
            made.append(self.make_rig())
            return made[-1]

        yield make
        for rig in made:
            rig.platform.close()

    def test_every_shape_goes_out_once(self, rigs: Callable[[], Rig]) -> None:
        for shape in rigs().shapes:
            rig = rigs()

            end = rig.drive(shape).run()

            assert isinstance(end, Done), (shape, end)
            assert list(rig.platform.posts) == [end.remote_id]
            assert end.url is None or end.url.startswith("https://")

    def test_start_makes_nothing_visible(self, rigs: Callable[[], Rig]) -> None:
        for shape in rigs().shapes:
            rig = rigs()
            drive = rig.drive(shape)

            while not _is_visible_next(rig, drive):
                assert drive._step() is None, shape

                assert rig.platform.posts == {}, shape

    def test_a_visible_step_connects_ahead_and_sends_nothing(
        self, rigs: Callable[[], Rig], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        connected: list[str] = []
        monkeypatch.setattr(PlainPool, "connect_ahead", lambda pool: connected.append(pool.host))
        for shape in rigs().shapes:
            rig = rigs()
            drive = rig.drive(shape)
            while not _is_visible_next(rig, drive):
                assert drive._step() is None, shape
            arrived, connected[:] = len(rig.platform.calls), []

            assert isinstance(drive.connector, SignedConnector)
            assert drive.checkpoint is not None
            drive.connector.connect_ahead(drive.publication, drive.checkpoint)

            assert connected, shape
            assert len(rig.platform.calls) == arrived, shape

    def test_a_crash_after_some_calls_leaves_one_post(self, rigs: Callable[[], Rig]) -> None:
        for number, shape in enumerate(rigs().shapes):
            last = calls_to_connector(rigs(), shape)
            _crash(rigs, shape, range(last - number % CRASH_SHARE, 0, -CRASH_SHARE))

    @pytest.mark.prove
    def test_a_crash_after_any_call_leaves_one_post(self, rigs: Callable[[], Rig]) -> None:
        for shape in rigs().shapes:
            _crash(rigs, shape, range(1, calls_to_connector(rigs(), shape) + 1))

    @pytest.mark.parametrize("fault", FAULTS, ids=str)
    def test_a_fault_at_some_calls_ends_in_the_truth(
        self, rigs: Callable[[], Rig], fault: Fault
    ) -> None:
        _strike(rigs, fault, some_places(type(self), FAULTS.index(fault)))

    @pytest.mark.prove
    @pytest.mark.parametrize("fault", FAULTS, ids=str)
    def test_a_fault_at_any_call_ends_in_the_truth(
        self, rigs: Callable[[], Rig], fault: Fault
    ) -> None:
        _strike(rigs, fault, places(rigs))

    def test_a_refused_token_is_renewed_once_and_the_post_goes_out(
        self, rigs: Callable[[], Rig]
    ) -> None:
        _refuse_token(rigs, some_places(type(self), 0))

    @pytest.mark.prove
    def test_a_token_refused_at_any_call_is_renewed_once(self, rigs: Callable[[], Rig]) -> None:
        _refuse_token(rigs, places(rigs))

    def test_every_row_of_the_errors_table_maps(self, rigs: Callable[[], Rig]) -> None:
        rig = rigs()

        assert set(rig.refusals) == set(rig.http.errors), "A sample for every row, no more."
        for code, (status, headers, body) in rig.refusals.items():
            row = rig.http.errors[code]
            meant = row.code if isinstance(row, ErrorEntry) else row
            response = PlatformResponse(
                status=status, headers=CaseInsensitiveDict(headers), body=body
            )
            error = rig.http.read_error(response)
            match error:
                case RejectedError():
                    assert error.code is meant, code
                    assert error.message.endswith("."), code
                case TokenRejectedError():
                    assert meant is FailureCode.AUTH_EXPIRED, code
                case RateLimitedError():
                    assert meant is FailureCode.RATE_LIMITED, code
                case UnansweredError():
                    assert status >= 500, code
                    assert meant is FailureCode.PLATFORM_UNAVAILABLE, code

    def test_no_secret_is_logged_or_shown(
        self, rigs: Callable[[], Rig], caplog: pytest.LogCaptureFixture
    ) -> None:
        shapes = list(rigs().shapes)
        for number, shape in enumerate(shapes):
            _look_for_secrets(rigs, caplog, shape, (None, *TALKED_OF[number :: len(shapes)]))

    @pytest.mark.prove
    def test_no_secret_is_logged_or_shown_whatever_goes_wrong(
        self, rigs: Callable[[], Rig], caplog: pytest.LogCaptureFixture
    ) -> None:
        for shape in rigs().shapes:
            _look_for_secrets(rigs, caplog, shape, (None, *TALKED_OF))

    def test_a_big_upload_takes_little_memory(self, rigs: Callable[[], Rig]) -> None:
        for shape, size_bytes in self.big_uploads(rigs()).items():
            assert _peak_of_upload(rigs(), shape, size_bytes) < MOST_MEMORY, shape

    @pytest.mark.prove
    def test_the_biggest_file_takes_no_more_memory(self, rigs: Callable[[], Rig]) -> None:
        for shape in self.big_uploads(rigs()):
            peak = _peak_of_upload(rigs(), shape, self.biggest)
            size = f"{self.biggest / 1e6:.0f} MB"
            print(f"{type(self).__name__}, {shape}, {size}: {peak / 1e6:.1f} MB at most")  # noqa: T201

            assert peak < MOST_MEMORY, shape

    def big_uploads(self, rig: Rig) -> dict[str, int]:
        """Return the shapes whose bytes we send, with a size; photos are always small."""
        return {shape: BIG for shape in rig.shapes if shape == "video"}

    def test_a_post_can_be_deleted_twice(self, rigs: Callable[[], Rig]) -> None:
        rig = rigs()
        if not isinstance(rig.connector, Deletes):
            return
        end = rig.drive(next(iter(rig.shapes))).run()
        assert isinstance(end, Done)

        rig.connector.delete(rig.live(end))
        rig.connector.delete(rig.live(end))

        assert rig.platform.posts == {}


def _is_visible_next(rig: Rig, drive: Drive) -> bool:
    return drive.checkpoint is not None and drive.checkpoint.step in rig.connector.irreversible


def _crash(rigs: Callable[[], Rig], shape: str, places: Iterable[int]) -> None:
    for place in places:
        rig = rigs()

        end = rig.drive(shape, crash_after=place).run()

        _assert_truth(rig, end, f"{shape}, crash after call {place}")


def _strike(rigs: Callable[[], Rig], fault: Fault, places: list[tuple[str, int]]) -> None:
    for shape, place in places:
        rig = rigs()
        rig.platform.strike(place, fault)

        end = rig.drive(shape).run()

        what = rig.platform.calls[place].name
        _assert_truth(rig, end, f"{shape}, {fault} at {place} ({what})")


def _refuse_token(rigs: Callable[[], Rig], places: list[tuple[str, int]]) -> None:
    for shape, place in places:
        rig = rigs()
        if rig.tokens.refresh is None:
            return
        rig.platform.strike(place, Fault.TOKEN_REFUSED)

        end = rig.drive(shape).run()

        what = f"{shape}, token refused at {rig.platform.calls[place].name}"
        _assert_truth(rig, end, what)
        assert rig.store.health is Health.OK, what


def _assert_truth(rig: Rig, end: Done | Failed, what: str) -> None:
    """Hold the end against what everybody can see: published is one post, failed is none."""
    visible = list(rig.platform.posts)
    if isinstance(end, Done):
        assert visible == [end.remote_id], what
        return
    assert rig.cannot_tell or what.partition(",")[0] in rig.untold_shapes, (what, end)
    assert end.code == FailureCode.OUTCOME_UNKNOWN, (what, end)
    assert len(visible) <= 1, what


def _look_for_secrets(
    rigs: Callable[[], Rig],
    caplog: pytest.LogCaptureFixture,
    shape: str,
    faults: Iterable[Fault | None],
) -> None:
    """Publish a shape while something goes wrong at every other call, and read what is said."""
    with caplog.at_level(logging.DEBUG):
        for fault in faults:
            rig = rigs()
            drive = rig.drive(shape)
            if fault is not None:
                for place in range(12):
                    rig.platform.strike(place * 2, fault)
            _run_to_any_end(drive.run)
            shown = [repr(drive), repr(rig.store.kept), repr(rig.tokens)]
            _assert_hidden(rig, "\n".join(shown))

    _assert_hidden(rig, caplog.text)


def _assert_hidden(rig: Rig, text: str) -> None:
    for secret in rig.secrets:
        assert secret not in text


def _run_to_any_end(run: Callable[[], Any]) -> None:
    """Let it fail: what matters is what it said meanwhile."""
    try:
        run()
    except AssertionError:
        return


def _peak_of_upload(rig: Rig, shape: str, size_bytes: int) -> int:
    publication = rig.shapes[shape]
    assert publication.media is not None
    media = replace(publication.media, size_bytes=size_bytes, source=PatternSource(size_bytes))
    rig.shapes = {shape: replace(publication, media=media)}
    drive = rig.drive(shape)
    tracemalloc.start()
    try:
        end = drive.run()
        assert isinstance(end, Done), (shape, end)
        assert sum(call.size for call in rig.platform.calls) >= size_bytes, "It was all sent."
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
