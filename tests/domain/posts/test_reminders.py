"""What the Free plan has in the place of publishing: what is a reminder, and posted by hand."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.errors import NothingToPublish, TargetNotInPost
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.charging import Payer, charge, draft_uses
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.reminders import as_planned, is_reminded, post_by_hand
from chalicelib.domain.posts.target import Reminder, Target, TargetStatus
from chalicelib.domain.posts.verbs import Facts
from chalicelib.domain.workspace.access import Plan
from tests.support.builders import a_post, a_target
from tests.support.callers import a_caller
from tests.support.frozen_clock import NOON

PAID = (Plan.STARTER, Plan.CREATOR, Plan.STUDIO)
FACTS = Facts(caller=a_caller(), now=NOON)


def scheduled_on(plan: Plan, platform: Platform = Platform.LINKEDIN) -> Target:
    draft = a_post(targets=[a_target(platform=platform)])
    moved = draft.targets[0].schedule(NOON, now=NOON, lead=timedelta(0))
    after, _ = charge(draft, draft.with_targets([moved]), Payer(plan=plan, timezone="UTC"))
    return after.targets[0]


def reminded() -> Post:
    return a_post(targets=[scheduled_on(Plan.FREE).remind()])


@pytest.mark.parametrize("plan", Plan)
def test_only_what_is_scheduled_on_free_is_a_reminder(plan: Plan) -> None:
    planned = Reminder.PLANNED if plan is Plan.FREE else None

    assert scheduled_on(plan).reminder is planned


@pytest.mark.parametrize("platform", [Platform.X, Platform.LINKEDIN])
def test_what_is_reminded_of_costs_nothing(platform: Platform) -> None:
    free = Payer(plan=Plan.FREE, timezone="UTC")
    draft = a_post(targets=[a_target(platform=platform)])
    moved = draft.targets[0].schedule(NOON, now=NOON, lead=timedelta(0))

    after, uses = charge(draft, draft.with_targets([moved]), free)

    assert (after.targets[0].charge, uses) == (None, ())
    assert draft_uses(draft, free, now=NOON) == ()


def test_what_was_paid_for_and_is_changed_on_free_is_a_reminder_and_gives_its_use_back() -> None:
    before = a_post(targets=[scheduled_on(Plan.STARTER, Platform.X)])

    same, nothing = charge(before, before, Payer(plan=Plan.FREE, timezone="UTC"))
    after, uses = charge(
        before, replace(before, caption="Rye"), Payer(plan=Plan.FREE, timezone="UTC")
    )

    assert (same.targets[0].reminder, nothing) == (None, ())
    assert (after.targets[0].reminder, after.targets[0].charge) == (Reminder.PLANNED, None)
    assert [use.units for use in uses] == [-1]


def test_what_is_cancelled_or_scheduled_on_a_paid_plan_is_no_reminder() -> None:
    before = a_post(targets=[scheduled_on(Plan.FREE)])
    stopped = before.with_targets([before.targets[0].cancel(now=NOON)])
    moved = before.targets[0].schedule(NOON + timedelta(hours=1), now=NOON, lead=timedelta(0))

    cancelled, _ = charge(before, stopped, Payer(plan=Plan.FREE, timezone="UTC"))
    paid, _ = charge(before, before.with_targets([moved]), Payer(plan=Plan.STARTER, timezone="UTC"))

    assert (cancelled.targets[0].reminder, paid.targets[0].reminder) == (None, None)


@pytest.mark.parametrize("status", [TargetStatus.PUBLISHING, TargetStatus.PUBLISHED])
def test_what_is_out_or_under_way_when_the_plan_ends_stays_as_it_is(status: TargetStatus) -> None:
    before = a_post(targets=[a_target(status=status), a_target()])
    other = before.targets[1].schedule(NOON, now=NOON, lead=timedelta(0))

    after, _ = charge(before, before.with_targets([other]), Payer(plan=Plan.FREE, timezone="UTC"))

    assert [one.reminder for one in after.targets] == [None, Reminder.PLANNED]


@pytest.mark.parametrize(
    ("platform", "plan", "is_sent"),
    [
        *((Platform.LINKEDIN, plan, True) for plan in PAID),
        *((Platform.X, plan, False) for plan in PAID),
        *(
            (one, plan, False)
            for one in (Platform.LINKEDIN, Platform.X)
            for plan in (Plan.FREE, Plan.TRIAL)
        ),
        (Platform.LINKEDIN, None, False),
    ],
)
def test_a_reminder_is_sent_after_an_upgrade_unless_it_needs_an_allowance(
    platform: Platform, plan: Plan | None, *, is_sent: bool
) -> None:
    target = scheduled_on(Plan.FREE, platform)

    assert is_reminded(target, plan) is not is_sent
    assert (as_planned(target, plan).reminder is None) is is_sent


def test_a_post_made_by_hand_is_live_and_said_once() -> None:
    post = reminded()
    first = post_by_hand(post, FACTS, post.targets[0].id, url=" https://x.example/1 ")
    again = post_by_hand(first.after, FACTS, post.targets[0].id, url="https://x.example/2")

    target = first.after.targets[0]
    assert (target.status, target.url, target.published_at) == (
        TargetStatus.PUBLISHED,
        "https://x.example/1",
        NOON,
    )
    assert [one.action for one in first.events] == ["target.published"]
    assert (again.after, again.events) == (first.after, ())


def test_only_what_waits_to_be_posted_is_posted_by_hand() -> None:
    post = a_post(targets=[scheduled_on(Plan.FREE)])

    with pytest.raises(NothingToPublish):
        post_by_hand(post, FACTS, post.targets[0].id, url="")
    with pytest.raises(TargetNotInPost):
        post_by_hand(post, FACTS, "0" * 32, url="")


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "x.example/1",
        "https://",
        "https://[",
        "https://x.example/\n1",
        "https://x.example/" + "a" * 2_000,
    ],
)
def test_what_is_no_address_is_refused(url: str) -> None:
    post = reminded()

    with pytest.raises(InvalidInput):
        post_by_hand(post, FACTS, post.targets[0].id, url=url)
