"""Uploads that the service fetches from an address, for callers that have a link and no file.

`api/resources/media_uploads` begins them, a message of the uploads queue (`workers/uploads`) has
them fetched, once or twice. What arrives lands where direct uploads land and is finished by the
same code. Every address, redirects included, goes through the one guard of `kit/transport`.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from itertools import chain
from typing import Final
from urllib.parse import urljoin, urlsplit

from chalicelib.domain.clock import Clock
from chalicelib.domain.error_kinds import ServiceError
from chalicelib.domain.errors import (
    AddressRefused,
    AddressUnreachable,
    FileTooLarge,
    UnsupportedMedia,
)
from chalicelib.domain.ids import new_id
from chalicelib.domain.media.media import (
    LARGEST_FILE_BYTES,
    FileState,
    UnfinishedUpload,
    tidy_filename,
)
from chalicelib.domain.media.types import SNIFF_BYTES, refusal_sentence, sniff
from chalicelib.domain.version import USER_AGENT
from chalicelib.domain.workspace.access import Caller
from chalicelib.domain.workspace.plans import storage_limit
from chalicelib.kit.file_names import name_at, name_in
from chalicelib.kit.limits.pace import Pace
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.kit.transport.guarded import GuardedFetch, Stream, said_length
from chalicelib.kit.transport.network_rules import (
    ForbiddenAddressError,
    require_endpoint,
)
from chalicelib.services.media.direct_uploads import LOOKED_FOR_EVERY, DirectUploads
from chalicelib.services.media.upload import storage_told
from chalicelib.services.repeats import Marking, no_mark
from chalicelib.storage.media.lanes import HeldPlaces, LanePlaces
from chalicelib.storage.media.queues import FetchQueue
from chalicelib.storage.media.store import S3MediaStore, incoming_key
from chalicelib.storage.media.uploads import MediaUploads, UploadLostError

FETCHED_WITHIN: Final = timedelta(minutes=4)
"""Less than the function that fetches may run, and than its message stays hidden."""

_SOONEST, _LATEST = timedelta(seconds=2), timedelta(seconds=30)
OF_A_WORKSPACE: Final = 2
"""How many of a workspace's uploads are fetched at once: the host decides how long it takes."""
IN_ALL: Final = 8
_ALL = "ALL"
_RESERVED_AHEAD = 64 * 1024 * 1024
_MOST_REDIRECTS = 3
_OK = 200
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


