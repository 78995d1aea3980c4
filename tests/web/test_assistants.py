"""Assistants are allowed by OAuth: what clients do, what members see, and who tries to cheat."""

import base64
import hashlib
import json
import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from chalicelib.domain.workspace.access import Role
from chalicelib.domain.workspace.activity import Deed
from chalicelib.storage.workspace.api_keys import MOST_LIVE_KEYS
from chalicelib.storage.workspace.items import StoredKey, workspace_key
from tests.api.http_room import House, Room
from tests.support.frozen_clock import NOON
from tests.web.browser import Browser, Page
from tests.web.test_activity import ELSEWHERE, HOME, at, done, last

RESOURCE = "https://assistants.example.com/mcp"
ISSUER = "http://127.0.0.1:8000"
CALLBACK = "http://127.0.0.1:3118/callback?app=1"
VERIFIER = "a-verifier-that-nobody-else-knows-0123456789-abc"
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode()[:43]
AUTHORIZE, TOKEN = "/app/oauth/authorize", "/app/oauth/token"


@pytest.fixture
def room(house: House) -> Room:
    """Open a workspace of a deployment that has a server of assistants."""
    house.clock.now = NOON
    house.deployment.settings = replace(house.deployment.settings, assistant_url=RESOURCE)
    return house.room()


@dataclass(frozen=True, slots=True)
class Client:
    """An assistant's side of the protocol, with whatever it chooses to send."""

    browser: Browser
    id: str

    @classmethod
    def registered(cls, browser: Browser, *addresses: str) -> "Client":
        made = registered(
            browser, {"client_name": "Otto", "redirect_uris": addresses or [CALLBACK]}
        )
        assert made.status == 201, made.text
        return cls(browser, json.loads(made.text)["client_id"])

    def address(self, **other: str | None) -> str:
        """Return the address of the page that asks."""
        usual = {
            "response_type": "code",
            "client_id": self.id,
            "redirect_uri": CALLBACK,
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            "state": "xyz",
            "resource": RESOURCE,
        }
        sent = {name: text for name, text in {**usual, **other}.items() if text is not None}
        return f"{AUTHORIZE}?{urlencode(sent)}"

    def answered(self, scopes: tuple[str, ...] = ("post.read", "post.write"), **other: str) -> str:
        """Return where a member's button leads."""
        fields = {"answer": "allow", "scope": scopes, **other}
        return self.browser.send(self.address(), fields).location

    def code(self) -> str:
        """Return the code that a member's button leads to."""
        return parse_qs(urlsplit(self.answered()).query)["code"][0]

    def form(self, **other: str | None) -> dict[str, str | None]:
        """Return what asks for tokens."""
        usual = {
            "grant_type": "authorization_code",
            "client_id": self.id,
            "redirect_uri": CALLBACK,
            "code_verifier": VERIFIER,
            "resource": RESOURCE,
        }
        return {**usual, **other}

    def exchange(self, **other: str | None) -> Page:
        """Ask for tokens."""
        return sent(self.browser, TOKEN, self.form(**other))

    def refresh(self, token: str, **other: str) -> Page:
        """Ask for new tokens."""
        usual = {"grant_type": "refresh_token", "client_id": self.id, "refresh_token": token}
        return sent(self.browser, TOKEN, {**usual, **other})

    def tokens(self) -> dict[str, Any]:
        """Go the whole way."""
        return of(self.exchange(code=self.code()))


def of(page: Page) -> dict[str, Any]:
    """Return the tokens of an answer."""
    assert page.status == 200, page.text
    return dict(json.loads(page.text))


def sent(browser: Browser, address: str, fields: Mapping[str, str | Sequence[str] | None]) -> Page:
    """Send a form as a program does: without cookies, without an origin."""
    there = {name: text for name, text in fields.items() if text is not None}
    body = urlencode(there, doseq=True).encode()
    kind = {"content-type": "application/x-www-form-urlencoded"}
    return replace(browser, cookies={})._ask("POST", address, kind, body)


def registered(browser: Browser, metadata: object) -> Page:
    """Register a client."""
    kind, body = {"content-type": "application/json"}, json.dumps(metadata).encode()
    return Browser.of(browser.room)._ask("POST", "/app/oauth/register", kind, body)


def status_with(room: Room, access: str, method: str = "GET", path: str = "/v1/posts") -> int:
    """Return how the API answers a request with an access token."""
    return room.ask(method, path, headers={"authorization": f"Bearer {access}"}).status


