"""The Free plan in the app: planned as others do, reminded of at its second, posted by hand."""

from datetime import UTC, datetime, timedelta

import pytest

from chalicelib.domain.workspace.access import Plan, Role
from tests.api.http_room import House
from tests.web.browser import Browser, a_photo
from tests.web.test_posts import fields_of

AT = "2026-11-20T12:05"


@pytest.fixture
def free(house: House) -> Browser:
    house.clock.now = datetime(2026, 11, 20, 12, tzinfo=UTC)
    room = house.room()
    room.account("linkedin")
    room.account("x")
    house.deployment.stores.workspaces.update(room.workspace_id, plan=Plan.FREE)
    return Browser.of(room).signed_in()


def planned(browser: Browser, *platforms: str, **more: str) -> str:
    """Plan a post in the app; return its page's address."""
    fields = {
        "caption": "Rye <at> one",
        "account": [browser.room.account(one) for one in platforms],
        "do": "schedule",
        "way": "",
        "at": AT,
        **more,
    }
    answer = browser.send("/app/posts/new", fields)
    assert answer.status == 303, answer.text
    return answer.location


def target_ids(browser: Browser, address: str) -> list[str]:
    """Return the ids of a post's targets, LinkedIn's first."""
    posts = browser.room.house.deployment.stores.posts
    post = posts.get(browser.room.workspace_id, address.rpartition("/")[2])
    return [one.id for one in sorted(post.targets, key=lambda one: one.platform)]


def test_the_free_plan_plans_and_says_that_it_reminds(free: Browser) -> None:
    composer = free.open("/app/posts/new").text
    address = planned(free, "linkedin")
    page = free.open(address).text

    assert "On the Free plan nothing is sent: you are reminded" in composer
    assert "Publish now" not in composer
    assert "You are reminded then, and post it yourself." in page


def test_at_its_second_there_is_text_to_copy_and_a_button_that_says_posted(free: Browser) -> None:
    address = planned(free, "linkedin", "x")
    free.room.pass_time(timedelta(minutes=10))

    home, page = free.open("/app").text, free.open(address).text
    first, second = target_ids(free, address)
    done = free.send(
        f"{address}/targets/{first}/posted", {"url": "https://www.linkedin.com/feed/1"}
    )
    after = free.open(address).text
    twice = free.send(f"{address}/targets/{first}/posted")
    free.send(f"{address}/targets/{second}/posted")

    assert "Post it on" in home
    assert 'data-copy="Rye &lt;at&gt; one"' in page
    assert page.count("I posted it") == 2
    assert "Time to post it by hand" in page
    assert (done.status, twice.status) == (303, 303)
    assert after.count("I posted it") == 1
    assert 'href="https://www.linkedin.com/feed/1"' in after
    assert "Post it on" not in free.open("/app").text
    assert "Delete it on LinkedIn" not in free.open(address).text


def test_the_file_is_there_to_download_and_a_wrong_address_is_told(free: Browser) -> None:
    media_id = free.upload(a_photo(), "rye.jpg").location.partition("media=")[2]
    address = planned(free, "linkedin", media=media_id)
    free.room.pass_time(timedelta(minutes=10))

    page = free.open(address).text
    (target,) = target_ids(free, address)
    wrong = free.send(f"{address}/targets/{target}/posted", {"url": "javascript:alert(1)"})

    assert f'href="/app/media/{media_id}" download="rye.jpg"' in page
    assert wrong.status == 422
    assert wrong.problem.startswith("Paste the whole address")
    assert "I posted it" in wrong.text


def test_keys_stay_refused_and_roles_hold(free: Browser) -> None:
    address = planned(free, "linkedin")
    early = free.send(f"{address}/targets/{target_ids(free, address)[0]}/posted")
    free.room.pass_time(timedelta(minutes=10))
    viewer = free.as_role(Role.VIEWER)

    asked = free.room.get("/v1/posts")
    refused = viewer.send(f"{address}/targets/{target_ids(free, address)[0]}/posted")

    assert asked.refusal == (402, "plan_limit")
    assert (early.status, refused.status) == (409, 403)
    assert "I posted it" not in viewer.open(address).text


def test_what_is_reminded_of_is_planned_again_from_its_page(free: Browser) -> None:
    address = planned(free, "linkedin")
    free.room.pass_time(timedelta(minutes=10))
    fields = fields_of(free.open(address).text)

    again = free.send(address, {**fields, "do": "schedule", "way": "", "at": "2026-11-21T09:00"})

    assert again.status == 303
    assert "I posted it" not in free.open(address).text
