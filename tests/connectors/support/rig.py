"""What a connector's tests bring along: the connector, its fake platform, an account, publications.

rig = Rig(connector=…, platform=FakeX(), clock=FrozenClock(), tokens=Tokens(…), …)
end = rig.drive(rig.publication("video")).run()
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Generic, cast

from typing_extensions import TypeVar

from chalicelib.connectors.connector import (
    Connector,
    LivePost,
    MediaFile,
    Publication,
    as_connected,
)
from chalicelib.connectors.shared.calls.http import PlatformHttp
from chalicelib.domain.outcome import Checkpoint, Done, Reconciliation, Sent
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.workspace.accounts import Account, Health
from chalicelib.domain.workspace.tokens import KeptTokens, Tokens
from chalicelib.kit.json_value import Json
from chalicelib.services.workspace.token_keeper import TokenKeeper
from chalicelib.storage.workspace.token_store import SealedTokenStore
from chalicelib.workers.publishing.signed_connector import SignedConnector
from tests.connectors.support.driving import Drive
from tests.connectors.support.fake_platform import FakePlatform
from tests.support.frozen_clock import NOON, FrozenClock

TARGET_ID = "0193491b0c4a7b2e9f3a5d6c7e8f9a0b"


@dataclass(slots=True)
class PatternSource:
    """A file of any size that takes no room: its bytes follow from their place."""

    size_bytes: int
    link: str | None = "https://media.example/photo.jpg"

    def read(self, offset: int, length: int) -> bytes:
        """Return bytes from `offset` on."""
        length = max(0, min(length, self.size_bytes - offset))
        start = offset % 251
        pattern = bytes(range(251)) * (length // 251 + 2)
        return pattern[start : start + length]

    def stream(self, offset: int = 0) -> Iterator[bytes]:
        """Yield the rest in pieces."""
        while piece := self.read(offset, 1_048_576):
            yield piece
            offset += len(piece)

    def public_url(self, lifetime: timedelta) -> str | None:
        """Return the address a platform can pull from."""
        del lifetime
        return self.link


def a_photo(size_bytes: int = 3_000) -> MediaFile:
    """Return a JPEG of 1200 x 800."""
    return MediaFile(
        id="0193491b0c4a7b2e9f3a5d6c7e8f9a01",
        kind=MediaKind.IMAGE,
        mime="image/jpeg",
        filename="bread.jpg",
        size_bytes=size_bytes,
        width=1200,
        height=800,
        duration_s=None,
        source=PatternSource(size_bytes),
    )


def a_video(size_bytes: int = 2_500_000) -> MediaFile:
    """Return an upright MP4 of twelve seconds."""
    return MediaFile(
        id="0193491b0c4a7b2e9f3a5d6c7e8f9a02",
        kind=MediaKind.VIDEO,
        mime="video/mp4",
        filename="oven.mp4",
        size_bytes=size_bytes,
        width=720,
        height=1280,
        duration_s=12.0,
        source=PatternSource(size_bytes, "https://media.example/oven.mp4"),
    )


@dataclass(slots=True)
class MemoryTokens:
    """Where a rig's tokens are kept: one account's, in memory; remembers its health."""

    kept: KeptTokens | None
    locked: bool = False
    health: Health = Health.OK
    reason: str | None = None
    history: list[str] = field(default_factory=list)

    def read(self, account: Account) -> KeptTokens | None:
        """Return the tokens."""
        del account
        return self.kept

    def lock(self, account: Account, version: int, *, now: datetime) -> bool:
        """Take the lock, if it is free and the tokens are those."""
        del account, now
        if self.locked or self.kept is None or self.kept.version != version:
            return False
        self.locked = True
        return True

    def unlock(self, account: Account, version: int, *, locked_at: datetime) -> None:
        """Let go."""
        del account, version, locked_at
        self.locked = False

    def keep(self, account: Account, version: int, tokens: Tokens) -> bool:
        """Keep newer tokens."""
        del account
        if self.kept is None or self.kept.version != version:
            return False
        self.kept, self.locked = KeptTokens(tokens, version + 1), False
        self.history.append(tokens.access)
        return True

    def note(self, account: Account, version: int, health: Health, reason: str | None) -> None:
        """Remember the verdict."""
        del account
        if self.kept is None or self.kept.version == version:
            self.health, self.reason = health, reason

    def watch(self, account: Account, version: int, at: datetime | None) -> None:
        """Nothing looks here."""


ConnectorT_co = TypeVar("ConnectorT_co", bound=Connector, default=Connector, covariant=True)
PlatformT_co = TypeVar("PlatformT_co", bound=FakePlatform, default=FakePlatform, covariant=True)


@dataclass(slots=True, kw_only=True)
class Rig(Generic[ConnectorT_co, PlatformT_co]):
    """A connector over its fake platform; `Rig` alone is any connector over any fake.

    `shapes` names the publications that the platform takes, `secrets` every text that must never
    show. `http` is the connector's PlatformHttp, `refusals` a sample answer (status, headers, body)
    for each row of its ERRORS table. `cannot_tell` is for platforms on which a lost answer
    may end as outcome_unknown, `untold_shapes` names the only shapes on which it may.
    """

    connector: ConnectorT_co
    platform: PlatformT_co
    tokens: Tokens
    shapes: Mapping[str, Publication]
    clock: FrozenClock
    account: Account
    secrets: Sequence[str]
    http: PlatformHttp
    refusals: Mapping[str, tuple[int, Mapping[str, str], bytes]] = field(default_factory=dict)
    cannot_tell: bool = False
    untold_shapes: frozenset[str] = frozenset()
    store: MemoryTokens = field(init=False)

    def __post_init__(self) -> None:
        self.store = MemoryTokens(KeptTokens(self.tokens, 1))

    @property
    def keeper(self) -> TokenKeeper:
        """Hand out the account with its token."""
        return TokenKeeper(
            store=cast("SealedTokenStore", self.store), clock=self.clock, wait=lambda _: None
        )

    def drive(self, shape: str, *, crash_after: int | None = None) -> Drive:
        """Return a target of a shape on its way."""
        signed = SignedConnector(self.connector, self.account, self.keeper)
        publication = replace(self.shapes[shape], now=self.clock())
        return Drive(signed, publication, self.clock, crash_after)

    def ask(
        self,
        shape: str,
        checkpoint: Checkpoint,
        *,
        after: timedelta,
        sent_at: timedelta = timedelta(0),
    ) -> Reconciliation:
        """Ask, some time after noon, what became of a call made at noon or `sent_at` later."""
        account = self.keeper.sign_in(self.account, self.connector)
        self.clock.now = NOON + after
        asked = replace(self.shapes[shape], account=account, now=self.clock.now)
        sent = Sent(text=asked.text, media_ids=(), at=NOON + sent_at)
        return self.connector.reconcile(asked, checkpoint, sent)

    def live(self, done: Done) -> LivePost:
        """Return a post that went live, signed, as removal and metrics get it."""
        return LivePost(
            target_id=TARGET_ID,
            account=self.keeper.sign_in(self.account, self.connector),
            remote_id=done.remote_id,
            url=done.url,
            published_at=self.clock(),
            now=self.clock(),
        )


def an_account(
    platform: Platform,
    handle: str,
    remote_identity: str,
    settings: Mapping[str, Json] | None = None,
) -> Account:
    """Return a real account whose tokens are its first."""
    return Account(
        id="0193491b0c4a7b2e9f3a5d6c7e8f9a99",
        workspace_id="0193491b0c4a7b2e9f3a5d6c7e8f9a98",
        platform=platform,
        handle=handle,
        test=False,
        created_at=NOON,
        remote_identity=remote_identity,
        token_version=1,
        settings=settings or {},
    )


def a_publication(
    account: Account,
    text: str,
    media: MediaFile | None = None,
    options: Mapping[str, Json] | None = None,
) -> Publication:
    """Return what one target needs to be published, due at noon."""
    return Publication(
        target_id=TARGET_ID,
        account=as_connected(account),
        text=text,
        media=media,
        options=options or {},
        due_at=NOON,
        now=NOON,
    )
