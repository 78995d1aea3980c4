"""What plans allow: X posts a month, links that weigh ten, and what is given back."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from chalicelib.domain.workspace.access import Plan
from chalicelib.services.operator.workspace_use import WorkspaceUse
from tests.api.http_room import Answer, Document, House, Room
from tests.support.frozen_clock import NOON

LINK = "Fresh bread: https://lighthouse.example/bread"
USED_UP = (402, "plan_limit")


@pytest.fixture
def starter(house: House) -> Room:
    """Open a workspace with 30 X posts a month, on Paris's clock."""
    house.clock.now = NOON
    return house.room(plan=Plan.STARTER, timezone="Europe/Paris")


def _use(room: Room) -> WorkspaceUse:
    return room.house.operator.people.administration.show_workspace(room.workspace_id)


def _used(room: Room) -> int:
    return _use(room).x_posts


def _schedule(room: Room, post: Document, at: str | None = None) -> Answer:
    return room.act(post, "schedule", {"at": at or room.in_(hours=1)})


def _spend(room: Room, links: int) -> None:
    """Use up ten X posts a link."""
    for _ in range(links):
        assert 200 == _schedule(room, room.draft("x", caption=LINK)).status


# What counts


def test_a_draft_uses_nothing_up(starter: Room) -> None:
    starter.draft("x", caption=LINK)

    assert 0 == _used(starter)


@pytest.mark.parametrize("verb", ["schedule", "queue", "publish-now"])
@pytest.mark.parametrize(("caption", "units"), [("Fresh bread", 1), (LINK, 10), ("bread.com", 10)])
def test_an_x_post_counts_when_it_gets_its_time(
    starter: Room, verb: str, caption: str, units: int
) -> None:
    post = starter.draft("x", "linkedin", caption=caption)

    starter.act(post, verb)

    assert units == _used(starter)


def test_other_platforms_cost_nothing(starter: Room) -> None:
    _schedule(starter, starter.draft("linkedin", "threads", caption=LINK))

    assert 0 == _used(starter)


def test_the_override_decides_what_an_x_post_weighs(starter: Room) -> None:
    post = starter.draft("x", caption=LINK)
    starter.patch(post, {"targets": [{"id": post["targets"][0]["id"], "caption_override": "Hi"}]})

    _schedule(starter, post)

    assert 1 == _used(starter)


def test_every_x_account_on_a_post_counts(starter: Room) -> None:
    accounts = [starter.account("x"), starter.connect("x", "@second")]
    targets = [{"account_id": one} for one in accounts]
    post = starter.post("/v1/posts", {"caption": "Bread", "targets": targets}).json

    _schedule(starter, post)

    assert 2 == _used(starter)


# What is used up


@pytest.mark.parametrize(
    ("plan", "allowance"), [(Plan.STARTER, 30), (Plan.CREATOR, 150), (Plan.STUDIO, 500)]
)
def test_each_plan_has_its_allowance(house: House, plan: Plan, allowance: int) -> None:
    house.clock.now = NOON
    room = house.room(plan=plan)

    assert allowance == _use(room).x_allowance


@pytest.mark.parametrize("verb", ["schedule", "queue", "publish-now"])
def test_a_used_up_allowance_refuses_the_next_x_post(starter: Room, verb: str) -> None:
    post = starter.draft("x", "linkedin")
    _spend(starter, 3)

    answer = starter.act(post, verb)

    assert USED_UP == answer.refusal
    assert ["draft", "draft"] == starter.statuses(post)
    assert 30 == _used(starter)


def test_a_used_up_allowance_refuses_new_x_drafts(starter: Room) -> None:
    post = starter.draft("x")
    other = starter.draft("linkedin")
    _spend(starter, 3)

    answers = [
        starter.create("x"),
        starter.act(post, "duplicate"),
        starter.patch(other, {"add": [{"account_id": starter.account("x")}]}),
    ]

    assert [USED_UP] * 3 == [answer.refusal for answer in answers]
    assert 201 == starter.create("linkedin").status


def test_a_link_needs_ten(starter: Room) -> None:
    _spend(starter, 2)
    _schedule(starter, starter.draft("x"))
    long_post, short_post = starter.create("x", caption=LINK), starter.create("x")

    assert (USED_UP, 201) == (long_post.refusal, short_post.status)


def test_the_month_looked_at_is_that_of_the_drafts_own_time(starter: Room) -> None:
    _spend(starter, 3)
    target = {"account_id": starter.account("x"), "scheduled_at": "2026-12-05T09:00:00Z"}

    answer = starter.post("/v1/posts", {"caption": "Bread", "targets": [target]})

    assert 201 == answer.status


def test_a_rule_comes_before_the_allowance(starter: Room) -> None:
    _spend(starter, 3)

    answer = starter.create("x", caption="b" * 281)

    assert (422, "caption_too_long") == answer.refusal


