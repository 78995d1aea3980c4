"""What waits for a member: the bell's page and its number, and the list on the front page.

The bell has the kinds that the member chose in settings, the front page all. Failures are listed
as long as somebody can act on them, comments until they are resolved. Posts of the next days are
checked without asking a platform.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from chalicelib.domain.posts.post import Post, PostStatus
from chalicelib.domain.posts.problems import Problem
from chalicelib.domain.posts.query import PostQuery
from chalicelib.domain.posts.target import TargetStatus
from chalicelib.domain.workspace.access import Plan, Scope
from chalicelib.domain.workspace.accounts import Account, Health
from chalicelib.domain.workspace.notices import Channel, NoticeKind
from chalicelib.domain.workspace.workspaces import Member
from chalicelib.kit.asgi.messages import Response
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.in_parallel import in_parallel
from chalicelib.services.posts.comments import Unread
from chalicelib.web.routing import Visit, page
from chalicelib.web.sentences import of_problem

_MOST = 5
_LOOKED_AT = 50
_REMINDED = timedelta(days=14)
_NEWEST = 20
_FAILED = frozenset({PostStatus.FAILED, PostStatus.PARTIAL})
_NOTICE_KINDS = {
    "failed": NoticeKind.FAILED,
    "at_risk": NoticeKind.AT_RISK,
    "by_hand": NoticeKind.REMINDER,
    "unread": NoticeKind.COMMENT,
    "pending": NoticeKind.REVIEW,
    "broken": NoticeKind.SIGN_IN,
}


@dataclass(frozen=True, slots=True)
class AtRisk:
    """A scheduled post, and the problems because of which it will fail."""

    post: Post
    said: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Everything that waits for a member; `newest` are the workspace's newest posts."""

    newest: Sequence[Post]
    failed: Sequence[Post]
    at_risk: Sequence[AtRisk]
    by_hand: Sequence[Post]
    unread: Sequence[Unread]
    pending: Sequence[Post]
    broken: Sequence[Account]

    @property
    def kinds(self) -> dict[str, Sequence[object]]:
        """Return what waits, by the names of its kinds."""
        return {name: getattr(self, name) for name in _NOTICE_KINDS}

    def on_the_bell(self, member: Member) -> dict[str, Sequence[object]]:
        """Return `kinds`, without those that the member does not want on the bell's page."""
        chosen = member.notices_for(Channel.BELL)
        return {
            name: found if _NOTICE_KINDS[name] in chosen else []
            for name, found in self.kinds.items()
        }


@page("GET", "/app/waiting")
def show_waiting(visit: Visit) -> Response:
    """Show the bell's page."""
    on_the_bell = waiting_of(visit).on_the_bell(visit.who.member)
    values = {**on_the_bell, "drafts": [], "count": count_of(on_the_bell)}
    return visit.show_with("workspace/waiting.html", values)


def count_of(kinds: Mapping[str, Sequence[object]]) -> int:
    """Return how many things wait."""
    return sum(map(len, kinds.values()))


def waiting_of(visit: Visit) -> Waiting:
    """Read everything that waits for the member."""
    failed, at_risk, by_hand, unread, newest, pending = in_parallel(
        lambda: _failed_posts(visit),
        lambda: _at_risk(visit),
        lambda: _by_hand(visit),
        lambda: _unread(visit),
        lambda: _newest(visit),
        lambda: _pending(visit),
    )
    return Waiting(
        newest=newest,
        failed=failed,
        at_risk=at_risk,
        by_hand=by_hand,
        unread=unread,
        pending=pending,
        broken=_broken(visit),
    )


def _broken(visit: Visit) -> list[Account]:
    """Return the accounts that somebody must sign in to again."""
    return [account for account in visit.who.accounts if account.health is not Health.OK]


def _unread(visit: Visit) -> Sequence[Unread]:
    """Return the unresolved comments that the member was notified of, newest first."""
    return visit.services.posting.comments.unread(visit.caller.workspace_id, visit.caller.member_id)


def _failed_posts(visit: Visit) -> list[Post]:
    """Return the newest posts with a failed target."""
    found = visit.find_posts(PostQuery(statuses=_FAILED, limit=_LOOKED_AT)).posts
    return [
        post
        for post in found
        if any(target.status is TargetStatus.FAILED for target in post.targets)
    ][:_MOST]


def _by_hand(visit: Visit) -> list[Post]:
    """Return posts of the last 14 days that members on the Free plan must still post by hand."""
    if visit.caller.plan is not Plan.FREE:
        return []
    query = PostQuery(since=visit.now - _REMINDED, until=visit.now, limit=_LOOKED_AT)
    found = visit.find_posts(query).posts
    waiting = [post for post in found if any(one.waits_to_be_posted for one in post.targets)]
    return waiting[:_MOST]


def _at_risk(visit: Visit) -> list[AtRisk]:
    """Return the scheduled posts that are known to fail."""
    risks = visit.services.checking.coming_risks
    found = risks.find(visit.caller.workspace_id, visit.caller.accounts)
    return [AtRisk(post, _sentences(post, problems)) for post, problems in found[:_MOST]]


def _sentences(post: Post, problems: Sequence[Problem]) -> list[str]:
    said = []
    for problem in problems:
        target = post.target(problem.target_id)
        if target is not None:
            said.append(of_problem(target.platform, problem.code, problem.message, problem.field))
    return list(dict.fromkeys(said))


def _newest(visit: Visit) -> Sequence[Post]:
    """Return the newest posts."""
    return visit.find_posts(PostQuery(limit=_NEWEST)).posts


def _pending(visit: Visit) -> Sequence[Post]:
    """Return the posts that await review, if this member may decide them."""
    if not (visit.caller.approvals and visit.may(Scope.PUBLISH)):
        return []
    return visit.services.people.reviews.newest_pending(visit.caller)
