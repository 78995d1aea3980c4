"""The trial, and the free plan: thirty posts, ten X posts and fourteen days."""

from datetime import timedelta

import pytest

from chalicelib.domain.workspace.access import Plan
from tests.api.http_room import Answer, Document, House, Room
from tests.support.frozen_clock import NOON

LINK = "Fresh bread: https://lighthouse.example/bread"
USED_UP = (402, "plan_limit")


@pytest.fixture
def trial(house: House) -> Room:
    """Open a workspace on its first day of trial."""
    house.clock.now = NOON
    return house.room(plan=Plan.TRIAL)


def _schedule(room: Room, post: Document) -> Answer:
    return room.act(post, "schedule", {"at": room.in_(hours=1)})


def test_a_trial_has_ten_x_posts_and_one_link_is_all_of_them(trial: Room) -> None:
    assert 200 == _schedule(trial, trial.draft("x", caption=LINK)).status

    assert USED_UP == trial.create("x").refusal
    assert 201 == trial.create("linkedin").status


def test_a_trial_has_thirty_posts_in_all(trial: Room) -> None:
    post = trial.draft("linkedin")
    for _ in range(30):
        assert 200 == _schedule(trial, trial.draft("linkedin", "threads")).status

    answers = [trial.create("linkedin"), _schedule(trial, post), trial.act(post, "duplicate")]

    assert [USED_UP] * 3 == [answer.refusal for answer in answers]


def test_a_post_of_the_trial_that_will_not_go_out_is_given_back(trial: Room) -> None:
    posts = [trial.scheduled() for _ in range(30)]

    trial.act(posts[0], "cancel")
    trial.delete(posts[1])

    assert [201, 201] == [trial.create("linkedin").status for _ in range(2)]
    assert [200, 200] == [_schedule(trial, trial.draft()).status for _ in range(2)]
    assert USED_UP == trial.create("linkedin").refusal


def test_a_post_of_the_trial_counts_once_however_often_it_goes_out(trial: Room) -> None:
    post = trial.sent("linkedin")
    for platform in ("x", "threads"):
        trial.patch(post, {"add": [{"account_id": trial.account(platform)}]})
        trial.act(post, "publish-now")
        trial.run_due()
    for _ in range(29):
        assert 200 == _schedule(trial, trial.draft("linkedin")).status

    assert USED_UP == trial.create("linkedin").refusal


def test_a_post_of_the_trial_that_is_deleted_while_it_goes_out_counts(trial: Room) -> None:
    post = trial.sent(caption="sandbox:slow:60")
    trial.delete(post)
    trial.pass_time(timedelta(minutes=5))
    for _ in range(29):
        assert 200 == _schedule(trial, trial.draft()).status

    assert USED_UP == trial.create("linkedin").refusal


def test_a_trial_is_over_after_fourteen_days(trial: Room) -> None:
    post = trial.scheduled(at=trial.in_(days=20))
    path = f"/v1/posts/{post['id']}"
    trial.house.clock.pass_time(timedelta(days=14) - timedelta(seconds=1))
    before = trial.get(path).status
    trial.house.clock.pass_time(timedelta(seconds=1))

    assert (200, USED_UP) == (before, trial.get(path).refusal)


def test_what_is_scheduled_goes_out_even_when_the_trial_is_over(trial: Room) -> None:
    post = trial.scheduled(at=trial.in_(days=20))

    trial.pass_time(timedelta(days=20))

    kept, _ = trial.house.operator.people.engine_control.show(post["id"])
    assert ["published"] == [target.status for target in kept.targets]


def test_the_free_plan_has_no_api(house: House) -> None:
    house.clock.now = NOON
    free = house.room(plan=Plan.FREE)

    answers = [free.get("/v1/posts"), free.get("/v1/golden-hour"), free.post("/v1/posts", {})]

    assert [USED_UP] * 3 == [answer.refusal for answer in answers]
