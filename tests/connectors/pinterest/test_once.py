"""No pin is ever sent twice: what is found after a lost answer, and what proves that none is there.

What `reconcile` takes for ours has `test_reconciliation.py`.
"""

from datetime import timedelta

import pytest

from chalicelib.connectors.pinterest.reconciliation import LONGEST_LAG
from chalicelib.domain.outcome import (
    Absent,
    Checkpoint,
    Done,
    Failed,
    FailureCode,
    Reconciliation,
    Unknown,
    Wait,
)
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.failures import UnansweredError
from tests.connectors.pinterest.rig import (
    TEXT,
    PinterestRig,
    a_rig,
    reconcile,
)
from tests.connectors.support.fake_platform import Answer, Fault, Value
from tests.connectors.support.rig import a_photo, a_publication
from tests.support.frozen_clock import NOON

SHAPES = ("photo", "photo with all options", "wordless", "video")
TAKEN = (Fault.DROP_AFTER, Fault.ERROR_AFTER, Fault.GARBLED_AFTER)
RESTORED = Checkpoint("restored")


class TestNeverTwice:
    """The harness lets a lost answer end as unknown; what was taken must all the same be found."""

    @pytest.mark.parametrize("fault", TAKEN, ids=str)
    @pytest.mark.parametrize("shape", SHAPES)
    def test_a_pin_whose_answer_is_lost_is_found(
        self, rig: PinterestRig, shape: str, fault: Fault
    ) -> None:
        rig.platform.strike(_calls(shape) - 1, fault)

        end = rig.drive(shape).run()

        assert isinstance(end, Done)
        assert list(rig.platform.posts) == [end.remote_id]

    @pytest.mark.parametrize("fault", [Fault.DROP_BEFORE, Fault.ERROR_BEFORE], ids=str)
    @pytest.mark.parametrize("shape", SHAPES)
    def test_a_pin_that_may_have_been_taken_is_not_sent_again(
        self, rig: PinterestRig, shape: str, fault: Fault
    ) -> None:
        rig.platform.strike(_calls(shape) - 1, fault)

        end = rig.drive(shape).run()

        assert isinstance(end, Failed)
        assert end.code == FailureCode.OUTCOME_UNKNOWN
        assert [call.name for call in rig.platform.calls].count("POST /v5/pins") == 1

    @pytest.mark.parametrize("shape", SHAPES)
    def test_a_crash_after_the_pin_was_made_leaves_one(self, rig: PinterestRig, shape: str) -> None:
        end = rig.drive(shape, crash_after=_steps(shape)).run()

        assert isinstance(end, Done)
        assert list(rig.platform.posts) == [end.remote_id]

    @pytest.mark.parametrize("shape", SHAPES)
    def test_a_limit_is_waited_for_and_the_pin_goes_out_once(
        self, rig: PinterestRig, shape: str
    ) -> None:
        rig.platform.strike(_calls(shape) - 1, Fault.LIMITED)

        end = rig.drive(shape).run()

        assert isinstance(end, Done)
        assert len(rig.platform.posts) == 1

    def test_a_pin_that_comes_late_is_found_by_a_later_look(self, rig: PinterestRig) -> None:
        rig.platform.lag = timedelta(minutes=2)
        rig.platform.strike(0, Fault.DROP_AFTER)

        end = rig.drive("photo").run()

        assert isinstance(end, Done)
        assert list(rig.platform.posts) == [end.remote_id]

    def test_a_pin_that_comes_after_twenty_minutes_is_found(self, rig: PinterestRig) -> None:
        rig.platform.lag = timedelta(minutes=20)
        rig.platform.strike(0, Fault.DROP_AFTER)

        end = rig.drive("photo").run()

        assert isinstance(end, Done)
        assert list(rig.platform.posts) == [end.remote_id]

    def test_a_pin_beyond_every_look_is_still_not_sent_again(self, rig: PinterestRig) -> None:
        rig.platform.lag = timedelta(minutes=40)
        rig.platform.strike(0, Fault.DROP_AFTER)

        end = rig.drive("photo").run()

        assert isinstance(end, Failed)
        assert end.code == FailureCode.OUTCOME_UNKNOWN
        assert len(rig.platform.posts) == 1


