"""Accounts, keys, members and queue times: changed by who may, for this workspace alone."""

import re
from dataclasses import replace
from functools import partial

import pytest

from chalicelib.domain.workspace.access import Role
from tests.support.overtaken import overtaken_once
from tests.web.browser import Browser, a_photo

PAGE = "/app/settings"


def test_a_key_is_shown_once_and_works_until_it_is_revoked(browser: Browser) -> None:
    made = browser.send(f"{PAGE}/keys", {"name": "Shop", "scope": ["post.read"]})
    key = re.search(r"gh_live_\w{46}", browser.open(made.location).text)
    assert key is not None
    assert key[0] not in browser.open(made.location).text, "a reload shows it again"
    headers = {"authorization": f"Bearer {key[0]}"}
    works = browser.room.ask("GET", "/v1/posts", headers=headers).status
    later = browser.open(f"{PAGE}?page=you").text
    keys = browser.room.house.operator.people.administration.list_keys(browser.room.workspace_id)
    mine = next(one for one in keys if one.name == "Shop")

    browser.send(f"{PAGE}/keys/{mine.id}/revoke")

    assert works == 200
    assert key[0] not in later
    assert "last used" in later
    assert browser.room.ask("GET", "/v1/posts", headers=headers).status == 401


@pytest.mark.parametrize("role", [Role.EDITOR, Role.CONTRIBUTOR, Role.VIEWER])
@pytest.mark.parametrize(
    "address",
    [
        f"{PAGE}/keys",
        f"{PAGE}/members",
        f"{PAGE}/timezone",
        "/app/accounts/test",
        f"{PAGE}/members/{'0' * 32}/link",
    ],
)
def test_only_owners_and_admins_manage(browser: Browser, role: Role, address: str) -> None:
    assert browser.as_role(role).send(address, {"name": "Eve", "role": "owner"}).status == 403


def test_an_admin_cannot_become_or_touch_an_owner(browser: Browser) -> None:
    people = browser.room.house.operator.people.administration
    owner = people.list_members(browser.room.workspace_id)[0]
    admin = browser.as_role(Role.ADMIN)
    herself = people.list_members(browser.room.workspace_id)[-1]

    answers = [
        admin.send(f"{PAGE}/members", {"name": "Eve", "role": "owner"}),
        admin.send(f"{PAGE}/members/{herself.id}/role", {"role": "owner"}),
        admin.send(f"{PAGE}/members/{owner.id}/role", {"role": "viewer"}),
        admin.send(f"{PAGE}/members/{owner.id}/remove"),
        admin.send(f"{PAGE}/members/{owner.id}/link"),
    ]

    assert [answer.status for answer in answers] == [403] * 5


@pytest.mark.parametrize(
    ("form", "fields"), [("role", {"role": "viewer"}), ("remove", {})], ids=["demote", "remove"]
)
def test_an_admin_cannot_touch_who_becomes_an_owner_in_that_moment(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, form: str, fields: dict[str, str]
) -> None:
    room = browser.room
    people = room.house.operator.people.administration
    members = room.house.deployment.stores.members
    grace = people.add_member(room.workspace_id, name="Grace", role=Role.EDITOR)
    admin = browser.as_role(Role.ADMIN)

    monkeypatch.setattr(
        members,
        "list",
        overtaken_once(members.list, partial(people.update_member, grace.id, Role.OWNER)),
    )

    answer = admin.send(f"{PAGE}/members/{grace.id}/{form}", fields)

    assert answer.status == 403
    assert members.get(room.workspace_id, grace.id).role is Role.OWNER


