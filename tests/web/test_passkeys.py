"""Passkeys: added by who is signed in, and opening the app for that member and nobody else."""

import hmac
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chalicelib.domain.workspace.access import Caller, Role
from chalicelib.domain.workspace.passkeys import Answer, PasskeyRefused, RelyingParty
from chalicelib.domain.workspace.persons import UnknownPersonError
from chalicelib.services.app import web_authentication
from chalicelib.services.app.signed_in import SignedIn
from tests.api.http_room import House, Room
from tests.web.authenticator import BACKED_UP, MAY_BE_BACKED_UP, Device, encoded
from tests.web.browser import Browser, Page, both

ORIGIN = "http://localhost:8000"
OURS = {"origin": ORIGIN, "host": "localhost:8000"}
PARTY = RelyingParty("localhost", ORIGIN)


def signed_in_as(browser: Browser) -> SignedIn:
    """Return who a browser is signed in as."""
    read = browser.room.house.deployment.people.sessions.read(
        browser.cookies["goldenhour_session"][0]
    )
    assert read is not None
    return read


def caller(browser: Browser) -> Caller:
    return signed_in_as(browser).caller


def person_of(who: Caller) -> str:
    """Return the person whom a member's first sign-in made: it has the member's id."""
    return who.member_id


def asked(browser: Browser, address: str) -> dict[str, Any]:
    """Ask for a question, as the script does."""
    answer = browser.send(address, headers=OURS)
    assert answer.status == 200, answer.text
    return dict(json.loads(answer.text))


def asked_to_add(browser: Browser) -> dict[str, Any]:
    return asked(browser, "/app/settings/passkeys/question")


def asked_to_sign_in(browser: Browser) -> dict[str, Any]:
    return asked(browser, "/app/passkeys/question")


def send_new(browser: Browser, answer: dict[str, Any], name: str = "My phone") -> Page:
    fields = {"name": name, "answer": json.dumps(answer)}
    return browser.send("/app/settings/passkeys", fields, headers=OURS)


def send(browser: Browser, answer: object) -> Page:
    return browser.send("/app/passkeys/sign-in", {"answer": json.dumps(answer)}, headers=OURS)


def added(browser: Browser, device: Device | None = None, name: str = "My phone") -> Device:
    """Add a passkey to whoever is signed in."""
    made = device or Device()
    answer = send_new(browser, made.create(asked_to_add(browser), ORIGIN), name)
    assert answer.status == 303, answer.text
    return made


def signed_in(room: Room, device: Device, **said: str) -> tuple[Browser, Page]:
    """Sign in with a device in a new browser."""
    browser = Browser.of(room)
    return browser, send(browser, device.get(asked_to_sign_in(browser), ORIGIN, **said))


def test_a_passkey_opens_the_app_without_a_link(browser: Browser) -> None:
    device = added(browser)

    other, answer = signed_in(browser.room, device)

    assert (answer.status, answer.location) == (303, "/app")
    assert "Lighthouse Bakery" in other.open("/app/posts").text


def test_it_signs_in_the_member_whose_it_is_with_that_role(browser: Browser) -> None:
    viewer = browser.as_role(Role.VIEWER)
    added(browser)
    device = added(viewer)

    other, _ = signed_in(browser.room, device)

    page = other.open("/app/settings?page=you").text
    assert "Grace" in page
    assert "API keys" not in page


def test_settings_list_them_with_their_last_use_and_the_member_alone_sees_them(
    browser: Browser,
) -> None:
    device = added(browser, name="Blue laptop")
    signed_in(browser.room, device)

    own = browser.open("/app/settings?page=you").text
    others = browser.as_role(Role.ADMIN).open("/app/settings?page=you").text

    assert "Blue laptop" in own
    assert "last used Fri 20 Nov 2026, 12:00" in own
    assert "Blue laptop" not in others


def test_a_removed_passkey_opens_nothing(browser: Browser) -> None:
    device = added(browser)
    (passkey,) = browser.room.house.deployment.people.passkeys.list(person_of(caller(browser)))

    gone = browser.send(f"/app/settings/passkeys/{passkey.hash}/remove")

    assert gone.status == 303
    assert signed_in(browser.room, device)[1].status == 403
    assert "My phone" not in browser.open("/app/settings?page=you").text.partition("removed")[2]


