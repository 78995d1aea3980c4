"""Deleting a workspace for good, in steps that can be interrupted: stop it, empty it, check it.

`workspace delete` and an owner in the app begin it, with the same few calls however large it is;
the review goes on with deletions under way. A row stores how far one is, so that a killed process
loses nothing (domain/workspace/deletion.py).
"""

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice

from chalicelib.domain.clock import Clock
from chalicelib.domain.workspace.activity import OPERATOR, Actor, Deed
from chalicelib.domain.workspace.deletion import Deletion, Step, Tombstone
from chalicelib.domain.workspace.operator_errors import OperatorError, UnknownWorkspaceError
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.workspace.activity import ActivityLog
from chalicelib.storage.deletion.files import FileRemains
from chalicelib.storage.deletion.people import DirectoryRemains
from chalicelib.storage.deletion.posts import PostRemains
from chalicelib.storage.deletion.progress import DeletionRows
from chalicelib.storage.deletion.search import Search
from chalicelib.storage.engine.switch import EngineSwitch
from chalicelib.storage.workspace.owner_index import require_id
from chalicelib.storage.workspace.workspaces import WorkspaceRepository

_AT_ONCE = 50
LONGEST_RUN = timedelta(seconds=60)
_LOG = logging.getLogger(__name__)


class StillScheduledError(OperatorError):
    """Posts are scheduled or being sent. Cancel or delete them first, or use --even-scheduled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceDeletion:
    """Deletes workspaces."""

    workspaces: WorkspaceRepository
    rows: DeletionRows
    posts: PostRemains
    files: FileRemains
    directory: DirectoryRemains
    forget_at_sandbox: Callable[[Collection[str]], None]
    search: Search
    switch: EngineSwitch
    activity: ActivityLog
    clock: Clock

    def begin(
        self, workspace_id: str, *, by: Actor = OPERATOR, even_scheduled: bool = False
    ) -> Deletion:
        """Begin to delete a workspace; once this returns, nothing goes out for it any more.

        An earlier deletion of it goes on. Raises UnknownWorkspaceError, StillScheduledError.
        """
        deletion = self.rows.find(require_id(workspace_id, UnknownWorkspaceError))
        if deletion is None:
            if not self.workspaces.exists(workspace_id):
                raise UnknownWorkspaceError
            if not even_scheduled and self.posts.has_motion(workspace_id):
                raise StillScheduledError
            deletion = Deletion(workspace_id=workspace_id, asked_at=self.clock(), by=by.kind)
            self.rows.begin(deletion)
            self.activity.note(workspace_id, Deed.DELETED, by)
        return self.step(deletion) if deletion.step is Step.STOP else deletion

    def step(self, deletion: Deletion) -> Deletion:
        """Do the next part, some seconds at most; return how far it is then."""
        after = self._carry_out(deletion)
        if after.is_over:
            self.switch.forget(after.workspace_id)
            stayed = self.rows.tombstone(after.workspace_id)
            self.rows.end(stayed or self._tombstone(after), self.clock())
            facts = {"action": "workspace.deleted", "workspace_id": after.workspace_id}
            _LOG.info("A workspace is gone for good.", extra=facts)
        else:
            self.rows.keep(after)
        return after

    def run(self) -> int:
        """Go on with everything that is under way; return how many steps were made."""
        made, until = 0, self.clock() + LONGEST_RUN
        for deletion in self.rows.under_way():
            try:
                made += sum(1 for _ in self.steps(deletion, until))
            except Exception:  # noqa: BLE001 - one that fails must not keep the others
                facts = {"action": "deletion.put_off", "workspace_id": deletion.workspace_id}
                _LOG.exception("Deleting a workspace goes on later.", extra=facts)
        return made

    def steps(self, deletion: Deletion, until: datetime | None = None) -> Iterator[Deletion]:
        """Yield how far it is after each step, until it rests, is over, or the time is."""
        while not deletion.is_over and not deletion.rests(self.clock()):
            if until is not None and self.clock() > until:
                return
            deletion = self.step(deletion)
            yield deletion

    def _carry_out(self, deletion: Deletion) -> Deletion:
        match deletion.step:
            case Step.STOP:
                return self._stop(deletion)
            case Step.PEOPLE:
                return self._some_people(deletion)
            case Step.POSTS:
                return self._some_posts(deletion)
            case Step.FILES:
                return self._some_files(deletion)
            case Step.KEPT_BY_KEY:
                self.directory.erase_partitions(deletion.workspace_id)
            case Step.SANDBOX:
                self.forget_at_sandbox(deletion.account_ids)
            case Step.SEARCH:
                found = self.search.go_on(deletion.workspace_id, deletion.searched)
                if found is not None:
                    return replace(deletion, searched=found)
        return deletion.next(self.clock())

    def _stop(self, deletion: Deletion) -> Deletion:
        """Stop what the workspace sends and refuse its keys and sessions, then store that.

        No post is changed: workers ask the switch before they claim one, and once more before its
        visible call. The ids of accounts are stored first: only they tell which rows are theirs.
        """
        workspace_id = deletion.workspace_id
        self.switch.close(workspace_id)
        ids = deletion.account_ids | self.directory.account_ids(workspace_id)
        if ids != deletion.account_ids:
            deletion = replace(deletion, account_ids=ids)
            self.rows.keep(deletion)
        self.directory.shut(workspace_id)
        self.rows.bury(self._tombstone(deletion))
        return deletion.next(self.clock())

    def _tombstone(self, deletion: Deletion) -> Tombstone:
        return Tombstone(
            workspace_id=deletion.workspace_id, deleted_at=self.clock(), by=deletion.by
        )

    def _some_people(self, deletion: Deletion) -> Deletion:
        went = self.directory.erase_some(deletion.workspace_id, _AT_ONCE)
        if went is None:
            return deletion.next(self.clock())
        return deletion.counting(members=went.members, accounts=went.accounts)

    def _some_posts(self, deletion: Deletion) -> Deletion:
        workspace_id = deletion.workspace_id
        some = list(islice(self.posts.list_ids(workspace_id), _AT_ONCE))
        gone = sum(self.posts.erase(workspace_id, post_id) for post_id in sorted(set(some)))
        counted = deletion.counting(posts=gone)
        return counted.next(self.clock()) if _were_all(some) else counted

    def _some_files(self, deletion: Deletion) -> Deletion:
        some = list(islice(self.files.list_ids(deletion.workspace_id), _AT_ONCE))
        counted = deletion.counting(files=sum(self.files.erase(media_id) for media_id in some))
        if not _were_all(some):
            return counted
        self.files.erase_objects(deletion.workspace_id)
        return counted.next(self.clock())


def _were_all(some: Sequence[str]) -> bool:
    """Tell whether lists had no more than these: they need not be gone through once more."""
    return len(some) < _AT_ONCE
