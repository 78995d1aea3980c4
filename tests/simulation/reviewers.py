"""People who approve and reject posts around their second, and what must hold of it.

Each decides about what was shown to them a moment before. When everything else is over, somebody
approves whatever still waits. Nothing goes out that nobody approved as it reads, and nothing that
was rejected.
"""

import math
import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.domain.posts.post import Approval, Post
from chalicelib.domain.posts.reviewing import Decision
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.kit.dynamodb.table import ContentionError
from chalicelib.services.posts.approvals import Approvals
from tests.simulation.client import Called, Client, Story
from tests.simulation.cloud import Cloud
from tests.simulation.virtual_time.scheduler import Process

_AROUND_S = (-600.0, -30.0, -8.0, -2.0, -0.5, 0.0, 1.0, 20.0, 200.0)
_READS_S = (0.0, 0.2, 3.0, 20.0)
_REJECTS = 0.2
_FAILS = (ClientError, BotoCoreError, ContentionError)
_LAST_AFTER_S = 10_800.0
"""How long after the last script somebody approves what is left."""

Told = tuple[str, str]


def review(client: Client, story: Story, due: datetime) -> None:
    """Let people decide about a post some times, and once more in the end."""
    world = client.cloud.world
    chance = random.Random(f"reviews {world.plan.seed} {story.number}")
    for place in range(chance.choice((1, 1, 2, 3))):
        moment = due + timedelta(seconds=chance.choice(_AROUND_S) + chance.uniform(-0.5, 0.5))
        after_s = (moment - world.scheduler.true_time()).total_seconds()
        action = "reject" if chance.random() < _REJECTS else "approve"
        work = partial(_decide, client, story, action, chance.choice(_READS_S))
        reviewer = Process(f"reviewer {story.number} {place} of {world.plan.seed}")
        world.scheduler.spawn(reviewer, work, after_s=max(after_s, 0.0))
    last_s = world.plan.hours * 3_600 + _LAST_AFTER_S - world.now
    last = Process(f"last reviewer {story.number} of {world.plan.seed}")
    work = partial(_decide, client, story, "approve", 0.0)
    world.scheduler.spawn(last, work, after_s=last_s)


def _decide(client: Client, story: Story, action: str, reads_s: float) -> None:
    """Look at a post and decide about it; it may have changed meanwhile."""
    cloud, deployment = client.cloud, client.cloud.deployment()
    if "POST" not in cloud.rows_of(story.post_id):
        return
    with suppress(*_FAILS):
        post = deployment.stores.posts.get_any(story.post_id)
        if post.approval is Approval.PENDING:
            cloud.world.scheduler.sleep(reads_s)
            _note_decision(story, cloud, action, post, deployment.people.approvals)


def _note_decision(
    story: Story, cloud: Cloud, action: str, post: Post, approvals: Approvals
) -> None:
    decision = Decision(by="Eve", only_pending=True, seen=post.revision)
    place, begun = len(story.decisions), cloud.world.now
    unknown = Called(action=action, begun=begun, ended=math.inf, sure=None, text=post.caption)
    story.decisions.append(unknown)
    decide = approvals.approve if action == "approve" else approvals.reject
    try:
        saved = decide(post.workspace_id, post.id, decision)
    except OperatorError:
        story.decisions[place] = replace(unknown, sure=False, ended=cloud.world.now)
    else:
        statuses = {target.id: str(target.status) for target in saved.targets}
        story.decisions[place] = replace(
            unknown, sure=True, ended=cloud.world.now, statuses=statuses
        )


def of_decisions(client: Client, story: Story) -> Iterator[Told]:
    """Yield what went out that nobody had approved as it reads, or after it was rejected."""
    plan = client.cloud.world.plan
    if not plan.approvals:
        return
    # A decision whose first write timed out and was applied may have been refused on its retry.
    may_hold = [one for one in story.decisions if one.sure is not False or plan.faults]
    for one in client.cloud.platform.taken:
        target_id, sent_s = one.entry.target_id, one.sent_s
        if target_id not in story.target_ids:
            continue
        before = [each for each in may_hold if each.begun <= sent_s]
        approved = [each for each in before if each.action == "approve"]
        if not any(each.text == one.entry.caption for each in approved):
            told = f"post {story.number} went out as {one.entry.caption!r}, which nobody approved"
            yield "nothing unseen goes out", told
        for no in before:
            is_answered = no.action == "reject" and no.sure and no.ended <= sent_s
            again = any(each.ended > no.begun for each in approved)
            if is_answered and no.statuses.get(target_id) == "cancelled" and not again:
                told = f"post {story.number} went out {sent_s - no.ended:.1f} s after its rejection"
                yield "an answer holds", told


def freed_s(client: Client, story: Story) -> float | None:
    """Return from when on a post may go out for all that reviewers said; None if none let it."""
    if not client.cloud.world.plan.approvals:
        return 0.0
    if any(one.action != "approve" for one in story.decisions):
        return None
    return next((one.ended for one in story.decisions if one.sure), None)