def test_an_allowance_is_never_oversold(starter: Room) -> None:
    posts = [starter.draft("x", caption=LINK) for _ in range(8)]

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda post: _schedule(starter, post), posts))

    assert [200] * 3 + [402] * 5 == sorted(answer.status for answer in answers)
    assert 30 == _used(starter)


# Months


def test_a_month_ends_at_midnight_of_the_workspace(starter: Room) -> None:
    _spend(starter, 3)
    november, december = "2026-11-30T22:59:59Z", "2026-11-30T23:00:00Z"

    answers = [_schedule(starter, _fresh(starter, at), at) for at in (december, december)]

    assert [200, 200] == [answer.status for answer in answers]
    assert USED_UP == starter.post("/v1/posts", _on_x(starter, november)).refusal


def _on_x(room: Room, at: str) -> Document:
    target = {"account_id": room.account("x"), "scheduled_at": at}
    return {"caption": "Bread", "targets": [target]}


def _fresh(room: Room, at: str) -> Document:
    return room.post("/v1/posts", _on_x(room, at)).json


def test_a_time_that_moves_to_another_month_moves_its_use(starter: Room) -> None:
    post = starter.draft("x", caption=LINK)
    _schedule(starter, post)
    moved = {"id": post["targets"][0]["id"], "scheduled_at": "2026-12-05T09:00:00Z"}

    starter.patch(post, {"targets": [moved]})

    november = _used(starter)
    starter.house.clock.now = datetime(2026, 12, 2, tzinfo=UTC)
    assert (0, 10) == (november, _used(starter))


# Given back


def _cancel(room: Room, post: Document) -> None:
    room.act(post, "cancel")


def _delete(room: Room, post: Document) -> None:
    room.delete(post)


def _remove(room: Room, post: Document) -> None:
    added = [{"account_id": room.account("linkedin")}]
    room.patch(post, {"remove": [post["targets"][0]["id"]], "add": added})


@pytest.mark.parametrize("stop", [_cancel, _delete, _remove])
def test_what_will_not_go_out_is_given_back(
    starter: Room, stop: Callable[[Room, Document], None]
) -> None:
    post = starter.draft("x", caption=LINK)
    _schedule(starter, post)

    stop(starter, post)

    assert 0 == _used(starter)


def test_what_went_out_is_not_given_back(starter: Room) -> None:
    post = starter.sent("x", caption=LINK)
    starter.unpublish(post)
    starter.delete(post)

    assert 10 == _used(starter)


def test_what_finally_failed_is_given_back_and_a_retry_takes_it_again(starter: Room) -> None:
    post = starter.sent("x", caption="bread.com sandbox:fail:unknown")
    failed = _used(starter)

    starter.patch(post, {"caption": "bread.com"})
    starter.act(post, "retry")
    starter.run_due()

    assert (0, 10, "published") == (failed, _used(starter), starter.show(post)["status"])


def test_a_retry_may_find_the_allowance_used_up(starter: Room) -> None:
    post = starter.sent("x", caption="sandbox:fail:unknown")
    _spend(starter, 3)

    assert USED_UP == starter.act(post, "retry").refusal


# Charged anew


def test_an_edit_that_adds_a_link_weighs_ten(starter: Room) -> None:
    post = starter.draft("x")
    _schedule(starter, post)

    starter.patch(post, {"caption": LINK})
    with_link = _used(starter)
    starter.patch(post, {"caption": "Fresh bread"})

    assert (10, 1) == (with_link, _used(starter))


def test_an_edit_that_adds_a_link_may_find_the_allowance_used_up(starter: Room) -> None:
    post = starter.scheduled("x")
    starter.scheduled("x")
    _spend(starter, 2)

    answer = starter.patch(post, {"caption": LINK})

    assert USED_UP == answer.refusal
    assert ("Fresh bread", 22) == (starter.show(post)["caption"], _used(starter))


def test_an_x_target_added_to_a_scheduled_post_counts(starter: Room) -> None:
    post = starter.scheduled("linkedin")

    starter.patch(post, {"add": [{"account_id": starter.account("x")}]})

    assert 1 == _used(starter)


def test_what_is_scheduled_stays_so_on_a_smaller_plan(house: House) -> None:
    house.clock.now = NOON
    room = house.room(plan=Plan.CREATOR)
    _spend(room, 4)
    post = room.scheduled("x", "linkedin", "threads")
    room.house.operator.people.administration.update_workspace(room.workspace_id, plan=Plan.STARTER)

    linkedin = {"id": post["targets"][1]["id"], "caption_override": "Own words"}
    answer = room.patch(post, {"targets": [linkedin], "remove": [post["targets"][2]["id"]]})
    room.pass_time(timedelta(hours=1))

    assert (200, "published") == (answer.status, room.show(post)["status"])
