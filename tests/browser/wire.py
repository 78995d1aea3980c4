"""What a page weighs on its way to a browser: each answer, as it was sent, with its head."""

from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Page

_ICON = "/app/static/icon.svg"


class Wire:
    """Counts what a page fetches from now on, as if its browser had kept nothing."""

    def __init__(self, page: Page) -> None:
        self.asked: dict[str, str] = {}
        self.sizes: dict[str, int] = {}
        session = page.context.new_cdp_session(page)
        session.on("Network.requestWillBeSent", self._ask)
        session.on("Network.loadingFinished", self._finish)
        session.send("Network.enable")
        session.send("Network.setCacheDisabled", {"cacheDisabled": True})

    def _ask(self, event: dict[str, Any]) -> None:
        address = str(event["request"]["url"])
        if address.startswith("http"):
            self.asked[event["requestId"]] = urlsplit(address).path

    def _finish(self, event: dict[str, Any]) -> None:
        self.sizes[event["requestId"]] = int(event["encodedDataLength"])

    @property
    def bytes(self) -> int:
        """Return what came in all, the icon once.

        The brand's picture is the page's icon, too: Chromium may ask for that, and without its
        cache, which stays off so that nothing of earlier pages is in it, fetches it again.
        """
        came = [(path, one) for one, path in self.asked.items() if one in self.sizes]
        once = {path if path == _ICON else one: one for path, one in came}
        return sum(self.sizes[one] for one in once.values())

    def __str__(self) -> str:
        came = sorted(((self.sizes.get(one, 0), path) for one, path in self.asked.items()))
        told = [f"{size:,} {path}" for size, path in reversed(came)]
        return "\n".join([f"{self.bytes:,} bytes in {len(came)} requests", *told])