def error_of(page: Page) -> tuple[int, str]:
    """Return status and code of a refusal."""
    return page.status, json.loads(page.text)["error"]


# What it is for


def test_the_metadata_name_every_endpoint_and_the_server_that_tokens_are_for(
    browser: Browser,
) -> None:
    found = json.loads(browser.open("/.well-known/oauth-authorization-server").text)

    assert ISSUER == found["issuer"]
    assert [RESOURCE] == found["protected_resources"]
    assert ["S256"] == found["code_challenge_methods_supported"]
    assert f"{ISSUER}{AUTHORIZE}" == found["authorization_endpoint"]
    assert found["client_id_metadata_document_supported"] is True


def test_a_member_allows_an_assistant_which_then_acts_as_that_member(browser: Browser) -> None:
    client = Client.registered(browser)

    page = browser.open(client.address())
    location = client.answered()
    answer = parse_qs(urlsplit(location).query)
    tokens = of(client.exchange(code=answer["code"][0]))

    assert "Allow Otto to use Lighthouse Bakery as Ada?" in page.text
    assert "127.0.0.1:3118" in page.text
    assert location.startswith(f"{CALLBACK}&")
    assert (["xyz"], [ISSUER]) == (answer["state"], answer["iss"])
    assert ("Bearer", 3600) == (tokens["token_type"], tokens["expires_in"])
    assert "post.read post.write" == tokens["scope"]
    assert 200 == status_with(browser.room, tokens["access_token"])


def test_an_assistant_may_only_what_the_member_ticked(browser: Browser) -> None:
    access = Client.registered(browser).tokens()["access_token"]

    assert 403 == status_with(browser.room, access, "POST", f"/v1/posts/{'0' * 32}/publish-now")


def test_taking_posts_down_is_offered_and_not_ticked(browser: Browser) -> None:
    every = "post.read post.write post.publish post.delete_published"

    page = browser.open(Client.registered(browser).address(scope=every)).text

    ticked = set(re.findall(r'name="scope" value="([^"]+)" checked', page))
    assert {"post.read", "post.write", "post.publish"} == ticked
    assert 'value="post.delete_published"' in page


def test_a_member_is_offered_only_what_the_own_role_allows(browser: Browser) -> None:
    viewer = browser.as_role(Role.VIEWER)
    client = Client.registered(viewer)

    page = viewer.open(client.address())
    location = client.answered(scopes=("post.read", "post.write", "post.publish"))
    code = parse_qs(urlsplit(location).query)["code"][0]

    assert "see accounts" in page.text
    assert "write drafts" not in page.text
    assert "post.read" == of(client.exchange(code=code))["scope"]


def test_an_access_token_ends_after_an_hour_and_is_renewed_under_the_same_name(
    browser: Browser,
) -> None:
    client = Client.registered(browser)
    first = client.tokens()
    browser.room.pass_time(timedelta(hours=1))
    ended = status_with(browser.room, first["access_token"])

    second = of(client.refresh(first["refresh_token"]))

    assert 401 == ended
    assert 200 == status_with(browser.room, second["access_token"])
    assert 401 == status_with(browser.room, first["access_token"])
    assert first["scope"] == second["scope"]
    assert 1 == len(assistants(browser))


def assistants(browser: Browser) -> list[str]:
    """Return the keys' ids of all grants that hold."""
    people = browser.room.house.operator.people.administration
    keys = people.list_keys(browser.room.workspace_id)
    return [key.id for key in keys if key.client_hash and key.revoked_at is None]


def test_a_grant_is_listed_in_settings_and_revoked_there(browser: Browser) -> None:
    client = Client.registered(browser)
    tokens = client.tokens()
    [key_id] = assistants(browser)
    shown = browser.open("/app/settings?page=you").text

    browser.send(f"/app/settings/assistants/{key_id}/revoke")

    assert "Otto (127.0.0.1)" in shown
    assert 401 == status_with(browser.room, tokens["access_token"])
    assert (400, "invalid_grant") == error_of(client.refresh(tokens["refresh_token"]))
    assert "Otto" not in browser.open("/app/settings?page=you").text


def test_an_editor_sees_and_revokes_the_own_grant_and_no_other(browser: Browser) -> None:
    Client.registered(browser).tokens()
    [owners] = assistants(browser)
    editor = browser.as_role(Role.EDITOR)
    before = editor.open("/app/settings?page=you").text
    mine = Client.registered(editor).tokens()
    [own] = {*assistants(browser)} - {owners}

    others = editor.send(f"/app/settings/assistants/{owners}/revoke").status
    editor.send(f"/app/settings/assistants/{own}/revoke")

    assert "Otto" not in before
    assert 404 == others
    assert 401 == status_with(browser.room, mine["access_token"])
    assert 1 == len(assistants(browser))


