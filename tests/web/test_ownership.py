"""Owners export a workspace and delete it in the app; nobody else does, and never another one."""

from dataclasses import replace
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import boto3
import pytest

from chalicelib.domain.workspace.access import Role
from chalicelib.domain.workspace.activity import Deed
from chalicelib.domain.workspace.exports import KEPT
from chalicelib.storage.export.links import LIFETIME, ExportsAtDoor, ExportsAtS3
from chalicelib.storage.media.store import S3MediaStore, media_client_config
from tests.api.http_room import House, Room
from tests.web.browser import Browser, Page
from tests.web.test_persons import join, switch

DATA = "/app/settings/data"
LATE = timedelta(minutes=10)


def exported(room: Room, browser: Browser) -> Page:
    """Ask for an export and let the background make it; return the page that tells of it."""
    assert browser.send(f"{DATA}/export").status == 303
    room.house.deployment.whole_workspace.export_requests.run()
    return browser.open(DATA)


def with_door(room: Room) -> None:
    """Let files go through our own door, as on one machine."""
    given, whole = room.house.deployment, room.house.deployment.whole_workspace
    door = ExportsAtDoor(
        links=given.media.pull_links, url="https://p.example", clock=room.house.clock
    )
    whole.ownership = replace(whole.ownership, links=door)


def name_of(room: Room) -> str:
    found = room.house.deployment.stores.workspaces.get(room.workspace_id)
    assert found is not None
    return found.name


def is_there(room: Room) -> bool:
    return room.house.deployment.stores.workspaces.exists(room.workspace_id)


def test_an_export_is_asked_for_made_and_downloaded(room: Room, browser: Browser) -> None:
    with_door(room)

    asked = browser.send(f"{DATA}/export")
    waiting = browser.open(DATA)
    room.house.deployment.whole_workspace.export_requests.run()
    ready = browser.open(DATA)
    led = browser.open(f"{DATA}/parts/1")

    assert (303, DATA) == (asked.status, asked.location)
    assert "is being made" in waiting.text
    assert "is ready" in ready.text
    assert "Part 1 of 1" in ready.text
    token, filename = led.location.rsplit("/", 2)[1:]
    pulled = room.house.deployment.media.pulled_files.open(token, filename)
    assert (302, "application/zip") == (led.status, pulled.mime)
    assert b"PK" == pulled.stored.read(0, 2)


def test_who_asked_and_who_downloaded_stands_in_the_activity(room: Room, browser: Browser) -> None:
    exported(room, browser)
    browser.open(f"{DATA}/parts/1")

    told = room.house.deployment.workspace.activity.newest(room.workspace_id)

    details = [(one.by_name, one.detail) for one in told if one.deed is Deed.EXPORTED]
    assert len({name for name, _ in details}) == 1
    assert {"part 1 of 1 downloaded", "asked for in the app"} == {said for _, said in details}


def test_a_link_ends_and_an_export_too(room: Room, browser: Browser) -> None:
    with_door(room)
    exported(room, browser)
    token, filename = browser.open(f"{DATA}/parts/1").location.rsplit("/", 2)[1:]
    link = room.house.deployment.media.pull_links.find(token)
    assert link is not None

    room.house.clock.pass_time(KEPT)
    late = browser.with_session().open(f"{DATA}/parts/1")

    assert filename == link.filename
    assert LIFETIME == link.expires_at + KEPT - room.house.clock()
    assert 404 == late.status
    assert "Make a new export" not in browser.open(DATA).text


def test_at_s3_a_part_is_had_by_a_link_of_ten_minutes() -> None:
    s3 = boto3.client(
        "s3",
        region_name="eu-central-1",
        aws_access_key_id="a",
        aws_secret_access_key="b",
        config=media_client_config(None),
    )
    at_s3 = ExportsAtS3(S3MediaStore(s3, "bakery"))

    address = at_s3.address_of("exports/1/2.zip", 9, "export-part-0001.zip")

    asked = parse_qs(urlsplit(address).query)
    assert "/exports/1/2.zip" in urlsplit(address).path
    assert ["application/zip"] == asked["response-content-type"]
    assert ["600"] == asked["X-Amz-Expires"]


@pytest.mark.parametrize("number", ["0", "2", "x", "999999", "9" * 40, "%C2%B2"])
def test_a_part_that_is_none_is_not_found(room: Room, browser: Browser, number: str) -> None:
    exported(room, browser)

    assert 404 == browser.open(f"{DATA}/parts/{number}").status


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.OWNER])
def test_nobody_but_an_owner_sees_or_gets_it(room: Room, browser: Browser, role: Role) -> None:
    exported(room, browser)

    other = browser.as_role(role)

    assert {403} == {other.open(at).status for at in (DATA, f"{DATA}/parts/1")}
    assert DATA not in other.open("/app/settings?page=workspace").text
    assert DATA in browser.open("/app/settings?page=workspace").text


