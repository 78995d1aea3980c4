"""What the Google Business Profile connector does when nobody knows whether a post arrived."""

from datetime import timedelta

import pytest

from chalicelib.connectors.shared.reconciliation import WITNESS_WITHIN
from chalicelib.domain.outcome import Absent, Checkpoint, Done, Failed, FailureCode, Unknown, Wait
from chalicelib.kit.json_value import Json
from tests.connectors.google_business_profile.fake import LOCATION
from tests.connectors.google_business_profile.rig import (
    GoogleRig,
    keep_newer,
    keep_post,
    reconcile,
)
from tests.connectors.support.fake_platform import Fault
from tests.support.frozen_clock import NOON

POST = f"POST /v4/{LOCATION}/localPosts"
LIST = f"GET /v4/{LOCATION}/localPosts"
LOOKED = Checkpoint("publish", {"since": NOON.isoformat()})
IN_TIME = timedelta(minutes=3)


def _sent(rig: GoogleRig) -> int:
    return [call.name for call in rig.platform.calls].count(POST)


def test_a_lost_post_is_found_and_its_review_is_watched(rig: GoogleRig) -> None:
    rig.platform.strike(0, Fault.DROP_AFTER)

    end = rig.drive("photo").run()

    assert isinstance(end, Done)
    assert list(rig.platform.posts) == [end.remote_id]
    assert end.url == "https://local.google.com/place?id=9&use=posts&lpsid=333"
    names = [call.name for call in rig.platform.calls]
    assert names == [POST, LIST, f"GET /v4/{end.remote_id}", f"GET /v4/{end.remote_id}"]
    assert rig.platform.calls[1].query == {"pageSize": "100"}


@pytest.mark.parametrize("state", ["PROCESSING", "REJECTED"])
def test_a_lost_post_that_google_refuses_fails_and_is_not_sent_again(
    rig: GoogleRig, state: str
) -> None:
    rig.platform.first_state = state
    rig.platform.states = ["REJECTED"]
    rig.platform.strike(0, Fault.ERROR_AFTER)

    end = rig.drive("text").run()

    assert isinstance(end, Failed)
    assert (end.code, end.is_transient) == (FailureCode.CAPTION_REJECTED, False)
    assert _sent(rig) == 1


def test_a_refused_post_of_before_does_not_hide_ours(rig: GoogleRig) -> None:
    keep_post(rig.platform, 1, state="REJECTED")
    rig.platform.strike(0, Fault.DROP_AFTER)
    rig.platform.lag = timedelta(seconds=30)

    end = rig.drive("text").run()

    assert isinstance(end, Done)
    assert list(rig.platform.posts) == [end.remote_id]


def test_an_empty_location_proves_nothing(rig: GoogleRig) -> None:
    """Its list may lag: nothing is sent again, and after half an hour nobody can tell."""
    rig.platform.strike(0, Fault.DROP_BEFORE)

    end = rig.drive("text").run()

    assert isinstance(end, Failed)
    assert (end.code, _sent(rig)) == (FailureCode.OUTCOME_UNKNOWN, 1)


def test_a_list_that_lags_for_twenty_minutes_does_not_lose_the_post(rig: GoogleRig) -> None:
    rig.platform.lag = timedelta(minutes=20)
    rig.platform.strike(0, Fault.DROP_AFTER)

    end = rig.drive("text").run()

    assert isinstance(end, Done)
    assert _sent(rig) == 1


def test_a_post_that_did_not_arrive_is_sent_once_more(rig: GoogleRig) -> None:
    keep_newer(rig.platform)
    rig.platform.strike(0, Fault.DROP_BEFORE)

    end = rig.drive("text").run()

    assert isinstance(end, Done)
    assert _sent(rig) == 2
    assert list(rig.platform.posts) == [end.remote_id]


def test_a_post_that_did_not_arrive_twice_is_not_sent_a_third_time(rig: GoogleRig) -> None:
    keep_newer(rig.platform)
    rig.platform.strike(0, Fault.DROP_BEFORE)
    rig.platform.strike(5, Fault.DROP_BEFORE)

    end = rig.drive("text").run()

    assert isinstance(end, Failed)
    assert (end.code, _sent(rig)) == (FailureCode.OUTCOME_UNKNOWN, 2)


def test_a_second_loss_is_looked_for_from_the_first_page(rig: GoogleRig) -> None:
    calls = 1 + 2 * 1 + 2 * 2  # the list is empty at first, then has two pages
    rig.platform.page_size = 2
    for number in range(1, 5):
        keep_post(rig.platform, number, summary="Something else", createTime="2026-11-20T12:01:00Z")
    rig.platform.strike(0, Fault.DROP_BEFORE)
    rig.platform.strike(calls, Fault.DROP_AFTER)

    end = rig.drive("text").run()

    assert isinstance(end, Done)
    assert _sent(rig) == 2
    assert "pageToken" not in rig.platform.calls[calls + 1].query


