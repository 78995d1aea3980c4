"""The demo workspace with something in it: posts planned, out and failed, and a month's results.

It is made once for all tests that look at pages.
"""

import json
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from chalicelib.domain.analytics.counters import DayCounters, Kind, Standing, hour_mark
from chalicelib.domain.analytics.learning import Learned
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.dynamodb.items import attributes
from chalicelib.storage.analytics.items import day_counters_item
from tests.browser.visitor import Visitor

PLANNED = (
    ("Fresh bread from seven", ("linkedin", "x", "bluesky")),
    ("Rye on Saturday", ("facebook", "threads")),
    ("How we fold croissants", ("linkedin", "google business profile")),
    ("Two loaves for one, this week only", ("x", "threads")),
    ("The oven is thirty years old today", ("linkedin", "facebook", "threads", "bluesky")),
)
_VIEWS = (40, 90, 60, 150, 210, 120, 80)
_EARNED = {Platform.LINKEDIN: (8, 3), Platform.X: (12, 5), Platform.BLUESKY: (18, 2)}
"""The hour at which each platform's posts went out, and its share of the views."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownWorkspace:
    """The workspace, its owner, some of its posts by their state, and a day of its fullest week."""

    id: str
    owner: str
    scheduled: str
    published: str
    failed: str
    draft: str
    week: str


def show_workspace(visitor: Visitor) -> ShownWorkspace:
    """Fill the demo workspace."""
    demo = json.loads((visitor.stack.data_dir / "demo.json").read_text())
    workspace = str(demo["workspace_id"])
    (owner,) = visitor.listed("member", "list", workspace)
    accounts = {one["platform"]: one["id"] for one in demo["accounts"]}
    headers = {"Authorization": f"Bearer {demo['api_key']}"}
    request = visitor.page().request

    def post(path: str, body: object) -> dict[str, Any]:
        answer = request.post(f"{visitor.base_url}/v1{path}", headers=headers, data=body)
        assert answer.ok, answer.text()
        found: dict[str, Any] = answer.json()
        return found

    def made(caption: str, *platforms: str) -> str:
        targets = [{"account_id": accounts[platform]} for platform in platforms]
        return str(post("/posts", {"caption": caption, "targets": targets})["id"])

    planned = [made(caption, *platforms) for caption, platforms in PLANNED]
    queued = [post(f"/posts/{post_id}/queue", {}) for post_id in planned]
    sent = [
        made("The oven is on", "linkedin"),
        made("Sold out sandbox:fail:account_restricted", "x"),
    ]
    for post_id in sent:
        post(f"/posts/{post_id}/publish-now", {})
    draft = made("A draft with every platform's options", *accounts)
    _keep_results(visitor, workspace, (*sent, *planned))
    middle = queued[len(queued) // 2]["targets"][0]["scheduled_at"]
    return ShownWorkspace(
        id=workspace,
        owner=str(owner["member_id"]),
        scheduled=planned[0],
        published=sent[0],
        failed=sent[1],
        draft=draft,
        week=middle[:10],  # most of the plan is in its week
    )


def _keep_results(visitor: Visitor, workspace: str, posts: tuple[str, ...]) -> None:
    """Write a month of results, and what it taught, as the metrics worker would have."""
    deployment = visitor.operator.local
    today = datetime.now(UTC).date()
    # The day before the 28 that the page shows makes every change a large one.
    for ago in range(29):
        day, views = today - timedelta(days=ago), _VIEWS[ago % 7] * (40 - ago)
        counters = Counter({(Kind.POSTS, ""): 1, (Kind.GAINED, day.isoformat()): views})
        for platform, (hour, share) in _EARNED.items():
            counters[Kind.TARGETS, hour_mark(platform, hour + ago % 3)] += 1
            counters[Kind.VIEWS, hour_mark(platform, hour + ago % 3)] += views * share // 10
            counters[Kind.ENGAGED, platform.value] += views * share // 200
        counters[Kind.LIKES, ""] = views // (20 + 15 * (ago % 4))
        counters[Kind.COMMENTS, ""], counters[Kind.SHARES, ""] = views // 60, views // 90
        standing = Standing(
            post_id=posts[ago % len(posts)], views=views // 2, platforms=tuple(_EARNED)
        )
        top = (standing,) if ago < len(posts) else ()
        row = day_counters_item(workspace, DayCounters(day=day, counters=counters, top=top))
        deployment.clients.dynamodb.put_item(
            TableName=deployment.tables.posts, Item=attributes(row)
        )
    lift = tuple(190 if hour == 17 else 90 + hour for hour in range(24))
    learned = Learned(timezone="UTC", lifts={Platform.LINKEDIN: lift, Platform.BLUESKY: lift})
    deployment.posting.golden_hours.results.keep_learned(workspace, learned)
