"""Reads a page's own preview: title, description and picture (ogp.me).

Bluesky and LinkedIn make no preview of a link in a post by their API; they show one that is sent
with it. The page is a stranger's, so it is fetched through the guard against private addresses, and
nothing of it is trusted: a page that cannot be read makes a post without a preview. Only its head
is read, at most a megabyte and for a few seconds.
"""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final, Protocol, runtime_checkable
from urllib.parse import urljoin, urlsplit

from chalicelib.connectors.connector import Data, Publication
from chalicelib.connectors.shared.card_pictures import as_jpeg
from chalicelib.connectors.shared.page_heads import read_head
from chalicelib.domain.media.types import SNIFF_BYTES, sniff
from chalicelib.domain.platforms.texts.card_links import link_of
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.bodies import BytesBody
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.kit.transport.guarded import GuardedFetch, Page
from chalicelib.kit.transport.network_rules import ForbiddenAddressError

LARGEST_PICTURE: Final = 950_000
_LARGEST_ORIGINAL: Final = 10_485_760
_LONGEST_HEAD: Final = 1_048_576
"""YouTube's says its title behind 700 kB of scripts."""
_LONGEST_ANSWER: Final = 1_073_741_824
_SECONDS: Final = 5.0
_MOST_REDIRECTS: Final = 3
_LONGEST_TITLE: Final = 300
_LONGEST_DESCRIPTION: Final = 1_000
_LONGEST_ADDRESS: Final = 2_000
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_JPEG_SIGN: Final = b"\xff\xd8\xff"
_PNG_SIGN: Final = b"\x89PNG\r\n\x1a\n"
_PICTURE_SIGNS: Final = (_JPEG_SIGN, _PNG_SIGN, b"RIFF", b"GIF8")
_END_OF_HEAD: Final = b"</head"
_TITLES: Final = ("og:title", "twitter:title", "title")
_DESCRIPTIONS: Final = ("og:description", "twitter:description", "description")
_PICTURES: Final = (
    *("og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src"),
    *("itemprop=image", "rel=image_src", "itemprop=thumbnailurl", "thumbnail"),
)
"""Also as X's own cards (`twitter:image:src`), schema.org and old shops name it."""
_OK: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkCard:
    """The preview of a link; `url` is the link as it was given."""

    url: str
    title: str
    description: str = ""
    picture_url: str | None = None

    def to_json(self) -> dict[str, Json]:
        """Return the card as a checkpoint keeps it."""
        return {
            "url": self.url,
            "title": self.title,
            "description": self.description,
            "picture": self.picture_url,
        }


@dataclass(frozen=True, slots=True)
class Picture:
    """A small picture of a page."""

    content: bytes
    mime: str


@runtime_checkable
class ShowsLinkCards(Protocol):
    """A platform that makes no preview of a link by itself, but shows one that is sent."""

    def read_card(self, link: str) -> LinkCard | None:
        """Return the preview of a link, None if its page cannot be read."""
        ...


