"""Persons: humans with passkeys, addresses and sessions, who are members of workspaces.

A member is a person in one workspace. Somebody who was never signed in is a member without a
person: the first sign-in link that is opened makes the person, or lets one who is signed in join.
The person of a member who was there before there were persons has the member's own id.
"""

import hashlib
from dataclasses import replace
from datetime import datetime

from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.kit.dataclass import dataclass

MOST_WORKSPACES = 200
"""Of one person: they stand in one row, which every request of the app reads."""
MOST_PLACES = 20


class AlreadyMemberError(OperatorError):
    """You are a member of this workspace already, as somebody with another name."""


class TooManyWorkspacesError(OperatorError):
    """You are in 200 workspaces, the most there can be. Leave one first."""


class UnknownPersonError(OperatorError):
    """You are not signed in any more. Sign in again."""


class AddressTakenError(OperatorError):
    """Somebody else here proved this address before. Use another one, or sign in as that person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """As which member a person is in a workspace; its name is how it was called on that day."""

    workspace_id: str
    member_id: str
    workspace_name: str
    since: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A human; `version` counts the changes to it and to the passkeys.

    `addresses` are the e-mail addresses that this person proved to read. `places` are from where
    sign-ins came, the newest last, as hashes. Sessions that began before `signed_out_at` are over.
    """

    id: str
    created_at: datetime
    memberships: tuple[Membership, ...] = ()
    addresses: frozenset[str] = frozenset()
    places: tuple[str, ...] = ()
    signed_out_at: datetime | None = None
    version: int = 1

    def membership_in(self, workspace_id: str) -> Membership | None:
        """Return as whom the person is in a workspace, None if it is not."""
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
    """Return what an address is found by, however its letters are written."""
    return hashlib.sha256(address.casefold().encode()).hexdigest()
