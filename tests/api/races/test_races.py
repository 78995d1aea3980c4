"""Requests that arrive at the same moment, in real threads against the emulator.

Whoever wins, the answers fit what is kept: nobody is answered 500, no time is sold twice, no
allowance is oversold, and what a 200 stopped cannot go out any more. Each race is run once by
`make test` and many times by `make prove`.
"""

from collections import Counter
from functools import partial
from itertools import islice

import pytest

from chalicelib.domain.posts.history import Action
from chalicelib.domain.times.queue_slots import default_slots, upcoming
from chalicelib.domain.workspace.access import Plan
from tests.api.http_room import House
from tests.api.races.racing import Race, spent, together

FEW, MANY = 1, 40


def schedule_and_cancel(house: House) -> str:
    room = house.room()
    post = room.draft("x")

    scheduled, cancelled = together(
        lambda: room.act(post, "schedule", {"at": room.in_(hours=1)}),
        lambda: room.act(post, "cancel"),
    )

    assert scheduled.status == 200
    if cancelled.status == 200:
        assert room.statuses(post) == ["cancelled"]
    else:
        assert cancelled.refusal == (409, "nothing_to_cancel")
        assert room.statuses(post) == ["scheduled"]
    assert spent(room) == room.statuses(post).count("scheduled")
    return f"cancel answers {cancelled.status}"


def two_captions(house: House) -> str:
    room = house.room()
    post = room.scheduled("linkedin", "x")
    captions = ("Rye bread", "White bread")

    answers = together(*(partial(room.patch, post, {"caption": one}) for one in captions))

    assert [answer.status for answer in answers] == [200, 200]
    assert [answer.json["caption"] for answer in answers] == list(captions)
    assert room.show(post)["caption"] in captions
    assert room.actions(post).count(Action.EDITED) == 2
    return f"{room.show(post)['caption']} stays"


def two_targets_of_a_post(house: House) -> str:
    room = house.room()
    post = room.draft("linkedin", "x", "reddit")
    changes = [
        {"targets": [{"id": target["id"], "caption_override": f"For {target['platform']}"}]}
        for target in post["targets"]
    ]

    answers = together(*(partial(room.patch, post, change) for change in changes))

    assert [answer.status for answer in answers] == [200] * 3
    kept = [target["caption_override"] for target in room.show(post)["targets"]]
    assert kept == ["For linkedin", "For x", "For reddit"]
    return "all three kept"


def the_same_account_added_twice(house: House) -> str:
    room = house.room()
    post = room.scheduled()
    account_id = room.account("x")
    add = {"add": [{"account_id": account_id}]}

    answers = together(*[partial(room.patch, post, add)] * 4)

    accounts = [target["account_id"] for target in room.show(post)["targets"]]
    assert sorted(answer.status for answer in answers) == [200, 422, 422, 422]
    assert Counter(accounts)[account_id] == 1
    assert spent(room) == 1
    return "one added"


def the_last_of_an_allowance(house: House) -> str:
    """Leave 30 units to twelve posts that take ten each."""
    room = house.room(plan=Plan.STARTER)
    posts = [room.draft("x", caption=f"bread{n}.com is open") for n in range(12)]

    answers = together(*(partial(room.act, post, "schedule") for post in posts))

    assert Counter(answer.status for answer in answers) == {200: 3, 402: 9}
    assert spent(room) == 30
    return "3 of 12"


def the_last_of_a_trial(house: House) -> str:
    """Leave three posts of a trial to nine."""
    room = house.room(plan=Plan.TRIAL)
    for _ in range(27):
        room.scheduled()
    posts = [room.draft() for _ in range(9)]

    answers = together(*(partial(room.act, post, "schedule") for post in posts))

    assert Counter(answer.status for answer in answers) == {200: 3, 402: 6}
    return "3 of 9"


def allowance_taken_and_given_back(house: House) -> str:
    room = house.room(plan=Plan.STARTER)
    going = [room.scheduled("x") for _ in range(5)]
    coming = [room.draft("x") for _ in range(5)]

    answers = together(
        *(partial(room.act, post, "cancel") for post in going[:3]),
        *(partial(room.delete, post) for post in going[3:]),
        *(partial(room.act, post, "schedule") for post in coming),
    )

    assert {answer.status for answer in answers} == {200, 204}
    assert spent(room) == 5
    return "counter exact"