def test_a_neighbour_gets_no_part(room: Room, browser: Browser, house: House) -> None:
    exported(room, browser)

    assert 404 == Browser.of(house.room()).with_session().open(f"{DATA}/parts/1").status


def test_one_that_is_under_way_is_not_asked_for_twice(browser: Browser) -> None:
    browser.send(f"{DATA}/export")

    again = browser.send(f"{DATA}/export")

    assert (409, "An export is being made already. Wait until it is ready.") == (
        again.status,
        again.problem,
    )


def test_a_workspace_is_deleted_once_its_name_is_typed_and_it_was_asked_twice(
    room: Room, browser: Browser
) -> None:
    wrong = browser.send(f"{DATA}/delete", {"name": "Lighthouse"})
    asked = browser.send(f"{DATA}/delete", {"name": name_of(room)})
    before = is_there(room)
    done = browser.send(f"{DATA}/delete/sure", {"name": name_of(room)})

    assert (409, 200, 200) == (wrong.status, asked.status, done.status)
    assert "not the workspace" in wrong.problem
    assert "last question" in asked.text
    assert (True, False) == (before, is_there(room))
    assert "is deleted" in done.text
    assert 303 == browser.open("/app").status
    tombstone = room.house.deployment.whole_workspace.deletion.rows.tombstone(room.workspace_id)
    assert tombstone is not None
    assert "member" == tombstone.by


@pytest.mark.parametrize("name", ["", "lighthouse", "Other"])
def test_the_last_step_without_the_name_does_nothing(
    room: Room, browser: Browser, name: str
) -> None:
    answer = browser.send(f"{DATA}/delete/sure", {"name": name})

    assert (409, True) == (answer.status, is_there(room))


def test_what_is_scheduled_is_told_and_asked_about(room: Room, browser: Browser) -> None:
    name = {"name": name_of(room)}
    clear = browser.send(f"{DATA}/delete", name)
    room.scheduled("x", at=room.in_(hours=1))

    meanwhile = browser.send(f"{DATA}/delete/sure", name)
    told = browser.send(f"{DATA}/delete", name)
    there = is_there(room)
    browser.send(f"{DATA}/delete/sure", {**name, "even_scheduled": "yes"})

    assert "scheduled or being sent" not in clear.text
    assert 409 == meanwhile.status
    assert "since you were asked" in meanwhile.problem
    assert "scheduled or being sent" in told.text
    assert 'name="even_scheduled" value="yes"' in told.text
    assert (True, False) == (there, is_there(room))


def test_after_10_minutes_it_is_asked_who_is_there_before_the_last_step(
    room: Room, browser: Browser
) -> None:
    name = {"name": name_of(room)}
    browser.send(f"{DATA}/delete", name)
    room.house.clock.pass_time(LATE)

    asked = browser.send(f"{DATA}/delete/sure", name)

    assert (403, True) == (asked.status, is_there(room))
    assert "Is it you?" in asked.text


def test_a_form_of_one_workspace_never_deletes_or_exports_another(room: Room, house: House) -> None:
    """A browser with two tabs: the form was opened in the first, then it switched."""
    other, browser = house.room(), Browser.of(room).signed_in()
    join(browser, other, Role.OWNER)
    switch(browser, room)
    opened_in_first = browser.form_token
    switch(browser, other)
    forms = (f"{DATA}/export", f"{DATA}/delete", f"{DATA}/delete/sure")

    answers = [
        browser.send(form, {"name": name_of(other)}, token=opened_in_first) for form in forms
    ]

    assert [409, 409, 409] == [one.status for one in answers]
    assert {"Nothing was done" in one.text for one in answers} == {True}
    assert (True, True) == (is_there(room), is_there(other))
    rows = house.deployment.whole_workspace.export_requests.rows
    assert [None, None] == [rows.find(each.workspace_id) for each in (room, other)]


def test_who_deletes_one_workspace_goes_on_in_another(room: Room, house: House) -> None:
    other, browser = house.room(), Browser.of(room).signed_in()
    join(browser, other, Role.OWNER)

    browser.send(f"{DATA}/delete", {"name": name_of(other)})
    done = browser.send(f"{DATA}/delete/sure", {"name": name_of(other)})
    back = switch(browser, room)

    assert "Continue to your other workspaces" in done.text
    assert 303 == back.status
    assert (True, False) == (is_there(room), is_there(other))
