"""Groups of accounts: made, changed, deleted, chosen by one press; accounts by how often used."""

import re
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from html import unescape

import pytest

from chalicelib.domain.workspace.access import Role
from chalicelib.domain.workspace.account_groups import MOST_GROUPS, AccountGroup, count_choices
from tests.api.http_room import UNKNOWN_ID
from tests.web.browser import Browser


def test_a_group_is_made_chosen_changed_and_deleted(browser: Browser) -> None:
    room = browser.room
    x, bluesky = room.account("x"), room.account("bluesky")

    made = browser.send("/app/groups", {"name": " The  bakery's ", "account": [x, bluesky]})
    (group,) = _groups(browser)
    pressed = browser.send("/app/posts/new?look=1", {"group": group.id, "caption": "Rye"})
    browser.send(f"/app/groups/{group.id}", {"name": "Bakery", "account": [x]})
    (changed,) = _groups(browser)
    deleted = browser.send(f"/app/groups/{group.id}/delete")

    assert made.status == deleted.status == 303
    assert group.name == "The bakery's"
    assert _chosen(pressed.text) == {x, bluesky}
    assert "Rye</textarea>" in pressed.text
    assert changed == AccountGroup(id=group.id, name="Bakery", account_ids=(x,))
    assert _groups(browser) == ()


def test_a_group_keeps_what_else_was_chosen_and_prefills_a_post_by_its_address(
    browser: Browser,
) -> None:
    room = browser.room
    x, bluesky = room.account("x"), room.account("bluesky")
    browser.send("/app/groups", {"name": "Bakery", "account": x})
    (group,) = _groups(browser)

    pressed = browser.send("/app/posts/new?look=1", {"group": group.id, "account": bluesky})
    draft = room.draft("bluesky")
    on_draft = browser.send(
        f"/app/posts/{draft['id']}?look=1",
        {"group": group.id, "account": bluesky, "accounts_shown": "1", "caption": "Rye"},
    )

    assert _chosen(pressed.text) == {x, bluesky}
    assert _chosen(on_draft.text) == {x, bluesky}
    assert _chosen(browser.open(f"/app/posts/new?group={group.id}").text) == {x}
    assert _chosen(browser.open(f"/app/posts/new?group={UNKNOWN_ID}").text) == set()


def test_an_account_that_is_disconnected_leaves_its_groups(browser: Browser) -> None:
    room = browser.room
    x, bluesky = room.account("x"), room.account("bluesky")
    browser.send("/app/groups", {"name": "Both", "account": [x, bluesky]})
    browser.send("/app/groups", {"name": "Alone", "account": x})

    browser.send(f"/app/accounts/{x}/disconnect")
    page, composer = browser.open("/app/groups").text, browser.open("/app/posts/new").text
    alone, both = _groups(browser)
    asked = browser.send("/app/posts/new?look=1", {"group": both.id})
    refused = browser.send(f"/app/groups/{alone.id}", {"name": "Alone", "account": x})

    assert page.count("One of its accounts was disconnected") == 2
    assert page.count("disconnected: it can&#39;t be chosen until you choose others.") == 1
    assert f'data-accounts="{bluesky}"' in composer
    assert "Alone" not in composer
    assert _chosen(asked.text) == {bluesky}
    assert refused.status == 422
    assert "Choose at least one account." in refused.problem


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (" ", "Give the group a name of at most 50 characters."),
        ("y" * 51, "Give the group a name of at most 50 characters."),
        ("a\x00b", "control"),
        ("BAKERY", "Another group has this name."),
    ],
)
def test_a_name_that_cannot_be_is_told(browser: Browser, name: str, said: str) -> None:
    account = browser.room.account("x")
    browser.send("/app/groups", {"name": "Bakery", "account": account})

    answer = browser.send("/app/groups", {"name": name, "account": account})

    assert answer.status == 422
    assert said in answer.problem
    assert len(_groups(browser)) == 1


def _as_it_is(group: AccountGroup, others: Sequence[AccountGroup]) -> AccountGroup:
    del others
    return group


