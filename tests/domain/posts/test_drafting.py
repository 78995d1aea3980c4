"""What a new draft becomes, and what a post is as a draft again."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.domain.error_kinds import InvalidInput, ServiceError
from chalicelib.domain.errors import (
    AccountRemoved,
    CaptionTooLong,
    DuplicateAccount,
    MediaNotFound,
    PlanLimit,
    UnknownAccount,
)
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.drafting import NewPost, NewTarget, copy_of, new_post
from chalicelib.domain.posts.history import Action
from chalicelib.domain.posts.known import Known
from chalicelib.domain.posts.target import TargetStatus
from chalicelib.domain.workspace.access import Plan
from chalicelib.domain.workspace.accounts import Account
from chalicelib.domain.workspace.plans import TRIAL_COUNTER, trial_post
from tests.domain.posts.moments import MOMENTS, TEN
from tests.support.asked_answers import answered
from tests.support.builders import WORKSPACE, a_post
from tests.support.callers import a_caller
from tests.support.frozen_clock import NOON

ACCOUNT = Account(
    id="a" * 32,
    workspace_id=WORKSPACE,
    platform=Platform.LINKEDIN,
    handle="@bakery",
    test=True,
    created_at=NOON,
)
KNOWN = Known(accounts={ACCOUNT.id: ACCOUNT})
TARGET = NewTarget(account_id=ACCOUNT.id)
DRAFT = NewPost(caption="Rye", media_ids=(), targets=(TARGET,))


def test_a_draft_becomes_a_post_of_drafts_that_its_history_tells_of() -> None:
    made = new_post(a_caller(), DRAFT, KNOWN, now=NOON, key="once")

    (target,), (happened,) = made.after.targets, made.events
    assert (made.after.caption, made.after.idempotency_key) == ("Rye", "once")
    assert (target.status, target.handle) == (TargetStatus.DRAFT, "@bakery")
    assert (happened.action, happened.detail["targets"]) == (Action.CREATED, 1)


@pytest.mark.parametrize(
    ("draft", "refused"),
    [
        (replace(DRAFT, caption="x" * 100_000), CaptionTooLong),
        (replace(DRAFT, media_ids=("b" * 32,)), MediaNotFound),
        (replace(DRAFT, targets=(TARGET, TARGET)), DuplicateAccount),
        (replace(DRAFT, targets=(replace(TARGET, account_id="c" * 32),)), UnknownAccount),
        (replace(DRAFT, targets=(replace(TARGET, scheduled_at=TEN),)), InvalidInput),
        (replace(DRAFT, targets=(replace(TARGET, options={"no such": 1}),)), InvalidInput),
    ],
    ids=["caption", "file", "twice", "stranger", "past", "option"],
)
def test_a_draft_that_cannot_be_is_refused(draft: NewPost, refused: type[ServiceError]) -> None:
    with pytest.raises(refused):
        new_post(a_caller(), draft, KNOWN, now=NOON)


def test_an_asked_answer_counts_for_all_but_test_accounts() -> None:
    draft = replace(DRAFT, caption=answered(403, b"{}" * 3_000))
    real = Known(accounts={ACCOUNT.id: replace(ACCOUNT, test=False)})

    assert new_post(a_caller(), draft, KNOWN, now=NOON).after.caption == draft.caption
    with pytest.raises(CaptionTooLong):
        new_post(a_caller(), draft, real, now=NOON)


def test_a_time_that_has_passed_by_a_minute_at_most_counts_as_now() -> None:
    just = replace(TARGET, scheduled_at=NOON - timedelta(seconds=60))

    made = new_post(a_caller(), replace(DRAFT, targets=(just,)), KNOWN, now=NOON)

    assert made.after.targets[0].scheduled_at == NOON - timedelta(seconds=60)


def test_a_trial_has_room_for_the_draft_or_makes_none() -> None:
    caller, use = replace(a_caller(), plan=Plan.TRIAL), trial_post(1)
    used = {TRIAL_COUNTER: {str(use.unit): use.limit or 0}}

    assert new_post(caller, DRAFT, KNOWN, now=NOON).after.targets
    with pytest.raises(PlanLimit):
        new_post(caller, DRAFT, replace(KNOWN, counters=used), now=NOON)


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_copy_has_the_words_and_no_times_wherever_the_target_stands(moment: str) -> None:
    target = MOMENTS[moment]
    caller = a_caller(accounts={target.account_id: ()})

    copy = copy_of(a_post(targets=[target], caption="Rye"), caller)

    assert copy == NewPost(
        caption="Rye", media_ids=(), targets=(NewTarget(account_id=target.account_id),)
    )
    with pytest.raises(AccountRemoved):
        copy_of(a_post(targets=[target]), a_caller())
