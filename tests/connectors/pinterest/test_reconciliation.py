"""What the Pinterest connector answers when nobody knows whether a pin was made."""

from datetime import timedelta

import pytest

from chalicelib.connectors.pinterest.reconciliation import LONGEST_LAG, MOST_PAGES
from chalicelib.domain.outcome import Checkpoint, Done, Reconciliation, Unknown, Wait
from chalicelib.kit.json_value import Json
from tests.connectors.pinterest.fake import BOARD
from tests.connectors.pinterest.fake_pins import SECTION
from tests.connectors.pinterest.rig import (
    ON_BOARD,
    TEXT,
    PinterestRig,
    reconcile,
)
from tests.connectors.support.fake_platform import Value
from tests.connectors.support.rig import a_photo, a_publication
from tests.support.frozen_clock import NOON

ALL = {
    "title": "Harbour",
    "description": TEXT,
    "link": "https://shop.example/harbour",
    "board_section_id": SECTION,
}


class TestLooking:
    """What `reconcile` answers."""

    def test_polls_come_ever_more_seldom_for_half_an_hour(self, rig: PinterestRig) -> None:
        found: Reconciliation = reconcile(rig, "photo", after=timedelta(seconds=1))
        at = timedelta(seconds=1)
        times = []
        while isinstance(found, Wait):
            at += found.delay
            times.append(at.total_seconds())
            found = reconcile(rig, "photo", found.checkpoint, after=at)

        assert times == [10, 60, 180, 600, 1_800]
        assert found == Unknown()

    def test_the_board_is_read_in_large_pages(self, rig: PinterestRig) -> None:
        reconcile(rig, "photo")

        (look,) = rig.platform.calls
        assert look.name == f"GET /v5/boards/{BOARD}/pins"
        assert look.query == {"page_size": "250"}

    def test_a_section_is_read_by_itself(self, rig: PinterestRig) -> None:
        ours = rig.platform.pin_as_a_person(**ALL)

        found = reconcile(rig, "photo with all options")

        assert isinstance(found, Done)
        assert found.remote_id == ours
        assert rig.platform.calls[0].name == f"GET /v5/boards/{BOARD}/sections/{SECTION}/pins"

    @pytest.mark.parametrize(
        "other",
        [
            {"title": "Harbours"},
            {"title": None},
            {"description": "Dusk over the harbour"},
            {"link": "https://shop.example/other"},
            {"link": None},
        ],
        ids=["title", "no title", "text", "link", "no link"],
    )
    def test_a_pin_that_is_only_like_ours_is_not_ours(
        self, rig: PinterestRig, other: dict[str, Value]
    ) -> None:
        rig.platform.pin_as_a_person(**{**ALL, **other})

        assert isinstance(reconcile(rig, "photo with all options"), Wait)

    @pytest.mark.parametrize(
        ("theirs", "ours"),
        [
            ({"description": f" {TEXT}\n"}, ON_BOARD),
            ({"description": TEXT, "link": "https://a.example/"}, {"link": "https://a.example"}),
            (
                {"description": TEXT, "link": "https://a.example", "title": "From the page"},
                {"link": "https://a.example"},
            ),
        ],
        ids=["spaces", "a slash more", "a title from where the link leads"],
    )
    def test_what_pinterest_may_have_made_of_a_pin_is_ours(
        self, rig: PinterestRig, theirs: dict[str, Value], ours: dict[str, Json]
    ) -> None:
        options = {**ON_BOARD, **ours}
        rig.shapes = {"photo": a_publication(rig.account, TEXT, a_photo(), options)}
        pin = rig.platform.pin_as_a_person(**theirs)

        found = reconcile(rig, "photo")

        assert isinstance(found, Done)
        assert found.remote_id == pin

    def test_a_video_is_not_a_photo_with_the_same_text(self, rig: PinterestRig) -> None:
        rig.platform.pin_as_a_person(description=TEXT)

        assert isinstance(reconcile(rig, "video"), Wait)

    def test_somebody_elses_pin_on_a_shared_board_is_not_ours(self, rig: PinterestRig) -> None:
        theirs = rig.platform.pin_as_a_person(description=TEXT)
        rig.platform.posts[theirs]["is_owner"] = False

        assert isinstance(reconcile(rig, "photo"), Wait)

    @pytest.mark.parametrize(("seconds", "is_ours"), [(61, False), (59, True)])
    def test_a_pin_from_more_than_a_minute_before_the_call_is_not_ours(
        self, rig: PinterestRig, seconds: int, *, is_ours: bool
    ) -> None:
        rig.clock.now = NOON - timedelta(seconds=seconds)
        rig.platform.pin_as_a_person(description=TEXT)

        assert isinstance(reconcile(rig, "photo"), Done) is is_ours

    def test_a_long_board_is_read_page_by_page(self, rig: PinterestRig) -> None:
        rig.platform.page = 2
        ours = rig.platform.pin_as_a_person(description=TEXT)
        for number in range(4):
            rig.platform.pin_as_a_person(description=f"Number {number}")

        found: Reconciliation = Wait(Checkpoint("pin"))
        for _ in range(3):
            assert isinstance(found, Wait)
            found = reconcile(rig, "photo", found.checkpoint)

        assert isinstance(found, Done)
        assert found.remote_id == ours

    def test_no_more_than_some_pages_are_read(self, rig: PinterestRig) -> None:
        rig.platform.page = 1
        for number in range(9):
            rig.platform.pin_as_a_person(description=f"Number {number}")

        found: Reconciliation = reconcile(rig, "photo", after=LONGEST_LAG)
        for _ in range(MOST_PAGES - 1):
            assert isinstance(found, Wait)
            found = reconcile(rig, "photo", found.checkpoint, after=LONGEST_LAG)

        assert found == Unknown()
        assert len(rig.platform.calls) == MOST_PAGES

    def test_a_board_that_may_not_be_read_tells_nothing(self, rig: PinterestRig) -> None:
        rig.platform.boards.pop(BOARD)

        early = reconcile(rig, "photo")
        late = reconcile(rig, "photo", after=timedelta(hours=1))

        assert isinstance(early, Wait)
        assert late == Unknown()

    @pytest.mark.parametrize(
        ("shown_at", "is_ours"),
        [
            ("2026-11-20T12:00:30", True),
            ("2026-11-20T12:00:30-00:00", True),
            ("2026-11-20T14:00:30+02:00", True),
            ("2026-11-20T12:00:30+02:00", False),
            ("yesterday", False),
            (None, False),
        ],
    )
    def test_a_time_without_a_zone_is_utc(
        self, rig: PinterestRig, shown_at: str | None, *, is_ours: bool
    ) -> None:
        pin = rig.platform.pin_as_a_person(description=TEXT)
        rig.platform.posts[pin]["shown_at"] = shown_at

        assert isinstance(reconcile(rig, "photo"), Done) is is_ours

    def test_a_look_keeps_what_the_pin_needs(self, rig: PinterestRig) -> None:
        found = reconcile(rig, "video", Checkpoint("pin", {"media_id": "5212"}))

        assert isinstance(found, Wait)
        assert found.checkpoint == Checkpoint("pin", {"media_id": "5212"})
