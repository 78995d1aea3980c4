"""Groups of accounts that members choose together, and which accounts they choose most.

A group belongs to the workspace and is not stored with posts. A disconnected account no longer
counts in its groups, and a group may have no account left.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from chalicelib.domain.error_kinds import InvalidInput, NotFound
from chalicelib.domain.text import comparable_text, control_character_problem
from chalicelib.kit.dataclass import dataclass

MOST_GROUPS: Final = 50
LONGEST_NAME: Final = 50
_MOST_TIMES: Final = 64


class GroupNotFound(NotFound):
    """This group of accounts no longer exists."""

    code = "group_not_found"


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountGroup:
    """A named group of accounts."""

    id: str
    name: str
    account_ids: tuple[str, ...]

    def among(self, connected: Collection[str]) -> tuple[str, ...]:
        """Return its connected accounts."""
        return tuple(one for one in self.account_ids if one in connected)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chooser:
    """A workspace's groups by name, and how often each account was chosen."""

    groups: tuple[AccountGroup, ...] = ()
    times: Mapping[str, int]

    def find(self, group_id: str) -> AccountGroup | None:
        """Return a group, None if there is none."""
        return next((group for group in self.groups if group.id == group_id), None)


def checked_group(
    group: AccountGroup, others: Iterable[AccountGroup], connected: Collection[str]
) -> AccountGroup:
    """Return a valid group, with a tidy name and only connected accounts.

    Raises InvalidInput, also if another group has its name.
    """
    name = " ".join(group.name.split())
    if not 0 < len(name) <= LONGEST_NAME:
        message = f"Give the group a name of at most {LONGEST_NAME} characters."
        raise InvalidInput(message, loc=("body", "name"))
    problem = control_character_problem(name)
    if problem is not None:
        raise InvalidInput(problem, loc=("body", "name"))
    taken = {comparable_text(one.name) for one in others if one.id != group.id}
    if comparable_text(name) in taken:
        message = "Another group has this name. Choose a different one."
        raise InvalidInput(message, loc=("body", "name"))
    chosen = tuple(dict.fromkeys(group.among(connected)))
    if not chosen:
        raise InvalidInput("Choose at least one account.", loc=("body", "account"))
    return AccountGroup(id=group.id, name=name, account_ids=chosen)


def count_choices(times: Mapping[str, int], account_ids: Iterable[str]) -> dict[str, int]:
    """Return how often accounts were chosen, with these counted once more.

    When one reaches 64, all counts are halved, so that recent choices weigh more.
    """
    more = {**times, **{one: times.get(one, 0) + 1 for one in account_ids}}
    if max(more.values(), default=0) < _MOST_TIMES:
        return more
    return {one: count // 2 for one, count in more.items() if count > 1}