class TestMuchLater:
    """After half an hour a whole board that shows nothing of that time says that nothing was."""

    def test_a_board_without_any_pin_of_that_time_has_not_ours(self, rig: PinterestRig) -> None:
        rig.clock.now = NOON - timedelta(days=1)
        rig.platform.pin_as_a_person(description=TEXT)
        pin_newer(rig)

        early = reconcile(rig, "photo", after=LONGEST_LAG - timedelta(seconds=1))
        late = reconcile(rig, "photo", after=timedelta(hours=1))

        assert isinstance(early, Wait)
        assert late == Absent()

    def test_a_board_without_anything_newer_proves_nothing(self, rig: PinterestRig) -> None:
        """Its list may lag behind."""
        rig.clock.now = NOON - timedelta(days=1)
        rig.platform.pin_as_a_person(description=TEXT)

        assert reconcile(rig, "photo", after=timedelta(hours=1)) == Unknown()

    @pytest.mark.parametrize("after", [timedelta(0), timedelta(minutes=29)])
    def test_any_pin_of_that_time_may_be_ours_under_another_text(
        self, rig: PinterestRig, after: timedelta
    ) -> None:
        rig.clock.now = NOON + after
        rig.platform.pin_as_a_person(description="Rewritten")

        assert reconcile(rig, "photo", after=timedelta(hours=1)) == Unknown()

    def test_a_pin_without_a_readable_time_may_be_ours(self, rig: PinterestRig) -> None:
        pin = rig.platform.pin_as_a_person(description="Rewritten")
        rig.platform.posts[pin]["shown_at"] = "yesterday"

        assert reconcile(rig, "photo", after=timedelta(hours=1)) == Unknown()

    def test_a_pin_made_long_after_the_call_is_not_ours_under_another_text(
        self, rig: PinterestRig
    ) -> None:
        rig.clock.now = NOON + timedelta(minutes=31)
        rig.platform.pin_as_a_person(description="The next one")

        assert reconcile(rig, "photo", after=timedelta(hours=1)) == Absent()

    @pytest.mark.parametrize("said", [b"<html>It works!</html>", {"items": None}, {}, []])
    def test_an_answer_without_a_list_is_not_an_empty_board(
        self, rig: PinterestRig, said: Value
    ) -> None:
        rig.platform.refusals["list_pins"] = Answer(200, said)

        with pytest.raises(UnansweredError):
            reconcile(rig, "photo", after=timedelta(hours=1))

    def test_a_board_of_which_only_a_part_was_read_proves_nothing(self, rig: PinterestRig) -> None:
        rig.clock.now = NOON - timedelta(days=1)
        rig.platform.page = 1
        for number in range(9):
            rig.platform.pin_as_a_person(description=f"Number {number}")

        found: Reconciliation = reconcile(rig, "photo", after=timedelta(hours=1))
        while isinstance(found, Wait):
            found = reconcile(rig, "photo", found.checkpoint, after=timedelta(hours=1))

        assert found == Unknown()

    def test_what_an_earlier_page_showed_is_not_forgotten(self, rig: PinterestRig) -> None:
        rig.clock.now = NOON - timedelta(days=1)
        rig.platform.page = 1
        rig.platform.pin_as_a_person(description="Old")
        rig.clock.now = NOON
        rig.platform.pin_as_a_person(description="Rewritten")

        first = reconcile(rig, "photo", after=timedelta(hours=1))
        assert isinstance(first, Wait)
        second = reconcile(rig, "photo", first.checkpoint, after=timedelta(hours=1))

        assert second == Unknown()

    def test_a_reading_counts_from_when_it_began(self, rig: PinterestRig) -> None:
        rig.clock.now = NOON - timedelta(days=1)
        rig.platform.page = 1
        for number in range(2):
            rig.platform.pin_as_a_person(description=f"Number {number}")

        first = reconcile(rig, "photo", after=LONGEST_LAG - timedelta(minutes=1))
        assert isinstance(first, Wait)
        second = reconcile(rig, "photo", first.checkpoint, after=LONGEST_LAG)

        assert isinstance(second, Wait)

    def test_a_reading_for_an_earlier_call_does_not_go_on(self, rig: PinterestRig) -> None:
        """Or else the first page, where the new pin stands, would be passed over."""
        ours = rig.platform.pin_as_a_person(description=TEXT)
        earlier = (NOON - timedelta(hours=1)).isoformat()
        reading: Json = {"sent": earlier, "began": earlier, "pages": 1, "bookmark": "page250"}

        found = reconcile(rig, "photo", Checkpoint("pin", {"reading": reading}))

        assert isinstance(found, Done)
        assert found.remote_id == ours

    def test_a_video_that_no_board_shows_may_be_sent_after_all(self, rig: PinterestRig) -> None:
        checkpoint = Checkpoint("pin", {"media_id": "5212"})
        pin_newer(rig)

        assert reconcile(rig, "video", checkpoint, after=timedelta(hours=2)) == Absent()


class TestAfterARestore:
    """Checkpoints that we never wrote; only the due time is known."""

    @pytest.mark.parametrize("shape", SHAPES)
    def test_a_pin_is_found_by_what_it_shows(self, rig: PinterestRig, shape: str) -> None:
        before = rig.drive(shape).run()

        found = reconcile(rig, shape, RESTORED, after=timedelta(minutes=1))

        assert found == before

    def test_what_was_not_sent_is_absent_once_a_newer_pin_shows(self, rig: PinterestRig) -> None:
        pin_newer(rig, timedelta(hours=3))

        found = reconcile(rig, "photo", RESTORED, after=timedelta(hours=5))

        assert found == Absent()

    def test_a_restored_target_is_watched_for_half_an_hour(self, rig: PinterestRig) -> None:
        early = reconcile(rig, "photo", RESTORED, after=timedelta(minutes=4))
        late = reconcile(rig, "photo", RESTORED, after=timedelta(minutes=30))

        assert isinstance(early, Wait)
        assert early.delay == timedelta(minutes=6)
        assert late == Unknown()

    def test_a_retry_of_that_time_may_be_ours_under_another_text(self, rig: PinterestRig) -> None:
        rig.clock.now = NOON + timedelta(minutes=61)
        rig.platform.pin_as_a_person(description="Rewritten")

        assert reconcile(rig, "photo", RESTORED, after=timedelta(hours=3)) == Unknown()

    def test_without_a_board_nothing_was_ever_sent(self, rig: PinterestRig) -> None:
        rig.shapes = {"photo": a_publication(rig.account, TEXT, a_photo(), {})}

        assert reconcile(rig, "photo", RESTORED) == Absent()
        assert rig.platform.calls == []


def pin_newer(rig: PinterestRig, after: timedelta = timedelta(minutes=31)) -> None:
    """Let the person pin something long after the call: the board shows that it is up to date."""
    rig.clock.now = NOON + after
    rig.platform.pin_as_a_person(description="Something newer")


def _calls(shape: str) -> int:
    """Return how many calls arrive for a shape; the last one makes the pin."""
    rig = a_rig()
    rig.drive(shape).run()
    rig.platform.close()
    return len(rig.platform.calls)


def _steps(shape: str) -> int:
    rig = a_rig()
    drive = rig.drive(shape)
    drive.run()
    rig.platform.close()
    return drive.calls