def fifty_for_the_queue(house: House) -> str:
    room = house.room(timezone="Europe/Paris")
    posts = [room.draft() for _ in range(50)]
    slots = default_slots(house.clock())
    first_fifty = list(islice(upcoming(slots, "Europe/Paris", house.clock()), 50))

    answers = together(*(partial(room.act, post, "queue") for post in posts))

    assert [answer.status for answer in answers] == [200] * 50
    times = [answer.json["targets"][0]["scheduled_at"] for answer in answers]
    assert sorted(times) == [at.isoformat() for at in first_fifty]
    return "50 posts at the 50 next queue times"


def queue_and_cancel(house: House) -> str:
    """Give times back while others look for one: each is taken once at most."""
    room = house.room()
    held = [room.act(room.draft(), "queue").json for _ in range(3)]
    waiting = [room.draft() for _ in range(6)]

    answers = together(
        *(partial(room.act, post, "cancel") for post in held),
        *(partial(room.act, post, "queue") for post in waiting),
    )

    assert {answer.status for answer in answers} == {200}
    times = [room.show(post)["targets"][0]["scheduled_at"] for post in waiting]
    assert len(set(times)) == len(waiting)
    return "six times"


def ten_with_one_key(house: House) -> str:
    room = house.room()
    body = {"caption": "Fresh bread", "targets": [{"account_id": room.account()}]}

    answers = together(*[partial(room.post, "/v1/posts", body, key="monday")] * 10)

    assert sorted(answer.status for answer in answers) == [200] * 9 + [201]
    assert len({answer.json["id"] for answer in answers}) == 1
    assert len(room.find()) == 1
    return "one 201, nine 200"


def the_key_of_a_post_that_goes(house: House) -> str:
    room = house.room()
    body = {"caption": "Fresh bread", "targets": [{"account_id": room.account()}]}
    create = partial(room.post, "/v1/posts", body, key="monday")
    post = create().json

    deleted, *answers = together(partial(room.delete, post), *[create] * 4)

    assert deleted.status == 204
    made = [answer.json["id"] for answer in answers if answer.status == 201]
    assert {answer.status for answer in answers} <= {200, 201}
    assert len(made) <= 1
    assert room.find() == made
    return f"{len(made)} new"


def two_removals_of_a_live_post(house: House) -> str:
    room = house.room()
    post = room.sent()

    answers = together(*[partial(room.unpublish, post)] * 3)

    codes = [answer.code if answer.status == 409 else answer.status for answer in answers]
    assert 200 in codes
    assert set(codes) <= {200, "not_live"}
    assert room.statuses(post) == ["removed"]
    assert room.actions(post).count(Action.TARGET_UNPUBLISHED) == codes.count(200)
    return f"{codes.count(200)} answer 200"


RACES: tuple[Race, ...] = (
    schedule_and_cancel,
    two_captions,
    two_targets_of_a_post,
    the_same_account_added_twice,
    the_last_of_an_allowance,
    the_last_of_a_trial,
    allowance_taken_and_given_back,
    fifty_for_the_queue,
    queue_and_cancel,
    ten_with_one_key,
    the_key_of_a_post_that_goes,
    two_removals_of_a_live_post,
)


@pytest.mark.parametrize("race", RACES, ids=lambda race: race.__name__)
def test_whoever_wins_the_answers_fit_what_is_kept(house: House, race: Race) -> None:
    for _ in range(_rounds(race, FEW)):
        race(house)


@pytest.mark.prove
@pytest.mark.parametrize("race", RACES, ids=lambda race: race.__name__)
def test_whoever_wins_many_times_the_answers_fit_what_is_kept(house: House, race: Race) -> None:
    ends = Counter(race(house) for _ in range(_rounds(race, MANY)))

    print(f"{race.__name__}: {ends.total()} races: {dict(ends)}")  # noqa: T201 - make prove


def _rounds(race: Race, rounds: int) -> int:
    """Return how often to run a race: fifty threads get in each other's way for seconds."""
    return max(1, rounds // 8) if race is fifty_for_the_queue else rounds