def test_allowing_the_same_assistant_again_replaces_what_it_had(browser: Browser) -> None:
    client = Client.registered(browser)
    first, second = client.tokens(), client.tokens()

    assert 401 == status_with(browser.room, first["access_token"])
    assert 200 == status_with(browser.room, second["access_token"])
    assert 1 == len(assistants(browser))


def test_an_assistant_gives_a_grant_back(browser: Browser) -> None:
    client = Client.registered(browser)
    tokens = client.tokens()
    other = Client.registered(browser)
    form = {"token": tokens["refresh_token"]}

    by_other = sent(browser, "/app/oauth/revoke", {**form, "client_id": other.id})
    still = status_with(browser.room, tokens["access_token"])
    by_itself = sent(browser, "/app/oauth/revoke", {**form, "client_id": client.id})

    assert (200, 200, 200) == (by_other.status, still, by_itself.status)
    assert 401 == status_with(browser.room, tokens["access_token"])


def test_the_key_of_an_assistant_is_told_by_whom_it_was_allowed_and_ended(room: Room) -> None:
    """As every other key: a new one is told to the member's address too."""
    ada = at(Browser.of(room)).signed_in()
    client, elsewhere = Client.registered(ada), at(Browser.of(room), ELSEWHERE)
    tokens = of(Client(elsewhere, client.id).exchange(code=client.code()))
    created = last(room, Deed.KEY_CREATED)

    sent(elsewhere, "/app/oauth/revoke", {"token": tokens["refresh_token"], "client_id": client.id})

    revoked = last(room, Deed.KEY_REVOKED)
    assert ("Ada", HOME, "Otto (127.0.0.1)", "post.read, post.write") == (
        created.by_name,
        created.client,
        created.subject,
        created.detail,
    )
    assert created.subject_id == revoked.subject_id
    assert created.member_id == created.by_id
    assert ("key", ELSEWHERE, "given back by the assistant") == (
        revoked.by,
        revoked.client,
        revoked.detail,
    )


@pytest.mark.parametrize("stolen", ["code", "refresh"])
def test_a_grant_that_ends_for_a_theft_is_told_with_where_it_was_tried(
    room: Room, stolen: str
) -> None:
    ada = at(Browser.of(room)).signed_in()
    client = Client.registered(ada)
    code = client.code()
    first = of(client.exchange(code=code))
    thief = Client(at(Browser.of(room), ELSEWHERE), client.id)

    if stolen == "code":
        thief.exchange(code=code)
    else:
        client.refresh(first["refresh_token"])
        room.pass_time(timedelta(minutes=1))
        thief.refresh(first["refresh_token"])

    (revoked,) = (one for one in done(room) if one.deed is Deed.KEY_REVOKED)
    assert ("nobody", ELSEWHERE, "Otto (127.0.0.1)") == (
        revoked.by,
        revoked.client,
        revoked.subject,
    )
    assert "used before" in revoked.detail


def test_a_removed_member_leaves_no_assistant_behind(browser: Browser) -> None:
    editor = browser.as_role(Role.EDITOR)
    client = Client.registered(editor)
    tokens = client.tokens()
    people = browser.room.house.operator.people.administration

    members = people.list_members(browser.room.workspace_id)
    people.remove_member(next(one.id for one in members if one.role is Role.EDITOR))

    assert 401 == status_with(browser.room, tokens["access_token"])
    assert (400, "invalid_grant") == error_of(client.refresh(tokens["refresh_token"]))


def test_no_secret_of_a_grant_is_stored_or_logged(
    browser: Browser, caplog: pytest.LogCaptureFixture
) -> None:
    client = Client.registered(browser)
    code = client.code()
    tokens = of(client.exchange(code=code))
    directory = browser.room.house.deployment.stores.directory_table
    rows = [
        row
        for prefix in ("KEY#", "CODE#", "REVOKED#")
        for row in directory.rows(browser.room.workspace_id, prefix)
    ]

    kept = repr(rows) + caplog.text

    assert rows
    for secret in (code[32:], tokens["access_token"], tokens["refresh_token"][-43:], VERIFIER):
        assert secret not in kept


# Who asks without being signed in, or refuses


