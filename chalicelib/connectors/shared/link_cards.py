"""What a page says of itself for a preview: title, description and picture (ogp.me).

Bluesky and LinkedIn make no preview of a link that comes by their API; they show one that is sent
along. The page is a stranger's, so it is fetched through the guard against private addresses, and
nothing of it is trusted: a page that cannot be read makes a post without a preview.
"""

from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Final, Protocol, runtime_checkable
from urllib.parse import urljoin, urlsplit

from chalicelib.connectors.shared.transport.failures import PlatformError
from chalicelib.connectors.shared.transport.guarded import GuardedFetch, Page
from chalicelib.connectors.shared.transport.network_rules import ForbiddenAddressError
from chalicelib.domain.dataclass import dataclass
from chalicelib.domain.outcome import Json

LARGEST_PICTURE: Final = 950_000
_LARGEST_PAGE: Final = 1_048_576
_PAGE_S: Final = 5.0
_PICTURE_S: Final = 5.0
_MOST_REDIRECTS: Final = 3
_LONGEST_TITLE: Final = 300
_LONGEST_DESCRIPTION: Final = 1_000
_LONGEST_ADDRESS: Final = 2_000
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_SIGNATURES: Final = ((b"\xff\xd8\xff", "image/jpeg"), (b"\x89PNG\r\n\x1a\n", "image/png"))
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


def link_of(options: Mapping[str, Json], text: str) -> str | None:
    """Return the link to preview: the one that `link` names, or the text's first if it is true."""
    wanted = options.get("link")
    if isinstance(wanted, str) and wanted:
        return wanted
    if wanted is not True:
        return None
    # Its patterns take long to compile: only a process that looks for a link pays for them.
    from chalicelib.domain.platforms.texts.x_links import find_links  # noqa: PLC0415

    links = find_links(text)
    if not links:
        return None
    first = text[links[0].start : links[0].end]
    return first if "://" in first else f"https://{first}"


@runtime_checkable
class ShowsLinkCards(Protocol):
    """A platform that makes no preview of a link by itself, and shows one that is sent along."""

    def read_card(self, link: str) -> LinkCard | None:
        """Return the preview of a link, None if its page cannot be read."""
        ...


class LinkCards:
    """Reads previews; safe to share between threads."""

    def __init__(self, fetch: GuardedFetch) -> None:
        self._fetch = fetch

    def read(self, url: str) -> LinkCard | None:
        """Return the preview of a page, None if it cannot be read or says nothing of itself."""
        try:
            place, page = self._follow(url)
        except (ForbiddenAddressError, PlatformError, ValueError):
            return None
        if page.status != _OK or "html" not in page.headers.get("Content-Type", "").lower():
            return None
        said = _Head.read(page.body)
        title = said.get("og:title") or said.get("title") or urlsplit(url).hostname or ""
        description = said.get("og:description") or said.get("description") or ""
        return LinkCard(
            url=url,
            title=title[:_LONGEST_TITLE],
            description=description[:_LONGEST_DESCRIPTION],
            picture_url=_picture_address(place, said.get("og:image")),
        )

    def picture(self, url: str) -> Picture | None:
        """Return a page's picture, None if it cannot be had or is none that platforms take."""
        try:
            page = self._fetch.read(url, most_bytes=LARGEST_PICTURE, seconds=_PICTURE_S)
        except (ForbiddenAddressError, PlatformError, ValueError):
            return None
        mime = next((mime for sign, mime in _SIGNATURES if page.body.startswith(sign)), None)
        return None if page.status != _OK or mime is None else Picture(page.body, mime)

    def _follow(self, url: str) -> tuple[str, Page]:
        """Return the page at the end of a few redirects, each of which is guarded like the first.

        Raises ValueError for too many.
        """
        for _ in range(_MOST_REDIRECTS + 1):
            page = self._fetch.read(url, most_bytes=_LARGEST_PAGE, seconds=_PAGE_S)
            if page.status not in _REDIRECTS:
                return url, page
            url = urljoin(url, page.headers.get("Location", ""))
        raise ValueError("The link leads from one page to the next.")


class _Head(HTMLParser):
    """Reads the title and the meta elements of a page, the first of each name."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.said: dict[str, str] = {}
        self._in_title = False

    @classmethod
    def read(cls, body: bytes) -> dict[str, str]:
        parser = cls()
        parser.feed(body.decode("utf-8", errors="replace"))
        return {name: " ".join(text.split()) for name, text in parser.said.items()}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "title":
            self._in_title = "title" not in self.said
        if tag != "meta":
            return
        values = dict(attrs)
        name, content = values.get("property") or values.get("name"), values.get("content")
        if name and content:
            self.said.setdefault(name.lower(), content)

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.said["title"] = self.said.get("title", "") + data


def _picture_address(page: str, named: str | None) -> str | None:
    address = urljoin(page, named) if named else None
    return address if address is not None and len(address) <= _LONGEST_ADDRESS else None
