"""Hands of others: forged forms, roles that may not, scripts in what people type."""

import pytest

from chalicelib.domain.workspace.access import Role
from chalicelib.web.cross_origin import CROSS_ORIGIN_PATHS
from chalicelib.web.routes import ROUTES
from tests.web.browser import Browser, a_photo

SCRIPT = "<script>alert('bread')</script>"


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
    ids=["other", "null", "other port", "cross-site", "same-site"],
)
def test_a_form_of_another_origin_is_refused(browser: Browser, headers: dict[str, str]) -> None:
    post = browser.room.scheduled()

    answer = browser.send(f"/app/posts/{post['id']}/cancel", headers=headers)

    assert answer.status == 403
    assert browser.room.statuses(post) == ["scheduled"]


def test_a_form_without_the_sessions_token_is_refused(browser: Browser) -> None:
    other = browser.as_role(Role.OWNER)
    post = browser.room.scheduled()

    answers = [
        browser.send(f"/app/posts/{post['id']}/cancel", token=token)
        for token in ("", "x", other.form_token)
    ]

    assert [answer.status for answer in answers] == [403, 403, 403]
    assert browser.room.statuses(post) == ["scheduled"]


def test_the_token_does_not_tell_the_sessions_secret(browser: Browser) -> None:
    value, _ = browser.cookies["goldenhour_session"]

    assert browser.form_token not in value


@pytest.mark.parametrize(
    "verb",
    ["cancel", "retry", "dismiss", "duplicate", "delete", "move"],
)
def test_a_viewer_can_press_no_button_of_an_editor(browser: Browser, verb: str) -> None:
    post = browser.room.scheduled()
    viewer = browser.as_role(Role.VIEWER)

    answer = viewer.send(f"/app/posts/{post['id']}/{verb}")

    assert answer.status == 403
    assert browser.room.statuses(post) == ["scheduled"]


def _forms(browser: Browser) -> list[str]:
    """Return the address of every form that a session sends, with what the workspace really has."""
    room = browser.room
    post, account = room.scheduled(), room.account()
    people = room.house.operator.people.administration
    sheet = browser.upload(b"to,caption\nlinkedin,Rye\n", "week.csv", to="/app/plans")
    known = {
        "post_id": post["id"],
        "target_id": post["targets"][0]["id"],
        "account_id": account,
        "slot_id": room.get("/v1/queue-slots").json["data"][0]["id"],
        "series_id": "0" * 32,
        "comment_id": "0" * 32,
        "text_id": "0" * 32,
        "group_id": "0" * 32,
        "plan_id": sheet.location.rpartition("/")[2],
        "number": "2",
        "media_id": "0" * 32,
        "label_id": room.post("/v1/labels", {"name": "Sale", "colour": "red"}).json["id"],
        "member_id": people.list_members(room.workspace_id)[0].id,
        "key_id": people.list_keys(room.workspace_id)[0].id,
        "link_hash": "0" * 64,
        "session_hash": "0" * 64,
        "browser_hash": "0" * 64,
        "passkey_hash": "0" * 64,
    }
    forms = [one for one in ROUTES if one.method == "POST" and not one.open_to_all]
    assert len(forms) > 25
    return [one.path.format(**known) for one in forms]


def test_a_viewer_can_send_no_form_but_of_its_own_browsers_passkeys_assistants_and_notices(
    browser: Browser,
) -> None:
    viewer = browser.as_role(Role.VIEWER)
    own = (
        *("/app/sign-out", "/app/settings/notices", "/app/settings/browsers"),
        "/app/oauth/authorize",
    )
    others = [
        address
        for address in _forms(browser)
        if not address.startswith(own)
        and "sessions/" not in address
        and "/passkeys" not in address
        and "/assistants/" not in address
    ]

    answers = {address: viewer.send(address).status for address in others}

    assert {address: status for address, status in answers.items() if status != 403} == {}
    assert viewer.send("/app/sign-out").location == "/app/sign-in"


@pytest.mark.parametrize(
    ("token", "headers"),
    [
        ("", {}),
        ("x" * 43, {}),
        (None, {"origin": "https://evil.example"}),
        (None, {"sec-fetch-site": "cross-site"}),
    ],
    ids=["no token", "another token", "another origin", "another site"],
)
def test_every_form_asks_for_its_token_and_for_our_own_origin(
    browser: Browser, token: str | None, headers: dict[str, str]
) -> None:
    forms = _forms(browser)

    answers = {
        address: browser.send(address, token=token, headers=headers).status for address in forms
    }

    assert {address: status for address, status in answers.items() if status != 403} == {}
    assert browser.open("/app/posts").status == 200