def test_without_a_session_the_page_asks_to_sign_in_and_leads_nowhere(browser: Browser) -> None:
    client = Client.registered(browser)
    page = Browser.of(browser.room).open(client.address())

    assert 401 == page.status
    assert "Sign in first" in page.text
    assert "Location" not in page.response.headers


def test_whoever_refuses_is_led_back_without_a_code(browser: Browser) -> None:
    location = Client.registered(browser).answered(answer="refuse")

    answer = parse_qs(urlsplit(location).query)
    assert ["access_denied"] == answer["error"]
    assert "code" not in answer


def test_a_form_of_another_site_allows_nothing(browser: Browser) -> None:
    address = Client.registered(browser).address()
    fields = {"answer": "allow", "scope": "post.read"}

    foreign = browser.send(address, fields, headers={"origin": "https://evil.example.net"})
    without = browser.send(address, fields, token="guessed")

    assert (403, 403) == (foreign.status, without.status)


def test_a_browser_lets_the_form_end_at_the_assistant_and_nowhere_else(browser: Browser) -> None:
    page = browser.open(Client.registered(browser).address())

    policy = page.response.headers["Content-Security-Policy"]
    assert "form-action 'self' http://127.0.0.1:3118;" in policy


# Attacks


@pytest.mark.parametrize(
    "wrong",
    [
        {"redirect_uri": "http://127.0.0.1:3118/callback"},
        {"redirect_uri": "https://evil.example.net/"},
        {"redirect_uri": None},
        {"client_id": "gh_client_e30"},
        {"client_id": None},
        {"resource": "https://evil.example.net/mcp"},
        {"resource": None},
        {"code_challenge": None},
        {"code_challenge_method": "plain"},
        {"code_challenge_method": None},
        {"code_challenge": "short"},
        {"response_type": "token"},
        {"response_type": "code token"},
        {"response_type": None},
        {"scope": "account.manage"},
        {"scope": "nonsense"},
        {"response_mode": "fragment"},
    ],
    ids=lambda wrong: "-".join(f"{name}={text}" for name, text in wrong.items()),
)
def test_a_wrong_request_leads_nowhere_neither_opened_nor_sent(
    browser: Browser, wrong: dict[str, str | None]
) -> None:
    address = Client.registered(browser).address(**wrong)

    answers = [
        browser.open(address),
        browser.send(address, {"answer": "allow", "scope": "post.read"}),
    ]

    assert [400, 400] == [answer.status for answer in answers]
    assert not any("Location" in answer.response.headers for answer in answers)


def test_a_second_resource_behind_the_right_one_is_refused(browser: Browser) -> None:
    address = Client.registered(browser).address()

    page = browser.open(f"{address}&resource=https%3A%2F%2Fevil.example.net%2Fmcp")

    assert 400 == page.status


def test_a_code_that_comes_twice_ends_what_it_opened(browser: Browser) -> None:
    client = Client.registered(browser)
    code = client.code()
    tokens = of(client.exchange(code=code))

    again = client.exchange(code=code)

    assert (400, "invalid_grant") == error_of(again)
    assert 401 == status_with(browser.room, tokens["access_token"])
    assert (400, "invalid_grant") == error_of(client.refresh(tokens["refresh_token"]))


def test_of_many_at_once_with_one_code_at_most_one_gets_tokens(browser: Browser) -> None:
    client = Client.registered(browser)
    code, statuses = client.code(), list[int]()
    together = threading.Barrier(6)

    def exchange() -> None:
        together.wait()
        statuses.append(client.exchange(code=code).status)

    threads = [threading.Thread(target=exchange) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert 6 == len(statuses)
    assert statuses.count(200) <= 1
    assert {*statuses} <= {200, 400}


def test_a_code_that_comes_again_before_its_key_is_kept_opens_nothing(browser: Browser) -> None:
    """RFC 6749, 4.1.2: the first of two at once is revoked, also when it is on its way."""
    client = Client.registered(browser)
    code, again = client.code(), list[int]()
    keys = browser.room.house.deployment.people.grants.keys
    kept = keys.grant

    def kept_late(stored: StoredKey) -> None:
        again.append(client.exchange(code=code).status)
        kept(stored)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keys, "grant", kept_late)
        first = client.exchange(code=code)

    assert [400] == again
    assert (400, "invalid_grant") == error_of(first)
    assert not assistants(browser)


