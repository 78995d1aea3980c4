"""What was done in a workspace is told, by whom and from where; and the log tells it alone."""

import logging
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import pytest

from chalicelib.domain.workspace.access import Plan, Role
from chalicelib.domain.workspace.activity import KEPT, Activity, Deed
from chalicelib.kit.asgi.messages import Request
from chalicelib.kit.dynamodb.table import partition
from tests.api.http_room import House, Room
from tests.web.browser import Browser
from tests.web.test_passkeys import ORIGIN, added, asked_to_sign_in, send

HOME, ELSEWHERE = "192.0.2.7", "2001:db8::9"


@dataclass(slots=True)
class From:
    """A pipeline that is asked from an address, each time a millisecond later."""

    room: Room
    inner: Any
    client: str = HOME

    def answer(self, request: Request) -> Any:  # noqa: ANN401 - the pipeline's
        self.room.house.clock.pass_time(timedelta(milliseconds=1))
        return self.inner.answer(replace(request, client=self.client))


def at(browser: Browser, client: str = HOME) -> Browser:
    """Return a browser at an address."""
    return replace(browser, pipeline=From(browser.room, browser.pipeline, client))  # type: ignore[arg-type]


def done(room: Room) -> list[Activity]:
    """Return what was done, oldest first."""
    found = room.house.deployment.workspace.activity.newest(room.workspace_id)
    return sorted(found, key=lambda one: one.id)


def deeds(room: Room) -> list[Deed]:
    return [one.deed for one in done(room)]


def last(room: Room, deed: Deed) -> Activity:
    return [one for one in done(room) if one.deed is deed][-1]


def test_a_sign_in_is_told_with_the_member_and_the_address(room: Room) -> None:
    ada = at(Browser.of(room)).signed_in()

    ada.send("/app/sign-out")

    signed_in, out = last(room, Deed.SIGNED_IN), last(room, Deed.SIGNED_OUT)
    assert ("member", "Ada", HOME) == (signed_in.by, signed_in.by_name, signed_in.client)
    assert ("by a link, A browser", HOME) == (signed_in.detail, out.client)


def test_a_link_that_was_used_up_is_told_as_refused_once_a_minute(room: Room) -> None:
    owner = room.house.operator.people.administration.list_members(room.workspace_id)[0]
    link = f"/app/sign-in/{room.house.operator.people.sign_in_links.make(owner.id)}"
    stranger = at(Browser.of(room), ELSEWHERE)
    at(Browser.of(room)).send(link)

    for _ in range(20):
        stranger.send(link)
    room.house.clock.pass_time(timedelta(minutes=1))
    stranger.send(link)

    refused = [one for one in done(room) if one.deed is Deed.REFUSED]
    assert [("nobody", ELSEWHERE)] * 2 == [(one.by, one.client) for one in refused]


def test_strangers_with_a_workspace_that_is_not_there_write_nothing(room: Room) -> None:
    nowhere = "0" * 32

    answer = at(Browser.of(room)).send(f"/app/sign-in/{nowhere}{'x' * 43}")

    assert 410 == answer.status
    assert [] == list(room.house.deployment.workspace.activity.rows.newest(nowhere, 10))


def test_passkeys_are_told_added_used_refused_and_removed(room: Room) -> None:
    ada = at(Browser.of(room)).signed_in()
    device, other = added(ada, name="My phone"), Browser.of(room)
    browser = at(other, ELSEWHERE)
    answer = device.get(asked_to_sign_in(browser), ORIGIN)
    copied = dict(browser.cookies)
    send(browser, answer)
    browser.cookies = copied

    send(browser, answer)
    (passkey,) = room.house.deployment.people.passkeys.list(last(room, Deed.SIGNED_IN).by_id)
    ada.send(f"/app/settings/passkeys/{passkey.hash}/remove")

    assert ("My phone", HOME) == (
        last(room, Deed.PASSKEY_ADDED).subject,
        last(room, Deed.PASSKEY_ADDED).client,
    )
    assert (ELSEWHERE, "the passkey My phone: an old answer, or a copy") == (
        last(room, Deed.REFUSED).client,
        last(room, Deed.REFUSED).detail,
    )
    assert "by a passkey" in last(room, Deed.SIGNED_IN_ELSEWHERE).detail
    assert Deed.PASSKEY_REMOVED in deeds(room)


