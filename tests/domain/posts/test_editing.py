"""What a change makes of a post, for every moment at which its target may stand."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.domain.errors import (
    AlreadyLive,
    CaptionTooLong,
    DuplicateAccount,
    NoPlatforms,
    PlanLimit,
    UnknownAccount,
    UnknownTarget,
)
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.drafting import NewTarget
from chalicelib.domain.posts.editing import Editor, PostChanges, TargetChange, edit
from chalicelib.domain.posts.history import Action
from chalicelib.domain.posts.known import Known
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.target import TargetStatus
from chalicelib.domain.posts.verbs import Facts, Update
from chalicelib.domain.workspace.accounts import Account
from chalicelib.domain.workspace.plans import TRIAL_COUNTER, trial_post
from tests.domain.posts.moments import MOMENTS, TWO
from tests.support.builders import WORKSPACE, a_post, a_target
from tests.support.callers import a_caller
from tests.support.frozen_clock import NOON

GOLDEN = NOON + timedelta(hours=7)
FIXED = {name for name, one in MOMENTS.items() if one.status in ("publishing", "published")} | {
    "removed",
    "failed, in doubt",
    "cancelled, in doubt",
}
EDITABLE = [name for name in MOMENTS if name not in FIXED]
REARMED = [name for name in MOMENTS if name.startswith("scheduled")]
TOLD = "Rye at eight"


def _an_account() -> Account:
    return Account(
        id="a" * 32,
        workspace_id=WORKSPACE,
        platform=Platform.LINKEDIN,
        handle="@bakery",
        test=True,
        created_at=NOON,
    )


def _editor(*accounts: Account) -> Editor:
    golden = {account.id: GOLDEN for account in accounts}
    facts = Facts(caller=a_caller(), now=NOON, golden=golden)
    return Editor(facts=facts, known=Known(accounts={one.id: one for one in accounts}))


def _edit(post: Post, changes: PostChanges, *accounts: Account) -> Update:
    return edit(post, changes, _editor(*accounts))


@pytest.mark.parametrize("moment", MOMENTS)
def test_new_words_are_taken_until_something_may_have_gone_out(moment: str) -> None:
    target = MOMENTS[moment]
    post = a_post(targets=[target])

    if moment in FIXED:
        with pytest.raises(AlreadyLive):
            _edit(post, PostChanges(caption=TOLD))
        return
    update = _edit(post, PostChanges(caption=TOLD))

    after = update.after.targets[0]
    assert (update.after.caption, after.status, after.scheduled_at) == (
        TOLD,
        target.status,
        target.scheduled_at,
    )
    assert [(one.action, one.detail["caption"]) for one in update.events] == [(Action.EDITED, True)]


@pytest.mark.parametrize("moment", EDITABLE)
def test_an_edit_that_changes_nothing_leaves_the_post_as_it_was(moment: str) -> None:
    """A program that sends each post every minute would make 500,000 events of it in a year."""
    target = replace(MOMENTS[moment], caption_override=TOLD)
    post = a_post(targets=[target])
    again = TargetChange(
        id=target.id, caption_override=TOLD, scheduled_at=target.scheduled_at, options={}
    )

    update = _edit(post, PostChanges(caption=post.caption, targets=(again,)))

    assert update == Update(after=post)


@pytest.mark.parametrize("moment", REARMED)
def test_what_is_scheduled_is_prepared_anew_with_its_new_words(moment: str) -> None:
    post = a_post(targets=[MOMENTS[moment]])

    after = _edit(post, PostChanges(caption=TOLD)).after.targets[0]

    assert (after.progress.checkpoint, after.progress.lease) == (None, None)
    assert after.progress.wake_at == after.due_at


@pytest.mark.parametrize("moment", EDITABLE)
def test_a_new_time_moves_what_is_scheduled_and_is_kept_for_the_rest(moment: str) -> None:
    target = MOMENTS[moment]
    change = TargetChange(id=target.id, scheduled_at=GOLDEN)

    after = _edit(a_post(targets=[target]), PostChanges(targets=(change,))).after.targets[0]

    assert (after.status, after.scheduled_at) == (target.status, GOLDEN)
    assert (after.due_at == GOLDEN) is (moment in REARMED)


@pytest.mark.parametrize("moment", EDITABLE)
def test_what_is_added_goes_out_with_a_post_that_is_scheduled(moment: str) -> None:
    post, added = a_post(targets=[MOMENTS[moment]]), _an_account()

    after = _edit(post, PostChanges(add=(NewTarget(account_id=added.id),)), added).after.targets[1]

    goes = moment in REARMED
    assert after.status is (TargetStatus.SCHEDULED if goes else TargetStatus.DRAFT)
    assert after.scheduled_at == (GOLDEN if goes else None)


def test_an_own_time_to_come_goes_before_the_golden_hour() -> None:
    post, added = a_post(targets=[MOMENTS["scheduled"]]), _an_account()
    new = NewTarget(account_id=added.id, scheduled_at=TWO)

    after = _edit(post, PostChanges(add=(new,)), added).after

    assert after.targets[1].scheduled_at == TWO


def test_what_cannot_be_is_refused_with_the_place_where_it_stands() -> None:
    target, known = a_target(), _an_account()
    post = a_post(targets=[replace(target, account_id=known.id)])
    stranger, again = NewTarget(account_id="9" * 32), NewTarget(account_id=known.id)
    cases: list[tuple[PostChanges, type[Exception], str]] = [
        (PostChanges(remove=(target.id,)), NoPlatforms, "remove"),
        (PostChanges(remove=("8" * 32,)), UnknownTarget, "remove[0]"),
        (PostChanges(targets=(TargetChange(id="8" * 32),)), UnknownTarget, "targets[0].id"),
        (PostChanges(add=(stranger,)), UnknownAccount, "add[0].account_id"),
        (PostChanges(add=(again,)), DuplicateAccount, "add[0].account_id"),
        (PostChanges(caption="x" * 100_000), CaptionTooLong, "targets[0].caption"),
    ]

    for changes, refused, field in cases:
        with pytest.raises(refused) as raised:
            _edit(post, changes, known)
        assert getattr(raised.value, "field", None) == field


def test_uses_that_do_not_fit_the_plan_are_refused_before_anything_is_used_up() -> None:
    use = trial_post(1)
    limit = use.limit or 0
    known = Known(counters={TRIAL_COUNTER: {use.unit: limit - 1}})

    known.require_room([use])
    with pytest.raises(PlanLimit):
        known.require_room([use, use])
