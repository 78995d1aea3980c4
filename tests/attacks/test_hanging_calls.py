"""Posts whose calls hang for half a minute. Who: one trial key with eight test accounts.

224 such calls, due in one second, took three quarters of the places of every platform: posts of
others were up to half a minute late, also on platforms that nobody attacked.
"""

import time
from datetime import UTC, datetime, timedelta

import pytest

from tests.attacks.service import Service, Tenant
from tests.local.running_stack import eventually

POSTS = 28
ATTACKED = ("bluesky", "threads")
LEADS_S = (1, 3, 6, 10)
LATEST_S = 3.0


@pytest.mark.prove
def test_hanging_calls_make_nobody_elses_post_late(service: Service) -> None:
    eve = _with_many_accounts(service)
    neighbour = service.tenant("studio", "linkedin", "bluesky")
    at = datetime.now(UTC) + timedelta(seconds=25)
    for number in range(POSTS):
        _scheduled(eve, f"{number} sandbox:hang:29", list(eve.accounts.values()), at)
    waits = {
        (platform, lead): _scheduled(
            neighbour,
            f"beside {platform} {lead}",
            [neighbour.accounts[platform]],
            at + timedelta(seconds=lead),
        )
        for lead in LEADS_S
        for platform in ("linkedin", "bluesky")
    }

    time.sleep(max(0.0, (at - datetime.now(UTC)).total_seconds()))
    late = {
        what: _lateness(neighbour, post_id, at + timedelta(seconds=what[1]))
        for what, post_id in waits.items()
    }

    print("late by", {f"{p} T+{s}": round(by, 1) for (p, s), by in late.items()})  # noqa: T201
    assert max(late.values()) < LATEST_S, late


def _with_many_accounts(service: Service) -> Tenant:
    eve = service.tenant("trial")
    accounts = {
        f"{platform} {number}": str(
            service.ask(
                *("account", "connect", eve.workspace_id, "--test"),
                *("--platform", platform, "--handle", f"@eve{number}"),
            )["account_id"]
        )
        for platform in ATTACKED
        for number in range(4)
    }
    return Tenant(eve.base_url, eve.workspace_id, eve.member_id, eve.key, accounts)


def _scheduled(tenant: Tenant, caption: str, accounts: list[str], at: datetime) -> str:
    targets = [{"account_id": account} for account in accounts]
    post = tenant.made("POST", "/v1/posts", {"caption": caption, "targets": targets})
    tenant.made("POST", f"/v1/posts/{post['id']}/schedule", {"at": at.isoformat()})
    return str(post["id"])


def _lateness(tenant: Tenant, post_id: str, at: datetime) -> float:
    eventually(lambda: tenant.is_out(post_id), within_s=60)
    (target,) = tenant.made("GET", f"/v1/posts/{post_id}")["targets"]
    return (datetime.fromisoformat(target["published_at"]) - at).total_seconds()