def test_after_a_passkey_changed_all_other_browsers_can_be_signed_out(browser: Browser) -> None:
    """ASVS 5.0, 7.4.3; who is signed in nowhere else is told of nobody else."""
    alone = browser.open(send_new(browser, Device().create(asked_to_add(browser), ORIGIN)).location)
    other = Browser.of(browser.room).signed_in()
    (passkey,) = browser.room.house.deployment.people.passkeys.list(person_of(caller(browser)))

    removed = browser.send(f"/app/settings/passkeys/{passkey.hash}/remove")
    told = browser.open(removed.location).text
    browser.send("/app/settings/other-sessions/end")

    assert "sign them all out" in told
    assert "sign them all out" not in alone.text
    assert other.open("/app/posts").status == 303


def test_nobody_removes_somebody_else_s(browser: Browser) -> None:
    device = added(browser)
    (passkey,) = browser.room.house.deployment.people.passkeys.list(person_of(caller(browser)))

    browser.as_role(Role.ADMIN).send(f"/app/settings/passkeys/{passkey.hash}/remove")

    assert signed_in(browser.room, device)[1].status == 303


@pytest.mark.parametrize("ending", ["remove", "sign out"])
def test_they_go_with_the_member_and_with_a_sign_out_by_an_operator(
    browser: Browser, ending: str
) -> None:
    grace = browser.as_role(Role.EDITOR)
    device, whose = added(grace), caller(grace)
    operator = browser.room.house.operator

    if ending == "remove":
        operator.people.administration.remove_member(whose.member_id)
    else:
        operator.people.sessions.sign_out(whose.member_id)

    assert signed_in(browser.room, device)[1].status == 403
    assert browser.room.house.deployment.people.passkeys.list(person_of(whose)) == []


def test_a_member_who_was_removed_meanwhile_gets_no_passkey(browser: Browser) -> None:
    grace = browser.as_role(Role.EDITOR)
    made = Device().create(asked_to_add(grace), ORIGIN)
    services, who = browser.room.house.deployment, signed_in_as(grace)
    browser.room.house.operator.people.administration.remove_member(who.caller.member_id)

    answer = Answer(text=json.dumps(made), secret=grace.cookies["goldenhour_passkey"][0])
    with pytest.raises(UnknownPersonError):
        services.people.ceremonies.add(who, PARTY, "My phone", answer)

    assert services.people.passkeys.list(person_of(who.caller)) == []


# What an attacker would try


def test_an_answer_works_once(browser: Browser) -> None:
    device = added(browser, Device(counts=False))
    thief = Browser.of(browser.room)
    answer = device.get(asked_to_sign_in(thief), ORIGIN)
    send(thief, answer)

    again = send(thief, answer)

    assert again.status == 403
    assert "Set-Cookie" not in again.response.headers
    assert "not accepted" in again.problem


def test_of_many_same_answers_at_once_one_signs_in(browser: Browser) -> None:
    device = added(browser, Device(counts=False))
    other = Browser.of(browser.room)
    answer = device.get(asked_to_sign_in(other), ORIGIN)
    cookie = other.cookies["goldenhour_passkey"]

    def attempt(_: int) -> int:
        one = Browser.of(browser.room)
        one.cookies["goldenhour_passkey"] = cookie
        return send(one, answer).status

    with ThreadPoolExecutor(8) as threads:
        statuses = sorted(threads.map(attempt, range(8)))

    assert statuses == [303, *[403] * 7]


def test_an_answer_is_worth_nothing_in_another_browser(browser: Browser) -> None:
    device = added(browser)
    victim, thief = Browser.of(browser.room), Browser.of(browser.room)
    answer = device.get(asked_to_sign_in(victim), ORIGIN)

    without, asked_to_sign_in_too = send(thief, answer), asked_to_sign_in(thief)

    assert without.status == 403
    assert asked_to_sign_in_too["challenge"] != ""
    assert send(thief, answer).status == 403
    assert send(victim, answer).status == 303


def test_a_question_ends_after_5_minutes(browser: Browser) -> None:
    device, other = added(browser), Browser.of(browser.room)
    answer = device.get(asked_to_sign_in(other), ORIGIN)
    browser.room.house.clock.pass_time(timedelta(minutes=5))

    assert send(other, answer).status == 403


