"""A workspace's activity: one row for each action in a partition of its own, newest last.

Actions that anybody may repeat (a refused sign-in) get one row a minute and cause.
"""

from collections.abc import Collection, Sequence
from typing import Final

from chalicelib.domain.workspace.activity import KEPT, Activity
from chalicelib.domain.workspace.former import FORMER_MEMBER, without_name
from chalicelib.kit.dynamodb.items import Item, epoch, stamp
from chalicelib.kit.dynamodb.records import Record
from chalicelib.kit.dynamodb.table import ABSENT, PRESENT, Table, partition, setting
from chalicelib.storage.tables import Key

_ACTIVITY: Final = Record(Activity, apart=("id", "workspace_id"))
_MINUTE = len("2026-11-25T12:00")
_AFTER_ALL = "~"


def activity_key(workspace_id: str, activity_id: str) -> Key:
    """Key of one action."""
    return {"pk": activity_pk(workspace_id), "sk": activity_id}


def activity_pk(workspace_id: str) -> str:
    """Partition of a workspace's activity."""
    return f"ACTIVITY#{workspace_id}"


class ActivityRows:
    """The activity of all workspaces."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def add(self, activity: Activity) -> None:
        """Keep an action."""
        self._table.put(activity_item(activity))

    def add_once_a_minute(self, activity: Activity) -> bool:
        """Keep an action, once a minute and cause; tell whether it was kept."""
        minute = stamp(activity.at)[:_MINUTE]
        key = activity_key(activity.workspace_id, f"{minute}#{activity.deed}#{activity.subject_id}")
        return self._table.put({**activity_item(activity), **key}, ABSENT)

    def newest(self, workspace_id: str, most: int, before: str = "") -> Sequence[Activity]:
        """Return a workspace's newest actions, newest first; `before` is the last id of a page."""
        rows = self._table.newest(activity_pk(workspace_id), before or _AFTER_ALL, most)
        return [activity_from(row) for row in rows]

    def forget_member(
        self, workspace_id: str, ids: Collection[str], names: Collection[str]
    ) -> None:
        """Erase a member's name and addresses from actions by and on it; `ids` has its keys.

        Actions with a link that the member made lose the name as well.
        """
        for row in self._table.rows(partition(activity_pk(workspace_id))):
            changed: dict[str, str | None] = {}
            if row.get("by_id") in ids:
                changed |= {"by_name": FORMER_MEMBER, "client": None, "detail": None}
            if row.get("subject_id") in ids:
                changed |= {"subject": FORMER_MEMBER, "detail": None}
            if row.get("member_id") in ids:
                changed |= {"client": None, "detail": None}
            for told in ("by_name", "subject", "detail"):
                said = str(row.get(told, ""))
                if told not in changed and (bare := without_name(said, names)) != said:
                    changed[told] = bare
            if changed:
                self._table.update(activity_key(workspace_id, row["sk"]), setting(changed), PRESENT)


def activity_item(activity: Activity) -> Item:
    """Return the row of an action."""
    key = activity_key(activity.workspace_id, activity.id)
    return {**key, **_ACTIVITY.item(activity), "expires_at": epoch(activity.at + KEPT)}


def activity_from(row: Item) -> Activity:
    """Read a row."""
    return _ACTIVITY.value(row, id=row["sk"], workspace_id=str(row["pk"]).partition("#")[2])
