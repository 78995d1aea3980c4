"""Nobody makes words public without the right: each edit of a post in each state, by every key.

What is expected stands in `tests/support/rights`, a reading of the contract by hand. The test of
the API (`tests/api/rights/test_who_may_publish.py`) holds the same rows to the whole service.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

import pytest

from chalicelib.domain.error_kinds import ServiceError
from chalicelib.domain.outcome import Done
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.drafting import NewTarget
from chalicelib.domain.posts.editing import Editor, PostChanges, TargetChange, apply_changes
from chalicelib.domain.posts.known import Known
from chalicelib.domain.posts.post import Approval, Post
from chalicelib.domain.posts.target import Target
from chalicelib.domain.posts.verbs import Facts
from chalicelib.domain.workspace.access import Caller, Role
from chalicelib.domain.workspace.accounts import Account
from tests.support.builders import WORKSPACE, a_post, a_target, a_video
from tests.support.callers import a_caller
from tests.support.frozen_clock import NOON
from tests.support.rights.scopes import SCOPES
from tests.support.rights.tables import EDITS, KEYS

SOON = NOON + timedelta(hours=1)
ADDED = Account(
    id="a" * 32,
    workspace_id=WORKSPACE,
    platform=Platform.LINKEDIN,
    handle="@bakery",
    test=True,
    created_at=NOON,
)
FIRST, SECOND = a_target(place=0), a_target(place=1)


def _scheduled(target: Target) -> Target:
    return target.schedule(SOON, now=NOON, lead=timedelta(0))


def _live(target: Target) -> Target:
    return _scheduled(target).publish(Done(remote_id="99", url=None), now=NOON)


def _failed(target: Target) -> Target:
    return _scheduled(target).fail("media_rejected", "It was refused.", now=NOON)


STATES: Mapping[str, tuple[Target, Target]] = {
    "draft": (FIRST, SECOND),
    "scheduled": (_scheduled(FIRST), _scheduled(SECOND)),
    "half": (_scheduled(FIRST), SECOND),
    "live": (_live(FIRST), _scheduled(SECOND)),
    "cancelled": (_scheduled(FIRST).cancel(now=NOON), _scheduled(SECOND).cancel(now=NOON)),
    "failed": (_failed(FIRST), _failed(SECOND)),
}
WORDS = TargetChange(id=FIRST.id, caption_override="Words of its own")
CHANGED = {
    "caption_override": WORDS,
    "options": TargetChange(id=FIRST.id, options={"alt_text": "A loaf"}),
    "scheduled_at": TargetChange(id=FIRST.id, scheduled_at=NOON + timedelta(seconds=3)),
}
CHANGES: Mapping[str, PostChanges] = {
    "caption": PostChanges(caption="Words that nobody allowed"),
    "media_ids": PostChanges(media_ids=()),
    **{f"first.{name}": PostChanges(targets=(one,)) for name, one in CHANGED.items()},
    **{
        f"second.{name}": PostChanges(targets=(replace(one, id=SECOND.id),))
        for name, one in CHANGED.items()
    },
    "both.caption_override": PostChanges(targets=(WORDS, replace(WORDS, id=SECOND.id))),
    "add": PostChanges(add=(NewTarget(account_id=ADDED.id),)),
    "remove.first": PostChanges(remove=(FIRST.id,)),
    "remove.second": PostChanges(remove=(SECOND.id,)),
}
VERBS = {"schedule", "queue", "publish-now", "cancel", "retry", "duplicate", "delete"}
"""Calls that change nothing of what is written."""


def _a_caller(role: str, scopes: str, *, approvals: bool) -> Caller:
    return replace(a_caller(), role=Role(role), scopes=SCOPES[scopes], approvals=approvals)


def _answer(post: Post, changes: PostChanges, caller: Caller) -> str | None:
    """Return the code of the refusal, or the approval of the post after the edit."""
    editor = Editor(facts=Facts(caller=caller, now=NOON), known=Known(accounts={ADDED.id: ADDED}))
    try:
        return apply_changes(post, changes, editor).approval
    except ServiceError as refusal:
        return refusal.code


@pytest.mark.parametrize("approvals", [False, True], ids=["alone", "approvals"])
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("call", CHANGES)
def test_an_edit_needs_the_right_that_its_row_names(
    call: str, state: str, *, approvals: bool
) -> None:
    before = Approval.APPROVED if approvals else None
    post = a_post(targets=STATES[state], attachment=a_video(), approval=before)
    needed, _, then = EDITS[call, state].partition("-")

    answers = {
        key: _answer(post, CHANGES[call], _a_caller(*key, approvals=approvals)) for key in KEYS
    }

    def expected(may_publish: str) -> str | None:
        if may_publish != "yes" and needed == "publish" and not approvals:
            return may_publish
        if then == "live":
            return "already_live"
        return Approval.PENDING if may_publish != "yes" and approvals else before

    assert answers == {key: expected(may_publish) for key, may_publish in KEYS.items()}


def test_each_row_of_the_table_is_an_edit_or_a_verb() -> None:
    assert {call for call, _ in EDITS} == {*CHANGES, *VERBS}