def test_another_clients_code_is_worth_nothing_and_stays_good_for_its_own(
    browser: Browser,
) -> None:
    client, thief = Client.registered(browser), Client.registered(browser)
    code = client.code()

    stolen = thief.exchange(code=code)

    assert (400, "invalid_grant") == error_of(stolen)
    assert 200 == client.exchange(code=code).status


@pytest.mark.parametrize(
    "wrong",
    [
        {"code_verifier": VERIFIER[::-1]},
        {"code_verifier": None},
        {"redirect_uri": "http://127.0.0.1:3118/callback"},
        {"redirect_uri": None},
    ],
    ids=lambda wrong: "-".join(f"{name}={text}" for name, text in wrong.items()),
)
def test_a_code_with_anything_else_wrong_is_used_up(
    browser: Browser, wrong: dict[str, str | None]
) -> None:
    client = Client.registered(browser)
    code = client.code()

    first, second = client.exchange(code=code, **wrong), client.exchange(code=code)

    assert (400, 400) == (first.status, second.status)
    assert not assistants(browser)


@pytest.mark.parametrize("name", ["code", "code_verifier", "refresh_token"])
def test_a_parameter_that_stands_there_twice_is_refused_and_uses_nothing_up(
    browser: Browser, name: str
) -> None:
    """RFC 6749, 3.2 and 5.2: whoever looked at the first of two would let another one through."""
    client = Client.registered(browser)
    code = client.code()

    twice = sent(browser, TOKEN, {**client.form(code=code), name: ("x", "y")})

    assert (400, "invalid_request") == error_of(twice)
    assert 200 == client.exchange(code=code).status


def test_a_code_is_good_for_a_minute(browser: Browser) -> None:
    client = Client.registered(browser)
    code = client.code()
    browser.room.pass_time(timedelta(minutes=1))

    assert (400, "invalid_grant") == error_of(client.exchange(code=code))


def test_a_refresh_token_used_again_ends_the_grant_for_thief_and_owner(browser: Browser) -> None:
    client = Client.registered(browser)
    first = client.tokens()
    second = of(client.refresh(first["refresh_token"]))
    third = of(client.refresh(second["refresh_token"]))

    again = client.refresh(first["refresh_token"])

    assert (400, "invalid_grant") == error_of(again)
    assert 401 == status_with(browser.room, third["access_token"])
    assert (400, "invalid_grant") == error_of(client.refresh(third["refresh_token"]))


def test_another_clients_or_a_guessed_refresh_token_ends_nothing(browser: Browser) -> None:
    client, thief = Client.registered(browser), Client.registered(browser)
    tokens = client.tokens()
    token = tokens["refresh_token"]

    answers = [
        thief.refresh(token),
        client.refresh(token[:-86] + "A" * 86),
        client.refresh("gh_refresh_" + "0" * 150),
        client.refresh(tokens["access_token"]),
    ]

    assert [(400, "invalid_grant")] * 4 == [error_of(answer) for answer in answers]
    assert 200 == client.refresh(token).status


def test_while_its_workspace_is_shut_a_grant_is_told_to_come_again(browser: Browser) -> None:
    """RFC 6749, 5.2: invalid_grant would have the assistant throw its refresh token away."""
    client = Client.registered(browser)
    token = client.tokens()["refresh_token"]
    table = browser.room.house.deployment.stores.directory_table.table
    row = table.take(workspace_key(browser.room.workspace_id))
    assert row is not None

    refused = client.refresh(token)
    table.put(row)

    assert (503, "temporarily_unavailable") == error_of(refused)
    assert 200 == client.refresh(token).status


@pytest.mark.parametrize(
    ("name", "refusal"), [("code", (400, "invalid_grant")), ("client_id", (401, "invalid_client"))]
)
def test_what_no_person_types_is_refused_in_words_of_programs(
    browser: Browser, name: str, refusal: tuple[int, str]
) -> None:
    """RFC 6749, 5.2: a control character led to a page for people."""
    client = Client.registered(browser)

    assert refusal == error_of(client.exchange(**{"code": "a-code", name: "\0"}))


def test_a_grant_that_nobody_renews_for_90_days_is_over(browser: Browser) -> None:
    client = Client.registered(browser)
    tokens = client.tokens()
    browser.room.house.clock.pass_time(timedelta(days=90))

    assert (400, "invalid_grant") == error_of(client.refresh(tokens["refresh_token"]))


