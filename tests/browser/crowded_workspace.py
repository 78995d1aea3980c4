"""The pictures' bakery with what people really have: long words, Arabic, emoji, many labels.

It runs in this process, so that all its pages are there without a stack.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page

from chalicelib.http.pipeline import Pipeline
from chalicelib.web.messages import SESSION_COOKIE
from tests.api.http_house import a_house
from tests.api.http_room import Room
from tests.browser.pictures.bakery import NOW, Bakery, open_bakery
from tests.browser.pictures.serving import served
from tests.support.emulator import EmulatorProcess
from tests.support.free_port import free_port
from tests.web.browser import Browser, both

ARABIC: Final = "مخبز الشروق للخبز والحلويات الشرقية"
HANDLES: Final = {
    "threads": "Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrikation",
    "tiktok": ARABIC,
    "pinterest": "🥐🥖 boulangerie",
}
TEXTS: Final = (
    "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz und Weihnachtsmarkt",
    "خبز طازج كل صباح من الساعة السابعة. زورونا في السوق القديم وجربوا الكرواسون بالفستق!",
    "🥐🥖🍞" * 12,
    "https://example.com/" + "a" * 120,
)
_LABELS: Final = ("Weihnachtsmarktsonderverkaufsaktionen", "عروض نهاية الأسبوع", "label")
_PAGES: Final = {
    "/app": "home",
    "/app/calendar": "week",
    "/app/calendar?view=day": "day",
    "/app/calendar?view=list": "list",
    "/app/calendar?view=month": "month",
    "/app/posts": "posts",
    "/app/posts?status=published": "published posts",
    "/app/posts/{next}": "scheduled post",
    "/app/posts/{out}": "published post",
    "/app/posts/{failed}": "failed post",
    "/app/posts/new": "new post",
    "/app/review": "review",
    "/app/waiting": "waiting",
    "/app/library": "library",
    "/app/plans": "plans",
    "/app/labels": "labels",
    "/app/groups": "groups",
    "/app/results": "results",
    "/app/accounts": "accounts",
    "/app/settings": "settings",
    "/review/{link}": "review link",
    "/review/client/{client}": "client's page",
}


@dataclass(frozen=True, slots=True)
class Crowded:
    """The workspace behind its address, and its owner's session."""

    base_url: str
    session: str
    bakery: Bakery
    pipeline: Pipeline

    def addresses(self) -> Iterator[tuple[str, str]]:
        """Yield what each page is called, and its address."""
        of = self.bakery
        for address, name in _PAGES.items():
            yield (
                name,
                self.base_url
                + address.format(
                    next=of.next["id"],
                    out=of.out["id"],
                    failed=of.failed["id"],
                    link=of.review_link,
                    client=of.client_link,
                ),
            )

    def page(self, chromium: Chromium, width: int, **more: Any) -> Page:  # noqa: ANN401 - Playwright's own
        """Open a window in which the owner is signed in."""
        context = chromium.new_context(
            viewport={"width": width, "height": 800},
            locale="en-GB",
            reduced_motion="reduce",
            service_workers="block",
            **more,
        )
        context.set_default_timeout(120_000)  # as long as a busy machine may take
        at = f"{self.base_url}/app"
        context.add_cookies([{"name": SESSION_COOKIE, "value": self.session, "url": at}])
        return context.new_page()


@contextmanager
def open_crowded(emulator: EmulatorProcess, folder: Path) -> Iterator[Crowded]:
    """Fill the workspace, and serve it for as long as the block runs."""
    bakery, port = open_bakery(a_house(emulator, folder)), free_port()
    base_url = f"http://127.0.0.1:{port}"
    _crowd(bakery.room)
    pipeline = both(bakery.room.house.deployment, base_url=base_url, public_url=base_url)
    session = Browser(bakery.room, pipeline).with_session().cookies[SESSION_COOKIE][0]
    with served(pipeline, port):
        yield Crowded(base_url, session, bakery, pipeline)


def _crowd(room: Room) -> None:
    for platform, handle in HANDLES.items():
        room.accounts[platform] = room.connect(platform, handle)
    labels = [
        room.post("/v1/labels", {"name": f"{_LABELS[number % 3]} {number}", "colour": "red"}).json
        for number in range(10)
    ]
    ids = [one["id"] for one in labels]
    for number, text in enumerate(TEXTS):
        post = room.draft("threads", "bluesky", caption=text)
        assert (
            room.ask("PUT", f"/v1/posts/{post['id']}/labels", body={"label_ids": ids}).status == 200
        )
        at = NOW + timedelta(hours=3, minutes=number)
        assert room.act(post, "schedule", {"at": at.isoformat()}).status == 200
