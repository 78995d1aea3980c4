"""The choice of accounts: groups, and in the composer the most used accounts first."""

from collections.abc import Sequence
from dataclasses import replace

from chalicelib.domain.repeating import Making
from chalicelib.domain.workspace.account_groups import AccountGroup
from chalicelib.web.forms.composition import Composition
from chalicelib.web.messages import Form
from chalicelib.web.routing import Visit

_GROUP = "group"


def chooser_values(visit: Visit) -> dict[str, object]:
    """Return the groups that have accounts, and the accounts by how often each was chosen."""
    chooser = visit.services.workspace.account_groups.read(visit.caller)
    return {
        "account_groups": _with_accounts(visit, chooser.groups),
        "choosable": sorted(visit.who.accounts, key=lambda one: -chooser.times.get(one.id, 0)),
    }


def groups_of(visit: Visit) -> list[AccountGroup]:
    """Return the groups that have accounts, each with those that are connected."""
    return _with_accounts(visit, visit.services.workspace.account_groups.read(visit.caller).groups)


def _with_accounts(visit: Visit, groups: Sequence[AccountGroup]) -> list[AccountGroup]:
    connected = visit.caller.accounts
    return [
        replace(group, account_ids=group.among(connected))
        for group in groups
        if group.among(connected)
    ]


def with_group(visit: Visit, sent: Form) -> Form:
    """Return a form with the accounts of the group that a button or the address names."""
    if not sent[_GROUP]:
        return sent
    group = visit.services.workspace.account_groups.read(visit.caller).find(sent[_GROUP])
    return sent if group is None else sent.with_more("account", group.among(visit.caller.accounts))


def count_chosen(visit: Visit, written: Composition, making: Making) -> None:
    """Count the accounts chosen for a new post; a repeat of its form does not count."""
    if making is Making.NEW:
        groups = visit.services.workspace.account_groups
        groups.count(visit.caller, (part.account_id for part in written.parts))
