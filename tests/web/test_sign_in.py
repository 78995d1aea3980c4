"""Links that sign in, and sessions: once, for so long, and not a moment longer than the member."""

import logging
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.domain.workspace.access import Role
from tests.api.http_room import Room
from tests.web.browser import ORIGIN, Browser, both

SESSION = "goldenhour_session"


def a_link(room: Room) -> str:
    operator = room.house.operator
    owner = operator.people.administration.list_members(room.workspace_id)[0]
    return f"/app/sign-in/{operator.people.sign_in_links.make(owner.id)}"


def test_a_link_opens_the_workspace(room: Room) -> None:
    browser = Browser.of(room)

    answer = browser.send(a_link(room))

    assert (answer.status, answer.location) == (303, "/app")
    assert "Lighthouse Bakery" in browser.open("/app/posts").text


def test_a_link_works_once(room: Room) -> None:
    link = a_link(room)
    Browser.of(room).send(link)

    again = Browser.of(room).send(link)

    assert again.status == 410
    assert "Set-Cookie" not in again.response.headers


@pytest.mark.parametrize(
    ("method", "headers"),
    [
        ("HEAD", {}),
        ("GET", {}),
        ("GET", {"sec-purpose": "prefetch"}),
        ("GET", {"user-agent": "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)"}),
        ("GET", {"user-agent": "WhatsApp/2.23", "sec-fetch-dest": "document"}),
        ("GET", {"sec-fetch-site": "cross-site", "referer": "https://evil.example/"}),
    ],
    ids=["head", "plain", "prefetch", "chat", "another chat", "foreign page"],
)
def test_opening_a_link_signs_nobody_in_and_uses_nothing_up(
    room: Room, method: str, headers: dict[str, str]
) -> None:
    link, browser = a_link(room), Browser.of(room)

    glances = [browser.open(link, method=method, headers=headers) for _ in range(3)]

    assert not [one for one in glances if "Set-Cookie" in one.response.headers]
    assert {one.status for one in glances} == {200}
    assert browser.send(link).status == 303


def test_a_link_says_as_whom_and_where_it_signs_in_also_to_who_is_signed_in(
    browser: Browser,
) -> None:
    page = browser.open(a_link(browser.room.house.room()))

    assert "Sign in to Lighthouse Bakery" in page.text
    assert ">Sign in as Ada</button>" in page.text


def test_a_form_on_another_site_signs_nobody_in(room: Room) -> None:
    link, browser = a_link(room), Browser.of(room)

    foreign = [
        browser.send(link, headers={"origin": "https://evil.example"}),
        browser.send(link, headers={"sec-fetch-site": "cross-site"}),
    ]

    assert [answer.status for answer in foreign] == [403, 403]
    assert browser.send(link).status == 303


def test_a_link_ends_after_15_minutes(room: Room) -> None:
    link = a_link(room)
    room.house.clock.pass_time(timedelta(minutes=15))

    late = Browser.of(room).send(link)

    assert late.status == 410


def test_a_link_that_was_made_up_signs_nobody_in(room: Room) -> None:
    link = a_link(room)

    assert Browser.of(room).send(link[:-1] + ("a" if link[-1] != "a" else "b")).status == 410
    assert Browser.of(room).send("/app/sign-in/..%2f..").status == 410


def test_of_many_who_open_a_link_at_once_one_is_signed_in(room: Room) -> None:
    link, browsers = a_link(room), [Browser.of(room) for _ in range(8)]

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda browser: browser.send(link).status, browsers))

    assert sorted(answers) == [303, *[410] * 7]


