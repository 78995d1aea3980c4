"""What the LinkedIn connector answers when nobody knows whether a post went out."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.connectors.connector import as_connected
from chalicelib.connectors.linkedin.reconciliation import made_at
from chalicelib.connectors.shared.calls.failures import RejectedError
from chalicelib.connectors.shared.reconciliation import turn_page
from chalicelib.domain.outcome import (
    Absent,
    Checkpoint,
    Done,
    Failed,
    FailureCode,
    Reconciliation,
    Sent,
    Unanswered,
    Unknown,
    Wait,
)
from chalicelib.kit.json_value import Json
from tests.connectors.linkedin.fake import MEMBER, PAGE
from tests.connectors.linkedin.rig import TEXT, LinkedInRig, a_rig, reconcile
from tests.connectors.support.fake_platform import Fault
from tests.support.frozen_clock import NOON

LOOKED = Checkpoint("post", {"since": NOON.isoformat(), "looks": 3})
RESTORED = Checkpoint("restored")
CERTAIN = timedelta(seconds=90)


class TestAPage:
    """Its posts can be read."""

    @pytest.mark.parametrize("shape", ["text", "photo", "wordless", "video"])
    def test_a_lost_post_is_found(self, page: LinkedInRig, shape: str) -> None:
        calls = _calls_to_platform(PAGE, shape)
        page.platform.strike(calls - 1, Fault.DROP_AFTER)

        end = page.drive(shape).run()

        assert isinstance(end, Done)
        assert [end.remote_id] == list(page.platform.posts)
        assert page.platform.calls[-1].name == "GET /rest/posts"

    def test_after_another_call_the_look_begins_at_the_newest_posts(
        self, page: LinkedInRig
    ) -> None:
        earlier = Sent(text=TEXT, media_ids=(), at=NOON)
        ours = page.platform.post_as_a_person(PAGE, TEXT)

        again = timedelta(minutes=20)
        came_to = Checkpoint("post", turn_page(LOOKED.data, 50, earlier))
        found = page.ask("text", came_to, after=again, sent_at=again)

        assert isinstance(found, Done)
        assert found.remote_id == ours
        assert "start" not in page.platform.calls[-1].query

    def test_a_post_is_absent_only_after_deadline_and_lag(self, page: LinkedInRig) -> None:
        early = reconcile(page, "text", LOOKED, after=CERTAIN - timedelta(seconds=1))
        late = reconcile(page, "text", LOOKED, after=CERTAIN)

        assert isinstance(early, Wait)
        assert late == Absent()

    def test_a_file_without_a_text_is_absent_beside_a_newer_post_alone(
        self, page: LinkedInRig
    ) -> None:
        alone = reconcile(page, "wordless", LOOKED, after=CERTAIN)
        given_up = reconcile(page, "wordless", LOOKED, after=timedelta(minutes=30))
        page.clock.now = NOON + timedelta(seconds=61)
        page.platform.post_as_a_person(PAGE, "Something else")
        beside = reconcile(page, "wordless", LOOKED, after=CERTAIN)

        assert isinstance(alone, Wait)
        assert (given_up, beside) == (Unknown(), Absent())

    def test_a_post_beyond_the_lag_is_still_not_sent_twice(self, page: LinkedInRig) -> None:
        page.platform.lag = timedelta(minutes=3)
        page.platform.strike(0, Fault.DROP_AFTER)

        end = page.drive("text").run()

        assert isinstance(end, Done)
        assert [end.remote_id] == list(page.platform.posts)

    def test_a_file_is_known_by_its_id_whatever_the_text(self, page: LinkedInRig) -> None:
        fake = page.platform
        ours = fake.post_as_a_person(PAGE, "Launch day!", "urn:li:image:OURS")
        fake.post_as_a_person(PAGE, "Launch day", "urn:li:image:THEIRS")

        found = reconcile(page, "photo", Checkpoint("post", {"asset": "urn:li:image:OURS"}))

        assert isinstance(found, Done)
        assert found.remote_id == ours

    @pytest.mark.parametrize("shape", ["text", "photo", "wordless", "video"])
    def test_after_a_restore_a_post_is_found_by_its_text(
        self, page: LinkedInRig, shape: str
    ) -> None:
        before = page.drive(shape).run()

        assert reconcile(page, shape, RESTORED, after=timedelta(minutes=5)) == before

    def test_after_a_restore_what_was_not_sent_is_absent(self, page: LinkedInRig) -> None:
        page.platform.post_as_a_person(PAGE, "Something else")

        first = reconcile(page, "photo", RESTORED, after=timedelta(hours=1))
        assert isinstance(first, Wait)

        assert reconcile(page, "photo", first.checkpoint, after=timedelta(hours=1)) == Absent()

    def test_an_older_post_of_the_same_text_is_not_ours(self, page: LinkedInRig) -> None:
        page.clock.now = NOON - timedelta(hours=2)
        page.platform.post_as_a_person(PAGE, TEXT)

        assert isinstance(reconcile(page, "text", Checkpoint("post")), Wait)

    def test_many_posts_are_read_page_by_page(self, page: LinkedInRig) -> None:
        ours = page.platform.post_as_a_person(PAGE, TEXT)
        for number in range(60):
            page.platform.post_as_a_person(PAGE, f"Number {number}")

        found: Reconciliation = Wait(RESTORED)
        for _ in range(2):
            assert isinstance(found, Wait)
            found = reconcile(page, "text", found.checkpoint)

        assert isinstance(found, Done)
        assert found.remote_id == ours

    def test_a_page_that_may_not_be_read_is_asked_by_sending(self, page: LinkedInRig) -> None:
        page.platform.may_read = False
        page.platform.strike(0, Fault.DROP_AFTER)

        end = page.drive("text").run()

        assert isinstance(end, Done)
        assert [end.remote_id] == list(page.platform.posts)


class TestAMember:
    """Whose posts cannot be read: the same post once more is the question."""

    @pytest.mark.parametrize("shape", ["text", "photo", "video"])
    def test_a_lost_post_is_named_by_the_refusal_of_the_second(
        self, member: LinkedInRig, shape: str
    ) -> None:
        calls = _calls_to_platform(MEMBER, shape)
        member.platform.strike(calls - 1, Fault.DROP_AFTER)

        end = member.drive(shape).run()

        assert isinstance(end, Done)
        assert [end.remote_id] == list(member.platform.posts)
        posts = [call for call in member.platform.calls if call.name == "POST /rest/posts"]
        assert posts[0].json == posts[1].json
        assert not [call for call in member.platform.calls if call.name == "GET /rest/posts"]

    def test_a_file_without_a_text_is_not_asked_for_by_sending(self, member: LinkedInRig) -> None:
        """LinkedIn tells the same text again; whether it tells the same file, nobody says."""
        data: dict[str, Json] = {"since": NOON.isoformat(), "looks": 3, "asset": "urn:li:image:A"}

        found = reconcile(member, "wordless", Checkpoint("post", data), after=CERTAIN)

        assert found == Unknown()

    def test_a_bare_no_after_a_doubt_leads_to_a_look_once(self, member: LinkedInRig) -> None:
        """It may say that the text is there, in words that nobody has seen yet."""
        member.platform.denials = 2
        account = replace(as_connected(member.account), token=member.tokens.access)
        publication = replace(member.shapes["text"], account=account)

        first = member.connector.advance(publication, LOOKED)
        assert isinstance(first, Unanswered)

        with pytest.raises(RejectedError):
            member.connector.advance(publication, first.checkpoint)

    def test_a_duplicate_at_first_is_no_success(self, member: LinkedInRig) -> None:
        theirs = member.drive("text").run()
        assert isinstance(theirs, Done)

        end = member.drive("text").run()

        assert isinstance(end, Failed)
        assert end.code is FailureCode.DUPLICATE_CONTENT

    def test_two_lost_answers_are_for_a_person_to_settle(self, member: LinkedInRig) -> None:
        member.platform.strike(0, Fault.DROP_AFTER)
        member.platform.strike(1, Fault.DROP_BEFORE)

        end = member.drive("text").run()

        assert isinstance(end, Failed)
        assert end.code is FailureCode.OUTCOME_UNKNOWN
        assert len(member.platform.posts) == 1

    def test_nothing_is_asked_by_sending_after_hours(self, member: LinkedInRig) -> None:
        assert reconcile(member, "text", LOOKED, after=timedelta(hours=19)) == Absent()
        assert reconcile(member, "text", LOOKED, after=timedelta(hours=20)) == Unknown()

    def test_after_a_restore_a_text_is_asked_by_sending(self, member: LinkedInRig) -> None:
        before = member.drive("text").run()
        drive = member.drive("text")
        drive.checkpoint, drive.unanswered = RESTORED, True
        drive.sent = _sent(member)

        assert drive.run() == before
        assert len(member.platform.posts) == 1

    def test_after_a_restore_a_file_cannot_be_asked_for(self, member: LinkedInRig) -> None:
        """Its asset is unknown, and with another one LinkedIn would see another post."""
        first = reconcile(member, "photo", RESTORED, after=timedelta(hours=1))
        assert isinstance(first, Wait)

        assert reconcile(member, "photo", first.checkpoint, after=timedelta(hours=1)) == Unknown()


def _calls_to_platform(author: str, shape: str) -> int:
    rig = a_rig(author)
    rig.drive(shape).run()
    rig.platform.close()
    return len(rig.platform.calls)


def _sent(rig: LinkedInRig) -> Sent:
    return Sent(text=rig.shapes["text"].text, media_ids=(), at=rig.clock())


def test_a_time_that_no_calendar_has_is_none() -> None:
    assert made_at({"publishedAt": 10**30}) is None
