"""Which of a location's posts the Google Business Profile connector takes for its own."""

from datetime import timedelta

import pytest

from chalicelib.domain.outcome import Absent, Checkpoint, Done, Reconciliation, Wait
from tests.connectors.google_business_profile.fake import LOCATION
from tests.connectors.google_business_profile.rig import (
    TEXT,
    GoogleRig,
    keep_newer,
    keep_post,
    reconcile,
)
from tests.connectors.support.fake_platform import Value
from tests.connectors.support.rig import a_publication
from tests.support.frozen_clock import NOON

LOOKED = Checkpoint("publish", {"since": NOON.isoformat()})
IN_TIME = timedelta(minutes=3)
OURS = 5


@pytest.mark.parametrize(("oldest_first", "pages"), [(False, 1), (True, 3)])
def test_all_pages_are_read_in_whatever_order_they_come(
    rig: GoogleRig, *, oldest_first: bool, pages: int
) -> None:
    fake = rig.platform
    fake.page_size, fake.oldest_first = 2, oldest_first
    for number in range(1, 6):
        keep_post(fake, number, summary=TEXT if number == OURS else "Something else")

    found: Reconciliation = Wait(Checkpoint("publish"))
    for _ in range(pages):
        assert isinstance(found, Wait)
        found = reconcile(rig, found.checkpoint, after=IN_TIME)

    assert isinstance(found, Done)
    assert found.remote_id == f"{LOCATION}/localPosts/{OURS}"


@pytest.mark.parametrize(
    "theirs",
    [
        {"summary": f"{TEXT}!"},
        {"topicType": "EVENT"},
        {"createTime": "2026-11-20T11:58:59Z"},
        {"createTime": "1 day ago"},
        {"createTime": "2026-11-20T12:00:00"},
    ],
    ids=["another text", "another topic", "older", "no time", "no zone"],
)
def test_a_post_that_is_only_like_ours_is_not_ours(
    rig: GoogleRig, theirs: dict[str, Value]
) -> None:
    keep_post(rig.platform, 1, **theirs)
    keep_newer(rig.platform)

    assert reconcile(rig, LOOKED, after=IN_TIME) == Absent()


@pytest.mark.parametrize(
    "made_of_it",
    [
        "Menu\nfrom Friday: crème",
        "  Menu\r\nfrom  Friday: crème\n",
        "Menu from Friday: cre\u0300me",
    ],
    ids=["as sent", "other white space", "other accents"],
)
def test_a_text_is_known_again_in_other_spelling(rig: GoogleRig, made_of_it: str) -> None:
    rig.shapes = {"text": a_publication(rig.account, "Menu\nfrom Friday: crème")}
    keep_post(rig.platform, 1, summary=made_of_it, createTime="2026-11-20T11:59:00Z")

    assert isinstance(reconcile(rig, LOOKED), Done)


def test_a_photo_without_words_is_known_by_its_time(rig: GoogleRig) -> None:
    keep_post(rig.platform, 1, summary=None)

    assert isinstance(reconcile(rig, LOOKED, shape="wordless"), Done)
