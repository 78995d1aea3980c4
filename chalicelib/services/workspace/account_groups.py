"""A workspace's groups of accounts: listed, made, changed, deleted; and what is chosen most."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from chalicelib.domain.clock import Clock
from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.ids import new_id
from chalicelib.domain.workspace.access import Caller
from chalicelib.domain.workspace.account_groups import (
    MOST_GROUPS,
    AccountGroup,
    Chooser,
    GroupNotFound,
    checked_group,
    count_choices,
)
from chalicelib.kit.dataclass import dataclass
from chalicelib.storage.workspace.chooser import ChooserRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountGroups:
    """The groups of the caller's workspace."""

    rows: ChooserRepository
    clock: Clock

    def read(self, caller: Caller) -> Chooser:
        """Return the groups by name, and how often each account was chosen."""
        return self.rows.read(caller.workspace_id)

    def add(self, caller: Caller, *, name: str, account_ids: Sequence[str]) -> AccountGroup:
        """Make a group. Raises InvalidInput, also when there are as many as can be."""
        new = AccountGroup(id=new_id(self.clock()), name=name, account_ids=tuple(account_ids))
        return self.rows.add(caller.workspace_id, partial(_fitting, new, caller))

    def change(
        self, caller: Caller, group_id: str, *, name: str, account_ids: Sequence[str]
    ) -> AccountGroup:
        """Rename a group and exchange its accounts. Raises GroupNotFound, InvalidInput."""
        chooser = self.read(caller)
        if chooser.find(group_id) is None:
            raise GroupNotFound
        changed = AccountGroup(id=group_id, name=name, account_ids=tuple(account_ids))
        group = checked_group(changed, chooser.groups, caller.accounts)
        if not self.rows.replace(caller.workspace_id, group):
            raise GroupNotFound
        return group

    def remove(self, caller: Caller, group_id: str) -> None:
        """Delete a group; its accounts stay connected. Raises GroupNotFound."""
        if not self.rows.remove(caller.workspace_id, group_id):
            raise GroupNotFound

    def count(self, caller: Caller, account_ids: Iterable[str]) -> None:
        """Note that a post was begun for these accounts."""
        chooser = self.read(caller)
        known = {one: times for one, times in chooser.times.items() if one in caller.accounts}
        more = count_choices(known, (one for one in account_ids if one in caller.accounts))
        self.rows.keep_times(caller.workspace_id, replace(chooser, times=more))


def _fitting(new: AccountGroup, caller: Caller, others: Sequence[AccountGroup]) -> AccountGroup:
    """Return a group as it is made beside the others. Raises InvalidInput."""
    if len(others) >= MOST_GROUPS:
        message = f"A workspace has at most {MOST_GROUPS} groups. Delete one first."
        raise InvalidInput(message, loc=("body", "name"))
    return checked_group(new, others, caller.accounts)
