"""The morning's letter and message: what goes out that day and what waits, once a day.

`notices` asks at every round. A row for each member has the morning, in the workspace's time zone,
of the last letter, or of the last day without anything to write.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

from chalicelib.domain.clock import Clock
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.posts.post import Post, PostStatus
from chalicelib.domain.posts.query import PostQuery, Sort
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.workspace.notices import (
    Matter,
    NoticeKind,
    Told,
    is_digest_due,
)
from chalicelib.domain.workspace.workspaces import Member, Workspace
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.operator.ways import Errand, Way
from chalicelib.storage.posts.lists import PostLists
from chalicelib.storage.workspace.notices import NoticeRows

_A_PAGE, _MOST_PAGES = 100, 10
_SHOWN = 60
_SCHEDULED = frozenset({PostStatus.SCHEDULED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Digests:
    """The digests of one deployment."""

    lists: PostLists
    rows: NoticeRows
    clock: Clock

    def letters(
        self,
        way: Way,
        workspace: Workspace,
        readers: Iterable[Member],
        waiting: Callable[[Member], Sequence[Matter]],
    ) -> Iterator[Errand]:
        """Yield how to write to each member for whom it is morning.

        `waiting` returns what waits for a member.
        """
        now, zone = self.clock(), ZoneInfo(workspace.timezone)
        due = [
            member
            for member in readers
            if is_digest_due(self._read_told(way, workspace, member).at, now, zone)
        ]
        if not due:
            return
        coming = list(self._coming(workspace, now, zone))
        for one in due:
            yield one, partial(self._tell, way, one, workspace, coming, waiting(one), now)

    def _tell(
        self,
        way: Way,
        member: Member,
        workspace: Workspace,
        coming: Sequence[Matter],
        waits: Sequence[Matter],
        now: datetime,
    ) -> bool:
        if (coming or waits) and not way.tell_morning(member, workspace, coming, waits):
            return False
        self.rows.keep(workspace.id, member.id, way.row_of(NoticeKind.DIGEST), Told(at=now))
        return bool(coming or waits)

    def _read_told(self, way: Way, workspace: Workspace, member: Member) -> Told:
        return self.rows.read_told(workspace.id, member.id, way.row_of(NoticeKind.DIGEST))

    def _coming(self, workspace: Workspace, now: datetime, zone: ZoneInfo) -> Iterator[Matter]:
        """Yield what goes out until midnight, earliest first."""
        day = now.astimezone(zone).date() + timedelta(days=1)
        midnight = datetime.combine(day, datetime.min.time(), zone)
        query = PostQuery(
            statuses=_SCHEDULED, since=now, until=midnight, limit=_A_PAGE, sort=Sort.SCHEDULED
        )
        for post in self.lists.each(workspace.id, query, most_pages=_MOST_PAGES):
            targets = [one for one in post.targets if _goes_out(one, now, midnight)]
            at = min((one.scheduled_at for one in targets if one.scheduled_at), default=None)
            if at is not None and post.may_go_out:
                names = ", ".join(sorted({FACTS[one.platform].name for one in targets}))
                sentence = f"{at.astimezone(zone):%H:%M} {label_of(post)} on {names}"
                yield Matter(id=post.id, sentence=sentence, path=f"/app/posts/{post.id}")


def label_of(post: Post) -> str:
    """Return the beginning of a post's text, as letters name it."""
    line = " ".join(post.caption.split())
    short = line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"
    return f"“{short}”" if short else "A post without a text"


def _goes_out(target: Target, since: datetime, until: datetime) -> bool:
    at = target.scheduled_at
    return target.status is TargetStatus.SCHEDULED and at is not None and since <= at < until
