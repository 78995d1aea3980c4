"""Every problem of a post's targets that can be known before their time.

`api/resources/scheduling` answers with it, and the check ahead of a target's time asks about one.
It changes nothing; platforms are asked what their accounts offer, and only about what was chosen.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import field
from datetime import datetime
from typing import Final

from chalicelib.connectors.connector import Publication, RefreshesTokens, as_connected
from chalicelib.connectors.shared.prechecks import (
    UnreadFile,
    forecast_file,
    omitted_options,
    refusal_ahead,
)
from chalicelib.connectors.shared.registry import Connectors, NoConnectorError
from chalicelib.domain.clock import Clock
from chalicelib.domain.errors import PlanLimit, PlatformUnreachable, TiktokUnsupported
from chalicelib.domain.media.decoding import perhaps_unconvertible, unconvertible
from chalicelib.domain.media.media import Media
from chalicelib.domain.media.recipes import Recipe
from chalicelib.domain.media.requirements import TooLongError, recipe_for
from chalicelib.domain.media.video_demands import why_no_copy
from chalicelib.domain.outcome import Failed, FailureCode
from chalicelib.domain.platforms.choices import NOTHING, PRIVACY_LEVEL, Choices
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.platforms.tiktok_form import is_audited
from chalicelib.domain.posts.charging import counters_for, payer_for, sending_uses
from chalicelib.domain.posts.forewarnings import REPEATED_WITHIN, neighbour_warnings
from chalicelib.domain.posts.known import Known
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.problems import (
    NO_RISK,
    NOTHING_FORESEEN,
    CheckedPost,
    Foreseen,
    Level,
    Problem,
    Surroundings,
    problems_of,
    warning_of,
)
from chalicelib.domain.posts.query import PostQuery, Sort
from chalicelib.domain.posts.target import Target, TargetStatus
from chalicelib.domain.workspace.access import Caller, Plan
from chalicelib.domain.workspace.accounts import Account
from chalicelib.domain.workspace.plans import Use, trial_post
from chalicelib.domain.workspace.tokens import KeptTokens
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.limits.thread_pool import HelpedPool
from chalicelib.services.calls_out import CallsOut
from chalicelib.services.in_parallel import in_parallel
from chalicelib.services.posts.link_previews import without_previews
from chalicelib.services.workspace.choices import AccountChoices, query_of
from chalicelib.storage.posts.known import KnownReads
from chalicelib.storage.posts.lists import PostLists
from chalicelib.storage.posts.posts import PostRepository

_AT_ONCE: Final = 8
_MOST_OTHERS: Final = 200
"""How many posts around its times a check compares a post with (`repeated_text`)."""
ReadTokens = Callable[[Account], KeptTokens | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class PostChecks:
    """Checks posts ahead of their time; `files_are_public` tells whether platforms can fetch.

    `tokens` is None where sign-ins may not be read: then none is reported to end.
    """

    posts: PostRepository
    lists: PostLists
    reads: KnownReads
    choices: AccountChoices
    connectors: Connectors
    tokens: ReadTokens | None
    files_are_public: bool
    clock: Clock
    settings: Mapping[str, str] = field(default_factory=dict)
    calls: CallsOut = field(default_factory=CallsOut)

    def check(self, caller: Caller, post_id: str) -> CheckedPost:
        """Return every problem of every target that has yet to go out.

        Raises PostNotFound, Busy.
        """
        return self.check_of(caller, self.posts.get(caller.workspace_id, post_id))

    def check_of(self, caller: Caller, post: Post) -> CheckedPost:
        """Return every problem of a post as it is given, stored or not. Raises Busy."""
        now = self.clock()
        waiting = [target for target in post.targets if target.is_sendable]
        times = [max(target.scheduled_at or now, now) for target in waiting] or [now]
        facts, others = in_parallel(
            lambda: self._facts(post, waiting, counters=counters_for(caller, times)),
            lambda: self._others(post.workspace_id, times),
        )
        asks = not all(_is_known(facts.accounts.get(target.account_id)) for target in waiting)
        with self.calls.place(caller.workspace_id) if asks else nullcontext():
            found = self._problems(post, waiting, facts, now)
            previews = without_previews(post, waiting, facts.accounts, self.connectors.real)
        allowance = _of_allowance(caller, post, waiting, facts, now)
        near = neighbour_warnings(post, waiting, others, now=now)
        warnings = (warning_of(post, target, code, said) for target, code, said in near)
        return CheckedPost(problems=(*found, *previews, *allowance, *warnings))

    def _others(self, workspace_id: str, times: Sequence[datetime]) -> Sequence[Post]:
        """Return posts of the workspace around these times, the earliest first."""
        around = PostQuery(
            since=min(times) - REPEATED_WITHIN,
            until=max(times) + REPEATED_WITHIN,
            sort=Sort.SCHEDULED,
            limit=_MOST_OTHERS,
        )
        return self.lists.find(workspace_id, around).posts

    def known_problems(
        self, workspace_id: str, connected: Collection[str], posts: Sequence[Post]
    ) -> dict[str, tuple[Problem, ...]]:
        """Return the known problems of scheduled posts with one read, and ask no platform.

        `connected` are the ids of the workspace's accounts.
        """
        accounts = {target.account_id for post in posts for target in post.targets}
        facts = self.reads.read(
            workspace_id,
            account_ids=sorted(accounts & set(connected)),
            media_ids=sorted({file_id for post in posts for file_id in post.file_ids}),
        )
        now = self.clock()
        return {
            post.id: tuple(
                problem
                for target in post.targets
                if target.status is TargetStatus.SCHEDULED
                for problem in self.known_target_problems(post, target, facts, now)
                if problem.code not in NO_RISK
            )
            for post in posts
        }

    def known_target_problems(
        self, post: Post, target: Target, facts: Known, now: datetime
    ) -> Iterator[Problem]:
        """Yield the problems of a target that are known from what was read; ask no platform."""
        account = facts.accounts.get(target.account_id)
        ends = None if account is None else self._sign_in_ends(account, target, now)
        media = _file_of(post, facts.media)
        around = Surroundings(account=account, media=media, files=facts.media, sign_in_ends=ends)
        yield from problems_of(post, target, around, now=now)

    def check_target(self, post: Post, target: Target, facts: Known) -> tuple[Problem, ...]:
        """Return every problem of one target, from what was read of it, for the service itself."""
        return tuple(self._problems(post, [target], facts, self.clock()))

    def _facts(
        self, post: Post, targets: Iterable[Target], *, counters: tuple[str, ...] = ()
    ) -> Known:
        return self.reads.read(
            post.workspace_id,
            account_ids=sorted({target.account_id for target in targets}),
            media_ids=post.file_ids,
            counters=counters,
        )

    def _problems(
        self, post: Post, targets: list[Target], facts: Known, now: datetime
    ) -> list[Problem]:
        def look(target: Target) -> list[Problem]:
            around = self._surroundings(post, target, facts, now)
            return list(problems_of(post, target, around, now=now))

        if all(_is_known(facts.accounts.get(target.account_id)) for target in targets):
            return [problem for target in targets for problem in look(target)]
        with HelpedPool(_AT_ONCE) as several:
            return [problem for found in several.map(look, targets) for problem in found]

    def _surroundings(
        self, post: Post, target: Target, facts: Known, now: datetime
    ) -> Surroundings:
        account = facts.accounts.get(target.account_id)
        media = _file_of(post, facts.media)
        if account is None:
            return Surroundings(account=None, media=media, files=facts.media)
        choices, unchecked = self._choices(account, target)
        return Surroundings(
            account=account,
            media=media,
            files=facts.media,
            choices=choices,
            unchecked=unchecked,
            sign_in_ends=self._sign_in_ends(account, target, now),
            is_audited=is_audited(self.settings, test=account.test),
            foreseen=self._foresee(post, target, account, media, choices, now),
        )

    def _choices(self, account: Account, target: Target) -> tuple[Choices, str | None]:
        """Return what an account offers, or why it could not be asked."""
        asked = FACTS[account.platform].offered
        if not any(name == PRIVACY_LEVEL or target.options.get(name) for name in asked):
            return NOTHING, None
        try:
            return self.choices.read(account, query_of(target)), None
        except (PlatformUnreachable, TiktokUnsupported) as error:
            return NOTHING, error.message

    def _foresee(
        self,
        post: Post,
        target: Target,
        account: Account,
        media: Media | None,
        choices: Choices,
        now: datetime,
    ) -> Foreseen:
        """Return what the connector would refuse or leave out."""
        if post.attachment is not None and media is None:
            return NOTHING_FORESEEN
        longest = choices.longest_video_s
        try:
            connector = self.connectors.serving(as_connected(account))
            recipe = _recipe(media, target, account, longest)
        except (TooLongError, NoConnectorError):
            return NOTHING_FORESEEN
        if media is not None and (refused := _of_file(media, account, recipe)) is not None:
            return Foreseen(refusal=refused[0], surely=refused[1])
        source = UnreadFile(is_public=self.files_are_public or account.test)
        file = None if media is None else forecast_file(media, recipe, source)
        publication = Publication(
            target_id=target.id,
            account=as_connected(account),
            text=target.caption(post.caption),
            media=file,
            options=target.options,
            due_at=target.scheduled_at or now,
            now=now,
        )
        return Foreseen(
            refusal=refusal_ahead(connector, publication),
            surely=recipe is None,
            left_out=omitted_options(connector, publication),
        )

    def _sign_in_ends(self, account: Account, target: Target, now: datetime) -> datetime | None:
        """Return when a sign-in ends that only a person can renew; read only if that is soon."""
        ends = account.token_expires_at
        if account.test or ends is None or ends > max(target.scheduled_at or now, now):
            return None
        if self.tokens is None:
            return None  # it may be renewed
        kept = self.tokens(account)
        if kept is None or kept.tokens.refresh is None:
            return ends
        can_renew = isinstance(self.connectors.real.get(account.platform), RefreshesTokens)
        return kept.tokens.ends_for_good_at if can_renew else ends


def _recipe(
    media: Media | None, target: Target, account: Account, longest_s: int | None
) -> Recipe | None:
    if media is None:
        return None
    return recipe_for(
        media, target.platform, target.options, creator_s=longest_s, server=account.server
    )


def _of_file(media: Media, account: Account, recipe: Recipe | None) -> tuple[Failed, bool] | None:
    """Return why the file cannot be converted or no copy is taken, and whether that is certain."""
    surely = unconvertible(media, recipe)
    if surely is None and media.kind is MediaKind.VIDEO and not account.test:
        surely = why_no_copy(
            account.platform,
            duration_s=media.duration_s,
            width=media.width,
            height=media.height,
        )
    message = surely or perhaps_unconvertible(media, recipe)
    if message is None:
        return None
    failed = Failed(code=FailureCode.MEDIA_REJECTED, message=message, final=True)
    return failed, surely is not None


def _is_known(account: Account | None) -> bool:
    """Tell whether nobody must be asked about an account: such checks need no threads."""
    return account is None or account.test


def _file_of(post: Post, media: Mapping[str, Media]) -> Media | None:
    return None if post.attachment is None else media.get(post.attachment.id)


def _of_allowance(
    caller: Caller, post: Post, targets: list[Target], facts: Known, now: datetime
) -> Iterable[Problem]:
    """Yield the targets for which the month's allowance does not suffice, in their order."""
    payer = payer_for(caller)
    counts = payer.plan is Plan.TRIAL and not post.trial_counted
    in_all: tuple[Use, ...] = (trial_post(1),) if counts else ()
    uncharged = [target for target in targets if target.status is not TargetStatus.SCHEDULED]
    for target in uncharged:
        with_it = (*in_all, *sending_uses(post, [target], payer, now=now))
        try:
            facts.require_room(with_it)
            in_all = with_it
        except PlanLimit as error:
            yield Problem(
                target_id=target.id,
                level=Level.ERROR,
                code=error.code,
                message=error.message,
                field=f"targets[{post.targets.index(target)}]",
            )
