"""The two channels of notices: letters, and push messages to browsers that are signed in.

`notices` and `digests` decide what is new for whom. Each channel remembers what it sent, so that a
mail server that is down delays no message to a browser, nor the other way round.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import cache
from typing import ClassVar, Protocol

from chalicelib.domain.clock import Clock
from chalicelib.domain.workspace.notices import (
    Channel,
    Matter,
    NoticeKind,
    digest_letter,
    digest_title,
    letter,
)
from chalicelib.domain.workspace.push import (
    LONGEST_REST,
    REST,
    Browser,
    BrowserGone,
    NotPushed,
    Pusher,
    PushMessage,
    digest_message,
    message_of,
)
from chalicelib.domain.workspace.workspaces import Member, Workspace
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.operator.outbox import Outbox
from chalicelib.storage.sign_in.sessions import SessionRepository
from chalicelib.storage.workspace.browsers import BrowserRows, PushKey
from chalicelib.storage.workspace.persons import PersonRepository

_LOG = logging.getLogger(__name__)


Errand = tuple[Member, Callable[[], bool]]
"""What tells a member something, and returns whether a message went out."""


class Way(Protocol):
    """A channel by which members get notices."""

    channel: ClassVar[Channel]

    @property
    def is_open(self) -> bool:
        """Tell whether the channel is in use at all."""
        ...

    def row_of(self, kind: NoticeKind) -> str:
        """Return the kind under which its messages are remembered."""
        ...

    def reaches(self, workspace: Workspace, members: Iterable[Member]) -> list[Member]:
        """Return the members whom it reaches now."""
        ...

    def tell(
        self, member: Member, workspace: Workspace, kind: NoticeKind, matters: Sequence[Matter]
    ) -> bool:
        """Send a member some news of one kind; return whether that went out."""
        ...

    def tell_morning(
        self,
        member: Member,
        workspace: Workspace,
        coming: Sequence[Matter],
        waiting: Sequence[Matter],
    ) -> bool:
        """Send a member what a day brings; return whether that went out."""
        ...


@dataclass(frozen=True, slots=True)
class ByMail:
    """Letters to proven addresses."""

    outbox: Outbox

    channel: ClassVar[Channel] = Channel.MAIL
    is_open: ClassVar[bool] = True

    def row_of(self, kind: NoticeKind) -> str:
        """Name the row after the kind alone."""
        return kind

    def reaches(self, workspace: Workspace, members: Iterable[Member]) -> list[Member]:
        """Return who has an address."""
        del workspace
        return [member for member in members if member.email]

    def tell(
        self, member: Member, workspace: Workspace, kind: NoticeKind, matters: Sequence[Matter]
    ) -> bool:
        """Send a letter."""
        to, name, url = member.email or "", workspace.name, self.outbox.url
        written = letter(kind, matters, to=to, workspace=name, url=url)
        return self.outbox.send(written, workspace.id, kind)

    def tell_morning(
        self,
        member: Member,
        workspace: Workspace,
        coming: Sequence[Matter],
        waiting: Sequence[Matter],
    ) -> bool:
        """Send the morning's letter."""
        to, name, url = member.email or "", workspace.name, self.outbox.url
        written = digest_letter(coming, waiting, to=to, workspace=name, url=url)
        return self.outbox.send(written, workspace.id, NoticeKind.DIGEST)


@dataclass(frozen=True, slots=True, kw_only=True)
class ByPush:
    """Push messages to the browsers that members chose, while they are signed in there."""

    key: PushKey
    browsers: BrowserRows
    sessions: SessionRepository
    persons: PersonRepository
    pusher: Callable[[], Pusher]
    clock: Clock

    channel: ClassVar[Channel] = Channel.PUSH

    @property
    def is_open(self) -> bool:
        """Tell whether any member ever chose a browser."""
        return self.key.is_there

    def row_of(self, kind: NoticeKind) -> str:
        """Name the row so that it is none of a letter's."""
        return f"push-{kind}"

    def reaches(self, workspace: Workspace, members: Iterable[Member]) -> list[Member]:
        """Return the members with a browser whose push service is not resting."""
        now = self.clock()
        awake = {one.member_id for one in self.browsers.list(workspace.id) if one.is_awake(now)}
        return [member for member in members if member.id in awake]

    def tell(
        self, member: Member, workspace: Workspace, kind: NoticeKind, matters: Sequence[Matter]
    ) -> bool:
        """Send a message to each browser of a member; return whether one was accepted."""
        return self._send(member, workspace, message_of(kind, matters, workspace.name))

    def tell_morning(
        self,
        member: Member,
        workspace: Workspace,
        coming: Sequence[Matter],
        waiting: Sequence[Matter],
    ) -> bool:
        """Send the morning's message; return whether it was accepted for a browser."""
        return self._send(
            member, workspace, digest_message(digest_title(coming, waiting, workspace.name))
        )

    def _send(self, member: Member, workspace: Workspace, message: PushMessage) -> bool:
        facts = {"action": "notice", "workspace_id": workspace.id, "kind": message.kind}
        taken = 0
        for browser in self._live(member, workspace):
            try:
                self.pusher().send(browser, message)
                taken += 1
            except BrowserGone as gone:
                self._forget(browser, str(gone))
            except NotPushed as failure:
                _LOG.warning("A browser could not be told: %s", failure, extra=facts)
                rest = min(failure.retry_after or REST, LONGEST_REST)
                self.browsers.rest(browser, self.clock() + max(rest, REST))
        if taken:
            _LOG.info("A member was told in %d browsers.", taken, extra=facts)
        return taken > 0

    def _live(self, member: Member, workspace: Workspace) -> list[Browser]:
        """Return a member's browsers that do not rest; forget those whose session is over."""
        now, begun = self.clock(), cache(self._times_begun)
        found = self.browsers.list(workspace.id, member.id)
        awake = [browser for browser in found if browser.is_awake(now)]
        over = [one for one in awake if one.session_since not in begun(one.person_id)]
        for browser in over:
            self._forget(browser, "It is signed out.")
        return [browser for browser in awake if browser not in over]

    def _times_begun(self, person_id: str) -> frozenset[datetime]:
        """Return when the sessions of a person began that still open something."""
        person, now = self.persons.find(person_id), self.clock()
        if person is None:
            return frozenset()
        found = self.sessions.list(person.id)
        return frozenset(one.created_at for one in found if one.is_live(person.signed_out_at, now))

    def _forget(self, browser: Browser, why: str) -> None:
        self.browsers.forget(browser)
        facts = {"action": "push.forgotten", "workspace_id": browser.workspace_id}
        _LOG.info("A browser is told no more: %s", why, extra=facts)