def test_keys_are_told_created_first_used_refused_and_revoked(room: Room) -> None:
    ada = at(Browser.of(room)).signed_in()
    ada.send("/app/settings/keys", {"name": "laptop", "scope": ["post.read"]})
    key = next(
        k for k in room.house.operator.people.administration.list_keys(room.workspace_id) if k.name
    )
    text = ada.open("/app/settings?page=you").text
    secret = "gh_live_" + text.split("gh_live_")[1][:46]
    by_key = replace(
        room,
        key=secret,
        house=replace(room.house, pipeline=From(room, room.house.pipeline, ELSEWHERE)),  # type: ignore[arg-type]
    )

    for _ in range(3):
        assert 200 == by_key.get("/v1/posts").status
    ada.send(f"/app/settings/keys/{key.id}/revoke")
    assert [401] * 3 == [by_key.get("/v1/posts").status for _ in range(3)]

    assert ("member", "laptop", "post.read") == (
        last(room, Deed.KEY_CREATED).by,
        last(room, Deed.KEY_CREATED).subject,
        last(room, Deed.KEY_CREATED).detail,
    )
    assert ("key", key.id, ELSEWHERE) == (
        last(room, Deed.KEY_FIRST_USED).by,
        last(room, Deed.KEY_FIRST_USED).by_id,
        last(room, Deed.KEY_FIRST_USED).client,
    )
    assert ("a revoked key", ELSEWHERE) == (
        last(room, Deed.REFUSED).detail,
        last(room, Deed.REFUSED).client,
    )
    counted = [d for d in deeds(room) if d in {Deed.KEY_FIRST_USED, Deed.REFUSED}]
    assert 2 == len(counted)


def test_members_are_told_added_invited_changed_and_removed(room: Room) -> None:
    ada = at(Browser.of(room)).signed_in()
    ada.send("/app/settings/members", {"name": "Grace", "role": "editor"})
    people = room.house.operator.people.administration
    grace = next(m for m in people.list_members(room.workspace_id) if m.name == "Grace")
    ada.send(f"/app/settings/members/{grace.id}/role", {"role": "viewer"})
    ada.send(f"/app/settings/members/{grace.id}/remove")

    told = [one for one in done(room) if one.subject_id == grace.id]
    assert [
        (Deed.MEMBER_ADDED, "editor"),
        (Deed.MEMBER_INVITED, ""),
        (Deed.MEMBER_CHANGED, "viewer"),
        (Deed.MEMBER_REMOVED, ""),
    ] == sorted([(one.deed, one.detail) for one in told], key=lambda one: list(Deed).index(one[0]))
    assert {("Ada", HOME)} == {(one.by_name, one.client) for one in told}


def test_accounts_are_told_invited_connected_and_disconnected(room: Room) -> None:
    ada = at(Browser.of(room)).signed_in()
    ada.send("/app/accounts/ask", {"platform": ""})
    ada.send("/app/accounts/test", {"platform": "x", "handle": "@lighthouse"})
    (account,) = room.house.operator.people.connections.list(room.workspace_id)
    ada.send(f"/app/accounts/{account.id}/disconnect")

    told = [last(room, deed) for deed in (Deed.ACCOUNT_CONNECTED, Deed.ACCOUNT_DISCONNECTED)]
    assert [("Ada", HOME, "@lighthouse (x)")] * 2 == [
        (one.by_name, one.client, one.subject) for one in told
    ]
    assert HOME == last(room, Deed.ACCOUNT_INVITED).client


def test_plan_and_settings_are_told_by_whom(room: Room) -> None:
    room.house.operator.people.administration.update_workspace(
        room.workspace_id, plan=Plan.CREATOR, approvals=True
    )
    at(Browser.of(room)).signed_in().send("/app/settings/timezone", {"timezone": "Asia/Tokyo"})

    settings = [one for one in done(room) if one.deed is Deed.SETTINGS_CHANGED]
    assert ("operator", "creator") == (
        last(room, Deed.PLAN_CHANGED).by,
        last(room, Deed.PLAN_CHANGED).detail,
    )
    assert {("operator", "approvals: on"), ("member", "time zone: Asia/Tokyo")} == {
        (one.by, one.detail) for one in settings
    }


def test_a_post_that_is_approved_by_a_link_is_told(house: House) -> None:
    room = house.room(approvals=True)
    ada = at(Browser.of(room)).signed_in()
    carl = ada.as_role(Role.CONTRIBUTOR)
    carl.send("/app/posts/new", {"caption": "Fresh bread", "account": room.account("x")})
    (post,) = room.find()
    link = house.deployment.people.reviews.make_link(_caller(ada), post)
    shown = Browser.of(room).open(f"/review/{link}")
    revision = shown.text.split('name="revision" value="')[1].split('"')[0]

    answer = at(Browser.of(room), ELSEWHERE).send(
        f"/review/{link}", {"name": "Cleo", "decision": "approve", "revision": revision}
    )

    assert answer.status in {200, 303}, answer.text
    told = last(room, Deed.POST_APPROVED_BY_LINK)
    assert ("link", "Cleo", ELSEWHERE, post) == (
        told.by,
        told.by_name,
        told.client,
        told.subject_id,
    )