def test_a_grant_ends_after_a_year_however_often_it_is_renewed(browser: Browser) -> None:
    client = Client.registered(browser)
    token = client.tokens()["refresh_token"]
    for _ in range(5):
        browser.room.house.clock.pass_time(timedelta(days=72))
        token = of(client.refresh(token))["refresh_token"]

    browser.room.house.clock.pass_time(timedelta(days=5))

    assert (400, "invalid_grant") == error_of(client.refresh(token))


def test_a_flood_of_registrations_fills_nothing(browser: Browser) -> None:
    directory = browser.room.house.deployment.stores.directory_table
    table = directory.tables.directory
    before = directory.client.scan(TableName=table, Select="COUNT")["Count"]

    ids = {Client.registered(browser).id for _ in range(300)}

    assert 300 == len(ids)
    assert before == directory.client.scan(TableName=table, Select="COUNT")["Count"]


def test_a_workspace_full_of_keys_takes_no_further_grant_and_says_so(browser: Browser) -> None:
    people = browser.room.house.operator.people.administration
    owner = people.list_members(browser.room.workspace_id)[0]
    while sum(k.revoked_at is None for k in people.list_keys(browser.room.workspace_id)) < 50:
        people.create_key(owner.id)
    client = Client.registered(browser)

    refused = client.exchange(code=client.code())

    assert 50 == MOST_LIVE_KEYS
    assert (400, "invalid_grant") == error_of(refused)
    assert "keys" in json.loads(refused.text)["error_description"]


@pytest.mark.parametrize(
    "metadata",
    [
        {},
        [],
        {"redirect_uris": []},
        {"redirect_uris": "https://otto.example.com/"},
        {"redirect_uris": [1]},
        {"redirect_uris": ["http://otto.example.com/"]},
        {"redirect_uris": ["javascript:alert(1)"]},
        {"redirect_uris": ["otto://callback"]},
        {"redirect_uris": ["https://user@otto.example.com/"]},
        {"redirect_uris": ["https://otto.example.com/#fragment"]},
        {"redirect_uris": ["https://otto.example.com;script-src */"]},
        {"redirect_uris": ["http://127.0.0.1.evil.example.net/"]},
        {"redirect_uris": ["http://127.0.0.1:1\\@evil.example.net/"]},
        {"redirect_uris": ["https://otto.example.com/" + "x" * 250]},
        {"redirect_uris": [f"https://{n}.example.com/" for n in range(6)]},
        {"redirect_uris": ["https://otto.example.com/"], "client_name": "Otto\u202e"},
        {"redirect_uris": ["https://otto.example.com/"], "client_name": ["Otto"]},
    ],
    ids=str,
)
def test_a_client_that_asks_for_too_much_is_not_registered(
    browser: Browser, metadata: object
) -> None:
    assert 400 == registered(browser, metadata).status


def test_a_long_name_is_registered_by_its_beginning_and_told(browser: Browser) -> None:
    """RFC 7591, 3.2.1. Claude Code calls itself by what a person calls the server."""
    name = "Claude Code (plugin:everything for the bakery:goldenhour)"

    made = registered(browser, {"client_name": name, "redirect_uris": [CALLBACK]})
    told = json.loads(made.text)

    assert "Claude Code (plugin:everything for the…" == told["client_name"]
    page = browser.open(Client(browser, told["client_id"]).address())
    assert f"<strong>{told['client_name']}</strong>" in page.text


@pytest.mark.parametrize(
    "facts",
    [
        ["nonce", "Otto", "http://evil.example.net/"],
        ["nonce", "Otto\u202e", CALLBACK],
        ["nonce", "x" * 41, CALLBACK],
        ["nonce", "Otto"],
        ["nonce"],
        {"name": "Otto"},
        "Otto",
        ["nonce", "Otto", 7],
    ],
    ids=str,
)
def test_a_client_id_written_by_hand_is_checked_like_a_registration(
    browser: Browser, facts: object
) -> None:
    written = base64.urlsafe_b64encode(json.dumps(facts).encode()).decode().rstrip("=")

    page = browser.open(Client(browser, f"gh_client_{written}").address())

    assert 400 == page.status


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/.well-known/oauth-authorization-server"),
        ("GET", AUTHORIZE),
        ("POST", TOKEN),
        ("POST", "/app/oauth/register"),
        ("POST", "/app/oauth/revoke"),
    ],
)
def test_without_a_server_of_assistants_there_is_nothing_of_this(
    browser: Browser, method: str, path: str
) -> None:
    deployment = browser.room.house.deployment
    deployment.settings = replace(deployment.settings, assistant_url=None)

    assert 404 == browser.open(path, method=method).status