def test_the_fiftieth_group_is_the_last(browser: Browser) -> None:
    rows = browser.room.house.deployment.workspace.account_groups.rows
    account = browser.room.account("x")
    for number in range(MOST_GROUPS):
        group = AccountGroup(id=f"{number:032x}", name=f"Group {number}", account_ids=(account,))
        rows.add(browser.room.workspace_id, partial(_as_it_is, group))

    answer = browser.send("/app/groups", {"name": "One more", "account": account})

    assert answer.status == 422
    assert "Delete one first" in answer.problem
    assert "Make the group" not in browser.open("/app/groups").text


def test_another_workspaces_group_is_not_found(browser: Browser) -> None:
    account = browser.room.account("x")
    browser.send("/app/groups", {"name": "Bakery", "account": account})
    (group,) = _groups(browser)
    other = Browser.of(browser.room.house.room()).signed_in()

    changed = other.send(f"/app/groups/{group.id}", {"name": "Mine", "account": account})

    assert changed.status == 404
    assert other.send(f"/app/groups/{group.id}/delete").status == 404
    assert _groups(browser) == (group,)


def test_a_viewer_sees_groups_and_changes_none(browser: Browser) -> None:
    account = browser.room.account("x")
    browser.send("/app/groups", {"name": "Bakery", "account": account})

    page = browser.as_role(Role.VIEWER).open("/app/groups").text

    assert "Bakery" in page
    assert "Make the group" not in page
    assert "Write to" not in page


def test_the_account_that_is_chosen_most_comes_first(browser: Browser) -> None:
    room = browser.room
    first, second = room.account("x"), room.account("bluesky")
    written = {"account": second, "caption": "Rye", "do": "save"}

    sent = browser.send("/app/posts/new", {**written, "once": "a"})
    browser.send("/app/posts/new", {**written, "once": "a"})
    offered = re.findall(
        r'name="account" value="([0-9a-f]{32})"', browser.open("/app/posts/new").text
    )

    assert sent.status == 303
    assert offered.index(second) < offered.index(first)
    times = room.house.deployment.workspace.account_groups.rows.read(room.workspace_id).times
    assert times == {second: 1}, "a form that is sent twice counts once"


def test_what_is_chosen_lately_weighs_more_than_what_was_long_ago() -> None:
    times = {"then": 63, "seldom": 1}

    assert count_choices(times, ["now"]) == {"then": 63, "seldom": 1, "now": 1}
    assert count_choices(times, ["then", "now"]) == {"then": 32}


def _groups(browser: Browser) -> tuple[AccountGroup, ...]:
    return browser.room.house.deployment.workspace.account_groups.rows.read(
        browser.room.workspace_id
    ).groups


def _chosen(page: str) -> set[str]:
    return set(re.findall(r'name="account" value="([0-9a-f]{32})" checked', page))


def test_a_group_narrows_the_calendar_and_the_posts_and_is_chosen_for_a_clients_page(
    browser: Browser,
) -> None:
    room = browser.room
    x, bluesky = room.account("x"), room.account("bluesky")
    at = (room.house.clock() + timedelta(hours=2)).isoformat()
    for platform, caption in (("x", "Rye of ours"), ("bluesky", "Buns of theirs")):
        room.scheduled(platform, at=at, caption=caption)
    browser.send("/app/groups", {"name": "Ours & co", "account": x})
    (group,) = _groups(browser)

    narrowed = {
        address: browser.open(_chip(browser.open(address).text)).text
        for address in ("/app/calendar", "/app/posts")
    }
    made = browser.send(
        "/app/review/clients",
        {"name": "Mill", "group": group.id, "account": [bluesky, x], "days": "7"},
    )
    unknown = browser.send(
        "/app/review/clients", {"name": "Mill", "group": UNKNOWN_ID, "days": "7"}
    )

    for text in narrowed.values():
        assert "Rye of ours" in text
        assert "Buns of theirs" not in text
    assert made.status == 303
    assert "2 accounts" in browser.open("/app/review").text
    assert unknown.status == 409, "no account is chosen"
    alone = browser.send("/app/review/clients", {"name": "M", "group": group.id, "days": "7"})
    assert alone.status == 303


def _chip(text: str) -> str:
    """Return where the group of a page leads."""
    found = re.search(r'href="([^"]+)"[^>]*><span class="clip" dir="auto">Ours &amp; co<', text)
    assert found is not None, text
    return unescape(found[1])
