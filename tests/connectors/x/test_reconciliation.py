"""What the X connector answers when nobody knows whether a post went out."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.connectors.connector import Publication, as_connected
from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.connectors.x.account import XHosts
from chalicelib.connectors.x.connector import XConnector
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.outcome import (
    Absent,
    Checkpoint,
    Done,
    Reconciliation,
    Unanswered,
    Unknown,
    Wait,
)
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.json_value import Json
from tests.connectors.support.fake_platform import Fault
from tests.connectors.support.rig import a_publication
from tests.connectors.x.fake import USER_ID, refusal
from tests.connectors.x.rig import TEXT, XRig, reconcile
from tests.support.frozen_clock import NOON

LOOKED = Checkpoint("publish", {"since": NOON.isoformat(), "looks": 3})


class TestLooking:
    """What `reconcile` answers."""

    def test_a_lost_text_is_found_by_what_x_made_of_it(self, rig: XRig) -> None:
        rig.platform.strike(0, Fault.DROP_AFTER)

        end = rig.drive("text").run()

        assert isinstance(end, Done)
        assert [end.remote_id] == list(rig.platform.posts)
        look = rig.platform.calls[-1]
        assert look.name == f"GET /2/users/{USER_ID}/tweets"
        assert look.query["start_time"] == "2026-11-20T11:59:00Z"

    def test_looks_come_after_one_then_six_then_twenty_one_seconds(self, rig: XRig) -> None:
        checkpoint = Checkpoint("publish")
        delays = []
        for _ in range(3):
            found = reconcile(rig, "text", checkpoint, after=timedelta(seconds=1))
            assert isinstance(found, Wait)
            checkpoint = found.checkpoint
            delays.append(found.delay.total_seconds())

        assert delays == [5, 15, 40]

    def test_a_post_is_absent_only_after_deadline_and_lag(self, rig: XRig) -> None:
        early = reconcile(rig, "text", LOOKED, after=timedelta(seconds=89))
        late = reconcile(
            rig, "text", LOOKED, after=timedelta(seconds=30) + FACTS[Platform.X].read_lag
        )

        assert isinstance(early, Wait)
        assert early.delay == timedelta(seconds=1)
        assert late == Absent()

    def test_a_file_without_a_text_is_absent_beside_a_newer_post_alone(self, rig: XRig) -> None:
        """X refuses the same text, not the same file: sent again it would be a second post."""
        data: dict[str, Json] = {**LOOKED.data, "media_key": "3_42"}
        doubt = Checkpoint("publish", data)

        alone = reconcile(rig, "wordless", doubt, after=timedelta(minutes=2))
        given_up = reconcile(rig, "wordless", doubt, after=timedelta(minutes=30))
        rig.clock.now = NOON + timedelta(seconds=61)
        rig.platform.post_as_a_person("Something else")
        beside = reconcile(rig, "wordless", doubt, after=timedelta(minutes=2))

        assert isinstance(alone, Wait)
        assert (given_up, beside) == (Unknown(), Absent())

    def test_a_witness_on_an_earlier_page_counts(self, rig: XRig) -> None:
        fake = rig.platform
        fake.page = 1
        fake.post_as_a_person("Older")
        rig.clock.now = NOON + timedelta(seconds=61)
        fake.post_as_a_person("Newer")
        doubt = Checkpoint("publish", {**LOOKED.data, "media_key": "3_42"})

        first = reconcile(rig, "wordless", doubt, after=timedelta(minutes=2))
        assert isinstance(first, Wait)
        second = reconcile(rig, "wordless", first.checkpoint, after=timedelta(minutes=2))

        assert second == Absent()

    def test_a_post_beyond_the_lag_is_still_not_sent_twice(self, rig: XRig) -> None:
        rig.platform.lag = timedelta(minutes=3)
        rig.platform.strike(0, Fault.DROP_AFTER)

        end = rig.drive("text").run()

        assert isinstance(end, Done)
        assert [end.remote_id] == list(rig.platform.posts)

    def test_a_duplicate_that_never_shows_is_not_called_absent(self, rig: XRig) -> None:
        data: dict[str, Json] = {"duplicate": True, "since": NOON.isoformat()}

        found = reconcile(rig, "text", Checkpoint("publish", data), after=timedelta(minutes=5))

        assert found == Unknown()

    def test_what_went_to_a_community_alone_is_not_called_absent(self, rig: XRig) -> None:
        rig.shapes = {"text": a_publication(rig.account, TEXT, None, {"community_id": "123"})}

        found = reconcile(rig, "text", LOOKED, after=timedelta(minutes=5))

        assert found == Unknown()

    def test_a_file_is_known_by_its_key_whatever_the_text(self, rig: XRig) -> None:
        fake = rig.platform
        ours = fake.post_as_a_person("Launch day!", "3_42")
        fake.post_as_a_person("Launch day", "3_41")
        data: dict[str, Json] = {"media_key": "3_42"}

        found = reconcile(rig, "photo", Checkpoint("publish", data))

        assert isinstance(found, Done)
        assert found.remote_id == ours

    @pytest.mark.parametrize(
        "theirs",
        [
            "Rye & spelt <today> at bakery.com/menu",
            "Rye &amp; spelt <today> at bakery.com/menu and https://oven.example/",
        ],
        ids=["a link less", "another sign"],
    )
    def test_a_text_that_is_only_like_ours_is_not_ours(self, rig: XRig, theirs: str) -> None:
        rig.platform.post_as_a_person(theirs)

        assert isinstance(reconcile(rig, "text"), Wait)

    @pytest.mark.parametrize(
        ("ours", "theirs"),
        [
            ("New: https://bakery.newtld/a", "New: https://bakery.newtld/a"),
            ("New: https://bakery.newtld/a", "New: https://t.co/Ab12Cd34Ef"),
            ("New: bakery.newtld.", "New: https://t.co/Ab12Cd34Ef."),
            ("Again: https://t.co/Zz98Yy76Xx", "Again: https://t.co/Ab12Cd34Ef"),
            ("Brot: https://bäckerei.example/früh", "Brot: https://t.co/Ab12Cd34Ef"),
            ("See https://x.com/a/status/1?s=%20b", "See https://t.co/Ab12Cd34Ef"),
            ("(twitter.com/a/status/1) first", "(https://t.co/Ab12Cd34Ef) first"),
            ("焼きたてbakery.comです", "焼きたてhttps://t.co/Ab12Cd34Efです"),
        ],
        ids=["raw", "newer", "bare", "pasted", "international", "encoded", "renamed", "glued"],
    )
    def test_a_lost_post_is_found_whatever_x_makes_of_its_link(
        self, rig: XRig, ours: str, theirs: str
    ) -> None:
        """Sent again it would be a second post, but for X's own check for duplicates."""
        rig.shapes = {"text": a_publication(rig.account, ours)}
        fake = rig.platform
        post_id = fake.post_as_a_person("Something else")
        fake.posts[post_id]["text"] = theirs

        found = reconcile(rig, "text")

        assert isinstance(found, Done)
        assert found.remote_id == post_id

    def test_reposts_are_counted_once_under_either_name(self, rig: XRig) -> None:
        end = rig.drive("text").run()
        assert isinstance(end, Done)
        rig.platform.names_reposts_twice = True

        (metrics,) = rig.connector.metrics([rig.live(end)])

        assert metrics is not None
        assert metrics.shares == 4 + 1

    def test_a_text_with_somebody_elses_photo_is_not_ours(self, rig: XRig) -> None:
        rig.platform.post_as_a_person(TEXT, "3_41")

        assert isinstance(reconcile(rig, "text"), Wait)

    @pytest.mark.parametrize("shape", ["text", "photo", "wordless", "video"])
    def test_after_a_restore_a_post_is_found_by_its_text(self, rig: XRig, shape: str) -> None:
        before = rig.drive(shape).run()
        assert isinstance(before, Done)

        found = reconcile(rig, shape, Checkpoint("restored"), after=timedelta(minutes=1))

        assert found == before

    def test_after_a_restore_what_was_not_sent_is_absent(self, rig: XRig) -> None:
        rig.platform.post_as_a_person("Something else")

        first = reconcile(rig, "text", Checkpoint("restored"), after=timedelta(hours=1))
        assert isinstance(first, Wait)
        second = reconcile(rig, "text", first.checkpoint, after=timedelta(hours=1))

        assert second == Absent()

    def test_even_a_late_first_look_marks_the_doubt(self, rig: XRig) -> None:
        """So that a refusal as a duplicate is then read as proof that the first call arrived."""
        found = reconcile(rig, "text", after=timedelta(hours=1))

        assert isinstance(found, Wait)
        assert found.checkpoint.data["since"] == NOON.isoformat()

    def test_after_another_call_the_look_begins_at_the_newest_posts(self, rig: XRig) -> None:
        fake = rig.platform
        fake.page = 2
        for number in range(4):
            fake.post_as_a_person(f"Number {number}")
        first = reconcile(rig, "text", Checkpoint("restored"), after=timedelta(minutes=10))
        assert isinstance(first, Wait)
        ours = fake.post_as_a_person(TEXT)

        again = timedelta(minutes=20)
        found = rig.ask("text", first.checkpoint, after=again, sent_at=again)

        assert isinstance(found, Done)
        assert found.remote_id == ours

    def test_a_long_timeline_is_read_page_by_page(self, rig: XRig) -> None:
        fake = rig.platform
        fake.page = 2
        ours = fake.post_as_a_person(TEXT)
        for number in range(4):
            fake.post_as_a_person(f"Number {number}")

        found: Reconciliation = Wait(Checkpoint("restored"))
        for _ in range(3):
            assert isinstance(found, Wait)
            found = reconcile(rig, "text", found.checkpoint, after=timedelta(hours=1))

        assert isinstance(found, Done)
        assert found.remote_id == ours


