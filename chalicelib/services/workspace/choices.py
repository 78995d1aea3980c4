"""What an account can choose for its options, asked of its platform and cached for ten minutes.

`accounts` lists it; checks and scheduling see from it which option does not exist. Each process has
its own cache. Scheduling and edits refuse only by what is in the cache, and ask no platform.
"""

import threading
from collections import OrderedDict
from dataclasses import field
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from chalicelib.connectors.connector import OffersChoices, as_connected
from chalicelib.connectors.shared.registry import Connectors, NoConnectorError
from chalicelib.domain.clock import Clock
from chalicelib.domain.errors import (
    PlatformUnreachable,
    TiktokUnreachable,
)
from chalicelib.domain.platforms.choices import (
    NOTHING,
    PRIVACY_LEVEL,
    WHOLE,
    Choice,
    ChoiceQuery,
    Choices,
)
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.sandbox import sandbox_choices
from chalicelib.domain.platforms.tiktok import CreatorOptions
from chalicelib.domain.posts.target import Target
from chalicelib.domain.workspace.accounts import Account
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.services.workspace.creators import Creators
from chalicelib.services.workspace.token_keeper import TokenKeeper

KEPT_FOR: Final = timedelta(minutes=10)
_MOST_KEPT: Final = 1_000
_MOST_LISTED: Final = 50_000
"""Of all answers together: one may list 2,500 boards, and takes 600 KB of memory then."""
_CLOSED: Final = "The creator's own settings on TikTok turn off {0}s: the post goes out without."
_UNREACHABLE: Final = "{0} did not say what the account offers. Try again in a few minutes."


class KeptChoices:
    """The cache of what platforms answered; safe to share between threads."""

    def __init__(self) -> None:
        self._kept: OrderedDict[_Key, tuple[datetime, Choices]] = OrderedDict()
        self._listed = 0
        self._lock = threading.Lock()

    def find(self, account: Account, query: ChoiceQuery, now: datetime) -> Choices | None:
        """Return the answer of the last ten minutes under the same sign-in, or None."""
        with self._lock:
            kept = self._kept.get(_key(account, query))
        return None if kept is None or now - kept[0] > KEPT_FOR else kept[1]

    def keep(self, account: Account, query: ChoiceQuery, choices: Choices, now: datetime) -> None:
        """Store an answer; the oldest ones go when they are too many, or list too much."""
        with self._lock:
            _, before = self._kept.pop(_key(account, query), (now, NOTHING))
            self._kept[_key(account, query)] = (now, choices)
            self._listed += _length(choices) - _length(before)
            while len(self._kept) > _MOST_KEPT or self._listed > _MOST_LISTED:
                _, (_, gone) = self._kept.popitem(last=False)
                self._listed -= _length(gone)


def _length(choices: Choices) -> int:
    return sum(map(len, choices.offered.values()))


_Key: TypeAlias = tuple[str, int, str, str]


def _key(account: Account, query: ChoiceQuery) -> _Key:
    chosen = query.chosen.get(FACTS[account.platform].chosen_first or "", "")
    return account.id, account.token_version, chosen.lower(), (query.words or "").lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountChoices:
    """Asks accounts what they offer."""

    connectors: Connectors
    tokens: TokenKeeper
    creators: Creators
    clock: Clock
    kept: KeptChoices = field(default_factory=KeptChoices)

    def read(self, account: Account, query: ChoiceQuery, *, fresh: bool = False) -> Choices:
        """Return what an account offers, at most ten minutes old.

        Raises TiktokUnsupported and PlatformUnreachable.
        """
        facts = FACTS[account.platform]
        finds = query.words and (facts.searched or facts.searches_people)
        if not facts.offered and not finds:
            return NOTHING
        now = self.clock()
        is_made_up = account.test and not facts.has_creator
        known = None if fresh and not is_made_up else self.find_known(account, query)
        if known is not None:
            return known
        choices = self._ask_platform(account, query)
        self.kept.keep(account, query, choices, now)
        return choices

    def find_known(self, account: Account, query: ChoiceQuery) -> Choices | None:
        """Return what is known of an account without asking its platform, None if nothing is."""
        if account.test and not FACTS[account.platform].has_creator:
            return sandbox_choices(account.platform, account.handle, query)
        return self.kept.find(account, query, self.clock())

    def known_choices(self, account: Account | None, target: Target) -> Choices:
        """Return what is known of what a target's account offers, without asking its platform."""
        if account is None:
            return NOTHING
        return self.find_known(account, query_of(target)) or NOTHING

    def _ask_platform(self, account: Account, query: ChoiceQuery) -> Choices:
        try:
            if FACTS[account.platform].has_creator:
                return of_creator(self.creators.read(account))
            return self._of_platform(account, query)
        except (PlatformError, NoConnectorError, TiktokUnreachable) as error:
            message = _UNREACHABLE.format(FACTS[account.platform].name)
            raise PlatformUnreachable(message) from error

    def _of_platform(self, account: Account, query: ChoiceQuery) -> Choices:
        connector = self.connectors.serving(as_connected(account))
        if not isinstance(connector, OffersChoices):
            return NOTHING
        offering: OffersChoices = connector
        return self.tokens.calling(
            account, connector, lambda signed: offering.choices(signed, query)
        )


def of_creator(creator: CreatorOptions) -> Choices:
    """Return a TikTok creator's settings as choices."""
    may = creator.interactions
    open_to = {"comment": may.comment, "duet": may.duet, "stitch": may.stitch}
    levels = tuple(Choice(level.value, level.label) for level in creator.privacy_levels)
    return Choices(
        offered={PRIVACY_LEVEL: levels},
        complete=frozenset({PRIVACY_LEVEL}) if creator.can_post else frozenset(),
        longest_video_s=creator.max_video_seconds if creator.can_post else None,
        closed={f"allow_{name}": _CLOSED.format(name) for name, may in open_to.items() if not may},
        cannot_post=None
        if creator.can_post
        else "TikTok does not let this creator post at the moment.",
    )


def query_of(target: Target) -> ChoiceQuery:
    """Return what matters to a target: the community or board that it goes to."""
    name = FACTS[target.platform].chosen_first
    named = None if name is None else target.options.get(name)
    return ChoiceQuery(chosen={name: named}) if name and isinstance(named, str) else WHOLE
