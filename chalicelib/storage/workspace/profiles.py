"""Accounts' profiles as read last: a row beside each account, with its picture."""

from chalicelib.domain.workspace.profiles import Profile
from chalicelib.domain.workspace.rounds import Stand
from chalicelib.kit.dynamodb.items import Item, instant, stamp
from chalicelib.kit.dynamodb.table import partition
from chalicelib.storage.tables import workspace_pk
from chalicelib.storage.workspace.changes import WorkspaceTable
from chalicelib.storage.workspace.items import PROFILE, PROFILES_READ_KEY, profile_key
from chalicelib.storage.workspace.rounds import keep_stand, read_stand


class ProfileRepository:
    """Profiles of all workspaces' accounts."""

    def __init__(self, directory: WorkspaceTable) -> None:
        self._table = directory.table

    def get(self, workspace_id: str, account_id: str) -> Profile | None:
        """Return an account's profile, None before it was read."""
        row = self._table.get(profile_key(workspace_id, account_id))
        return None if row is None else _profile(row)

    def of_workspace(self, workspace_id: str) -> dict[str, Profile]:
        """Return the profiles of a workspace's accounts, by the account's id."""
        rows = self._table.rows(partition(workspace_pk(workspace_id), PROFILE))
        return {found.account_id: found for found in map(_profile, rows)}

    def put(self, workspace_id: str, profile: Profile) -> None:
        """Keep a profile, replacing an earlier one."""
        row: Item = {
            **profile_key(workspace_id, profile.account_id),
            "read_at": stamp(profile.read_at),
            "followers": profile.followers,
            "picture": profile.picture,
            "counted": [[stamp(at), followers] for at, followers in profile.counted],
        }
        self._table.put(row)

    def remove(self, workspace_id: str, account_id: str) -> None:
        """Forget a profile: its account was disconnected."""
        self._table.delete(profile_key(workspace_id, account_id))

    def stand(self) -> Stand | None:
        """Return how far the rounds have come, None before the first."""
        return read_stand(self._table, PROFILES_READ_KEY)

    def note(self, stand: Stand) -> None:
        """Keep how far the rounds have come."""
        keep_stand(self._table, PROFILES_READ_KEY, stand)


def _profile(row: Item) -> Profile:
    picture = row.get("picture")
    return Profile(
        account_id=str(row["sk"]).removeprefix(PROFILE),
        read_at=instant(row["read_at"]),
        followers=row.get("followers"),
        picture=None if picture is None else bytes(picture),
        counted=tuple((instant(at), followers) for at, followers in row.get("counted", ())),
    )