class FetchedUploads:
    """Begins uploads from addresses and fetches them."""

    def __init__(  # noqa: PLR0913 - what it is made of
        self,
        *,
        uploads: MediaUploads,
        direct: DirectUploads,
        store: S3MediaStore,
        queue: FetchQueue,
        places: LanePlaces,
        trusted: frozenset[str],
        clock: Clock,
    ) -> None:
        self._uploads = uploads
        self._direct = direct
        self._store = store
        self._queue = queue
        self._places = places
        self._trusted = trusted
        self._guarded = GuardedFetch(trusted, user_agent=USER_AGENT)
        self._clock = clock

    def begin(self, caller: Caller, url: str, mark: Marking = no_mark) -> UnfinishedUpload:
        """Have a file fetched and return its upload.

        Raises AddressRefused for an address that is never fetched, whatever its name stands for,
        and KeyTakenError of the mark.
        """
        try:
            require_endpoint(url, self._trusted)
        except ForbiddenAddressError as forbidden:
            raise AddressRefused(str(forbidden), field="url") from forbidden
        now = self._clock()
        upload = UnfinishedUpload(
            id=new_id(now),
            workspace_id=caller.workspace_id,
            filename=tidy_filename(name_at(urlsplit(url).path)),
            state=FileState.WAITING,
            created_at=now,
            source_url=url,
            storage_limit=storage_limit(caller.plan, caller.raised_storage),
        )
        self._uploads.begin(upload, review_at=now + LOOKED_FOR_EVERY, mark=mark(upload.id))
        self._queue.send(upload.id, upload.workspace_id)
        return upload

    def find_begun(self, caller: Caller, media_id: str) -> UnfinishedUpload:
        """Return an upload, and ask again for a file that is not here. Raises MediaNotFound.

        The process that began it may have ended before it asked.
        """
        upload = self._direct.state(caller, media_id)
        if upload.state is FileState.WAITING:
            self._queue.send(upload.id, upload.workspace_id)
        return upload

    def fetch(self, media_id: str) -> None:
        """Fetch a file that is still expected, or store why that failed; safe to run twice."""
        upload = self._uploads.find(media_id)
        if upload is None or upload.state is not FileState.WAITING or upload.source_url is None:
            return
        owners = {upload.workspace_id: OF_A_WORKSPACE, _ALL: IN_ALL}
        hold = HeldPlaces(self._places, owners, self._clock)
        if not hold.is_taken:
            waited = self._clock() - upload.created_at
            self._queue.send(
                upload.id, upload.workspace_id, delay=max(_SOONEST, min(waited / 2, _LATEST))
            )
            return
        arriving = _Arriving(self._uploads, upload, self._clock)
        try:
            self._bring(arriving, upload.source_url, hold)
        except ServiceError as refusal:
            self._direct.refuse(replace(arriving.upload, source_url=None), refusal)
        except UploadLostError:
            self._store.abandon(incoming_key(upload.workspace_id, upload.id))
        else:
            self._direct.finish(media_id)
        finally:
            hold.leave()

    def _bring(self, arriving: "_Arriving", url: str, hold: HeldPlaces) -> None:
        """Store what an address holds where direct uploads arrive."""
        upload = arriving.upload
        with self._open_stream(url) as answer:
            arriving.call(name_in(answer.headers.get("Content-Disposition", "")))
            arriving.reserve_announced(said_length(answer.headers))
            first, rest = _head(answer.pieces)
            mime = sniff(first[:SNIFF_BYTES])
            if mime is None:
                raise UnsupportedMedia(refusal_sentence(first[:SNIFF_BYTES]))
            writer = self._store.writer(incoming_key(upload.workspace_id, upload.id), mime)
            try:
                for piece in chain((first,), rest):
                    arriving.take(len(piece))
                    hold.on()
                    writer.write(piece)
            except BaseException:
                writer.abort()
                raise
            writer.finish()

    @contextmanager
    def _open_stream(self, url: str) -> Iterator[Stream]:
        """Open the file that an address leads to. Raises the ServiceErrors of its failures."""
        ends = time.monotonic() + FETCHED_WITHIN.total_seconds()
        try:
            for _ in range(_MOST_REDIRECTS + 1):
                with self._guarded.stream(
                    url, most_bytes=LARGEST_FILE_BYTES, seconds=max(1, ends - time.monotonic())
                ) as answer:
                    next_url = _redirect(url, answer.status, answer.headers)
                    if next_url is None:
                        _require_file(answer)
                        yield answer
                        return
                url = next_url
        except ForbiddenAddressError as forbidden:
            raise AddressRefused(str(forbidden)) from forbidden
        except PlatformError as failure:
            raise AddressUnreachable(f"The file could not be fetched: {failure}") from failure
        raise AddressUnreachable("The address redirects too many times.")


class _Arriving:
    """An upload while its bytes arrive: room is reserved first, and a slow host is given up."""

    def __init__(self, uploads: MediaUploads, upload: UnfinishedUpload, clock: Clock) -> None:
        self.upload = upload
        self._uploads = uploads
        self._clock = clock
        self._taken = 0
        self._pace = Pace(time.monotonic())

    def call(self, filename: str | None) -> None:
        """Go by the name that the host gives the file, if any; kept with the next reservation."""
        if filename is not None:
            self.upload = replace(self.upload, filename=tidy_filename(filename))

    def reserve_announced(self, size_bytes: int | None) -> None:
        """Reserve what the host announced. Raises PlanLimit when there is no room for it."""
        if size_bytes:
            self._reserve(size_bytes)

    def take(self, size_bytes: int) -> None:
        """Count what came. Raises PlanLimit, AddressUnreachable when it comes too slowly."""
        if self._pace.is_too_slow(size_bytes, time.monotonic()):
            raise AddressUnreachable("The file arrived too slowly.")
        self._taken += size_bytes
        if self._taken > self.upload.reserved_bytes:
            self._reserve(self._taken + _RESERVED_AHEAD)

    def _reserve(self, size_bytes: int) -> None:
        at = self._clock() + LOOKED_FOR_EVERY
        with storage_told(self._uploads, self.upload):
            self.upload = self._uploads.reserve(self.upload, size_bytes, review_at=at)


def _head(pieces: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Return enough bytes to tell the type by, and the rest."""
    first = b""
    for piece in pieces:
        first += piece
        if len(first) >= SNIFF_BYTES:
            break
    return first, pieces


def _redirect(url: str, status: int, headers: Mapping[str, str]) -> str | None:
    """Return where an answer leads, None where it leads nowhere. Raises ForbiddenAddressError."""
    location = headers.get("Location") if status in _REDIRECTS else None
    try:
        return None if location is None else urljoin(url, location)
    except ValueError:
        raise ForbiddenAddressError("The address redirects to one that cannot be read.") from None


def _require_file(answer: Stream) -> None:
    if answer.status != _OK:
        raise AddressUnreachable(f"The address answered {answer.status} instead of a file.")
    if (said_length(answer.headers) or 0) > LARGEST_FILE_BYTES:
        raise FileTooLarge
