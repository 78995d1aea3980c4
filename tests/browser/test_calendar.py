"""The calendar in a real browser: a full week, dragging to an hour, a click on a free place.

What the mouse does, the form and the keyboard do as well.
"""

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Locator, Page, Position, expect

from chalicelib.domain.platforms.platform import Platform
from tests.browser.visitor import Visitor
from tests.browser.wire import Wire

pytestmark = pytest.mark.browser

POSTS = 500
ACCOUNTS = 25
MOST_BYTES = 120_000
"""On their way to a browser that has kept nothing: page, font, styles, scripts and drawings."""
MOST_NODES, MOST_REQUESTS = 2_700, 14
PARIS = ZoneInfo("Europe/Paris")
SAID = (
    "baked with the flour of the mill across the river, and with nothing else but water and salt",
    "for whoever comes before seven: the first ten of you get a roll on top",
    "which took us thirty hours from the first stir to the last look into the oven",
)
CARRIED = """(one) => {
  const dataTransfer = new DataTransfer();
  one.dispatchEvent(new DragEvent("dragstart", { bubbles: true, dataTransfer }));
  return [...dataTransfer.types];
}"""
HALF_PAST: Position = {"x": 40, "y": 38}
"""In the lower half of an hour's row, which is 46 pixels high."""


def next_monday() -> date:
    """Return the Monday that begins the week after this one."""
    today = datetime.now(PARIS).date()
    return today + timedelta(days=7 - today.weekday())


@dataclass(frozen=True, slots=True)
class Bakery:
    """A workspace of a visitor's, its owner, its accounts and a key that writes its posts."""

    visitor: Visitor
    owner: str
    accounts: tuple[str, ...]
    key: str

    def open(self, address: str, *, width: int = 1280, scripts: bool = True) -> Page:
        """Open the calendar as the owner."""
        page = self.visitor.signed_in(self.owner, width=width, scripts=scripts)
        page.goto(f"{self.visitor.base_url}/app/calendar?{address}")
        return page

    def plan(self, page: Page, caption: str, *times: datetime, schedules: bool = True) -> None:
        """Write a post, each account at a time of its own."""
        targets = [
            {"account_id": account, "scheduled_at": at.isoformat()}
            for account, at in zip(self.accounts, times, strict=False)
        ]
        post = self._ask(page, "/posts", {"caption": caption, "targets": targets})
        if schedules:
            self._ask(page, f"/posts/{post}/schedule", {})

    def draft(self, page: Page, caption: str) -> None:
        """Write a draft that has no time."""
        self._ask(
            page, "/posts", {"caption": caption, "targets": [{"account_id": self.accounts[0]}]}
        )

    def _ask(self, page: Page, path: str, body: object) -> str:
        headers = {"Authorization": f"Bearer {self.key}"}
        address = f"{self.visitor.base_url}/v1{path}"
        answer = page.request.post(address, headers=headers, data=body)
        assert answer.ok, answer.text()
        return str(answer.json()["id"])


def a_bakery(visitor: Visitor, *platforms: Platform) -> Bakery:
    """Make a workspace with test accounts."""
    workspace, owner = visitor.workspace()
    accounts = tuple(
        visitor.test_account(workspace, platform, f"bakery {number}")
        for number, platform in enumerate(platforms)
    )
    key = visitor.operator.text("key", "create", "--member", owner, field="api_key")
    return Bakery(visitor, owner, accounts, key)


def at(day: date, hour: int, minute: int = 0) -> datetime:
    """Return a time of the workspace's clock."""
    return datetime.combine(day, time(hour, minute), PARIS)


def hour_of(page: Page, day: date, hour: int) -> Locator:
    """Return the place of an hour."""
    return page.locator(f'[data-day="{day}"][data-hour="{hour}"]')


def unfold(page: Page) -> None:
    """Open the hours that are folded because nothing stands in them."""
    for fold in page.locator(".fold").all():
        fold.locator("> summary").click()