class TestTheNameOfAParameter:
    """X's pages say tweet.fields, its OpenAPI and its own client say post.fields."""

    def test_the_other_name_is_taken_once_x_refuses_this_one(self, rig: XRig) -> None:
        end = rig.drive("text").run()
        assert isinstance(end, Done)
        rig.platform.knows_tweet_fields = False
        before = len(rig.platform.calls)

        (metrics,) = rig.connector.metrics([rig.live(end)])
        found = reconcile(rig, "text")

        assert metrics is not None
        assert metrics.views == 950
        assert isinstance(found, Done)
        asked = [set(call.query) & {"tweet.fields", "post.fields"} for call in rig.platform.calls]
        assert asked[before:] == [{"tweet.fields"}, {"post.fields"}, {"post.fields"}]

    def test_figures_can_be_switched_off(self, rig: XRig) -> None:
        end = rig.drive("text").run()
        assert isinstance(end, Done)
        off = XConnector(XHosts(x=rig.platform.url, x_metrics="off"), clock=rig.clock)
        before = len(rig.platform.calls)

        assert off.metrics([rig.live(end)]) == [Metrics()]
        assert len(rig.platform.calls) == before


def _text(rig: XRig) -> Publication:
    account = replace(as_connected(rig.account), token=rig.tokens.access)
    return replace(rig.shapes["text"], account=account)


