"""A post a minute by a test account, so that somebody notices when nothing goes out.

It is off unless an operator names a workspace for it (`GOLDENHOUR_CANARY`); `review` runs it. It
makes the posts of the coming minutes in the name of the workspace's first member, each with an id
derived from its minute, and deletes those of an hour ago. Their lateness counts like that of any
post. It posts to test accounts only, where nothing can be out twice: so nothing is kept of its
deleted posts, unlike those of others (`domain/posts/erasing.py`).
"""

import logging
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from itertools import islice
from typing import Final

from chalicelib.domain.clock import Clock
from chalicelib.domain.error_kinds import ServiceError
from chalicelib.domain.errors import PostNotFound
from chalicelib.domain.ids import id_with, made_at
from chalicelib.domain.posts.drafting import NewPost, NewTarget
from chalicelib.domain.posts.verbs import Verb
from chalicelib.domain.workspace.access import Caller
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.transaction import StaleWriteError
from chalicelib.services.posts.drafts import Drafts
from chalicelib.services.posts.scheduling import Scheduling
from chalicelib.services.workspace.acting import member_caller
from chalicelib.storage.deletion.posts import PostRemains
from chalicelib.storage.posts.erasing import DeletedPosts
from chalicelib.storage.workspace.accounts import AccountRepository
from chalicelib.storage.workspace.members import MemberRepository
from chalicelib.storage.workspace.workspaces import WorkspaceRepository

MINUTE: Final = timedelta(minutes=1)
NEAREST: Final = timedelta(minutes=2)
FARTHEST: Final = timedelta(minutes=10)
"""`review` runs every five minutes: one run that fails leaves no minute without a post."""
KEPT: Final = timedelta(hours=1)
_LOOKS_BACK: Final = timedelta(minutes=15)
_FORGOTTEN_AT_ONCE: Final = 500
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Canary:
    """Makes the posts of the coming minutes; safe to run at any time, and twice at once."""

    workspace_id: str | None
    workspaces: WorkspaceRepository
    members: MemberRepository
    accounts: AccountRepository
    drafts: Drafts
    scheduling: Scheduling
    deleted: DeletedPosts
    remains: PostRemains
    clock: Clock

    def run(self) -> int:
        """Make what is missing of the coming minutes and delete what is old; return how many."""
        if self.workspace_id is None:
            return 0
        now = self.clock()
        found = self._author(self.workspace_id)
        if found is None:
            facts = {"action": "canary.failed", "workspace_id": self.workspace_id}
            _LOG.error(
                "The canary needs a workspace with a member and a test account.", extra=facts
            )
            return 0
        author, account_id = found
        for minute in _minutes(now - KEPT - _LOOKS_BACK, now - KEPT):
            with suppress(PostNotFound, StaleWriteError):
                self.drafts.delete(author, post_id_of(author.workspace_id, minute))
        self._forget(author.workspace_id)
        minutes = _minutes(now + NEAREST, now + FARTHEST)
        return sum(self._make(author, account_id, minute) for minute in minutes)

    def _forget(self, workspace_id: str) -> None:
        """Erase what is left of deleted posts of its own: nobody looks for them at a platform."""
        own = (one for one in self.deleted.of_workspace(workspace_id) if _is_own(workspace_id, one))
        for post_id in islice(own, _FORGOTTEN_AT_ONCE):
            self.remains.erase(workspace_id, post_id)

    def _author(self, workspace_id: str) -> tuple[Caller, str] | None:
        """Return who posts, and as which test account."""
        workspace = self.workspaces.get(workspace_id)
        members = self.members.list(workspace_id) if workspace else []
        accounts = [one for one in self.accounts.list(workspace_id) if one.test]
        if workspace is None or not members or not accounts:
            return None
        return member_caller(members[0], workspace, accounts, key_id="canary"), accounts[0].id

    def _make(self, author: Caller, account_id: str, minute: datetime) -> bool:
        """Make the post of a minute unless it is there; tell whether it was made."""
        text = f"Canary of {minute:%H:%M}"
        target = NewTarget(account_id=account_id, scheduled_at=minute)
        try:
            self.drafts.create(
                author,
                NewPost(caption=text, media_ids=(), targets=(target,)),
                post_id=post_id_of(author.workspace_id, minute),
                then=partial(self.scheduling.ways, author, Verb.SCHEDULE),
            )
        except StaleWriteError:
            return False  # it was made already
        except ServiceError as refusal:
            facts = {"action": "canary.failed", "code": refusal.code}
            _LOG.error("A post of the canary was refused.", extra=facts)
            return False
        return True


def post_id_of(workspace_id: str, minute: datetime) -> str:
    """Return the id of a minute's post: the same whenever it is asked for."""
    random = sha256(f"canary/{workspace_id}/{minute.isoformat()}".encode()).digest()
    return id_with(minute - FARTHEST, random)


def _is_own(workspace_id: str, post_id: str) -> bool:
    return post_id == post_id_of(workspace_id, made_at(post_id) + FARTHEST)


def _minutes(since: datetime, until: datetime) -> Iterator[datetime]:
    minute = since.replace(second=0, microsecond=0)
    while minute <= until:
        if minute >= since:
            yield minute
        minute += MINUTE
