"""Who must wait for a yes, and what an edit does to one (docs/api.md "Approvals").

The keys stand in a table by scopes and role: both are looked at, never a role's name alone.
"""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from chalicelib.domain.error_kinds import ServiceError
from chalicelib.domain.posts.post import Approval, after_edit, first_approval
from chalicelib.domain.workspace.access import Caller, Role, Scope
from tests.support.callers import a_caller

DRAFTS, ALL = frozenset({Scope.READ, Scope.WRITE}), frozenset(Scope)
REFUSED: Mapping[tuple[Role, frozenset[Scope]], str | None] = {
    (Role.OWNER, ALL): None,
    (Role.OWNER, DRAFTS): "scope_missing",
    (Role.ADMIN, ALL): None,
    (Role.ADMIN, DRAFTS): "scope_missing",
    (Role.EDITOR, ALL): None,
    (Role.EDITOR, DRAFTS): "scope_missing",
    (Role.CONTRIBUTOR, ALL): "forbidden",
    (Role.CONTRIBUTOR, DRAFTS): "scope_missing",
}
"""How each key that may write is refused where it may not publish; None for one that may."""

TRUSTED = [key for key, refused in REFUSED.items() if refused is None]
OTHERS = [key for key, refused in REFUSED.items() if refused is not None]
Key = tuple[Role, frozenset[Scope]]


def caller_with(key: Key, *, approvals: bool) -> Caller:
    role, scopes = key
    return replace(a_caller(), role=role, scopes=scopes, approvals=approvals)


@pytest.mark.parametrize("key", REFUSED)
def test_without_approvals_no_post_waits(key: Key) -> None:
    caller = caller_with(key, approvals=False)

    assert first_approval(caller) is None
    assert after_edit(None, caller, reaches_scheduled=False) is None


@pytest.mark.parametrize("key", OTHERS)
def test_a_post_waits_that_is_made_without_the_right_to_publish(key: Key) -> None:
    assert first_approval(caller_with(key, approvals=True)) is Approval.PENDING


@pytest.mark.parametrize("key", TRUSTED)
def test_a_post_is_approved_from_the_start_that_is_made_with_it(key: Key) -> None:
    assert first_approval(caller_with(key, approvals=True)) is Approval.APPROVED


@pytest.mark.parametrize("reaches_scheduled", [True, False])
@pytest.mark.parametrize("key", OTHERS)
@pytest.mark.parametrize("current", [None, *Approval])
def test_with_approvals_an_edit_without_it_waits(
    current: Approval | None, key: Key, *, reaches_scheduled: bool
) -> None:
    caller = caller_with(key, approvals=True)

    after = after_edit(current, caller, reaches_scheduled=reaches_scheduled)

    assert after is Approval.PENDING


@pytest.mark.parametrize("key", OTHERS)
@pytest.mark.parametrize("current", [None, *Approval])
def test_without_approvals_an_edit_without_it_leaves_what_is_scheduled(
    current: Approval | None, key: Key
) -> None:
    caller = caller_with(key, approvals=False)

    with pytest.raises(ServiceError) as refused:
        after_edit(current, caller, reaches_scheduled=True)

    assert refused.value.code == REFUSED[key]


@pytest.mark.parametrize("approvals", [True, False])
@pytest.mark.parametrize("reaches_scheduled", [True, False])
@pytest.mark.parametrize("key", TRUSTED)
@pytest.mark.parametrize(
    ("current", "expected"),
    [
        (None, None),
        (Approval.PENDING, Approval.PENDING),
        (Approval.APPROVED, Approval.APPROVED),
        (Approval.REJECTED, Approval.PENDING),
    ],
)
def test_only_a_rejected_post_changes_by_an_edit_of_who_may_publish(
    key: Key,
    current: Approval | None,
    expected: Approval | None,
    *,
    reaches_scheduled: bool,
    approvals: bool,
) -> None:
    caller = caller_with(key, approvals=approvals)

    assert expected is after_edit(current, caller, reaches_scheduled=reaches_scheduled)
