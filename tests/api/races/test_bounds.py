"""Lists with a most: whoever adds to one at the same moment, it never has more."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest

from chalicelib.domain.error_kinds import ServiceError
from chalicelib.domain.ids import new_id
from chalicelib.domain.posts.plans import MOST_PLANS
from chalicelib.domain.posts.words import MOST_TEXTS
from chalicelib.domain.spoken.unclear import UnclearError
from chalicelib.domain.times.queue_slots import MOST_SLOTS
from chalicelib.domain.times.series import MOST_RUNNING
from chalicelib.domain.workspace.account_groups import MOST_GROUPS
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.domain.workspace.push import MOST_BROWSERS, Browser
from chalicelib.kit.dynamodb.table import partition
from chalicelib.services.app.client_pages import MOST_PAGES
from chalicelib.storage.tables import workspace_pk
from chalicelib.storage.workspace.browsers import BrowserRows, TooManyBrowsers
from tests.api.http_room import House, Room
from tests.api.races.racing import together
from tests.support.callers import a_caller
from tests.support.frozen_clock import NOON

AT_ONCE = 6
Add = Callable[[int], object]


def a_series(room: Room) -> Add:
    post = room.scheduled("linkedin", at="2027-11-20T18:00:00Z")

    def add(number: int) -> None:
        del number
        answer = room.act(post, "repeat", {"every": "day"})
        if answer.status != 201:
            assert answer.refusal == (409, "too_many_series")
            raise ServiceError

    return add


def a_plan(room: Room) -> Add:
    caller = a_caller(workspace_id=room.workspace_id)
    plans = room.house.deployment.checking.plans
    return lambda number: plans.add(caller, f"{number}.csv", b"to,caption\nx,Rye\n")


def a_slot(room: Room) -> Add:
    caller = a_caller(workspace_id=room.workspace_id)
    slots = room.house.deployment.posting.queue_slots
    return lambda number: slots.add(caller, weekdays=(number,), time="18:00")


def a_text(room: Room) -> Add:
    caller = a_caller(workspace_id=room.workspace_id)
    words = room.house.deployment.posting.words
    return lambda number: words.add(caller, name=f"Text {number}", text="Fresh bread")


def a_group(room: Room) -> Add:
    account = room.account("x")
    caller = a_caller(workspace_id=room.workspace_id, accounts={account: ()})
    groups = room.house.deployment.workspace.account_groups
    return lambda number: groups.add(caller, name=f"Group {number}", account_ids=[account])


def a_browser(room: Room) -> Add:
    rows = BrowserRows(room.house.deployment.stores.directory_table)

    def add(number: int) -> None:
        rows.keep(
            Browser(
                id=f"{number:064x}",
                workspace_id=room.workspace_id,
                member_id="1" * 32,
                person_id="2" * 32,
                session_since=NOON,
                address=f"https://push.example/{number}",
                key="k",
                secret="s",
                device="A phone",
                created_at=NOON,
            )
        )

    return add


def a_client_page(room: Room) -> Add:
    account = room.account("x")
    caller = a_caller(workspace_id=room.workspace_id, accounts={account: ()})
    pages = room.house.deployment.people.client_pages
    return lambda number: pages.make(caller, f"Client {number}", [account], 30)


def _tells(add: Add, number: int) -> bool:
    try:
        add(number)
    except (ServiceError, OperatorError, UnclearError, TooManyBrowsers):
        return False
    return True


@pytest.mark.parametrize(
    ("make", "prefix", "most"),
    [
        (a_series, "SERIES#", MOST_RUNNING),
        (a_plan, "PLAN#", MOST_PLANS),
        (a_slot, "SLOT#", MOST_SLOTS),
        (a_text, "WORDS#", MOST_TEXTS),
        (a_group, "CHOOSER#GROUP#", MOST_GROUPS),
        (a_browser, "BROWSER#", MOST_BROWSERS),
        (a_client_page, "LINK#", MOST_PAGES),
    ],
)
def test_the_last_place_is_given_once(
    house: House, make: Callable[[Room], Add], prefix: str, most: int
) -> None:
    room = house.room()
    add, table = make(room), house.deployment.stores.directory_table.table
    rows = partition(workspace_pk(room.workspace_id), prefix)
    add(AT_ONCE)
    kept = list(table.rows(rows))
    for number in range(most - 1 - len(kept)):
        table.put({**kept[0], "sk": _sk_of_another(kept[0]["sk"], number)})

    added = together(*(partial(_tells, add, number) for number in range(AT_ONCE)))

    assert added.count(True) == 1
    assert len(list(table.rows(rows))) == most


def _sk_of_another(sk: str, number: int) -> str:
    """Return the sort key of another thing of its kind."""
    before, _, own = sk.rpartition("#")
    made = new_id(NOON - timedelta(days=1, seconds=number))
    return f"{before}#{(made * 2)[: len(own)]}"


def test_whoever_adds_while_the_workspace_is_deleted_has_no_key_any_more(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, slots = house.room(), house.deployment.posting.queue_slots.slots
    begin = partial(house.deployment.whole_workspace.deletion.begin, even_scheduled=True)
    add = slots.add
    monkeypatch.setattr(slots, "add", lambda *slot: (begin(room.workspace_id), add(*slot)))

    answer = room.post("/v1/queue-slots", {"weekdays": [0], "time": "18:00"})

    assert answer.refusal == (401, "bad_api_key")
