"""What is asked for soon: every platform and kind of post, 1 to 25 s ahead, and changed meanwhile.

A fifth of the targets each is scheduled and left alone, moved nearer, edited, cancelled and
scheduled again, or sent at once although its time is near. Each has a file of its own, so that
copies are made for each. What the sandbox platform took, and when, is compared with the last time
asked for. A second round has 200 targets of the same seconds beside it: half are another
workspace's, half are its own and hang on two platforms, whose targets are not counted then.
"""

import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from benchmarks.figures import Figure
from benchmarks.publishing.throughput import other_workspace
from benchmarks.stack import Stack, by_busy_clients, percentile, running
from tests.support.sample_media import Clip, encode, samples

LEADS_S = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 19, 22, 25)
PREPARED_WITHIN_S = 3
"""With less time than that, what needs steps before its second may be late."""
_TEXT = ("linkedin", "x", "facebook", "threads", "bluesky", "reddit", "google business profile")
_KINDS: dict[str, tuple[str, ...]] = {
    "text": _TEXT,
    "photo": (*_TEXT, "instagram", "pinterest", "tiktok"),
    "video": (*_TEXT[:-1], "instagram", "pinterest", "tiktok", "youtube"),
}
_OPTIONS: dict[str, dict[str, str]] = {
    "tiktok": {"privacy_level": "SELF_ONLY"},
    "youtube": {"title": "Oven"},
    "reddit": {"subreddit": "goldenhour_test", "title": "Oven"},
    "pinterest": {"board": "810000000000000001"},
}
_CLIENTS = 4
_LONGEST_S = 120.0
_LATE_S = 0.5
_BESIDE = 200
_HANGING = ("facebook", "threads")
Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """One target, what became of its request, and when it was to go out."""

    id: str
    way: str
    kind: str
    lead_s: int
    at: datetime


def run() -> list[Figure]:
    """Print how late each way and kind was, alone and beside others."""
    with running() as stack:
        alone = _round(stack)
        other = other_workspace(stack)
        busy = _round(stack, lambda: _beside(stack, other))
    return [
        Figure("asked for 1 to 25 s ahead, p99 late, s", alone),
        Figure("the same beside 200 others and two platforms that hang", busy),
    ]


def _media(stack: Stack, kind: str) -> list[str]:
    """Upload a new file for a post of this kind; return the post's media."""
    match kind:
        case "photo":
            return [_uploaded(stack, "loaf.jpg", samples()["plain.jpg"].data)]
        case "video":
            return [_uploaded(stack, "oven.mp4", encode(Clip(seconds=4)))]
        case _:
            return []


def _uploaded(stack: Stack, name: str, data: bytes) -> str:
    headers = {"Authorization": f"Bearer {stack.demo['api_key']}"}
    answer = stack.session.post(
        f"{stack.demo_url}/v1/media", files={"file": (name, data)}, headers=headers, timeout=60
    )
    answer.raise_for_status()
    return str(answer.json()["id"])


def _round(stack: Stack, beside: Callable[[], object] | None = None) -> float:
    """Ask for all of them, lead by lead; return the p99 of those that could be on time."""
    asked: list[Asked] = []
    number = 0
    for lead_s in LEADS_S:
        drafts = [(*each, number + place) for place, each in enumerate(_drafts(stack))]
        number += len(drafts)
        if beside is not None:
            beside()
        found, _ = by_busy_clients(_CLIENTS, partial(_ask, stack, lead_s), drafts)
        asked += found
    return _report(stack, [one for one in asked if not (beside and one.kind.startswith(_HANGING))])


def _drafts(stack: Stack) -> Iterator[tuple[str, Document]]:
    for kind, platforms in _KINDS.items():
        for platform in platforms:
            target = {"account_id": stack.account(platform), "options": _OPTIONS.get(platform, {})}
            body = {"caption": "Oven", "media_ids": _media(stack, kind), "targets": [target]}
            yield f"{platform} {kind}", stack.call("POST", "/v1/posts", body)


