"""Approvals: in a workspace that uses them, a contributor's post waits for somebody else's yes.

SPEC "Post" names the values, CONTRACT 4 "Approvals" the moves. None stands for a workspace that
does not use approvals.
"""

from enum import StrEnum

from chalicelib.domain.access import Role


class Approval(StrEnum):
    """Whether a post may go out."""

    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"


def first_approval(role: Role, *, approvals: bool) -> Approval | None:
    """Return what a new post starts with, by the role of who makes it."""
    if not approvals:
        return None
    return Approval.PENDING if role is Role.CONTRIBUTOR else Approval.APPROVED


def after_edit(current: Approval | None, role: Role) -> Approval | None:
    """Return what an edit makes of it: a contributor's edit, or one of a rejected post, waits."""
    if current is None:
        return None
    if role is Role.CONTRIBUTOR or current is Approval.REJECTED:
        return Approval.PENDING
    return current