class LinkCards:
    """Reads previews; safe to share between threads."""

    def __init__(self, fetch: GuardedFetch) -> None:
        self._fetch = fetch

    def read(self, url: str) -> LinkCard | None:
        """Return the preview of a page, None if it cannot be read or has none."""
        try:
            place, page = self._follow(url, _LONGEST_HEAD)
        except (ForbiddenAddressError, PlatformError, ValueError):
            return None
        mime = page.headers.get("Content-Type", "")
        if page.status != _OK or "html" not in mime.lower():
            return None
        said = read_head(page.body, mime)
        title = _first(said, _TITLES) or urlsplit(url).hostname or ""
        return LinkCard(
            url=url,
            title=title[:_LONGEST_TITLE],
            description=_first(said, _DESCRIPTIONS)[:_LONGEST_DESCRIPTION],
            picture_url=_picture_address(place, _first(said, _PICTURES)),
        )

    def prepare(
        self, publication: Publication, data: Data, upload: Callable[[BytesBody], Json]
    ) -> Data:
        """Return the data with the preview of a post's link, its picture uploaded.

        Without a preview or its picture the post is made all the same.
        """
        link = link_of(publication.options, publication.text)
        card = None if link is None else self.read(link)
        if card is None:
            return data
        kept: Data = {**data, "card": card.to_json()}
        picture = None if card.picture_url is None else self.picture(card.picture_url)
        if picture is not None:
            with suppress(PlatformError):
                kept["thumbnail"] = upload(BytesBody(picture.content, picture.mime))
        return kept

    def picture(self, url: str) -> Picture | None:
        """Return a page's picture, None if it cannot be fetched or converted for platforms."""
        try:
            _, page = self._follow(url, _LARGEST_ORIGINAL, whole=True)
        except (ForbiddenAddressError, PlatformError, ValueError):
            return None
        if page.status != _OK or not page.body.startswith(_PICTURE_SIGNS):
            return None
        is_small = len(page.body) <= LARGEST_PICTURE
        clean = _clean_picture(page.body) if is_small else None
        if clean is not None and page.body.startswith(_JPEG_SIGN):
            return Picture(clean, "image/jpeg")
        jpeg = as_jpeg([page.body], LARGEST_PICTURE)
        if jpeg is not None:
            return Picture(jpeg, "image/jpeg")
        is_png = page.body.startswith(_PNG_SIGN)
        return Picture(clean, "image/png") if clean is not None and is_png else None

    def _follow(self, url: str, most_bytes: int, *, whole: bool = False) -> tuple[str, Page]:
        """Return the answer after a few redirects, each of which is guarded like the first.

        Raises ValueError for too many.
        """
        ends = time.monotonic() + _SECONDS
        for _ in range(_MOST_REDIRECTS + 1):
            left = max(0.1, ends - time.monotonic())
            page = self._read(url, most_bytes, left, whole=whole)
            if page.status not in _REDIRECTS:
                return url, page
            url = urljoin(url, page.headers.get("Location", ""))
        raise ValueError("The link leads from one page to the next.")

    def _read(self, url: str, most_bytes: int, seconds: float, *, whole: bool) -> Page:
        """Read an answer, or only its beginning: a page's head comes first."""
        headers = {"Accept-Encoding": "gzip"}
        if whole:
            return self._fetch.read(url, most_bytes=most_bytes, seconds=seconds, headers=headers)
        body = bytearray()
        with self._fetch.stream(
            url, most_bytes=_LONGEST_ANSWER, seconds=seconds, headers=headers
        ) as answer:
            try:
                for piece in answer.pieces:
                    body += piece
                    if len(body) >= most_bytes or _END_OF_HEAD in bytes(body[-2 * len(piece) :]):
                        break
            except PlatformError:
                if not body:
                    raise
            return Page(status=answer.status, headers=answer.headers, body=bytes(body[:most_bytes]))


def _clean_picture(picture: bytes) -> bytes | None:
    """Return an upright picture without private metadata, None if it must be converted."""
    # A post without a picture from a page need not wait for this on a cold start.
    from chalicelib.domain.media.cleaning.outcome import UncleanableError  # noqa: PLC0415
    from chalicelib.domain.media.cleaning.photos import clean_photo  # noqa: PLC0415

    mime = sniff(picture[:SNIFF_BYTES])
    try:
        cleaned = None if mime is None else clean_photo(mime, picture)
    except UncleanableError:
        return None
    return cleaned.data if cleaned is not None and cleaned.turn == 1 else None


def _first(said: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((said[name] for name in names if name in said), "")


def _picture_address(page: str, named: str) -> str | None:
    """Return the address of a page's picture; None without one, or if it is too long."""
    try:
        address = urljoin(page, named) if named else ""
    except ValueError:  # such as `https://[bread`: the standard library reads it as IPv6
        return None
    return address if 0 < len(address) <= _LONGEST_ADDRESS else None
