"""A demo week: posts on test accounts alone, there by one press and gone by another."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from chalicelib.domain.workspace.access import Plan, Role
from chalicelib.services.app.demo_week import HANDLE, WEEK, is_of_demo, posts_of_week
from tests.api.http_room import House
from tests.web.browser import Browser

BUTTON = "Fill in a demo week"
PHOTOS = {one.photo: "0" * 32 for one in WEEK}


def accounts_of(browser: Browser) -> list[str]:
    room = browser.room
    found = room.house.deployment.people.connections.list(room.workspace_id)
    return [account.id for account in found if is_of_demo(account)]


def test_a_demo_week_goes_to_test_accounts_alone(browser: Browser) -> None:
    real = browser.room.connect("instagram")

    answer = browser.send("/app/demo-week")

    posts = [browser.room.get(f"/v1/posts/{one}").json for one in browser.room.find()]
    assert answer.status == 303
    assert len(WEEK) == len(posts)
    assert {post["status"] for post in posts} == {"scheduled"}
    assert real not in {target["account_id"] for post in posts for target in post["targets"]}
    assert {
        account.test
        for account in browser.room.house.deployment.people.connections.list(
            browser.room.workspace_id
        )
        if account.handle == HANDLE
    } == {True}


def test_a_demo_week_is_offered_before_the_first_post_and_said_while_it_is_there(
    browser: Browser,
) -> None:
    before = browser.open("/app").text
    browser.send("/app/demo-week")
    during = browser.open("/app").text
    browser.send("/app/demo-week/remove")

    assert BUTTON in before
    assert BUTTON not in during
    assert "nothing of it is sent to a platform." in during
    assert BUTTON in browser.open("/app").text


def test_a_second_press_makes_no_second_week(browser: Browser) -> None:
    browser.send("/app/demo-week")
    once = (accounts_of(browser), browser.room.find())

    browser.send("/app/demo-week")

    assert once == (accounts_of(browser), browser.room.find())


def test_removing_the_demo_leaves_what_goes_to_an_own_account(browser: Browser) -> None:
    browser.send("/app/demo-week")
    (demo, _), own = accounts_of(browser), browser.room.account("x")
    targets = [{"account_id": own}, {"account_id": demo}]
    kept = browser.room.post("/v1/posts", {"caption": "Mine", "targets": targets}).json["id"]

    browser.send("/app/demo-week/remove")

    assert [kept] == browser.room.find()
    assert accounts_of(browser) == []


def test_a_demo_week_has_photos_which_go_with_it(browser: Browser) -> None:
    browser.send("/app/demo-week")
    listed = browser.room.get("/v1/media").json["data"]
    shown = [browser.room.get(f"/v1/posts/{one}").json for one in browser.room.find()]
    browser.send("/app/demo-week/remove")

    used = [one for post in shown for one in post["media_ids"]]
    assert len(used) == sum(1 for one in WEEK if one.photo)
    assert {one["id"] for one in listed} == set(used)
    assert browser.room.get("/v1/media").json["data"] == []


def test_a_photo_of_the_demo_stays_for_an_own_post(browser: Browser) -> None:
    browser.send("/app/demo-week")
    media, *_ = browser.room.get("/v1/media").json["data"]
    targets = [{"account_id": browser.room.account("x")}]
    mine = {"caption": "Mine", "media_ids": [media["id"]], "targets": targets}
    assert browser.room.post("/v1/posts", mine).status == 201

    browser.send("/app/demo-week/remove")

    assert [one["id"] for one in browser.room.get("/v1/media").json["data"]] == [media["id"]]


def test_the_free_plan_is_offered_a_demo_week_and_has_it_on_its_calendar(house: House) -> None:
    room = house.room()
    house.deployment.stores.workspaces.update(room.workspace_id, plan=Plan.FREE)
    browser = Browser.of(room).signed_in()

    before = browser.open("/app").text
    answer = browser.send("/app/demo-week")

    assert BUTTON in before
    assert answer.status == 303
    assert WEEK[-1].text[:20] in browser.open("/app/calendar?view=list").text


def test_a_plan_with_room_for_one_account_has_a_demo_week_on_one(house: House) -> None:
    browser = Browser.of(house.room(plan=Plan.STARTER)).with_session()
    for platform in ("instagram", "x"):
        browser.room.connect(platform)

    answer = browser.send("/app/demo-week")

    assert answer.status == 303
    assert len(accounts_of(browser)) == 1
    assert len(browser.room.find()) == len(WEEK)


@pytest.mark.parametrize(("role", "offered"), [(Role.ADMIN, True), (Role.EDITOR, False)])
def test_who_may_connect_accounts_is_offered_the_demo(
    browser: Browser, role: Role, *, offered: bool
) -> None:
    assert (BUTTON in browser.as_role(role).open("/app").text) is offered


def test_a_week_begins_with_what_is_still_to_come_today() -> None:
    late = datetime(2026, 11, 20, 19, tzinfo=UTC)

    posts = list(posts_of_week(["a", "b"], PHOTOS, late, ZoneInfo("Europe/Berlin")))

    times = [post.targets[0].scheduled_at for post in posts]
    assert len(WEEK) - 1 == len(posts)
    assert times[0] == datetime(2026, 11, 21, 7, tzinfo=UTC)