def _caller(browser: Browser) -> Any:  # noqa: ANN401 - whoever is signed in
    read = browser.room.house.deployment.people.sessions.read(
        browser.cookies["goldenhour_session"][0]
    )
    assert read is not None
    return read.caller


@pytest.mark.parametrize(
    ("role", "status"),
    [(Role.ADMIN, 200), (Role.EDITOR, 403), (Role.CONTRIBUTOR, 403), (Role.VIEWER, 403)],
)
def test_owners_and_admins_alone_see_it(browser: Browser, role: Role, status: int) -> None:
    who = browser.as_role(role)

    assert status == who.open("/app/settings/activity").status


def test_the_page_tells_it_newest_first_and_in_pages(room: Room) -> None:
    ada = at(Browser.of(room)).signed_in()
    for _ in range(105):
        room.house.clock.pass_time(timedelta(seconds=1))
        ada.send("/app/settings/timezone", {"timezone": "Asia/Tokyo"})

    first = ada.open("/app/settings/activity").text
    more = first.split("before=")[1].split('"')[0]
    second = ada.open(f"/app/settings/activity?before={more}").text

    assert (100, "Changed the settings") == (first.count("<tr><td>"), first.split("<td>")[3][:20])
    assert "Signed in" in second
    assert "Signed in" not in first
    assert HOME in first


def test_another_workspaces_activity_is_not_shown(room: Room, house: House) -> None:
    other = house.room()
    at(Browser.of(other), ELSEWHERE).signed_in()

    assert ELSEWHERE not in at(Browser.of(room)).signed_in().open("/app/settings/activity").text


def test_rows_end_after_400_days(room: Room) -> None:
    at(Browser.of(room)).signed_in()

    rows = room.house.deployment.stores.directory_table.table.rows
    kept = list(rows(partition(f"ACTIVITY#{room.workspace_id}")))
    ends = int((room.house.clock() + KEPT).timestamp())
    assert kept
    assert all(abs(row["expires_at"] - ends) < 60 for row in kept)


def test_what_was_done_goes_with_the_workspace(room: Room) -> None:
    at(Browser.of(room)).signed_in()

    deletion = room.house.deployment.whole_workspace.deletion
    list(deletion.steps(deletion.begin(room.workspace_id)))

    assert [] == list(room.house.deployment.workspace.activity.rows.newest(room.workspace_id, 10))


def test_a_members_name_and_address_can_be_taken_from_it(room: Room) -> None:
    people = room.house.operator.people.administration
    grace = people.add_member(room.workspace_id, name="Grace", role=Role.EDITOR)
    at(Browser.of(room), ELSEWHERE).signed_in(grace.id)

    room.house.deployment.workspace.activity.rows.forget_member(
        room.workspace_id, {grace.id}, {"Grace"}
    )

    told = done(room)
    assert not [one for one in told if "Grace" in repr(one) or ELSEWHERE in repr(one)]
    assert {"former member"} == {one.by_name for one in told if one.by_id == grace.id}


def test_a_day_is_told_from_the_log_alone(room: Room, caplog: pytest.LogCaptureFixture) -> None:
    """Every line that answers says from where, and of whom as far as it is known by its end."""
    caplog.set_level(logging.INFO, "chalicelib")
    ada = at(Browser.of(room)).signed_in()
    ada.send("/app/settings/members", {"name": "Grace", "role": "editor"})
    by_key = replace(room, house=replace(room.house, pipeline=From(room, room.house.pipeline)))  # type: ignore[arg-type]
    by_key.get("/v1/posts")
    replace(by_key, key="gh_live_wrong").get("/v1/posts")

    lines = [vars(one) for one in caplog.records]
    answers = [one for one in lines if one.get("action") in {"page", "request"}]
    owner = room.house.operator.people.administration.list_members(room.workspace_id)[0].id
    signing_in = next(one for one in answers if one["route"] == "/app/sign-in/{token}")
    assert (room.workspace_id, owner) == (signing_in["workspace_id"], signing_in["member_id"])
    assert {HOME} == {one["client"] for one in answers}
    assert 401 in {one["status"] for one in answers}
    told = {one["action"] for one in lines if str(one.get("action")).startswith("activity.")}
    assert {"activity.signed_in", "activity.member.added", "activity.member.invited"} <= told
    assert "Grace" not in repr([{k: v for k, v in one.items() if k != "args"} for one in lines])
