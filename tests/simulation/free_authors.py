"""An author on the Free plan, who plans in the app as others do: nothing of it is ever sent.

What was planned and not stopped is a draft again after its second, and its history says that the
author was reminded. A deployment of the author's own process does what the app's pages do.
"""

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from functools import partial

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.domain.error_kinds import ServiceError
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.drafting import NewPost, NewTarget
from chalicelib.domain.posts.target import Reminder, TargetStatus
from chalicelib.domain.workspace.access import Caller
from chalicelib.domain.workspace.access import Plan as WorkspacePlan
from chalicelib.kit.dynamodb.items import plain
from chalicelib.kit.dynamodb.table import ContentionError
from chalicelib.kit.dynamodb.transaction import StaleWriteError
from chalicelib.services.workspace.acting import member_caller
from chalicelib.storage.posts.items import target_from
from tests.simulation.broken import Broken
from tests.simulation.cloud import Cloud
from tests.simulation.virtual_time.scheduler import Process

_FAILS = (ClientError, BotoCoreError, ServiceError, ContentionError, StaleWriteError)
_POSTS = 8
_PLATFORMS = (Platform.X, Platform.LINKEDIN)
_REST = frozenset({TargetStatus.SCHEDULED, TargetStatus.PUBLISHING})


def move_in(cloud: Cloud, callers: list[Caller]) -> None:
    """Make a workspace on the Free plan with two test accounts."""
    deployment = cloud.deployment()
    workspace, owner = deployment.people.administration.create_workspace(
        name="Free Bakery",
        plan=WorkspacePlan.FREE,
        timezone="UTC",
        approvals=False,
        owner_name="Ada",
    )
    accounts = [
        deployment.people.connections.connect_test_account(
            workspace.id, platform=platform, handle="@free"
        )
        for platform in _PLATFORMS
    ]
    callers.append(member_caller(owner, workspace, accounts, key_id=""))


def plan_posts(cloud: Cloud, caller: Caller) -> None:
    """Have an author plan posts, each in a process of its own."""
    chance = random.Random(f"free {cloud.world.plan.seed}")
    for number in range(_POSTS):
        begin_s = chance.uniform(0.02, 0.8) * cloud.world.plan.hours * 3_600
        process = Process(f"author {number} of {cloud.world.plan.seed}")
        work = partial(_plan_one, cloud, caller, number)
        cloud.world.scheduler.spawn(process, work, after_s=begin_s)


def sent_of_free(cloud: Cloud) -> Iterator[Broken]:
    """Yield every post of the Free plan of which something went out, or that was left waiting."""
    for post_id in cloud.free_posts:
        rows = {sk: plain(row) for sk, row in cloud.rows_of(post_id).items()}
        told = {
            row["detail"]["target_id"] if isinstance(row["detail"], dict) else str(row["detail"])
            for sk, row in rows.items()
            if sk.startswith("EVENT#") and row["action"] == "target.reminded"
        }
        for target in (target_from(row) for sk, row in rows.items() if sk.startswith("TARGET#")):
            name = f"post {post_id} of the Free plan on {target.platform}"
            if any(one.entry.target_id == target.id for one in cloud.platform.taken):
                yield Broken(promise="nothing of the Free plan is sent", story=name)
            if target.status in _REST or target.progress.wake_at is not None:
                yield Broken(promise="every state ends", story=f"{name} is left {target.status}")
            is_reminded = target.reminder is Reminder.GIVEN
            if is_reminded and not any(target.id in one for one in told):
                yield Broken(promise="what is said is true", story=f"{name} has no such event")
            if target.status is TargetStatus.DRAFT and target.due_at and not is_reminded:
                yield Broken(promise="an author is reminded", story=f"{name} was not")


def _plan_one(cloud: Cloud, caller: Caller, number: int) -> None:
    """Write a post, schedule it, and change one's mind around its second."""
    chance = random.Random(f"free post {cloud.world.plan.seed} {number}")
    posting, world = cloud.deployment().posting, cloud.world
    account_ids = chance.sample(sorted(caller.accounts), k=chance.choice((1, 2)))
    draft = NewPost(
        caption=f"Free bread {number}",
        media_ids=(),
        targets=tuple(NewTarget(account_id=one) for one in account_ids),
    )
    made: list[str] = []

    def write() -> None:
        key = f"free {number}"
        made.append(posting.drafts.create(caller, draft, idempotency_key=key)[0].id)

    due = world.scheduler.true_time() + timedelta(seconds=chance.choice((3, 40, 400)))
    if not _tried(cloud, write):
        return
    cloud.free_posts.append(made[0])
    _tried(cloud, lambda: posting.scheduling.schedule(caller, made[0], at=due))
    for _ in range(chance.choice((0, 0, 1, 2))):
        world.scheduler.sleep(chance.choice((1.0, 39.5, 401.0)) + chance.uniform(-0.5, 0.5))
        act = chance.choice(
            (posting.scheduling.cancel, posting.scheduling.publish_now, posting.scheduling.retry)
        )
        with suppress(*_FAILS):
            act(caller, made[0])


def _tried(cloud: Cloud, work: Callable[[], object]) -> bool:
    """Do something, again while it fails; tell whether it was done."""
    for _ in range(10):
        with suppress(*_FAILS):
            work()
            return True
        cloud.world.scheduler.sleep(5.0)
    return False