def test_a_question_to_sign_in_adds_no_passkey_and_the_other_way_round(browser: Browser) -> None:
    device = added(browser)
    to_sign_in = asked_to_sign_in(browser)
    user = {"user": {"id": encoded(device.handle)}, "rp": {"id": "localhost"}}

    adding = send_new(browser, Device().create({**to_sign_in, **user}, ORIGIN))
    to_add = asked_to_add(browser)
    signing = send(browser, device.get({**to_add, "rpId": "localhost"}, ORIGIN))

    assert (adding.status, signing.status) == (403, 403)


def test_a_question_of_one_session_adds_nothing_in_another(browser: Browser) -> None:
    grace = browser.as_role(Role.EDITOR)
    answer = Device().create(asked_to_add(grace), ORIGIN)
    browser.cookies["goldenhour_passkey"] = grace.cookies["goldenhour_passkey"]

    assert send_new(browser, answer).status == 403
    assert browser.room.house.deployment.people.passkeys.list(person_of(caller(browser))) == []


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "https://localhost:8000",
        "http://localhost:8001",
        "http://localhost",
        "http://evil.localhost:8000",
        "http://127.0.0.1:8000",
    ],
)
def test_an_answer_from_another_origin_is_refused(browser: Browser, origin: str) -> None:
    device, other = added(browser), Browser.of(browser.room)

    answer = send(other, device.get(asked_to_sign_in(other), origin))

    assert answer.status == 403


def test_an_answer_for_another_host_is_refused(browser: Browser) -> None:
    device, other = added(browser), Browser.of(browser.room)
    question = {**asked_to_sign_in(other), "rpId": "evil.example"}

    assert send(other, device.get(question, ORIGIN)).status == 403


@pytest.mark.parametrize(
    "device", [Device(verifies=False), Device(in_frame=True)], ids=["no PIN", "in a frame"]
)
def test_a_device_that_verified_nobody_or_was_asked_in_a_frame_is_refused(
    browser: Browser, device: Device
) -> None:
    refused = send_new(browser, device.create(asked_to_add(browser), ORIGIN))
    honest = added(browser)
    honest.verifies, honest.in_frame = device.verifies, device.in_frame

    assert refused.status == 403
    assert signed_in(browser.room, honest)[1].status == 403


def test_a_passkey_that_claims_a_copy_that_it_cannot_have_is_refused(browser: Browser) -> None:
    """W3C Web Authentication, level 3, 7.1 and 7.2; github.com/lbuchs/WebAuthn/issues/128."""
    refused = send_new(browser, Device(backup=BACKED_UP).create(asked_to_add(browser), ORIGIN))
    synced = added(browser, Device(backup=MAY_BE_BACKED_UP | BACKED_UP))
    opened = signed_in(browser.room, synced)[1].status
    synced.backup = BACKED_UP

    assert (403, 303) == (refused.status, opened)
    assert 403 == signed_in(browser.room, synced)[1].status


def test_a_kind_of_signature_that_was_not_asked_for_is_refused(browser: Browser) -> None:
    device = Device(algorithm=-65535)  # RSA with SHA-1

    refused = send_new(browser, device.create(asked_to_add(browser), ORIGIN))

    assert refused.status == 403


def test_a_copy_that_counts_less_is_refused_and_the_original_goes_on(browser: Browser) -> None:
    device = added(browser)
    copy = Device(identifier=device.identifier, key=device.key, handle=device.handle)
    signed_in(browser.room, device)
    copy.counter = device.counter - 1

    assert signed_in(browser.room, copy)[1].status == 403
    assert signed_in(browser.room, device)[1].status == 303


def test_a_device_that_stops_counting_is_refused(browser: Browser) -> None:
    device = added(browser)
    device.counts, device.counter = False, 0

    assert signed_in(browser.room, device)[1].status == 403


def test_a_device_that_never_counts_signs_in_again_and_again(browser: Browser) -> None:
    device = added(browser, Device(counts=False))

    statuses = [signed_in(browser.room, device)[1].status for _ in range(2)]

    assert statuses == [303, 303]


def test_a_passkey_opens_no_other_member_s_app(browser: Browser) -> None:
    """The user handle is not signed, so that whoever holds a passkey could say another's."""
    grace = browser.as_role(Role.VIEWER)
    owner, device = added(browser), added(grace)

    _, answer = signed_in(browser.room, device, userHandle=encoded(owner.handle))

    assert answer.status == 403


def test_a_key_of_one_s_own_under_another_s_id_is_refused(browser: Browser) -> None:
    owner = added(browser)
    forged = Device(identifier=owner.identifier, handle=owner.handle)

    assert signed_in(browser.room, forged)[1].status == 403


