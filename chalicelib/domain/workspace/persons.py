"""Persons: humans with passkeys, addresses and sessions, who are members of workspaces.

A member is a person in one workspace. A member who has never signed in has no person yet: opening
the first sign-in link creates one, or lets a person who is signed in join. For members who existed
before persons did, the person has the member's id.
"""

import hashlib
from dataclasses import replace
from datetime import datetime

from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.kit.dataclass import dataclass

MOST_WORKSPACES = 200
"""The most that a person can be in: they are in one row, which every request of the app reads."""
MOST_PLACES = 20


class AlreadyMemberError(OperatorError):
    """You are already a member of this workspace, under another name."""


class TooManyWorkspacesError(OperatorError):
    """You are in 200 workspaces, which is the limit. Leave one first."""


class UnknownPersonError(OperatorError):
    """You are no longer signed in. Sign in again."""


class AddressTakenError(OperatorError):
    """This address belongs to another person here. Use another one, or sign in as that person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """The member that a person is in a workspace; `workspace_name` is as of the day of joining."""

    workspace_id: str
    member_id: str
    workspace_name: str
    since: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A human; `version` counts the changes to it and to the passkeys.

    `addresses` are the e-mail addresses that this person confirmed. `places` are hashes of where
    sign-ins came from, newest last. Sessions that began before `signed_out_at` have ended.
    """

    id: str
    created_at: datetime
    memberships: tuple[Membership, ...] = ()
    addresses: frozenset[str] = frozenset()
    places: tuple[str, ...] = ()
    signed_out_at: datetime | None = None
    version: int = 1

    def membership_in(self, workspace_id: str) -> Membership | None:
        """Return the person's membership in a workspace, None without one."""
        return next((one for one in self.memberships if one.workspace_id == workspace_id), None)

    def is_in_all(self, reach: frozenset[str] | None) -> bool:
        """Tell whether a session with this reach opens every workspace of the person."""
        return reach is None or all(one.workspace_id in reach for one in self.memberships)

    def joins(self, membership: Membership) -> "Person":
        """Return the person in one more workspace.

        Raises AlreadyMemberError, TooManyWorkspacesError.
        """
        if self.membership_in(membership.workspace_id) is not None:
            raise AlreadyMemberError
        if len(self.memberships) >= MOST_WORKSPACES:
            raise TooManyWorkspacesError
        return replace(self, memberships=(*self.memberships, membership))

    def leaves(self, workspace_id: str) -> "Person":
        """Return the person without a workspace."""
        left = tuple(one for one in self.memberships if one.workspace_id != workspace_id)
        return replace(self, memberships=left)

    def comes_from(self, place: str) -> "Person":
        """Return the person with the place of its newest sign-in."""
        others = tuple(one for one in self.places if one != place)
        return replace(self, places=(*others, place)[-MOST_PLACES:])


def hash_of_address(address: str) -> str:
    """Return the SHA-256 of an address in lower case, by which it is found."""
    return hashlib.sha256(address.casefold().encode()).hexdigest()
