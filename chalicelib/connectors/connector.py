"""What the worker asks of a platform: one step per call, no loops, no sleeping, no database.

`start` only prepares; `advance` makes the step that a checkpoint names; `reconcile` looks,
read-only, whether an irreversible call whose answer was lost did its work. Abilities that only some
platforms have are protocols of their own.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from datetime import datetime, timedelta
from typing import ClassVar, Protocol, runtime_checkable

from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.media.media import Media
from chalicelib.domain.outcome import Checkpoint, Done, Outcome, Reconciliation, Sent, Wait
from chalicelib.domain.platforms.alt_texts import alt_text_of
from chalicelib.domain.platforms.choices import WHOLE, ChoiceQuery, Choices
from chalicelib.domain.platforms.option import COVER
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.platforms.tiktok import CreatorOptions
from chalicelib.domain.posts.post import Attachment
from chalicelib.domain.workspace.accounts import Account
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json, whole_number


class MediaSource(Protocol):
    """A file's bytes, at constant memory, and an address from which a platform can pull it."""

    def read(self, offset: int, length: int) -> bytes:
        """Return bytes from `offset` on, fewer than `length` only at the end."""
        ...

    def stream(self, offset: int = 0) -> Iterator[bytes]:
        """Yield the bytes from `offset` to the end in small pieces."""
        ...

    def public_url(self, lifetime: timedelta) -> str | None:
        """Return an address that platforms can reach for that long, or None if there is none."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaFile:
    """The file as it goes to this platform: trimmed and converted where the platform asks.

    `poster` is a JPEG cut out of a video, for platforms that will not take a video without one, or
    the cover that somebody chose for it. `alt_text` is the file's own.
    """

    id: str
    kind: MediaKind
    mime: str
    filename: str
    size_bytes: int
    width: int
    height: int
    duration_s: float | None
    source: MediaSource = field(repr=False)
    poster: "MediaFile | None" = None
    alt_text: str | None = None

    @classmethod
    def of(cls, media: Media | Attachment, source: MediaSource) -> "MediaFile":
        """Return a file as it is, without a copy or a poster."""
        return cls(
            id=media.id,
            kind=media.kind,
            mime=media.mime,
            filename=media.filename,
            size_bytes=media.size_bytes,
            width=media.width,
            height=media.height,
            duration_s=media.duration_s,
            source=source,
            alt_text=media.alt_text,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectedAccount:
    """The account that is posted to: its identity on the platform, settings and token.

    `languages` are those of its posts that name none, `extra` holds what else is secret and came
    with the token (`Tokens.extra`).
    """

    id: str
    platform: Platform
    handle: str
    test: bool
    remote_id: str | None = None
    languages: tuple[str, ...] = ()
    settings: Mapping[str, Json] = field(default_factory=dict)
    token: str | None = field(default=None, repr=False)
    extra: Mapping[str, str] = field(default_factory=dict, repr=False)


def as_connected(account: Account) -> ConnectedAccount:
    """Return an account as connectors see it, without a token."""
    return ConnectedAccount(
        id=account.id,
        platform=account.platform,
        handle=account.handle,
        test=account.test,
        remote_id=account.remote_identity,
        languages=account.languages,
        settings=account.settings,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """All that one target needs to be published: account, text, file, options.

    `target_id` is a stable seed for ids that the platform lets us choose; `now` is the moment of
    the call; `tries` counts the attempts that ended before this one.
    """

    target_id: str
    account: ConnectedAccount
    text: str
    media: MediaFile | None
    options: Mapping[str, Json]
    due_at: datetime
    now: datetime
    tries: int = 0

    @property
    def alt(self) -> str:
        """Return what the platform is told of the file, "" for nothing."""
        if self.media is None:
            return ""
        media = self.media
        return alt_text_of(self.account.platform, self.options, media.kind, media.alt_text)

    @property
    def wants_cover(self) -> bool:
        """Tell whether somebody chose what the video's cover shows."""
        options = self.options
        return options.get("cover_second") is not None or bool(options.get(COVER))

    @property
    def own_cover(self) -> MediaFile | None:
        """Return the picture that is to be the video's cover, None where nobody chose one."""
        media = self.media
        is_video = media is not None and media.kind is MediaKind.VIDEO
        return media.poster if media is not None and is_video and self.options.get(COVER) else None

    def require_media(self) -> MediaFile:
        """Return the file, for steps that only a publication with one comes to."""
        if self.media is None:
            raise AssertionError("Only a publication with a file comes to this step.")
        return self.media


class Connector(Protocol):
    """A platform, step by step."""

    @property
    def platform(self) -> Platform:
        """Which platform this is."""
        ...

    @property
    def irreversible(self) -> frozenset[str]:
        """Names of the steps that make the post visible: never made again while in doubt."""
        ...

    @property
    def step_timeout(self) -> timedelta:
        """How long one step may go on waiting before the target fails as processing_timeout."""
        ...

    def start(self, publication: Publication) -> Outcome:
        """Prepare: nothing becomes visible. Returns the first checkpoint, or a refusal."""
        ...

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        """Make the one step that the checkpoint names."""
        ...

    def reconcile(
        self, publication: Publication, checkpoint: Checkpoint, sent: Sent
    ) -> Reconciliation:
        """Look, without changing anything, what became of an irreversible call."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class LivePost:
    """A post that is live on a platform."""

    target_id: str
    account: ConnectedAccount
    remote_id: str
    url: str | None
    published_at: datetime
    now: datetime


class RemovalError(Exception):
    """The platform did not remove the post."""


@runtime_checkable
class Deletes(Protocol):
    """A platform that lets us delete a live post."""

    def delete(self, live: LivePost) -> None:
        """Delete it; one that is gone already counts as deleted. Raises RemovalError."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted:
    """A post that the account's own list shows, and when it was made, if the list tells.

    `also` are other ids under which it may be known here: some platforms have several.
    """

    live: Done
    made: datetime | None
    also: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """Return every id that it may be known under."""
        return (self.live.remote_id, *self.also)


