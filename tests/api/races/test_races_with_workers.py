"""Clients against the publish worker at the same moment: what a success stopped does not go out.

The worker starts up to some milliseconds later than the client, so that now one and now the other
wins. `make test` runs each race a few times, `make prove` many times.
"""

import random
import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest

from tests.api.http_room import Answer, House, Room
from tests.api.races.racing import Race, spent, taken, together

FEW, MANY = 2, 60
LONGEST_HEAD_START_S = 0.04


def sent_by_five(house: House) -> str:
    """Ask five times at once that a post goes out now: it goes out once."""
    room = house.room()
    post = room.draft("linkedin", "x")

    answers = together(*[partial(room.act, post, "publish-now")] * 5)
    together(*[room.run_due] * 3)

    assert 200 in [answer.status for answer in answers]
    assert {answer.status for answer in answers} <= {200, 409}
    assert room.statuses(post) == ["published"] * 2
    assert taken(room, post) == [1, 1]
    assert spent(room) == 1
    return "out once"


def stopped_while_it_goes(house: House, stop: str) -> str:
    """Stop a post while a worker takes it: what a success stopped does not go out."""
    room = house.room()
    post = room.scheduled()
    house.clock.pass_time(timedelta(hours=1))

    answer = beside_the_worker(
        room, lambda: room.delete(post) if stop == "delete" else room.act(post, stop)
    )

    target = house.deployment.stores.posts.get_any(post["id"]).targets[0]
    went_out = taken(room, post) == [1]
    assert went_out == (target.status == "published")
    if answer.status == 200 or (answer.status == 204 and not went_out):
        assert (target.status, went_out) == ("cancelled", False)
    elif stop == "cancel":
        assert answer.refusal == (409, "nothing_to_cancel")
        assert went_out
    return f"{answer.status}, {'out' if went_out else 'stopped'}"


def retold_while_it_goes(house: House) -> str:
    """Edit a post while a worker takes it: after a 200 the old text cannot go out."""
    room = house.room()
    post = room.scheduled(caption="Old bread")
    house.clock.pass_time(timedelta(hours=1))

    answer = beside_the_worker(room, lambda: room.patch(post, {"caption": "New bread"}))
    room.pass_time(timedelta(minutes=2))

    entry = house.sandbox.find(room.account(), post["targets"][0]["id"])[0]
    if answer.status == 200:
        assert entry.caption == "New bread"
    else:
        assert (answer.refusal, entry.caption) == ((409, "already_live"), "Old bread")
    return f"{answer.status}, {entry.caption}"


def beside_the_worker(room: Room, call: Callable[[], Answer]) -> Answer:
    """Call while a worker takes the one target that is due; return the answer."""
    ref = room.waking(room.house.clock())[0]
    answers: list[Answer] = []

    def work() -> None:
        time.sleep(random.uniform(0, LONGEST_HEAD_START_S))
        room.house.deployment.engine.publish_worker.run(ref)

    together(lambda: answers.append(call()), work)
    return answers[0]


RACES: dict[str, Race] = {
    "sent by five": sent_by_five,
    "cancelled": partial(stopped_while_it_goes, stop="cancel"),
    "deleted": partial(stopped_while_it_goes, stop="delete"),
    "retold": retold_while_it_goes,
}


@pytest.mark.parametrize("name", RACES)
def test_what_a_success_stopped_does_not_go_out(house: House, name: str) -> None:
    for _ in range(FEW):
        RACES[name](house)


@pytest.mark.prove
@pytest.mark.parametrize("name", RACES)
def test_what_a_success_stopped_never_goes_out(house: House, name: str) -> None:
    ends = Counter(RACES[name](house) for _ in range(MANY))

    print(f"{name} while it goes: {MANY} races: {dict(ends)}")  # noqa: T201 - make prove