def test_a_list_that_lags_for_minutes_does_not_make_two_posts(rig: GoogleRig) -> None:
    rig.platform.lag = timedelta(minutes=2)
    rig.platform.strike(0, Fault.DROP_AFTER)

    end = rig.drive("text").run()

    assert isinstance(end, Done)
    assert _sent(rig) == 1


def test_what_google_has_already_proves_that_the_first_call_arrived(rig: GoogleRig) -> None:
    rig.platform.refuses_twins = True
    rig.platform.own_lag = timedelta(minutes=5)
    keep_newer(rig.platform)
    rig.platform.strike(0, Fault.DROP_AFTER)

    end = rig.drive("text").run()

    assert isinstance(end, Done)
    assert list(rig.platform.posts) == [end.remote_id]
    assert _sent(rig) == 2


@pytest.mark.parametrize(
    ("after", "delay"),
    [(1, 9), (10, 50), (60, 120), (179, 1), (180, 420), (600, 1200)],
    ids=lambda value: f"{value} s",
)
def test_looks_come_after_ten_seconds_a_minute_and_three(
    rig: GoogleRig, after: int, delay: int
) -> None:
    found = reconcile(rig, after=timedelta(seconds=after))

    assert found == Wait(LOOKED, timedelta(seconds=delay))


def test_a_post_is_absent_only_when_deadline_and_lag_have_passed(rig: GoogleRig) -> None:
    keep_newer(rig.platform)

    early = reconcile(rig, LOOKED, after=IN_TIME - timedelta(seconds=1))
    late = reconcile(rig, LOOKED, after=IN_TIME)

    assert isinstance(early, Wait)
    assert late == Absent()


def test_a_first_look_leaves_a_mark_however_late_it_is(rig: GoogleRig) -> None:
    """So that a second loss is known as one."""
    found = reconcile(rig, Checkpoint("restored"), after=timedelta(hours=1))

    assert isinstance(found, Wait)
    assert found.checkpoint == LOOKED
    assert reconcile(rig, found.checkpoint, after=timedelta(hours=1)) == Unknown()


def test_after_a_restore_a_post_is_found_by_its_text(rig: GoogleRig) -> None:
    ours = keep_post(rig.platform, 7)

    found = reconcile(rig, Checkpoint("restored"), after=timedelta(hours=1))

    assert isinstance(found, Done)
    assert found.remote_id == ours


def test_a_second_call_that_is_nowhere_is_unknown(rig: GoogleRig) -> None:
    found = reconcile(rig, LOOKED, sent_at=IN_TIME, after=IN_TIME + WITNESS_WITHIN)

    assert found == Unknown()


def test_a_refused_twin_counts_only_when_ours_could_not_be_missed(rig: GoogleRig) -> None:
    keep_post(rig.platform, 1, state="REJECTED")
    refused: dict[str, Json] = {"rejected": True}

    early = reconcile(rig, LOOKED, after=IN_TIME - timedelta(seconds=1))
    late = reconcile(rig, LOOKED, after=IN_TIME)

    assert early == Wait(LOOKED, timedelta(seconds=1))
    assert late == Wait(Checkpoint("publish", refused))
    assert reconcile(rig, Checkpoint("publish", refused), after=IN_TIME) == Absent()


def test_a_refused_post_on_an_earlier_page_is_remembered(rig: GoogleRig) -> None:
    rig.platform.page_size = 1
    keep_post(rig.platform, 1, summary="Something else")
    keep_post(rig.platform, 2, state="REJECTED")

    turned = reconcile(rig, LOOKED, after=IN_TIME)
    assert isinstance(turned, Wait)
    found = reconcile(rig, turned.checkpoint, after=IN_TIME)

    assert isinstance(found, Wait)
    assert found.checkpoint.data == {"rejected": True}


def test_a_look_at_a_review_that_cannot_be_read_goes_on(rig: GoogleRig) -> None:
    data: dict[str, Json] = {"name": f"{LOCATION}/localPosts/9", "taken_at": NOON.isoformat()}
    watching = Checkpoint("review", data)

    early = reconcile(rig, watching, after=timedelta(minutes=1))
    late = reconcile(rig, watching, after=timedelta(minutes=15))

    assert isinstance(early, Wait)
    assert isinstance(late, Done)
