"""10,000 targets of one workspace due in one second, and one of another 30 s later.

The rate is held against the bare emulator in the same run: the DynamoDB calls that one target takes
(claim, read the post, read the account, mark the doubt, one transaction at the end), made by busy
clients that do nothing else.
"""

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from benchmarks.figures import Beside, Figure
from benchmarks.stack import (
    PROJECT,
    Stack,
    by_busy_clients,
    dynamodb_client,
    posts_table,
    running,
)

TARGETS = 10_000
_CLIENTS = 8
_BARE_TARGETS = 600
_ITEM_BYTES = 1_000
_WRITES_AT_THE_END = 6
_LONGEST_S = 900


def run() -> list[Figure]:
    """Print the rate of publishing, of bare calls, and the other workspace's lateness."""
    with running() as stack:
        bare = _bare_rate(stack)
        drafts, took_s = _draft_many(stack)
        # A schedule takes about as long as its draft did, and this machine may get slower.
        due = datetime.now(UTC) + timedelta(seconds=2 * took_s + 30)
        _schedule_many(stack, drafts, due)
        other, key = other_workspace(stack)
        other_due = due + timedelta(seconds=30)
        body = {"caption": "The other one", "targets": [{"account_id": other}]}
        post = stack.call("POST", "/v1/posts", body, key)
        stack.call("POST", f"/v1/posts/{post['id']}/schedule", {"at": other_due.isoformat()}, key)
        lag = (datetime.now(UTC) - due).total_seconds()
        print(f"all scheduled {-lag:.0f} s before they are due")
        rate = _report(stack, due, other, other_due, bare)
    floor = Beside("bare calls of the emulator", bare)
    return [Figure("targets a second, 10,000 due at once (more is better)", rate, floor)]


def _bare_rate(stack: Stack) -> float:
    """Return how many times a second busy clients make the bare calls that one target takes."""
    client, table = dynamodb_client(stack, _CLIENTS), posts_table(stack)

    def calls(number: int) -> None:
        key = {"pk": {"S": f"BENCH#{number}"}, "sk": {"S": "TARGET"}}
        row = {**key, "filler": {"S": "x" * _ITEM_BYTES}}
        client.update_item(
            TableName=table,
            Key=key,
            UpdateExpression="SET filler = :filler",
            ExpressionAttributeValues={":filler": row["filler"]},
            ReturnValues="ALL_NEW",
        )
        client.query(
            TableName=table,
            KeyConditionExpression="pk = :pk",
            ExpressionAttributeValues={":pk": key["pk"]},
        )
        client.get_item(TableName=table, Key=key, ConsistentRead=True)
        client.put_item(TableName=table, Item=row)
        writes = [{**row, "sk": {"S": f"ROW#{place}"}} for place in range(_WRITES_AT_THE_END)]
        client.transact_write_items(
            TransactItems=[{"Put": {"TableName": table, "Item": write}} for write in writes]
        )

    _, took_s = by_busy_clients(_CLIENTS, calls, range(_BARE_TARGETS))
    return _BARE_TARGETS / took_s


def _draft_many(stack: Stack) -> tuple[list[str], float]:
    """Make the posts; return their ids and the seconds that it took."""
    accounts = [stack.account(p) for p in ("linkedin", "facebook", "threads", "bluesky")]

    def draft(number: int) -> str:
        account = accounts[number % len(accounts)]
        body = {"caption": f"Bread {number}", "targets": [{"account_id": account}]}
        return str(stack.call("POST", "/v1/posts", body)["id"])

    return by_busy_clients(_CLIENTS, draft, range(TARGETS))


def _schedule_many(stack: Stack, posts: Sequence[str], due: datetime) -> None:
    def schedule(post_id: str) -> None:
        stack.call("POST", f"/v1/posts/{post_id}/schedule", {"at": due.isoformat()})

    by_busy_clients(_CLIENTS, schedule, posts)


def other_workspace(stack: Stack) -> tuple[str, str]:
    """Make a second workspace; return its account and its key."""
    made = _operate(stack, "workspace", "create", "--name", "Other", "--plan", "studio",
                    "--timezone", "UTC", "--owner-name", "Grace")  # fmt: skip
    account = _operate(stack, "account", "connect", made["workspace_id"], "--platform", "linkedin",
                       "--handle", "other", "--test")  # fmt: skip
    key = _operate(stack, "key", "create", "--member", made["member_id"])
    return str(account["account_id"]), str(key["api_key"])


def _operate(stack: Stack, *words: str) -> dict[str, str]:
    answer = subprocess.run(
        [sys.executable, "-m", "chalicelib", *words, "--json"],
        cwd=PROJECT,
        env={
            "PATH": "/usr/bin:/bin",
            "GOLDENHOUR_DATA_DIR": str(stack.folder),
            **stack.own_tables,
        },
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, str] = json.loads(answer.stdout)
    return found


def _report(stack: Stack, due: datetime, other: str, other_due: datetime, bare: float) -> float:
    time.sleep(max((due - datetime.now(UTC)).total_seconds(), 0))
    began = time.monotonic()
    taken = []
    while time.monotonic() - began < _LONGEST_S:
        taken = stack.taken()
        if len(taken) >= TARGETS + 1:
            break
        time.sleep(5)
    mine = [entry for entry in taken if entry["account_id"] != other]
    last = max(datetime.fromisoformat(entry["created_at"]) for entry in mine)
    rate = len(mine) / (last - due).total_seconds()
    early = sum(datetime.fromisoformat(entry["created_at"]) < due for entry in mine)
    double = len(mine) - len({entry["target_id"] for entry in mine})
    print(f"{len(mine)} of {TARGETS} out, {double} double, {early} early, {rate:.0f} a second")
    print(f"the bare calls of a target: {bare:.0f} targets a second, so publishing runs at")
    print(f"{rate / bare:.0%} of what the emulator does for anybody")
    theirs = [e for e in taken if e["account_id"] == other]
    for entry in theirs:
        late = (datetime.fromisoformat(entry["created_at"]) - other_due).total_seconds()
        print(f"the other workspace's target was {late:.2f} s late")
    return rate