@pytest.mark.costly
def test_a_week_of_five_hundred_posts_takes_three_screens_and_opens_in_place(
    visitor: Visitor,
) -> None:
    platforms = list(Platform)
    bakery = a_bakery(visitor, *(platforms[n % len(platforms)] for n in range(ACCOUNTS)))
    monday, writer = next_monday(), visitor.page()
    planned = [
        at(monday + timedelta(days=n % 7), 7 + n // 7 % 12, n // 84 * 9) for n in range(POSTS)
    ]
    for number, moment in enumerate(planned):
        first = bakery.accounts[number % ACCOUNTS :] + bakery.accounts[: number % ACCOUNTS]
        one = Bakery(visitor, bakery.owner, first, bakery.key)
        one.plan(writer, f"Loaf {number}, {SAID[number % len(SAID)]}", moment, schedules=False)

    page = visitor.signed_in(bakery.owner)
    wire = Wire(page)
    page.goto(f"{visitor.base_url}/app/calendar?day={monday}", wait_until="networkidle")
    sizes = page.evaluate(_SIZES)
    days = page.locator(".day")
    counted = [int(days.nth(place).locator(".cnt").inner_text().split()[0]) for place in range(7)]
    assert counted == [
        sum(one.date() == monday + timedelta(days=n) for one in planned) for n in range(7)
    ]
    assert sizes["wide"] <= sizes["screen"][0]
    assert sizes["high"] <= 3 * sizes["screen"][1]
    assert sizes["nodes"] <= MOST_NODES
    assert wire.bytes <= MOST_BYTES, str(wire)
    assert len(wire.asked) <= MOST_REQUESTS, str(wire)

    hour = hour_of(page, monday, 7)
    expect(hour.locator(".entry")).to_have_count(2)
    in_it = sum(one.date() == monday and one.hour == 7 for one in planned)
    hour.get_by_role("link", name=f"{in_it - 2} more").click()
    expect(hour.locator(".entry")).to_have_count(in_it)
    expect(page).to_have_url(re.compile(f"day={monday}$"))

    phone = bakery.open(f"view=day&day={monday}", width=390)
    high = phone.evaluate(_SIZES)["high"]
    assert high <= 3 * 900


_SIZES = """() => ({
  wide: document.documentElement.scrollWidth,
  high: document.documentElement.scrollHeight,
  screen: [innerWidth, innerHeight],
  nodes: document.querySelectorAll("*").length,
})"""


def test_an_entry_is_dragged_to_a_day_and_half_hour_and_back(visitor: Visitor) -> None:
    bakery = a_bakery(visitor, Platform.LINKEDIN, Platform.X)
    monday = next_monday()
    wednesday = monday + timedelta(days=2)
    bakery.plan(visitor.page(), "Rye to be moved", at(monday, 9, 15), at(monday, 17))
    page = bakery.open(f"day={monday}")

    unfold(page)

    hour_of(page, monday, 9).locator(".entry").drag_to(
        hour_of(page, wednesday, 14), target_position=HALF_PAST
    )
    expect(hour_of(page, wednesday, 14).locator(".entry time")).to_have_text("14:30")
    expect(hour_of(page, monday, 17).locator(".entry time")).to_have_text("17:00")
    page.get_by_role("button", name="Undo").click()

    expect(hour_of(page, monday, 9).locator(".entry time")).to_have_text("09:15")


def test_in_a_month_an_entry_keeps_its_time_on_the_day_it_is_dropped(visitor: Visitor) -> None:
    bakery = a_bakery(visitor, Platform.LINKEDIN)
    day = next_monday().replace(day=10) + timedelta(days=31)
    bakery.plan(visitor.page(), "Rye to be moved", at(day, 9, 15))
    page = bakery.open(f"view=month&day={day}")
    other = page.locator(f'[data-day="{day + timedelta(days=1)}"]')

    page.locator(".entry").drag_to(other)

    expect(other.locator(".entry time")).to_have_text("09:15")


def test_a_click_on_a_free_place_begins_a_post_there(visitor: Visitor) -> None:
    bakery = a_bakery(visitor, Platform.LINKEDIN)
    monday = next_monday()
    page = bakery.open(f"day={monday}")
    unfold(page)

    hour_of(page, monday, 15).click(position=HALF_PAST)

    expect(page.get_by_label("When", exact=False)).to_have_value(f"{monday}T15:30")


@pytest.mark.costly
@pytest.mark.parametrize(("width", "scripts"), [(1280, True), (390, True), (390, False)])
def test_entries_are_chosen_moved_and_moved_back_by_the_keyboard(
    visitor: Visitor, *, width: int, scripts: bool
) -> None:
    bakery = a_bakery(visitor, Platform.LINKEDIN)
    monday, writer = next_monday(), visitor.page()
    bakery.plan(writer, "Rye", at(monday, 9))
    bakery.plan(writer, "White", at(monday, 10))
    page = bakery.open(f"day={monday}", width=width, scripts=scripts)
    expect(page.get_by_role("button", name="Move by days")).to_be_hidden()

    for name in ("Rye", "White"):
        page.get_by_role("checkbox", name=name).focus()
        page.keyboard.press("Space")
    page.locator("#chosen summary").filter(has_text="Move").press("Enter")
    page.get_by_label("Days", exact=True).fill("2")
    page.get_by_role("button", name="Move by days").press("Enter")

    expect(page.get_by_role("status").first).to_contain_text("2 of 2 moved.")
    wednesday = page.locator(f'[data-day="{monday + timedelta(days=2)}"]')
    expect(wednesday.locator(".entry time")).to_have_text(["09:00", "10:00"])
    page.get_by_role("checkbox", name="Rye").focus()
    page.keyboard.press("Space")
    page.locator("#chosen summary").filter(has_text="Move").press("Enter")
    page.get_by_label("New time").fill(f"{monday}T20:45")
    page.get_by_role("button", name="Move", exact=True).press("Enter")
    expect(page.locator(f'[data-day="{monday}"] .entry time')).to_have_text("20:45")
    page.get_by_role("button", name="Undo").press("Enter")
    expect(wednesday.locator(".entry time")).to_have_text(["09:00", "10:00"])


def test_a_post_is_moved_by_the_keyboard_in_at_most_six_keys(visitor: Visitor) -> None:
    bakery = a_bakery(visitor, Platform.LINKEDIN)
    monday = next_monday()
    bakery.plan(visitor.page(), "Rye", at(monday, 9))
    page = bakery.open(f"day={monday}")

    pressed = ["ArrowDown", "m", "ArrowRight", "ArrowDown", "Enter"]
    for key in pressed:
        page.keyboard.press(key)

    tuesday = monday + timedelta(days=1)
    moved = hour_of(page, tuesday, 9).locator(".entry")
    expect(moved.locator("time")).to_have_text("09:30")
    expect(moved.get_by_role("link")).to_be_focused()
    assert len(pressed) <= 6


def test_escape_leaves_a_held_post_where_it_was(visitor: Visitor) -> None:
    bakery = a_bakery(visitor, Platform.LINKEDIN)
    monday = next_monday()
    bakery.plan(visitor.page(), "Rye", at(monday, 9))
    page = bakery.open(f"day={monday}")

    for key in ("ArrowDown", "m", "ArrowRight", "Escape"):
        page.keyboard.press(key)

    expect(page.locator("#moving")).to_be_hidden()
    expect(hour_of(page, monday, 9).locator(".entry time")).to_have_text("09:00")


def test_a_long_press_lifts_an_entry_and_a_finger_carries_it_to_another_hour(
    visitor: Visitor,
) -> None:
    bakery = a_bakery(visitor, Platform.LINKEDIN)
    monday = next_monday()
    bakery.plan(visitor.page(), "Rye", at(monday, 9))
    page = bakery.open(f"day={monday}", width=900)
    unfold(page)

    carry(hour_of(page, monday, 9), hour_of(page, monday + timedelta(days=1), 9))

    expect(hour_of(page, monday + timedelta(days=1), 9).locator(".entry")).to_have_count(1)


@pytest.mark.parametrize("by", ["mouse", "finger", "keys", "form"])
def test_a_draft_without_a_time_is_given_one_beside_a_day(visitor: Visitor, by: str) -> None:
    bakery = a_bakery(visitor, Platform.LINKEDIN)
    monday, writer = next_monday(), visitor.page()
    bakery.plan(writer, "Rye", at(monday, 9))
    bakery.draft(writer, "Soup")
    page = bakery.open(f"view=day&day={monday}", width=900, scripts=by != "form")
    draft, line = page.locator(".undated li"), page.locator(".daylist > li", has_text="Rye")

    match by:
        case "mouse":
            draft.drag_to(line, target_position={"x": 200, "y": 5})
        case "finger":
            carry(draft.get_by_role("link"), line.locator("> time"))
        case "keys":
            draft.get_by_role("link").press("m")
            page.get_by_label("Time in").fill(f"{monday}T09:00")
            page.keyboard.press("Enter")
        case _:
            draft.locator("summary").press("Enter")
            page.get_by_label("Time in").fill(f"{monday}T09:00")
            page.get_by_role("button", name="Set the time").press("Enter")

    expect(page.get_by_role("status").first).to_contain_text("It is a draft until you schedule it")
    soup = page.locator(".daylist > li", has_text="Soup")
    expect(soup.locator("> time")).to_have_text("09:00")
    expect(page.locator(".undated")).to_have_count(0)


def test_what_is_dragged_carries_something(visitor: Visitor) -> None:
    """Safari drops nothing that does not."""
    bakery = a_bakery(visitor, Platform.LINKEDIN)
    bakery.draft(visitor.page(), "Soup")
    page = bakery.open(f"view=day&day={next_monday()}")

    assert page.locator(".undated li").evaluate(CARRIED) == ["text/plain"]


@pytest.mark.costly
def test_an_entry_of_a_day_is_dragged_to_another_line_or_date(visitor: Visitor) -> None:
    bakery = a_bakery(visitor, Platform.LINKEDIN)
    monday, writer = next_monday(), visitor.page()
    bakery.plan(writer, "Rye", at(monday, 9))
    bakery.plan(writer, "White", at(monday, 15))
    page = bakery.open(f"view=day&day={monday}")

    page.locator(".entry", has_text="Rye").drag_to(
        page.locator(".daylist > li", has_text="White"), target_position={"x": 200, "y": 5}
    )
    expect(page.locator(".daylist > li", has_text="Rye").locator("> time")).to_have_text("15:00")
    page.locator(".entry", has_text="Rye").drag_to(page.locator(".dates a").nth(1))

    expect(page.locator(".daylist > li", has_text="Rye").locator("> time")).to_have_text("15:00")
    expect(page).to_have_url(re.compile(f"day={monday + timedelta(days=1)}"))


def carry(entry: Locator, aim: Locator) -> None:
    """Hold an entry with a finger until it lifts, and let it go over another hour."""
    page = entry.page
    fingers = page.context.new_cdp_session(page)

    def touch(kind: str, *places: tuple[float, float]) -> None:
        points = [{"x": x, "y": y} for x, y in places]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", middle(entry))
    expect(page.locator(".is-held")).to_have_count(1)
    touch("touchMove", middle(aim))  # where it is once folded hours have opened
    expect(page.locator(".is-aim")).to_have_count(1)
    touch("touchEnd")


def middle(place: Locator) -> tuple[float, float]:
    """Return the middle of a place on the screen."""
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("width", [320, 390])
def test_a_phone_shows_today_and_the_hours_of_a_week(visitor: Visitor, width: int) -> None:
    bakery = a_bakery(visitor, Platform.LINKEDIN)

    page = bakery.open("", width=width)

    expect(page.locator(".dh.is-today h2")).to_be_in_viewport(ratio=1)
    expect(page.locator(".fold .num").first).to_be_in_viewport(ratio=1)
    page.locator(".corner abbr").click(trial=True)  # nothing covers it
    unfold(page)
    hours = page.locator(".hh").evaluate_all("all => all.map(one => one.getBoundingClientRect().x)")
    assert hours
    assert min(hours) >= 0


def test_a_phones_day_begins_with_its_dates_and_names_other_views_in_its_head(
    visitor: Visitor,
) -> None:
    bakery = a_bakery(visitor, Platform.LINKEDIN)
    page = bakery.open(f"view=day&day={next_monday()}", width=390)

    dates = page.locator(".dates").bounding_box()
    page.get_by_label("Month, week, day or list").click()
    page.get_by_role("navigation", name="View").get_by_role("link", name="Day after").click()

    assert dates is not None
    assert dates["y"] <= 56
    page.wait_for_url(f"**day={next_monday() + timedelta(days=1)}*")


def test_day_heads_stay_in_sight_while_a_week_is_scrolled(visitor: Visitor) -> None:
    bakery = a_bakery(visitor, Platform.LINKEDIN)
    page = bakery.open(f"day={next_monday()}")
    unfold(page)

    page.mouse.wheel(0, 600)

    page.wait_for_function(
        "() => scrollY > 200 && !document.querySelector('.dh').getBoundingClientRect().top"
    )


@pytest.mark.costly
def test_an_account_s_chip_shows_it_alone_and_another_adds_to_it(visitor: Visitor) -> None:
    bakery = a_bakery(visitor, Platform.LINKEDIN, Platform.X, Platform.FACEBOOK)
    monday = next_monday()
    for account in bakery.accounts:
        alone = Bakery(visitor, bakery.owner, (account,), bakery.key)
        alone.plan(visitor.page(), "Rye", at(monday, 9))
    page = bakery.open(f"day={monday}")
    chips = page.get_by_role("group", name="Filters")
    expect(page.locator(".entry")).to_have_count(3)

    chips.get_by_role("link", name="on LinkedIn").click()
    expect(page.locator(".entry")).to_have_count(1)
    chips.get_by_role("link", name="on X").click()
    expect(page.locator(".entry")).to_have_count(2)
    chips.get_by_role("link", name="on LinkedIn").click()
    expect(page.locator(".entry")).to_have_count(1)
    chips.get_by_role("link", name="on X").click()

    expect(page.locator(".entry")).to_have_count(3)


def test_a_month_fits_the_narrowest_phone(visitor: Visitor) -> None:
    bakery = a_bakery(visitor, Platform.LINKEDIN)
    monday, writer = next_monday(), visitor.page()
    for number in range(11):
        bakery.plan(writer, f"Roll {number}", at(monday, 9, number), schedules=False)

    page = bakery.open(f"view=month&day={monday}", width=320)

    expect(page.locator(f'[data-day="{monday}"] .cnt')).to_have_text("11")
    assert page.evaluate(_SIZES)["wide"] <= 320
