"""Links and decisions that are not what they seem. Who: who gets a link opened; a contributor.

A link on any site moved a person into the attacker's workspace, and a reviewer approved a text that
was changed after it was shown.
"""

import re

import pytest
import requests

from tests.attacks.service import PATIENCE_S, Service, Tenant
from tests.support.other_name import by_address

pytestmark = pytest.mark.costly


def _link(service: Service, tenant: Tenant) -> str:
    return by_address(str(service.ask("member", "sign-in", tenant.member_id)["url"]))


def _member(page: str) -> str:
    found = re.search(r'data-member="([^"]+)"', page)
    assert found is not None
    return found[1]


def _form_token(page: str) -> str:
    found = re.search(r'name="form_token" value="([^"]+)"', page)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"},
        {"User-Agent": "WhatsApp/2.0"},
    ],
    ids=["opened", "led to from elsewhere", "a chat's preview"],
)
def test_looking_at_a_sign_in_link_signs_nobody_in(
    service: Service, eve: Tenant, said: dict[str, str]
) -> None:
    link = _link(service, eve)

    looked = requests.get(link, headers=said, timeout=PATIENCE_S)

    assert (looked.status_code, dict(looked.cookies)) == (200, {})
    meant = requests.post(
        link, headers={"Origin": service.url}, allow_redirects=False, timeout=PATIENCE_S
    )
    assert (meant.status_code, list(meant.cookies.keys())) == (303, ["goldenhour_session"])


def test_a_foreign_page_cannot_sign_anybody_in(service: Service, eve: Tenant) -> None:
    """The victim is signed in elsewhere, and stays so."""
    victim = requests.Session()
    own = {"Origin": service.url}
    victim.post(_link(service, service.tenant("studio")), headers=own, timeout=PATIENCE_S)
    before = victim.get(f"{service.url}/app", timeout=PATIENCE_S)

    forced = victim.post(
        _link(service, eve),
        headers={"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
        allow_redirects=False,
        timeout=PATIENCE_S,
    )
    after = victim.get(f"{service.url}/app", timeout=PATIENCE_S)

    assert forced.status_code == 403
    assert _member(before.text) == _member(after.text)


def test_a_reviewer_approves_what_was_shown_and_nothing_else(service: Service) -> None:
    made = service.ask(
        *("workspace", "create", "--name", "Bakery", "--plan", "studio", "--approvals"),
        *("--timezone", "UTC", "--owner-name", "Ada"),
    )
    workspace, owner = str(made["workspace_id"]), str(made["member_id"])
    added = service.ask(
        *("member", "add", workspace, "--name", "Carl", "--role", "contributor"),
    )
    asked = ("account", "connect", workspace, "--test", "--platform", "linkedin", "--handle", "@a")
    accounts = {"linkedin": str(service.ask(*asked)["account_id"])}
    member = str(added["member_id"])
    key = str(service.ask("key", "create", "--member", member)["api_key"])
    carl = Tenant(service.url, workspace, member, key, accounts)
    target = {"account_id": accounts["linkedin"], "scheduled_at": "2031-01-01T12:00:00Z"}
    post = carl.made("POST", "/v1/posts", {"caption": "Spring sale", "targets": [target]})
    reviewer = requests.Session()
    entered = reviewer.post(
        by_address(str(service.ask("member", "sign-in", owner)["url"])),
        headers={"Origin": service.url},
        timeout=PATIENCE_S,
    )
    shown = reviewer.get(f"{service.url}/app/review", timeout=PATIENCE_S).text
    revision = re.search(r'name="revision" value="([^"]+)"', shown)
    assert entered.ok
    assert revision is not None
    assert "Spring sale" in shown

    carl.made("PATCH", f"/v1/posts/{post['id']}", {"caption": "Our CEO is a fraud"})
    form = {
        "form_token": _form_token(shown),
        "revision": revision[1],
        "post": post["id"],
        "decision": "approve",
    }
    action = re.findall(r'<form[^>]* action="([^"]+)"', shown[: revision.start()])[-1]
    decided = reviewer.post(
        service.url + action,
        data=form,
        headers={"Origin": service.url},
        allow_redirects=False,
        timeout=PATIENCE_S,
    )

    after = carl.made("GET", f"/v1/posts/{post['id']}")
    assert decided.status_code in (409, 412)
    assert after["approval"] == "pending"
