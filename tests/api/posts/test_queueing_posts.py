"""/queue: the next free queue time, whose it is, and when it is free again."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.api.http_room import Document, House, Room
from tests.support.frozen_clock import NOON

SAME_EVENING = "2026-11-20T19:00:00+00:00"


def _times(post: Document) -> list[str]:
    return [target["scheduled_at"] for target in post["targets"]]


def test_all_drafts_of_a_post_get_the_next_free_time(room: Room) -> None:
    next_free = room.get("/v1/queue-slots").json["next_free"]
    post = room.draft("linkedin", "x")

    answer = room.act(post, "queue")

    assert 200 == answer.status
    assert [next_free] * 2 == [SAME_EVENING] * 2 == _times(answer.json)


def test_the_next_post_gets_the_next_time(room: Room) -> None:
    times = [_times(room.act(room.draft(), "queue").json)[0] for _ in range(4)]

    saturday = ["2026-11-21T10:00:00+00:00", "2026-11-21T19:00:00+00:00"]
    assert [SAME_EVENING, *saturday, "2026-11-22T19:00:00+00:00"] == times


def test_a_time_that_another_post_is_scheduled_at_is_taken(room: Room) -> None:
    room.scheduled(at=SAME_EVENING)

    answer = room.act(room.draft(), "queue")

    assert ["2026-11-21T10:00:00+00:00"] == _times(answer.json)


def _cancel(room: Room, post: Document) -> None:
    room.act(post, "cancel")


def _delete(room: Room, post: Document) -> None:
    room.delete(post)


def _move(room: Room, post: Document) -> None:
    change = {"id": post["targets"][0]["id"], "scheduled_at": "2026-12-24T12:00:00Z"}
    room.patch(post, {"targets": [change]})


def _replace(room: Room, post: Document) -> None:
    new = {"account_id": room.account("x"), "scheduled_at": "2026-12-24T12:00:00Z"}
    room.patch(post, {"remove": [post["targets"][0]["id"]], "add": [new]})


def _send(room: Room, post: Document) -> None:
    room.act(post, "publish-now")


def _reject(room: Room, post: Document) -> None:
    room.house.operator.people.approvals.reject(room.workspace_id, post["id"])


@pytest.mark.parametrize("how", ["queue", "schedule"])
@pytest.mark.parametrize("free", [_cancel, _delete, _move, _replace, _send, _reject])
def test_a_time_is_free_again_when_its_post_leaves_it(
    house: House,
    free: Callable[[Room, Document], None],
    how: str,
) -> None:
    house.clock.now = NOON
    room = house.room(approvals=True)
    post = room.draft()
    room.act(post, how, {"at": SAME_EVENING} if how == "schedule" else None)
    assert SAME_EVENING != room.get("/v1/queue-slots").json["next_free"]

    free(room, post)

    assert SAME_EVENING == room.get("/v1/queue-slots").json["next_free"]
    assert [SAME_EVENING] == _times(room.act(room.draft(), "queue").json)


def test_a_post_is_not_in_its_own_way(room: Room) -> None:
    post = room.draft("linkedin")
    room.act(post, "queue")
    room.act(post, "cancel")
    room.patch(post, {"add": [{"account_id": room.account("x")}]})

    answer = room.act(post, "queue")

    assert [SAME_EVENING] * 2 == _times(answer.json)


def test_a_queue_without_times_is_full(room: Room) -> None:
    for slot in room.get("/v1/queue-slots").json["data"]:
        room.ask("DELETE", f"/v1/queue-slots/{slot['id']}")
    post = room.draft()

    answer = room.act(post, "queue")

    assert (409, "queue_full") == answer.refusal
    assert room.get("/v1/queue-slots").json["next_free"] is None


def test_a_queue_is_full_when_every_time_of_60_days_is_taken(room: Room) -> None:
    for slot in room.get("/v1/queue-slots").json["data"]:
        room.ask("DELETE", f"/v1/queue-slots/{slot['id']}")
    room.post("/v1/queue-slots", {"weekdays": [0], "time": "09:00"})
    for _ in range(9):
        assert 200 == room.act(room.draft(), "queue").status

    answer = room.act(room.draft(), "queue")

    assert (409, "queue_full") == answer.refusal


def test_a_full_queue_comes_before_a_rule(room: Room) -> None:
    for slot in room.get("/v1/queue-slots").json["data"]:
        room.ask("DELETE", f"/v1/queue-slots/{slot['id']}")

    answer = room.act(room.draft(caption=""), "queue")

    assert (409, "queue_full") == answer.refusal


def test_queue_times_are_the_workspaces_own_clock(house: House) -> None:
    house.clock.now = NOON
    room = house.room(timezone="America/New_York")

    slots = room.get("/v1/queue-slots").json
    answer = room.act(room.draft(), "queue")

    assert "2026-11-20T09:00:00-05:00" == slots["next_free"]
    assert ["2026-11-20T14:00:00+00:00"] == _times(answer.json)


def test_fifty_posts_queued_at_once_get_fifty_times(room: Room) -> None:
    posts = [room.draft() for _ in range(50)]

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda post: room.act(post, "queue"), posts))

    assert {200} == {answer.status for answer in answers}
    assert 50 == len({_times(answer.json)[0] for answer in answers})
