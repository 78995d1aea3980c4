"""What became of publishing a container whose answer was lost, on both platforms that do it."""

from datetime import timedelta

import pytest

from chalicelib.domain.outcome import Absent, Checkpoint, Done, Failed, FailureCode, Unknown, Wait
from tests.connectors.shared.meta.containers_rig import Kind, count, fake, says
from tests.connectors.shared.meta.graph_answers import graph_error
from tests.connectors.support.places import arrive, pass_by, reconcile
from tests.connectors.support.rig import Rig

NOT_THERE = graph_error(100, 33, message="Unsupported get request")


def test_a_container_that_was_not_published_is_waited_for_and_then_absent(rig: Rig) -> None:
    checkpoint = arrive(rig, "photo", "publish")

    early = reconcile(rig, "photo", timedelta(seconds=89), checkpoint)
    late = reconcile(rig, "photo", timedelta(seconds=90), checkpoint)

    assert isinstance(early, Wait)
    assert late == Absent()


def test_a_published_container_is_waited_for_in_the_list(kind: Kind, rig: Rig) -> None:
    checkpoint = pass_by(rig, "photo", "publish")
    fake(rig).unlisted = True

    early = reconcile(rig, "photo", timedelta(minutes=4), checkpoint)
    late = reconcile(rig, "photo", timedelta(minutes=5), checkpoint)

    assert isinstance(early, Wait)
    assert late == Done(remote_id=f"container:{kind.container}", url=kind.profile)


def test_a_look_after_a_restore_finds_the_post_by_its_words_kind_and_time(
    kind: Kind, rig: Rig
) -> None:
    pass_by(rig, "photo", "publish")

    found = reconcile(rig, "photo", timedelta(minutes=2), Checkpoint("restored"))
    other_kind = reconcile(rig, "video", timedelta(minutes=2), Checkpoint("restored"))

    assert isinstance(found, Done)
    assert (found.remote_id, other_kind) == (kind.media, Absent())


def test_a_look_after_a_restore_that_finds_nothing_says_absent_after_the_lag(rig: Rig) -> None:
    early = reconcile(rig, "photo", timedelta(seconds=30), Checkpoint("restored"))
    late = reconcile(rig, "photo", timedelta(minutes=2), Checkpoint("restored"))

    assert isinstance(early, Wait)
    assert late == Absent()


def test_two_posts_that_could_be_ours_cannot_be_told_apart(rig: Rig) -> None:
    pass_by(rig, "photo", "publish")
    pass_by(rig, "photo", "publish")

    assert reconcile(rig, "photo", timedelta(minutes=2), Checkpoint("restored")) == Unknown()


@pytest.mark.parametrize("said", [(4, 2207051), (5001, 777)])
def test_a_no_that_took_the_post_all_the_same_ends_published(
    rig: Rig, said: tuple[int, int]
) -> None:
    fake(rig).publish_errors, fake(rig).taken_anyway = [said], True

    end = rig.drive("photo").run()

    assert isinstance(end, Done)
    assert list(rig.platform.posts) == [end.remote_id]


@pytest.mark.parametrize(
    ("said", "code"),
    [((4, 2207051), FailureCode.ACCOUNT_RESTRICTED), ((5001, 777), FailureCode.UNKNOWN)],
    ids=["a block", "a refusal that no table lists"],
)
def test_a_no_is_believed_after_a_look_and_nothing_is_sent_again(
    kind: Kind, rig: Rig, said: tuple[int, int], code: FailureCode
) -> None:
    fake(rig).publish_errors = [said]

    end = rig.drive("photo").run()

    assert isinstance(end, Failed)
    assert (end.code, end.is_transient) == (code, False)
    assert (count(rig, kind.publish), rig.platform.posts) == (1, {})


def test_a_container_that_cannot_be_read_is_no_proof_that_nothing_went_out(
    kind: Kind, rig: Rig
) -> None:
    checkpoint = pass_by(rig, "photo", "publish")
    fake(rig).unlisted = True
    fake(rig).script = {f"GET {kind.container}": [NOT_THERE] * 2}

    early = reconcile(rig, "photo", timedelta(minutes=4), checkpoint)
    late = reconcile(rig, "photo", timedelta(minutes=5), checkpoint)

    assert isinstance(early, Wait)
    assert late == Unknown()


def test_a_container_that_cannot_be_read_is_found_in_the_list(kind: Kind, rig: Rig) -> None:
    checkpoint = pass_by(rig, "photo", "publish")
    fake(rig).script = {f"GET {kind.container}": [NOT_THERE]}

    found = reconcile(rig, "photo", timedelta(seconds=5), checkpoint)

    assert isinstance(found, Done)
    assert found.remote_id == kind.media


@pytest.mark.parametrize("status", ["ERROR", "EXPIRED"])
def test_a_container_that_died_before_it_was_published_is_made_anew(
    kind: Kind, rig: Rig, status: str
) -> None:
    checkpoint = arrive(rig, "photo", "publish")
    fake(rig).script = {f"GET {kind.container}": [says(kind, status)]}

    first = reconcile(rig, "photo", timedelta(seconds=5), checkpoint)
    assert isinstance(first, Wait)
    second = reconcile(rig, "photo", timedelta(seconds=5), first.checkpoint)

    assert second == Absent()
    assert first.checkpoint.step not in rig.connector.irreversible


@pytest.mark.parametrize("step", ["permalink", "live"])
def test_a_post_whose_id_was_stored_is_not_looked_for(kind: Kind, rig: Rig, step: str) -> None:
    found = reconcile(rig, "photo", timedelta(hours=2), Checkpoint(step, {"media": kind.media}))

    assert found == Done(remote_id=kind.media, url=kind.profile)
    assert rig.platform.calls == []