class TestARefusalAfterADoubt:
    """A no that X words anew may say that it has the post already."""

    def test_an_unlisted_no_leads_to_a_look(self, rig: XRig) -> None:
        first = reconcile(rig, "text")
        assert isinstance(first, Wait)
        doubt = Checkpoint("publish", first.checkpoint.data)
        sentence = "You have said something of the sort."
        rig.platform.script = {"POST /2/tweets": [refusal(403, sentence)]}

        end = rig.connector.advance(_text(rig), doubt)

        assert isinstance(end, Unanswered)

    def test_and_is_believed_once_a_look_found_nothing(self, rig: XRig) -> None:
        first = reconcile(rig, "text")
        assert isinstance(first, Wait)
        doubt = Checkpoint("publish", {**first.checkpoint.data, "refused": True})
        rig.platform.script = {"POST /2/tweets": [refusal(403, "No.")]}

        with pytest.raises(RejectedError):
            rig.connector.advance(_text(rig), doubt)


def test_a_lost_quote_is_found_though_x_adds_a_link_to_its_text(rig: XRig) -> None:
    rig.shapes = {"text": a_publication(rig.account, "So true", None, {"quote_post_id": "123"})}
    fake = rig.platform
    post_id = fake.post_as_a_person("So true")
    fake.posts[post_id]["text"] = "So true https://t.co/quoted"
    quoted = {"url": "https://t.co/quoted", "expanded_url": "https://twitter.com/a/status/123"}
    fake.posts[post_id]["entities"] = {"urls": [quoted]}

    found = reconcile(rig, "text")

    assert isinstance(found, Done)
