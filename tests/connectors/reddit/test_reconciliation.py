"""What the Reddit connector answers when nobody knows whether a post went out."""

from datetime import timedelta

import pytest

from chalicelib.connectors.shared.reconciliation import turn_page
from chalicelib.domain.outcome import (
    Absent,
    Checkpoint,
    Done,
    Reconciliation,
    Sent,
    Unanswered,
    Unknown,
    Wait,
)
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.failures import UnansweredError
from tests.connectors.reddit.answers import refused
from tests.connectors.reddit.fake import USERNAME
from tests.connectors.reddit.rig import (
    RedditRig,
    post_newer,
    reconcile,
    signed,
    to_the_end,
)
from tests.connectors.support.fake_platform import Answer, Fault
from tests.support.frozen_clock import NOON

SINCE: dict[str, Json] = {"since": NOON.isoformat(), "looks": 3}
SEEN = NOON.isoformat()
"""A newer post of the account was seen in an earlier look."""

LAST: dict[str, Json] = {**SINCE, "late": 1, "late_for": NOON.isoformat(), "witness": SEEN}
ASSET: dict[str, Json] = {"asset": "fk7asset01", "url": "https://bucket/fk7asset01"}
LISTING = f"GET /user/{USERNAME}/submitted"
LAGS = {"text": 1.5, "link": 1.5, "photo": 10.5, "video": 30.5}


