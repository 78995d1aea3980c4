"""Who must wait for a yes, and what an edit does to one (docs/api.md "Posts" "Approvals")."""

import pytest

from chalicelib.domain.posts.post import Approval, after_edit, first_approval
from chalicelib.domain.workspace.access import Role

TRUSTED = sorted(set(Role) - {Role.CONTRIBUTOR})


@pytest.mark.parametrize("role", Role)
def test_without_approvals_nobody_waits(role: Role) -> None:
    assert first_approval(role, approvals=False) is None
    assert after_edit(None, role) is None


def test_a_contributors_post_waits() -> None:
    assert first_approval(Role.CONTRIBUTOR, approvals=True) is Approval.PENDING


@pytest.mark.parametrize("role", TRUSTED)
def test_everyone_elses_post_is_approved_from_the_start(role: Role) -> None:
    assert first_approval(role, approvals=True) is Approval.APPROVED


@pytest.mark.parametrize("current", Approval)
def test_a_contributors_edit_makes_it_wait_again(current: Approval) -> None:
    assert after_edit(current, Role.CONTRIBUTOR) is Approval.PENDING


@pytest.mark.parametrize("role", TRUSTED)
@pytest.mark.parametrize(
    ("current", "expected"),
    [
        (Approval.PENDING, Approval.PENDING),
        (Approval.APPROVED, Approval.APPROVED),
        (Approval.REJECTED, Approval.PENDING),
    ],
)
def test_only_a_rejected_post_changes_by_an_edit_of_the_others(
    role: Role, current: Approval, expected: Approval
) -> None:
    assert expected is after_edit(current, role)
