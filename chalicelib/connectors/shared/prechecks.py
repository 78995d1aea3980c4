"""Refuses before anything is sent what a platform is known not to accept.

Connectors call `refuse` from `start` and from steps that find a file unfit; such a refusal is
final: sending the same again would change nothing. `check` asks a connector's own `start` ahead of
time: it only prepares and makes no call, so that this is harmless. The file is described as it
would be after its conversion; it is not read.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Final, Protocol, runtime_checkable
from urllib.parse import urlsplit

from chalicelib.connectors.connector import Connector, MediaFile, Publication
from chalicelib.connectors.shared.calls.failures import ErrorEntry, complete_entry, failure_of
from chalicelib.connectors.shared.own_refusals import Shared
from chalicelib.domain.media.media import Media
from chalicelib.domain.media.recipes import PhotoRecipe, Recipe, VideoRecipe
from chalicelib.domain.media.types import MediaType
from chalicelib.domain.media.video_demands import why_no_copy
from chalicelib.domain.outcome import Failed, FailureCode
from chalicelib.domain.platforms.choices import ChoiceQuery, unknown_message
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.platforms.sandbox import sandbox_choices
from chalicelib.kit.dataclass import dataclass


def refuse(platform: Platform, row: FailureCode | ErrorEntry) -> Failed:
    """Return a post's failure, in the words of the platform's error table."""
    return failure_of(complete_entry(platform, row), None)


def refuse_unreachable_media(platform: Platform) -> Failed:
    """Return the failure of a post whose file has no address at which the platform could fetch it.

    A stack on a machine of one's own has no such address unless its operator names one.
    """
    return Shared.UNREACHABLE.end(platform=FACTS[platform].name)


def unfit_video(platform: Platform, media: MediaFile | None) -> Failed | None:
    """Return why no copy of a video is accepted, None for any other file."""
    if media is None or media.kind is not MediaKind.VIDEO:
        return None
    why = why_no_copy(platform, duration_s=media.duration_s, width=media.width, height=media.height)
    return None if why is None else Shared.NO_COPY.end(why=why)


def is_web_address(link: str) -> bool:
    """Tell whether a link has what a browser needs: http or https, and a host."""
    try:
        parts = urlsplit(link)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname)


_ADDRESS: Final = "https://media.invalid/file"
_MOST_MADE_BYTES_A_SECOND: Final = 1_600_000
"""Of a re-encoded video: 12 Mbit, its sound and its index (`encoding`)."""


@dataclass(frozen=True, slots=True)
class UnreadFile:
    """A file that is only described; `is_public` tells whether platforms could fetch it."""

    is_public: bool = True

    def read(self, offset: int, length: int) -> bytes:
        """Return nothing."""
        del offset, length
        return b""

    def stream(self, offset: int = 0) -> Iterator[bytes]:
        """Yield nothing."""
        del offset
        yield from ()

    def public_url(self, lifetime: timedelta) -> str | None:
        """Return an address that nobody fetches, or None where there could be none."""
        del lifetime
        return _ADDRESS if self.is_public else None


def forecast_file(media: Media, recipe: Recipe | None, source: UnreadFile) -> MediaFile:
    """Return the file as it would be sent, by the recipe of its copy if there is one."""
    file = MediaFile.of(media, source)
    poster = replace(file, kind=MediaKind.IMAGE, mime=MediaType.JPEG, duration_s=None)
    file = replace(file, poster=poster if media.kind is MediaKind.VIDEO else None)
    match recipe:
        case PhotoRecipe():
            return _fit_photo(file, recipe)
        case VideoRecipe():
            return _repack_video(file, recipe)
        case _:
            return file


def refusal_ahead(connector: Connector, publication: Publication) -> Failed | None:
    """Return why a platform would refuse the post at its start, None if it would begin."""
    if publication.media is None and FACTS[publication.account.platform].limits.needs_media:
        return None  # without its file it is refused before any connector is called
    outcome = connector.start(publication)
    return outcome if isinstance(outcome, Failed) else None


@runtime_checkable
class LeavesOut(Protocol):
    """A connector that sends some options with some files only, as no declaration can say."""

    def omitted_options(self, publication: Publication) -> Mapping[str, str]:
        """Return the options without which the post would be sent, each with the reason."""
        ...


def omitted_options(connector: Connector, publication: Publication) -> Mapping[str, str]:
    """Return the options without which a post would be sent, each with the reason."""
    return connector.omitted_options(publication) if isinstance(connector, LeavesOut) else {}


def sandbox_refusal_ahead(platform: Connector, publication: Publication) -> Failed | None:
    """Return why the sandbox refuses the options of a post: those that the platform would refuse.

    The sandbox accepts files of any size and texts of any kind, but only its own choices.
    """
    account, options = publication.account, publication.options
    first = FACTS[account.platform].chosen_first
    named = {} if first is None else {first: str(options.get(first) or "")}
    choices = sandbox_choices(account.platform, account.handle, ChoiceQuery(chosen=named))
    for name in FACTS[account.platform].offered:
        if options.get(name) and choices.lacks(name, options[name]):
            message = unknown_message(account.platform, name, choices)
            return Shared.NOT_OFFERED.end(why=message)
    media = publication.media
    seen = None if media is None else replace(media, source=UnreadFile())
    refused = refusal_ahead(platform, replace(publication, media=seen))
    is_about_options = refused is not None and refused.code == FailureCode.INVALID_OPTIONS
    return refused if is_about_options else None


def _fit_photo(file: MediaFile, recipe: PhotoRecipe) -> MediaFile:
    """Return a photo shrunk into its box; its size in bytes is not known yet."""
    size = (file.width, file.height)
    width, height = size if recipe.frame is None else recipe.frame.size(*size)
    scale = min(1.0, recipe.most_width / width, recipe.most_height / height)
    return replace(
        file,
        mime=MediaType.JPEG,
        size_bytes=min(file.size_bytes, recipe.most_bytes),
        width=max(1, int(width * scale)),
        height=max(1, int(height * scale)),
    )


def _repack_video(file: MediaFile, recipe: VideoRecipe) -> MediaFile:
    """Return a video as an MP4 of the part that is kept, at most as large as our encoder's."""
    longest_s = None if recipe.longest_ms is None else recipe.longest_ms / 1000
    kept = file.duration_s if longest_s is None else min(file.duration_s or 0.0, longest_s)
    share = kept / file.duration_s if kept and file.duration_s else 1.0
    size = int(file.size_bytes * share)
    if recipe.encode and kept:
        size = min(size, int(kept * _MOST_MADE_BYTES_A_SECOND))
    return replace(file, mime=MediaType.MP4, duration_s=kept, size_bytes=size)