class TestDoubts:
    """What `reconcile` answers when an answer was lost."""

    @pytest.mark.parametrize("shape", ["text", "link", "photo", "video"])
    def test_a_lost_post_is_found(self, rig: RedditRig, shape: str) -> None:
        place = {"text": 0, "link": 0, "photo": 2, "video": 4}[shape]
        rig.platform.strike(place, Fault.DROP_AFTER)

        end = rig.drive(shape).run()

        assert isinstance(end, Done)
        assert [end.remote_id] == list(rig.platform.posts)
        assert [call.name for call in rig.platform.calls].count("POST /api/submit") == 1

    def test_a_500_to_a_submission_is_a_doubt(self, rig: RedditRig) -> None:
        rig.platform.strike(0, Fault.ERROR_AFTER)

        end = rig.drive("text").run()

        assert isinstance(end, Done)
        assert rig.platform.calls[1].name == LISTING

    def test_a_408_to_a_submission_is_a_doubt(self, rig: RedditRig) -> None:
        rig.platform.refusal = Answer(408, b"")
        post_newer(rig, timedelta(seconds=40))

        end = rig.drive("text").run()

        assert isinstance(end, Done)
        assert rig.platform.calls[1].name == LISTING

    @pytest.mark.parametrize(("shape", "minutes"), LAGS.items())
    def test_a_post_is_absent_only_after_its_time(
        self, rig: RedditRig, shape: str, minutes: float
    ) -> None:
        data = {**LAST, **(ASSET if shape in {"photo", "video"} else {})}
        lag = timedelta(minutes=minutes)

        early = reconcile(rig, shape, Checkpoint("submit", data), after=lag - timedelta(seconds=1))
        late = reconcile(rig, shape, Checkpoint("submit", data), after=lag)

        assert isinstance(early, Wait)
        assert early.delay == timedelta(seconds=1)
        assert late == Absent()

    def test_looks_come_after_five_ten_twenty_and_thirty_seconds(self, rig: RedditRig) -> None:
        checkpoint, delays = Checkpoint("submit", ASSET), []
        for _ in range(5):
            found = reconcile(rig, "photo", checkpoint)
            assert isinstance(found, Wait)
            checkpoint = found.checkpoint
            delays.append(found.delay.total_seconds())

        assert delays == [5, 10, 20, 30, 30]
        assert {name: checkpoint.data[name] for name in ASSET} == ASSET

    def test_even_a_late_first_look_marks_the_doubt(self, rig: RedditRig) -> None:
        found = reconcile(rig, "text", after=timedelta(hours=1))

        assert isinstance(found, Wait)
        assert found.checkpoint.data["since"] == NOON.isoformat()

    def test_a_duplicate_after_a_doubt_is_our_own(self, rig: RedditRig) -> None:
        """The listing has not shown it yet, but Reddit says that it is there."""
        rig.platform.refusal = refused(("ALREADY_SUB", "No.", "url"))

        outcome = rig.connector.advance(signed(rig, "link"), Checkpoint("submit", SINCE))
        assert isinstance(outcome, Unanswered)
        found = to_the_end(rig, "link", outcome.checkpoint)

        assert found == Unknown()

    def test_a_file_is_known_by_its_asset_whatever_the_title(self, rig: RedditRig) -> None:
        fake = rig.platform
        ours = fake.post_as_a_person("Renamed", "other", "https://i.redd.it/fk7asset01.jpeg")
        fake.post_as_a_person("Harbour", "test", "https://i.redd.it/fk7asset012.jpg")

        found = reconcile(rig, "photo", Checkpoint("submit", ASSET))

        assert isinstance(found, Done)
        assert found.remote_id == ours

    @pytest.mark.parametrize(
        ("title", "community"),
        [("Rye & spelt!", "test"), ("Rye &amp; spelt", "test"), ("Rye & spelt", "test2")],
    )
    def test_a_post_that_is_only_like_ours_is_not_ours(
        self, rig: RedditRig, title: str, community: str
    ) -> None:
        rig.platform.post_as_a_person(title, community)

        assert isinstance(reconcile(rig, "text"), Wait)

    def test_capitals_and_signs_that_nobody_sees_do_not_count(self, rig: RedditRig) -> None:
        ours = rig.platform.post_as_a_person("Rye  & spe\u00adlt ", "TEST")

        found = reconcile(rig, "text")

        assert isinstance(found, Done)
        assert found.remote_id == ours

    def test_an_earlier_post_with_the_same_title_is_not_ours(self, rig: RedditRig) -> None:
        rig.clock.now = NOON - timedelta(seconds=61)
        rig.platform.post_as_a_person("Rye & spelt")

        assert isinstance(reconcile(rig, "text"), Wait)

    def test_a_second_doubt_remembers_the_first(self, rig: RedditRig) -> None:
        earlier = NOON - timedelta(minutes=5)
        rig.clock.now = earlier
        ours = rig.platform.post_as_a_person("Rye & spelt")
        data: dict[str, Json] = {"since": earlier.isoformat(), "looks": 9}

        found = reconcile(rig, "text", Checkpoint("submit", data))

        assert isinstance(found, Done)
        assert found.remote_id == ours

    @pytest.mark.parametrize("shape", ["text", "link", "photo", "video"])
    def test_after_a_restore_a_post_is_found_by_its_title(self, rig: RedditRig, shape: str) -> None:
        before = rig.drive(shape).run()
        assert isinstance(before, Done)

        found = reconcile(rig, shape, Checkpoint("restored"), after=timedelta(hours=1))

        assert found == before

    def test_after_a_restore_what_was_uploaded_need_not_be_what_was_sent(
        self, rig: RedditRig
    ) -> None:
        before = rig.drive("video").run()
        stale = Checkpoint("poster", {"asset": "fk7asset99", "url": "https://bucket/fk7asset99"})

        found = reconcile(rig, "video", stale, after=timedelta(hours=1))

        assert found == before

    def test_a_long_listing_is_read_page_by_page(self, rig: RedditRig) -> None:
        fake = rig.platform
        fake.page = 2
        ours = fake.post_as_a_person("Rye & spelt")
        for number in range(4):
            fake.post_as_a_person(f"Number {number}")

        found: Reconciliation = Wait(Checkpoint("submit", SINCE))
        for _ in range(3):
            assert isinstance(found, Wait)
            found = reconcile(rig, "text", found.checkpoint, after=timedelta(hours=1))

        assert isinstance(found, Done)
        assert found.remote_id == ours

    def test_after_the_last_page_the_next_look_begins_at_the_first(self, rig: RedditRig) -> None:
        oldest = rig.platform.post_as_a_person("Something else")
        sent = Sent(text="", media_ids=(), at=NOON)
        data = turn_page(SINCE, oldest, sent)

        found = reconcile(rig, "text", Checkpoint("submit", data))

        assert isinstance(found, Wait)
        assert "page" not in found.checkpoint.data

    def test_after_another_call_the_look_begins_at_the_newest_posts(self, rig: RedditRig) -> None:
        fake = rig.platform
        fake.page = 2
        for number in range(4):
            fake.post_as_a_person(f"Number {number}")
        first = reconcile(rig, "text", Checkpoint("submit", SINCE), after=timedelta(minutes=10))
        assert isinstance(first, Wait)
        assert "page" in first.checkpoint.data
        ours = fake.post_as_a_person("Rye & spelt")

        again = timedelta(minutes=20)
        found = rig.ask("text", first.checkpoint, after=again, sent_at=again)

        assert isinstance(found, Done)
        assert found.remote_id == ours

    def test_pages_from_before_the_call_are_not_read(self, rig: RedditRig) -> None:
        fake = rig.platform
        fake.page = 2
        rig.clock.now = NOON - timedelta(days=1)
        for number in range(5):
            fake.post_as_a_person(f"Number {number}")

        found = reconcile(rig, "text", Checkpoint("submit", LAST), after=timedelta(hours=1))

        assert found == Absent()

    def test_a_garbled_listing_proves_nothing(self, rig: RedditRig) -> None:
        rig.platform.strike(0, Fault.GARBLED_AFTER)

        with pytest.raises(UnansweredError, match="A page with 200"):
            reconcile(rig, "text", Checkpoint("submit", SINCE), after=timedelta(hours=1))