def test_an_admin_who_is_none_any_more_removes_nobody_in_that_moment(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = browser.room
    people = room.house.operator.people.administration
    members = room.house.deployment.stores.members
    grace = people.add_member(room.workspace_id, name="Grace", role=Role.EDITOR)
    admin = browser.as_role(Role.ADMIN)
    mallory = next(one for one in members.list(room.workspace_id) if one.role is Role.ADMIN)

    monkeypatch.setattr(
        members,
        "list",
        overtaken_once(members.list, partial(people.update_member, mallory.id, Role.VIEWER)),
    )

    answer = admin.send(f"{PAGE}/members/{grace.id}/remove")

    assert answer.status == 403
    assert members.is_there(room.workspace_id, grace.id)


def test_the_last_owner_stays(browser: Browser) -> None:
    owner = browser.room.house.operator.people.administration.list_members(
        browser.room.workspace_id
    )[0]

    removed = browser.send(f"{PAGE}/members/{owner.id}/remove")
    demoted = browser.send(f"{PAGE}/members/{owner.id}/role", {"role": "viewer"})

    assert (removed.status, demoted.status) == (409, 409)
    assert browser.open(PAGE).status == 200


def test_members_and_keys_of_another_workspace_are_not_there(browser: Browser) -> None:
    other = browser.room.house.room()
    people = browser.room.house.operator.people.administration
    theirs = people.list_members(other.workspace_id)[0]
    key = people.list_keys(other.workspace_id)[0]
    account = other.account()

    answers = [
        browser.send(f"{PAGE}/members/{theirs.id}/remove"),
        browser.send(f"{PAGE}/members/{theirs.id}/link"),
        browser.send(f"{PAGE}/keys/{key.id}/revoke"),
        browser.send(f"/app/accounts/{account}/disconnect"),
        browser.open(f"/app/accounts/{account}/disconnect"),
    ]

    assert [answer.status for answer in answers] == [404] * 5
    assert other.get("/v1/accounts").status == 200


def test_a_members_link_stands_beside_the_member_and_nowhere_else(browser: Browser) -> None:
    people = browser.room.house.operator.people.administration

    place = browser.send(f"{PAGE}/members", {"name": "Lin", "role": "editor"}).location
    page = browser.open(place.partition("#")[0]).text

    ids = {one.name: one.id for one in people.list_members(browser.room.workspace_id)}
    assert place.endswith(f"#member-{ids['Lin']}")
    (beside,) = [row for row in page.split('<li id="member-') if "/app/sign-in/" in row]
    assert beside.startswith(ids["Lin"])


def test_a_members_link_is_gone_when_its_page_is_loaded_again(browser: Browser) -> None:
    (owner,) = browser.room.house.operator.people.administration.list_members(
        browser.room.workspace_id
    )
    place = browser.send(f"{PAGE}/members/{owner.id}/link").location.partition("#")[0]
    first = browser.open(place)

    again = browser.open(place)

    assert "/app/sign-in/" in first.text
    assert again.status == 200
    assert "/app/sign-in/" not in again.text


def test_an_unknown_page_of_settings_is_the_first(browser: Browser) -> None:
    for page in ("", "?page=queue", "?page=../you", "?page=frame"):
        assert "“Next queue time” takes the first free one" in browser.open(f"{PAGE}{page}").text


def test_the_plans_use_is_told(browser: Browser) -> None:
    browser.room.account("x")
    browser.room.upload(a_photo(), "bread.jpg")

    page = browser.open(f"{PAGE}?page=workspace").text

    assert "X posts this month: 0 of 500" in page
    assert "Accounts: 1 of 25" in page
    assert "Files: 0.01 GB of 500 GB" in page


def test_a_new_member_gets_a_link_that_signs_in(browser: Browser) -> None:
    made = browser.send(f"{PAGE}/members", {"name": "Grace", "role": "editor"})
    page = browser.open(made.location)

    link = re.search(r"http://127.0.0.1:8000(/app/sign-in/[\w-]+)", page.text)

    assert link is not None
    assert Browser.of(browser.room).send(link[1]).status == 303


def test_a_test_account_is_connected_and_disconnected(browser: Browser) -> None:
    browser.send("/app/accounts/test", {"platform": "bluesky", "handle": "Bakery"})
    account = browser.room.get("/v1/accounts").json["data"][0]
    body = {"targets": [{"account_id": account["id"]}], "caption": "Rye on Sunday"}
    post = browser.room.post("/v1/posts", body).json
    browser.room.act(post, "schedule", {"at": browser.room.in_(hours=1)})

    question = browser.open(f"/app/accounts/{account['id']}/disconnect")
    browser.send(f"/app/accounts/{account['id']}/disconnect")

    assert "Rye on Sunday" in question.text
    assert browser.room.get("/v1/accounts").json["data"] == []


def test_regions_are_set(browser: Browser) -> None:
    account = browser.room.account()

    browser.send(f"/app/accounts/{account}/regions", {"region": ["UK", "India", "Atlantis"]})

    shown = browser.room.get("/v1/accounts").json["data"][0]
    assert shown["audience_regions"] == ["UK", "India"]


def test_languages_are_set_where_the_platform_knows_them(browser: Browser) -> None:
    connections = browser.room.house.operator.people.connections
    bluesky, x = browser.room.account("bluesky"), browser.room.account("x")

    browser.send(f"/app/accounts/{bluesky}/languages", {"languages": "de, pt-BR"})
    wrong = browser.send(f"/app/accounts/{bluesky}/languages", {"languages": "a b c d"})
    elsewhere = browser.send(f"/app/accounts/{x}/languages", {"languages": "de"})

    page = browser.open("/app/accounts").text
    assert ("de", "pt-BR") == connections.find(bluesky).languages
    assert 'value="de, pt-BR"' in page
    assert f"/app/accounts/{x}/languages" not in page
    assert "Name up to three languages" in wrong.text
    assert "X has no language setting" in elsewhere.text


@pytest.mark.parametrize("named", ["smtp_url", "notices_sender"])
def test_members_read_whether_notices_are_mailed(browser: Browser, named: str) -> None:
    given = browser.room.house.deployment
    before, change = given.settings, {named: "posts@bakery.example"}

    unnamed = browser.open(f"{PAGE}?page=notices").text
    given.settings = replace(before, **change)  # type: ignore[arg-type]
    page = browser.open(f"{PAGE}?page=notices").text
    given.settings = before

    assert "Nothing is mailed yet" in unnamed
    assert "Nothing is mailed yet" not in page


@pytest.mark.parametrize("role", [Role.OWNER, Role.VIEWER])
def test_everybody_chooses_what_they_are_told_by_mail(browser: Browser, role: Role) -> None:
    own = browser if role is Role.OWNER else browser.as_role(role)

    own.send(f"{PAGE}/notices", {"email": "ada@bakery.example", "mail": ["failed", "review"]})
    page = own.open(f"{PAGE}?page=notices").text
    wrong = own.send(f"{PAGE}/notices", {"email": "no address", "mail": ["failed"]})
    own.send(f"{PAGE}/notices", {"email": "", "mail": ["failed"]})

    people = browser.room.house.operator.people.administration
    told = [one for one in people.list_members(browser.room.workspace_id) if one.email]
    assert 'value="ada@bakery.example"' in page
    mailed = re.findall(r'name="mail" value="([a-z-]+)" checked', page)
    assert ["failed", "review"] == mailed
    assert 400 <= wrong.status < 500
    assert [] == told


def test_each_kind_is_chosen_for_each_channel(browser: Browser) -> None:
    form = {"email": "", "bell": ["comment"], "mail": [], "push": ["failed", "review"]}

    browser.send(f"{PAGE}/notices", {**form, "digest": ["at-risk", "engine", "nonsense"]})
    page = browser.open(f"{PAGE}?page=notices").text

    checked = re.findall(r'name="([a-z]+)" value="([a-z-]+)" checked', page)
    assert sorted(checked) == [
        ("bell", "comment"),
        ("digest", "at-risk"),
        ("push", "failed"),
        ("push", "review"),
    ]
    assert 'name="bell" value="engine"' not in page


@pytest.mark.parametrize(
    ("address", "back"),
    [
        ("/app/settings/data", "/app/settings?page=workspace"),
        ("/app/settings/activity", "/app/settings?page=workspace"),
        ("/app/connect", "/app/accounts"),
        ("/app/accounts/applications", "/app/accounts"),
    ],
)
def test_a_page_that_no_menu_names_leads_back(browser: Browser, address: str, back: str) -> None:
    crumb = re.search(r'<p class="crumb"><a class="row" href="([^"]+)"', browser.open(address).text)

    assert crumb is not None
    assert crumb[1] == back