def test_a_viewer_sees_no_button_that_would_be_refused(browser: Browser) -> None:
    post = browser.room.scheduled()
    viewer = browser.as_role(Role.VIEWER)

    page = viewer.open(f"/app/posts/{post['id']}")

    assert page.status == 200
    assert page.text.count("<button") == page.text.count("Sign out") == 1


def test_the_role_is_checked_before_what_was_typed(browser: Browser) -> None:
    viewer = browser.as_role(Role.VIEWER)

    assert viewer.send("/app/posts/new", {"at": "nonsense"}).status == 403
    assert viewer.send("/app/posts/new", {"at": "nonsense"}, token="x").status == 403


def test_a_post_of_another_workspace_is_not_found(browser: Browser) -> None:
    theirs = browser.room.house.room().scheduled()

    assert browser.open(f"/app/posts/{theirs['id']}").status == 404
    assert browser.send(f"/app/posts/{theirs['id']}/cancel").status == 404


def test_scripts_in_captions_names_and_file_names_stay_text(browser: Browser) -> None:
    room = browser.room
    handle = room.connect("reddit", "<img src=x onerror=alert(1)>")
    media = room.upload(a_photo(), f"{SCRIPT}.jpg")
    body = {"caption": SCRIPT, "media_ids": [media], "targets": [{"account_id": handle}]}
    post = room.post("/v1/posts", body).json

    pages = [
        browser.open(address).text
        for address in ("/app/posts", "/app/posts/new", f"/app/posts/{post['id']}")
    ]

    assert not [page for page in pages if SCRIPT in page or "<img src=x" in page]
    assert "&lt;script&gt;" in pages[2]


def test_every_page_forbids_scripts_of_others_and_frames(browser: Browser) -> None:
    answers = [browser.open(a) for a in ("/app/posts", "/app/nothing", "/app/sign-in", "/")]

    for answer in answers:
        policy = answer.response.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "frame-ancestors 'none'" in policy
        assert {"X-Frame-Options", "Permissions-Policy"} <= set(answer.response.headers)
        assert "<script>" not in answer.text
        assert " style=" not in answer.text
        assert " onclick=" not in answer.text


@pytest.mark.parametrize(
    "address", ["/review/of-a-client", "/review/client/of-hers", "/connect/of-hers", "/app/sign-in"]
)
def test_no_search_engine_shows_what_a_link_opens(browser: Browser, address: str) -> None:
    """Links are shared where robots read along."""
    answer = Browser.of(browser.room).open(address)

    assert answer.response.headers["X-Robots-Tag"] == "noindex"


def test_an_upload_needs_the_token_and_a_role(browser: Browser) -> None:
    viewer = browser.as_role(Role.VIEWER)

    assert browser.upload(a_photo(), "bread.jpg", token="x").status == 403
    assert viewer.upload(a_photo(), "bread.jpg").status == 403
    assert browser.upload(b"not a picture", "bread.jpg").status == 415


def test_no_address_is_made_of_the_host_header(browser: Browser) -> None:
    pages = [
        browser.open(address, headers={"host": "evil.example"}) for address in ("/app/posts", "/")
    ]

    assert not [p for p in pages if "evil.example" in p.text + str(p.response.headers)]


@pytest.mark.parametrize(
    "address", ["/app", "/app/posts", "/app/settings", "/app/settings/data", "/app/nothing"]
)
def test_no_answer_of_the_app_is_kept_by_a_cache(browser: Browser, address: str) -> None:
    assert "no-store" == browser.open(address).response.headers["Cache-Control"]


def test_every_form_that_is_open_to_all_comes_from_our_own_origin(browser: Browser) -> None:
    forms = [
        one.path.replace("{token}", "0" * 43).replace("{post_id}", "0" * 32)
        for one in ROUTES
        if one.method == "POST" and one.open_to_all and one.path not in CROSS_ORIGIN_PATHS
    ]

    answers = {
        address: browser.send(address, headers={"origin": "https://evil.example"}).status
        for address in forms
    }

    assert len(forms) > 8
    assert {address: status for address, status in answers.items() if status != 403} == {}
