"""Notices in a browser: asked for by a button alone, shown by the worker, opened by a click.

Chromium asks Google for an address; here a script stands in for that service. What the worker is
handed is what a push service would hand it, through the browser's own debugging interface.
"""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from chalicelib.domain.workspace.notices import Matter, NoticeKind
from chalicelib.domain.workspace.push import message_of
from tests.browser.visitor import Visitor
from tests.support.push_service import PlayedBrowser

pytestmark = [pytest.mark.browser, pytest.mark.costly]

PLAYED = PlayedBrowser()
_SERVICE = """([key, secret]) => {
  const signs = (text) => atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = (text) => Uint8Array.from(signs(text), (sign) => sign.charCodeAt(0)).buffer;
  const getKey = (name) => bytes(name === "auth" ? secret : key);
  window.asked = [];
  Notification.requestPermission = async () => {
    window.asked.push("permission");
    return "granted";
  };
  PushManager.prototype.getSubscription = async () => null;
  PushManager.prototype.subscribe = async ({ applicationServerKey: [first, ...rest] }) => {
    if (first !== 4 || rest.length !== 64) throw new Error("no key of P-256");
    return { endpoint: "https://push.example/send/1", getKey };
  };
}"""

# Chromium drops a message without a word while it still begins the worker or a permission: as a
# push service does, it is handed over again. One notice stands for all of them, by its tag.
_DELIVERIES = 20
_SHOWN = """async () => {
  const worker = await navigator.serviceWorker.ready;
  for (let look = 0; look < 30; look += 1) {
    const [first] = await worker.getNotifications();
    if (first) return [first.title, first.body, first.tag, first.data.path];
    await new Promise((done) => setTimeout(done, 100));
  }
  return null;
}"""


@pytest.fixture
def visitor(as_people_have_it: Visitor) -> Visitor:
    """Return somebody with the whole browser: without its windows it shows no notice."""
    return as_people_have_it


def _settings(visitor: Visitor) -> Page:
    _, member = visitor.workspace()
    page = visitor.page(workers=True)
    page.add_init_script(f"({_SERVICE})({json.dumps([PLAYED.key, PLAYED.secret])})")
    visitor.sign_in(page, member)
    page.goto(f"{visitor.base_url}/app/settings?page=notices")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    return page


def test_nothing_is_asked_before_the_button_and_the_browser_is_listed_after_it(
    visitor: Visitor,
) -> None:
    page = _settings(visitor)
    browsers = page.get_by_role("region", name="In your browsers")
    expect(browsers).to_contain_text("None yet.")
    assert page.evaluate("window.asked") == []

    with page.expect_navigation():
        browsers.get_by_role("button", name="Tell me in this browser").click()

    expect(browsers.get_by_role("listitem")).to_contain_text(re.compile("Chrome|Chromium|browser"))
    browsers.get_by_role("button", name=re.compile("^End notices in")).click()
    expect(browsers).to_contain_text("None yet.")


def test_a_browser_that_does_not_allow_it_says_so_and_sends_nothing(visitor: Visitor) -> None:
    page = _settings(visitor)
    page.evaluate("Notification.requestPermission = async () => 'denied'")

    page.get_by_role("button", name="Tell me in this browser").click()

    expect(page.get_by_role("alert")).to_contain_text("does not allow it")
    expect(page.get_by_role("region", name="In your browsers")).to_contain_text("None yet.")


def test_the_worker_shows_a_message_with_its_words_and_its_page(visitor: Visitor) -> None:
    page = _settings(visitor)
    page.context.grant_permissions(["notifications"])
    sent = message_of(
        NoticeKind.FAILED,
        [Matter(id="1", sentence="“Rye” on X failed.", path="/app/posts/1")],
        "Bakery",
    )
    devtools = page.context.new_cdp_session(page)
    found: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(one["registrationId"] for one in event["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    while not found:
        page.wait_for_timeout(20)

    shown = None
    for _ in range(_DELIVERIES):
        devtools.send(
            "ServiceWorker.deliverPushMessage",
            {
                "origin": visitor.base_url,
                "registrationId": found[0],
                "data": sent.to_bytes().decode(),
            },
        )
        if shown := page.evaluate(_SHOWN):
            break
    assert shown == ["Not posted: Bakery", "“Rye” on X failed.", "failed", "/app/posts/1"]


_CLICKED = """async () => {
  const opened = [];
  // Only a person's own click may open a window: what it would open is noted.
  self.clients.openWindow = async (address) => opened.push(address);
  const left = [];
  for (const path of ["/app/posts/1", "/app", "/sandbox", "//push.example/app", "/appendix"]) {
    await self.registration.showNotification(path, { data: { path } });
    const [notification] = await self.registration.getNotifications();
    const waits = [];
    const click = new NotificationEvent("notificationclick", { notification });
    click.waitUntil = (work) => waits.push(work);
    self.dispatchEvent(click);
    await Promise.all(waits);
    left.push(...(await self.registration.getNotifications()));
  }
  return [opened, left.length];
}"""


def test_a_click_opens_a_page_of_the_app_and_nothing_else(visitor: Visitor) -> None:
    page = _settings(visitor)
    page.context.grant_permissions(["notifications"])
    (worker,) = page.context.service_workers

    opened, left = worker.evaluate(_CLICKED)

    assert [f"{visitor.base_url}/app/posts/1", f"{visitor.base_url}/app"] == opened
    assert 0 == left