def test_a_link_stands_neither_in_the_tables_nor_in_a_log(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever reads them cannot sign in: rows have a hash, log lines the page's template."""
    link, browser = a_link(room), Browser.of(room)
    secret = link.rpartition("/")[2][32:]
    deployment = room.house.deployment
    before = deployment.clients.dynamodb.scan(TableName=deployment.tables.directory)["Items"]

    with caplog.at_level(logging.INFO):
        browser.send(link)
    cookie, _ = browser.cookies[SESSION]
    after = deployment.clients.dynamodb.scan(TableName=deployment.tables.directory)["Items"]

    lines = [f"{record.getMessage()} {vars(record)}" for record in caplog.records]
    ours = [line for line in lines if "/app/sign-in/{token}" in line]
    assert len(secret) > 20
    assert len(ours) == 1
    assert secret not in f"{before}{after}{ours}"
    assert cookie[64:] not in f"{before}{after}{ours}"


@pytest.mark.parametrize("name", ["next", "return_to", "redirect", "url"])
def test_signing_in_leads_nowhere_else(room: Room, name: str) -> None:
    address = f"{a_link(room)}?{name}=https://evil.example/"

    assert Browser.of(room).send(address).location == "/app"
    assert Browser.of(room).open("/app//evil.example/").status == 404


def test_a_session_planted_before_signing_in_is_not_the_one_after(room: Room) -> None:
    """Fixation: whatever cookie was there, a sign-in makes a fresh one and ends the old."""
    attacker = Browser.of(room).signed_in()
    victim = Browser.of(room)
    victim.cookies = dict(attacker.cookies)

    victim.send(a_link(room))

    assert victim.cookies[SESSION] != attacker.cookies[SESSION]
    assert attacker.open("/app/posts").location == "/app/sign-in"


@pytest.mark.parametrize("address", ["/app", "/app/posts", "/app/posts/new", "/app/settings"])
def test_without_a_session_every_page_leads_to_the_sign_in(room: Room, address: str) -> None:
    answer = Browser.of(room).open(address)

    assert (answer.status, answer.location) == (303, "/app/sign-in")


def test_a_session_ends_after_14_idle_days(browser: Browser) -> None:
    clock = browser.room.house.clock
    clock.pass_time(timedelta(days=13, hours=23))
    assert browser.open("/app/posts").status == 200

    clock.pass_time(timedelta(days=14))

    assert browser.open("/app/posts").status == 303


def test_a_session_ends_after_90_days_however_busy(browser: Browser) -> None:
    clock = browser.room.house.clock
    for _ in range(8):
        clock.pass_time(timedelta(days=11))
        assert browser.open("/app/posts").status == 200

    clock.pass_time(timedelta(days=3))

    assert browser.open("/app/posts").status == 303


def test_signing_out_ends_the_session_also_for_who_kept_the_cookie(browser: Browser) -> None:
    thief = Browser.of(browser.room)
    thief.cookies = dict(browser.cookies)

    answer = browser.send("/app/sign-out")

    assert answer.location == "/app/sign-in"
    assert thief.open("/app/posts").status == 303


def test_an_operator_ends_sessions_and_links_at_once(browser: Browser) -> None:
    operator, room = browser.room.house.operator, browser.room
    owner = operator.people.administration.list_members(room.workspace_id)[0]
    link = a_link(room)

    operator.people.sessions.sign_out(owner.id)

    assert browser.open("/app/posts").status == 303
    assert Browser.of(room).send(link).status == 410


def test_a_removed_member_is_out_at_the_next_request(browser: Browser) -> None:
    people = browser.room.house.operator.people.administration
    grace = people.add_member(browser.room.workspace_id, name="Grace", role=Role.EDITOR)
    hers = Browser.of(browser.room).signed_in(grace.id)

    people.remove_member(grace.id)

    assert hers.open("/app/posts").status == 303


@pytest.mark.parametrize("goes", ["demoted", "removed", "outranked"])
def test_a_link_signs_nobody_in_once_its_maker_may_not_make_it(browser: Browser, goes: str) -> None:
    """OWASP ASVS 5.0, 8.3.2: a right that was taken is gone at the next request.

    Nobody but an owner makes a link for an owner, nor one for who becomes an owner meanwhile.
    """
    people, room = browser.room.house.operator.people.administration, browser.room
    admin = people.add_member(room.workspace_id, name="Mallory", role=Role.ADMIN)
    lin = people.add_member(room.workspace_id, name="Lin", role=Role.EDITOR)
    theirs = Browser.of(room).signed_in(admin.id)
    made = theirs.send(f"/app/settings/members/{lin.id}/link")
    shown = theirs.open(made.location).text
    link = re.findall(r"http://127.0.0.1:8000(/app/sign-in/[\w-]+)", shown)[0]
    before = Browser.of(room).open(link).status

    match goes:
        case "demoted":
            people.update_member(admin.id, Role.EDITOR)
        case "removed":
            people.remove_member(admin.id)
        case _:
            people.update_member(lin.id, Role.OWNER)

    stranger = Browser.of(room)
    after = [stranger.open(link).status, stranger.send(link).status]
    assert (200, [410, 410]) == (before, after)


def test_a_new_role_holds_at_the_next_request(browser: Browser) -> None:
    people = browser.room.house.operator.people.administration
    grace = people.add_member(browser.room.workspace_id, name="Grace", role=Role.EDITOR)
    hers = Browser.of(browser.room).signed_in(grace.id)

    people.update_member(grace.id, Role.VIEWER)

    assert hers.open("/app/posts/new").status == 403


def test_the_cookie_of_a_session_is_kept_from_scripts_and_other_sites(room: Room) -> None:
    answer = Browser.of(room).send(a_link(room))

    made = answer.response.headers["Set-Cookie"]

    assert {"Path=/app", "HttpOnly", "SameSite=Lax"} <= set(made.split("; "))


def test_behind_a_proxy_that_uses_tls_the_cookie_is_for_tls_alone(room: Room) -> None:
    pipeline = both(room.house.deployment, base_url=ORIGIN, public_url="https://post.example")
    by_tls = Browser(room, pipeline).send(
        a_link(room), headers={"x-forwarded-proto": "https", "origin": "https://post.example"}
    )
    by_loopback = Browser(room, pipeline).send(a_link(room))

    assert "Secure" in by_tls.response.headers["Set-Cookie"].split("; ")
    told = by_tls.response.headers["Strict-Transport-Security"]
    assert told == "max-age=31536000; includeSubDomains"
    assert "Secure" not in by_loopback.response.headers["Set-Cookie"].split("; ")


def test_by_https_the_cookie_is_this_hosts_alone(room: Room) -> None:
    """ASVS 5.0, 3.3.1; RFC 6265bis 4.1.3.2: Secure, Path=/ and no Domain, or browsers refuse it."""
    pipeline = both(room.house.deployment, base_url=ORIGIN, public_url="https://post.example")
    tls = {"x-forwarded-proto": "https", "origin": "https://post.example"}
    browser = Browser(room, pipeline)

    made = browser.send(a_link(room), headers=tls).response.headers["Set-Cookie"]
    name, value = made.partition(";")[0].split("=", 1)
    planted = replace(browser, cookies={"goldenhour_session": (value, "/app")})

    assert "__Host-goldenhour_session" == name
    assert {"Path=/", "Secure", "HttpOnly", "SameSite=Lax"} <= set(made.split("; "))
    assert "Domain" not in made
    assert 200 == browser.open("/app/posts", headers=tls).status
    assert "/app/sign-in" == planted.open("/app/posts", headers=tls).location


def test_a_key_opens_no_page_and_a_session_no_endpoint(browser: Browser) -> None:
    with_key = Browser.of(browser.room).open(
        "/app/posts", headers={"authorization": f"Bearer {browser.room.key}"}
    )
    value, _ = browser.cookies[SESSION]

    with_session = browser.open("/v1/posts", headers={"cookie": f"{SESSION}={value}"})

    assert with_key.status == 303
    assert with_session.status == 401


@pytest.mark.parametrize("asked", ["GET /app/sign-in", "POST /app/posts/new"])
def test_a_page_that_wants_a_session_says_how_one_gets_in(room: Room, asked: str) -> None:
    """RFC 9110, 15.5.2: an answer of 401 has a challenge; httplint looks for it."""
    stranger, (method, path) = Browser.of(room), asked.split()

    page = stranger.open(path) if method == "GET" else stranger.send(path, {"caption": "Rye"})

    assert page.status == 401
    assert page.response.headers["WWW-Authenticate"].startswith("Cookie ")


def test_all_other_sessions_end_at_once_and_are_told(browser: Browser) -> None:
    room = browser.room
    others = [Browser.of(room) for _ in range(2)]
    for other in others:
        other.send(a_link(room))

    ended = browser.send("/app/settings/other-sessions/end")

    assert "were signed out" in browser.open(ended.location).text
    assert [303, 303] == [other.open("/app/posts").status for other in others]
    assert 200 == browser.open("/app/posts").status
    assert (
        "nowhere else"
        in browser.open(browser.send("/app/settings/other-sessions/end").location).text
    )


def test_a_members_sessions_are_listed_and_one_is_ended_from_another(browser: Browser) -> None:
    room = browser.room
    phone = Browser.of(room)
    agent = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36"
    phone.send(a_link(room), headers={"user-agent": agent})
    listed = browser.open("/app/settings?page=you").text
    other = re.search(r"/app/settings/sessions/(\w+)/end", listed)
    assert other is not None

    browser.send(other[0])

    assert "Chrome on Android" in listed
    assert phone.open("/app/posts").status == 303
    assert browser.open("/app/posts").status == 200