def test_a_passkey_of_another_workspace_opens_that_one_alone(
    browser: Browser, house: House
) -> None:
    device = added(Browser.of(house.room()).with_session())

    other, answer = signed_in(browser.room, device)

    assert answer.status == 303
    cookie = other.cookies["goldenhour_session"][0]
    read = browser.room.house.deployment.people.sessions.read(cookie)
    assert read is not None
    assert read.caller.workspace_id != browser.room.workspace_id


def test_one_device_is_there_once(browser: Browser) -> None:
    device = added(browser)
    question = asked_to_add(browser)

    again = send_new(browser, device.create(question, ORIGIN))

    assert [one["id"] for one in question["excludeCredentials"]] == [encoded(device.identifier)]
    assert (again.status, "here already" in again.problem) == (409, True)


def test_there_are_at_most_20_and_all_go_with_a_member_of_many_keys(browser: Browser) -> None:
    grace = browser.as_role(Role.EDITOR)
    whose, people = caller(grace), browser.room.house.operator.people.administration
    for _ in range(20):
        added(grace)
    for _ in range(25):
        people.create_key(whose.member_id)

    more = send_new(grace, Device().create(asked_to_add(grace), ORIGIN))
    people.remove_member(whose.member_id)

    assert more.status == 409
    assert browser.room.house.deployment.people.passkeys.list(person_of(whose)) == []


@pytest.mark.parametrize(
    "address", ["/app/passkeys/question", "/app/passkeys/sign-in", "/app/settings/passkeys"]
)
def test_other_sites_cannot_ask_or_answer(browser: Browser, address: str) -> None:
    foreign = browser.send(address, headers={"origin": "https://evil.example"})

    assert foreign.status == 403
    assert "Set-Cookie" not in foreign.response.headers


def test_adding_needs_the_session_s_form_token(browser: Browser) -> None:
    assert browser.send("/app/settings/passkeys/question", token="made up").status == 403


def test_signing_in_ends_the_session_that_the_browser_had(browser: Browser) -> None:
    device = added(browser)
    before = browser.cookies["goldenhour_session"]

    send(browser, device.get(asked_to_sign_in(browser), ORIGIN))

    assert browser.cookies["goldenhour_session"] != before
    assert browser.room.house.deployment.people.sessions.read(before[0]) is None


def rows_of(house: House) -> list[str]:
    """Return every row of the directory as a text."""
    client, table = house.deployment.clients.dynamodb, house.deployment.tables.directory
    pages = client.get_paginator("scan").paginate(TableName=table)
    return sorted(str(sorted(row.items())) for page in pages for row in page["Items"])


def test_rows_hold_no_secret_of_a_question(browser: Browser, house: House) -> None:
    device, other = added(browser), Browser.of(browser.room)

    send(other, device.get(asked_to_sign_in(other), ORIGIN))
    secret = other.cookies["goldenhour_passkey"][0]

    rows = rows_of(house)
    assert any("CHALLENGE#" in row for row in rows)
    assert secret not in str(rows)


def test_strangers_who_ask_and_answer_wrongly_write_nothing(browser: Browser, house: House) -> None:
    owner, stranger = added(browser), Browser.of(browser.room)
    forged = Device(identifier=owner.identifier, handle=owner.handle)
    before = rows_of(house)

    for _ in range(5):
        question = asked_to_sign_in(stranger)
        answers = [
            send(stranger, forged.get(question, ORIGIN)),
            send(stranger, Device().get(question, ORIGIN)),
            send(stranger, {"id": "nonsense"}),
        ]
        assert [403] * 3 == [answer.status for answer in answers]

    assert before == rows_of(house)


def test_what_a_browser_keeps_cannot_be_dated_anew(browser: Browser) -> None:
    device, other = added(browser), Browser.of(browser.room)
    answer = device.get(asked_to_sign_in(other), ORIGIN)
    second, _, random = other.cookies["goldenhour_passkey"][0].partition(".")
    browser.room.house.clock.pass_time(timedelta(minutes=5))

    other.cookies["goldenhour_passkey"] = (f"{int(second) + 300}.{random}", "/app")

    assert send(other, answer).status == 403