@runtime_checkable
class ConnectsAhead(Protocol):
    """A platform whose visible step asks the fence before it changes anything, as our HTTP does.

    The step is entered with a fence that lets nothing through, some seconds before it is due: the
    connection that it will need is open then.
    """

    connects_ahead: ClassVar[bool]


@runtime_checkable
class ListsPosts(Protocol):
    """A platform that lists all that an account has posted: asked after a restore from a backup."""

    def list_posts(self, publication: Publication, since: datetime) -> list[Posted] | None:
        """Return all that the publication's account posted since then, and some older posts.

        None where the list cannot be read, or not as far back as that.
        """
        ...


@runtime_checkable
class ReportsMetrics(Protocol):
    """A platform that reports how a live post does.

    Metrics that it does not tell are None, all of them if it does not report at all.
    """

    @property
    def platform(self) -> Platform:
        """Which platform this is."""
        ...

    @property
    def metrics_batch(self) -> int:
        """How many posts of one account one call may ask about."""
        ...

    @property
    def metrics_calls(self) -> int:
        """How many calls of a five minute round its quota leaves, over all accounts."""
        ...

    def metrics(self, lives: list[LivePost]) -> list[Metrics | None]:
        """Return the figures of each post, None for one that is surely gone from the platform."""
        ...


@runtime_checkable
class RefreshesTokens(Protocol):
    """A platform whose sign-ins can be renewed without their person."""

    def refresh(self, account: ConnectedAccount, tokens: Tokens, now: datetime) -> Tokens:
        """Return the next tokens: one call. The caller holds the account's lock and stores them.

        Raises TokenRejectedError only when the platform will never take these tokens again.
        """
        ...


@runtime_checkable
class ReadsCreatorOptions(Protocol):
    """A platform whose creators' own settings say what a post may choose: TikTok."""

    def read_creator(self, account: ConnectedAccount, now: datetime) -> CreatorOptions:
        """Return what the creator can choose for the next post, read fresh: one call.

        A creator who cannot post now is an answer too.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenProfile:
    """An account as its platform shows it: its name now, followers, and its picture or where it is.

    `handle` is what the same account's sign-in would be called now, `name` what stands before it;
    None where that is not told.
    """

    handle: str | None = None
    name: str | None = None
    followers: int | None = None
    picture_url: str | None = None
    picture: bytes | None = field(default=None, repr=False)

    @classmethod
    def of(
        cls, followers: Json, picture_url: Json, handle: Json = None, name: Json = None
    ) -> "SeenProfile":
        """Return what an answer says, whatever else it says."""
        return cls(
            handle=handle if isinstance(handle, str) and handle else None,
            name=name if isinstance(name, str) and name else None,
            followers=whole_number(followers),
            picture_url=picture_url if isinstance(picture_url, str) and picture_url else None,
        )


@runtime_checkable
class ShowsProfile(Protocol):
    """A platform that tells, by the scopes that are held, how an account looks."""

    def profile(self, account: ConnectedAccount) -> SeenProfile:
        """Return the account's followers and picture as far as they are told, read-only."""
        ...


MOST_PAGES = 10
"""How many pages of a list are read; beyond them the list is not known to be complete."""


@runtime_checkable
class OffersChoices(Protocol):
    """A platform whose accounts have something to choose from."""

    def choices(self, account: ConnectedAccount, query: ChoiceQuery = WHOLE) -> Choices:
        """Return what the account offers now, read-only.

        What is chosen already may offer more, as a community its flairs; words find places.
        """
        ...


Data = dict[str, Json]
"""What a checkpoint carries, as a step may change it."""

Step = Callable[[Publication, Data], Outcome]


def take_step(
    steps: Mapping[str, Step], publication: Publication, checkpoint: Checkpoint
) -> Outcome:
    """Make the step that the checkpoint names, with a copy of its data."""
    return steps[checkpoint.step](publication, dict(checkpoint.data))


Pace = tuple[int, ...]
"""Seconds to wait after the first question, the second and so on; the last number is kept to."""


def wait_at(pace: Pace, asked: int) -> timedelta:
    """Return how long to wait when so many waits lie behind."""
    return timedelta(seconds=pace[min(asked, len(pace) - 1)])


def ask_again(step: str, data: Mapping[str, Json], pace: Pace) -> Wait:
    """Come to a step that asks whether the platform is ready, for the first time or again."""
    polls = data.get("polls")
    asked = polls if isinstance(polls, int) else 0
    return Wait(Checkpoint(step, {**data, "polls": asked + 1}), wait_at(pace, asked))
