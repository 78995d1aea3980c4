"""What waits for review is found however much was written since, at the cost of what waits."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from chalicelib.domain.posts.query import PostQuery
from chalicelib.domain.workspace.access import Role
from chalicelib.domain.workspace.notices import NoticeKind
from chalicelib.kit.dynamodb.table import Table, setting
from chalicelib.storage.tables import post_key
from chalicelib.storage.workspace.items import listed_workspace_key
from tests.api.http.round_trips import Meter
from tests.api.http_room import Document, House, Room
from tests.support.frozen_clock import NOON
from tests.support.many_rows import copy_post
from tests.web.browser import Browser
from tests.web.test_client_pages import link_of, make

SINCE = 1_050
"""More than these pages read when they looked for what waits among the newest posts."""


@pytest.fixture(scope="module")
def busy(house: House) -> Room:
    """Open a workspace in which much was written after a post that waits."""
    house.clock.now = NOON - timedelta(days=1)
    room = house.room(approvals=True)
    house.clock.pass_time(timedelta(seconds=1))  # the first member is the owner
    room.member(Role.CONTRIBUTOR).draft(caption="Old rye that waits")
    copy_post(room, room.draft(caption="Bread")["id"], SINCE)
    house.clock.now = NOON
    return room


@pytest.fixture
def room(house: House) -> Room:
    """Open a workspace that uses approvals."""
    house.clock.now = NOON
    room = house.room(approvals=True)
    house.clock.pass_time(timedelta(seconds=1))  # the first member is the owner
    return room


def _on_its_page(room: Room) -> str:
    return Browser.of(room).signed_in().open("/app/review").text


def _on_the_bell(room: Room) -> str:
    return Browser.of(room).signed_in().open("/app/waiting").text


def _for_its_client(room: Room) -> str:
    browser = Browser.of(room).signed_in()
    return Browser.of(room).open(link_of(browser, make(browser, room.account()))).text


def _in_letters(room: Room) -> str:
    notices = room.house.deployment.people.notices
    workspace = notices.workspaces.get(room.workspace_id)
    assert workspace is not None
    found = notices.matters.find(workspace, (), notices.engine_status, NoticeKind.REVIEW)
    return " ".join(one.sentence for one in found)


@pytest.mark.parametrize("tell", [_on_its_page, _on_the_bell, _for_its_client, _in_letters])
def test_a_post_waits_however_many_were_written_since(
    busy: Room, tell: Callable[[Room], str]
) -> None:
    assert "Old rye that waits" in tell(busy)


@pytest.mark.parametrize("address", ["/app/review", "/app/review/count", "/app/waiting"])
def test_what_waits_is_read_without_what_does_not(busy: Room, address: str) -> None:
    clients = busy.house.deployment.clients
    browser, meter = Browser.of(busy).signed_in(), Meter(clients.dynamodb, clients.sqs)
    browser.open(address)

    with meter.measured() as cost:
        browser.open(address)

    assert cost.read_units < SINCE / 10


def _waiting(room: Room) -> list[str]:
    """Return the ids on the list, whatever became of their posts."""
    lists = room.house.deployment.stores.post_lists
    return [*lists._newest(room.workspace_id, PostQuery(waits=True))]


def _is_approved(post: Document, room: Room) -> None:
    room.house.deployment.people.approvals.approve(room.workspace_id, post["id"])


def _is_rejected(post: Document, room: Room) -> None:
    room.house.deployment.people.approvals.reject(room.workspace_id, post["id"])


def _is_deleted(post: Document, room: Room) -> None:
    room.delete(post)


@pytest.mark.parametrize("ends", [_is_approved, _is_rejected, _is_deleted])
def test_what_waits_no_more_leaves_the_list(
    room: Room, ends: Callable[[Document, Room], None]
) -> None:
    contributor = room.member(Role.CONTRIBUTOR)
    first = contributor.draft(caption="Rye")
    room.house.clock.pass_time(timedelta(seconds=1))
    second = contributor.draft(caption="Oats")
    before = _waiting(room)

    ends(first, room)

    assert [before, _waiting(room)] == [[second["id"], first["id"]], [second["id"]]]


def test_a_target_that_is_added_to_what_is_out_waits(room: Room) -> None:
    post, account = room.sent("x", caption="Oats are out"), room.account("linkedin")

    room.member(Role.CONTRIBUTOR).patch(post, {"add": [{"account_id": account}]})

    assert room.show(post)["status"] == "published"
    assert all("Oats are out" in tell(room) for tell in (_on_its_page, _in_letters))


def _as_before(room: Room, post: Document) -> None:
    """Leave the rows as the release before wrote them: on no list of what waits."""
    deployment = room.house.deployment
    posts = Table(deployment.clients.dynamodb, deployment.tables.posts)
    posts.update(post_key(post["id"]), setting({"time_workspace": None, "time_key": None}))
    line = listed_workspace_key(room.workspace_id)
    deployment.stores.directory_table.table.update(line, setting({"reviews_listed": None}))


def test_what_began_to_wait_under_the_release_before_is_listed_once(room: Room) -> None:
    post = room.member(Role.CONTRIBUTOR).draft(caption="Rye of yesterday")
    copy_post(room, room.draft(caption="Bread")["id"], 250)
    _as_before(room, post)
    before, worker = _waiting(room), room.house.deployment.upkeep.former_reviews

    worker.run()
    once = _waiting(room)
    _is_rejected(post, room)
    worker.run()

    assert [before, once, _waiting(room)] == [[], [post["id"]], []]
    assert room.workspace_id not in worker.rows.places()