def _ask(stack: Stack, lead_s: int, draft: tuple[str, Document, int]) -> Asked:
    kind, post, number = draft
    way = ("left", "moved", "edited", "again", "now")[number % 5]
    path = f"/v1/posts/{post['id']}"
    at = datetime.now(UTC) + timedelta(seconds=lead_s)
    first = at + timedelta(seconds=9) if way == "moved" else at
    stack.call("POST", f"{path}/schedule", {"at": first.isoformat()})
    if way in ("moved", "again", "now"):
        time.sleep(0.3)
    match way:
        case "moved":
            target = {"id": post["targets"][0]["id"], "scheduled_at": at.isoformat()}
            stack.call("PATCH", path, {"targets": [target]})
        case "edited":
            stack.call("PATCH", path, {"caption": "Oven, again"})
        case "again":
            stack.call("POST", f"{path}/cancel")
            stack.call("POST", f"{path}/schedule", {"at": at.isoformat()})
        case "now":
            at = datetime.now(UTC)
            stack.call("POST", f"{path}/publish-now")
    return Asked(post["targets"][0]["id"], way, kind, lead_s, at)


def _beside(stack: Stack, other: tuple[str, str]) -> None:
    """Have others' targets go out, and some hang, in the same seconds."""
    each = _BESIDE // len(LEADS_S)
    at = (datetime.now(UTC) + timedelta(seconds=8)).isoformat()
    account, key = other
    for number in range(each):
        post = {"caption": f"Bread {number}", "targets": [{"account_id": account}]}
        if number % 2:
            post["caption"] = "Bread sandbox:hang:20"
            hanging = stack.account(_HANGING[number // 2 % 2])
            post["targets"] = [{"account_id": hanging}]
        made = stack.call("POST", "/v1/posts", post, "" if number % 2 else key)
        body = {"at": at}
        stack.call("POST", f"/v1/posts/{made['id']}/schedule", body, "" if number % 2 else key)


def _report(stack: Stack, asked: list[Asked]) -> float:
    """Wait until all are out; print how late they were, the latest of each way and kind."""
    until = time.monotonic() + _LONGEST_S
    taken = _taken(stack)
    while len(taken.keys() & {one.id for one in asked}) < len(asked):
        if time.monotonic() > until:
            break
        time.sleep(2)
        taken = _taken(stack)
    late = [(_late_s(one, taken), one) for one in asked]
    groups: dict[str, list[float]] = defaultdict(list)
    for seconds, one in late:
        groups[one.way].append(seconds)
        groups[one.kind.rpartition(" ")[2]].append(seconds)
    for name, found in groups.items():
        found.sort()
        over, half = _over(found), percentile(found, 0.5)
        print(f"  {name:7} p50 {half:6.2f}  most {found[-1]:6.2f}  {over} over {_LATE_S} s")
    for seconds, one in sorted(late, key=lambda each: -each[0])[:12]:
        print(f"    {seconds:6.2f} s late: {one.kind}, {one.way}, {one.lead_s} s ahead")
    could = sorted(seconds for seconds, one in late if _could_be_on_time(one))
    over, p99 = _over([seconds for seconds, _ in late]), percentile(could, 0.99)
    print(f"{len(asked)} targets, {over} over {_LATE_S} s; load {os.getloadavg()[0]:.1f}")
    print(f"{len(could)} could be on time: p99 {p99:.2f} s late")
    return p99


def _over(late: list[float]) -> int:
    return sum(seconds > _LATE_S for seconds in late)


def _could_be_on_time(one: Asked) -> bool:
    has_steps = not one.kind.endswith(" text") or one.kind.startswith("threads")
    return one.way != "now" and (not has_steps or one.lead_s > PREPARED_WITHIN_S)


def _taken(stack: Stack) -> dict[str, datetime]:
    return {
        one["target_id"]: datetime.fromisoformat(one["created_at"])
        for one in reversed(stack.taken())
    }


def _late_s(one: Asked, taken: dict[str, datetime]) -> float:
    at = taken.get(one.id)
    return _LONGEST_S if at is None else (at - one.at).total_seconds()