def test_who_keeps_a_secret_of_one_s_own_choice_cannot_say_what_a_passkey_signs(
    browser: Browser,
) -> None:
    """Without the service's key nobody makes a challenge that an answer counts for."""
    device, other = added(browser), Browser.of(browser.room)
    second = int(browser.room.house.clock().timestamp())
    chosen = f"{second}.{'A' * 43}"
    guessed = hmac.digest(chosen.encode(), b"passkey", "sha256")
    question = {**asked_to_sign_in(other), "challenge": encoded(guessed)}

    other.cookies["goldenhour_passkey"] = (chosen, "/app")

    assert send(other, device.get(question, ORIGIN)).status == 403


@pytest.mark.parametrize(
    "kept",
    ["", ".", "1", "1.", f".{'A' * 43}", f"x.{'A' * 43}", f"{'9' * 11}.{'A' * 43}", "9" * 4000],
)
def test_what_is_no_secret_of_ours_is_refused(browser: Browser, kept: str) -> None:
    device, other = added(browser), Browser.of(browser.room)
    answer = device.get(asked_to_sign_in(other), ORIGIN)

    other.cookies["goldenhour_passkey"] = (kept, "/app")

    assert send(other, answer).status == 403


def test_a_wrong_answer_leaves_the_question_open_for_the_right_one(browser: Browser) -> None:
    device, other = added(browser), Browser.of(browser.room)
    question = asked_to_sign_in(other)

    wrong = send(other, Device().get(question, ORIGIN))
    right = send(other, device.get(question, ORIGIN))

    assert (403, 303) == (wrong.status, right.status)


def test_pages_do_not_import_the_library_before_a_passkey_is_used() -> None:
    asked = "import sys, chalicelib.web.routes; print('fido2' in sys.modules)"

    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)

    assert said.stdout == "False\n"


def at(room: Room, *, base_url: str, public_url: str | None = None) -> Browser:
    """Return a browser before a service that is reached at another address."""
    pipeline = both(room.house.deployment, base_url=base_url, public_url=public_url)
    return Browser(room, pipeline)


def test_behind_a_proxy_that_uses_tls_they_belong_to_the_public_host(room: Room) -> None:
    origin = "https://post.example"
    by_tls = {"origin": origin, "x-forwarded-proto": "https"}
    own = at(room, base_url="http://127.0.0.1:8000", public_url=origin).with_session()
    own.cookies["__Host-goldenhour_session"] = (own.cookies["goldenhour_session"][0], "/")

    question = own.send("/app/settings/passkeys/question", headers=by_tls)
    device = Device()
    made = json.dumps(device.create(json.loads(question.text), origin))
    fields = {"name": "My phone", "answer": made}
    kept = own.send("/app/settings/passkeys", fields, headers=by_tls)
    other = at(room, base_url="http://127.0.0.1:8000", public_url=origin)
    asked = json.loads(other.send("/app/passkeys/question", headers=by_tls).text)
    answer = {"answer": json.dumps(device.get(asked, origin))}
    signed = other.send("/app/passkeys/sign-in", answer, headers=by_tls)

    assert (kept.status, asked["rpId"], signed.status) == (303, "post.example", 303)
    assert "Secure" in question.response.headers["Set-Cookie"].split("; ")


def test_by_plain_http_from_afar_the_page_says_that_passkeys_need_https(room: Room) -> None:
    browser = at(room, base_url="http://post.example").with_session()

    answer = browser.send("/app/passkeys/question", headers={"origin": "http://post.example"})

    assert "Passkeys need an https address" in browser.open("/app/settings?page=you").text
    assert (answer.status, "need an https address" in answer.problem) == (403, True)


ANSWERS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=40) | st.binary().map(encoded),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["id", "rawId", "type", "response", "clientDataJSON", "signature"])
            | st.sampled_from(["authenticatorData", "attestationObject", "userHandle"]),
            inner,
        )
    ),
    max_leaves=12,
)


@given(ANSWERS, st.binary(max_size=200))
@settings(max_examples=60)
def test_whatever_is_sent_instead_of_an_answer_is_refused(answer: object, data: bytes) -> None:
    whole = Device().create({"user": {"id": ""}, "rp": {"id": "localhost"}, "challenge": ""}, "")
    whole["response"]["attestationObject"] = encoded(data)

    for text in (json.dumps(answer), json.dumps(whole), "[" * 5_000, "{" + "x" * 20_000):
        for check in (
            lambda one: web_authentication.check_created(PARTY, b"c" * 32, one),
            web_authentication.read_claim,
        ):
            with pytest.raises(PasskeyRefused):
                check(text)
