"""Long words, Arabic, emoji and large text: everything is to be read, on every width.

Texts stand beside each other, none is cut without dots, nothing scrolls sideways.
"""

import pytest
from playwright.sync_api import Browser, Playwright, expect

from tests.browser.crowded_workspace import ARABIC, Crowded
from tests.support.chromium import found_chromium

pytestmark = [pytest.mark.browser, pytest.mark.costly]

_UNREADABLE = """() => {
  const { documentElement: page, body } = document;
  const found = page.scrollWidth > innerWidth ? [`sideways: ${page.scrollWidth}`] : [];
  const known = new Map();
  // What lies above a page on purpose, is for ears alone, or draws.
  const isBeside = (one) => {
    if (one === body) return false;
    if (!known.has(one)) {
      const { position, clipPath, opacity } = getComputedStyle(one);
      known.set(one, /fixed|sticky/.test(position) || clipPath !== "none" || opacity === "0"
        || one.matches("svg, dialog, .menu, .face, thead") || isBeside(one.parentElement));
    }
    return known.get(one);
  };
  const shown = ({ left, top, right, bottom }, one) => {
    for (let part = one; part !== body; part = part.parentElement) {
      if (getComputedStyle(part).overflow === "visible") continue;
      const frame = part.getBoundingClientRect();
      [left, right] = [Math.max(left, frame.left), Math.min(right, frame.right)];
      [top, bottom] = [Math.max(top, frame.top), Math.min(bottom, frame.bottom)];
    }
    return { left, top, right, bottom };
  };
  const said = (text) => `"${text.data.trim().slice(0, 30)}"`;
  const boxes = [];
  const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode, one = text.parentElement;
    if (!text.data.trim() || !one.checkVisibility() || isBeside(one)) continue;
    const { overflowX, textOverflow } = getComputedStyle(one);
    if (overflowX === "hidden" && textOverflow === "clip" && one.scrollWidth > one.clientWidth + 1)
      found.push(`${said(text)} is cut`);
    const words = document.createRange();
    words.selectNodeContents(text);
    for (const line of words.getClientRects()) {
      const box = shown(line, one);
      if (box.right - box.left > 2 && box.bottom - box.top > 2) boxes.push({ ...box, text });
    }
  }
  boxes.forEach((one, place) => {
    for (const other of boxes.slice(place + 1)) {
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (one.text !== other.text && across > 1.5 && down > 5)
        found.push(`${said(one.text)} over ${said(other.text)}`);
    }
  });
  return [...new Set(found)];
}"""
_SPACED = """* { line-height: 1.5 !important; letter-spacing: .12em !important;
  word-spacing: .16em !important; }
p { margin-bottom: 2em !important; }"""
_CUT_AT_THE_BEGINNING = """(arabic) => [...document.querySelectorAll("body *")]
  .filter((one) => one.textContent.trim().startsWith(arabic) && one.checkVisibility())
  .filter((one) => getComputedStyle(one).textOverflow === "ellipsis")
  .filter((one) => getComputedStyle(one).direction !== "rtl")
  .map((one) => one.outerHTML.slice(0, 120))"""

_LEAST_CONTRAST = """(faces) => {
  const dot = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const below = getComputedStyle(document.body).backgroundColor;
  const seen = (colour, opacity) => {
    for (const [paint, alpha] of [[below, 1], [colour, opacity]]) {
      dot.globalAlpha = alpha;
      dot.fillStyle = paint;
      dot.fillRect(0, 0, 1, 1);
    }
    const [red, green, blue] = [...dot.getImageData(0, 0, 1, 1).data].map((one) => one / 255)
      .map((one) => (one <= .04045 ? one / 12.92 : ((one + .055) / 1.055) ** 2.4));
    return .2126 * red + .7152 * green + .0722 * blue + .05;
  };
  return Math.min(...faces.map((face) => {
    const { color, backgroundColor } = getComputedStyle(face);
    const opacity = [face, face.parentElement]
      .reduce((left, one) => left * getComputedStyle(one).opacity, 1);
    const [letter, ground] = [seen(color, opacity), seen(backgroundColor, opacity)];
    return Math.max(letter, ground) / Math.min(letter, ground);
  }));
}"""
_UNDER_A_BOX = """(all) => all.filter((one) => {
  const box = one.closest(".entry, tr").querySelector(".tick")?.getBoundingClientRect();
  return box && [...one.children].some((part) => {
    const { left, right, top, bottom, width } = part.getBoundingClientRect();
    const across = Math.min(right, box.right) - Math.max(left, box.left);
    return width > 1 && across > 0 && top < box.bottom && bottom > box.top;
  });
}).length"""


@pytest.mark.parametrize("width", [320, 768, 1100])
def test_every_text_is_to_be_read(crowded: Crowded, chromium: Browser, width: int) -> None:
    assert _unreadable(crowded, chromium, width) == []


def test_every_text_is_to_be_read_at_twice_its_size(
    crowded: Crowded, playwright: Playwright
) -> None:
    """As people set it in their browser, who then get the page of a narrower window."""
    arguments = ["--no-sandbox", "--disable-gpu", "--blink-settings=defaultFontSize=32"]
    large = playwright.chromium.launch(executable_path=found_chromium(), args=arguments)

    found = _unreadable(crowded, large, 1280)
    large.close()

    assert found == []


@pytest.mark.parametrize("width", [390, 1280])
def test_every_text_is_to_be_read_with_more_space(
    crowded: Crowded, chromium: Browser, width: int
) -> None:
    """As people set it who read with difficulty: WCAG 2.2, 1.4.12, which names the four spaces."""
    assert _unreadable(crowded, chromium, width, _SPACED) == []


def _unreadable(crowded: Crowded, chromium: Browser, width: int, style: str = "") -> list[str]:
    page, found = crowded.page(chromium, width, bypass_csp=bool(style)), []
    for name, address in crowded.addresses():
        page.goto(address, wait_until="networkidle")
        if style:
            page.add_style_tag(content=style)
        found += [f"{name}: {one}" for one in page.evaluate(_UNREADABLE)]
    page.context.close()
    return found


@pytest.mark.parametrize("width", [320, 1280])
def test_a_name_in_arabic_is_cut_at_its_end(
    crowded: Crowded, chromium: Browser, width: int
) -> None:
    page, found = crowded.page(chromium, width), []

    for name, address in crowded.addresses():
        page.goto(address)
        found += [f"{name}: {one}" for one in page.evaluate(_CUT_AT_THE_BEGINNING, ARABIC)]
    page.context.close()

    assert found == []


def test_only_a_row_that_is_ticked_looks_chosen(crowded: Crowded, chromium: Browser) -> None:
    """A menu in a row has a colour that is chosen, which chooses no row."""
    page = crowded.page(chromium, 1280)
    page.goto(f"{crowded.base_url}/app/labels")
    expect(page.locator("tbody tr").first).to_have_css("box-shadow", "none")

    page.goto(f"{crowded.base_url}/app/posts")
    page.locator("tbody .tick").first.check()
    expect(page.locator("tbody tr").first).not_to_have_css("box-shadow", "none")
    page.context.close()


def test_posts_of_a_clients_page_stand_apart(crowded: Crowded, chromium: Browser) -> None:
    page = crowded.page(chromium, 390)
    page.goto(f"{crowded.base_url}/review/client/{crowded.bakery.client_link}")

    one, other = (post.bounding_box() for post in page.locator(".clients").all()[:2])
    assert one is not None
    assert other is not None
    assert other["y"] - (one["y"] + one["height"]) >= 32
    page.context.close()


def test_at_a_desk_every_account_is_in_sight_with_the_face_that_names_it(
    crowded: Crowded, chromium: Browser
) -> None:
    """Up to eight of them, before one is chosen and after: names are shorter where they must be."""
    page = crowded.page(chromium, 1280)
    page.goto(f"{crowded.base_url}/app/posts/new", wait_until="networkidle")
    accounts = page.locator(".who")

    # The ninth account brings a search, and more rows.
    page.locator(".who > .find").evaluate("one => one.remove()")
    assert accounts.evaluate("one => one.scrollWidth <= one.clientWidth + 1")
    page.locator(".acc").first.click()
    assert accounts.evaluate("one => one.scrollWidth <= one.clientWidth + 1")
    page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("address", "not_chosen"),
    [
        ("posts/new", ".acc:not(:has(:checked))"),
        ("calendar?account={instagram}", ".fchip:not([aria-current])"),
    ],
    ids=["composer", "calendar"],
)
def test_a_letter_that_stands_for_an_account_is_read_before_it_is_chosen(
    crowded: Crowded, chromium: Browser, scheme: str, address: str, not_chosen: str
) -> None:
    """WCAG 2.2, 1.4.3. axe says nothing of it: what is hidden from ears is not judged for eyes."""
    page = crowded.page(chromium, 1280, color_scheme=scheme)
    at = address.format(**crowded.bakery.room.accounts)
    page.goto(f"{crowded.base_url}/app/{at}", wait_until="networkidle")
    letters = page.locator(f"{not_chosen} span.face")

    expect(letters).not_to_have_count(0)
    assert letters.evaluate_all(_LEAST_CONTRAST) >= 4.5
    page.context.close()


def test_at_a_desk_the_names_of_the_chosen_stand_whole_and_move_under_no_pointer(
    crowded: Crowded, chromium: Browser
) -> None:
    page = crowded.page(chromium, 1280)
    page.goto(f"{crowded.base_url}/app/posts/new", wait_until="networkidle")
    page.locator(".who > .find").evaluate("one => one.remove()")

    for title in ("sauerteig.co, Instagram", "@sauerteigco, X", "Sauerteig & Co, LinkedIn"):
        page.locator(f'.acc[title="{title}"]').click()

    names = page.locator(".acc:has(:checked) .nm")
    expect(names).to_have_count(3)
    assert names.evaluate_all("all => all.every((one) => one.scrollWidth <= one.clientWidth + 1)")
    text, pointed = (
        page.locator(".sheetlet"),
        page.locator('.acc[title="Marktplatz, Google Business Profile"]'),
    )
    before = text.bounding_box()
    pointed.hover()
    expect(pointed.locator(".nm")).to_have_css("clip-path", "none")
    assert text.bounding_box() == before
    page.context.close()


@pytest.mark.parametrize("view", ["posts", "calendar?view=list", "calendar?view=day"])
def test_on_a_phone_ten_labels_take_two_lines_and_no_box_stands_on_them(
    crowded: Crowded, chromium: Browser, view: str
) -> None:
    page = crowded.page(chromium, 390, has_touch=True, is_mobile=True)
    page.goto(f"{crowded.base_url}/app/{view}")
    labels = page.locator(".labels", has_text="+8")

    expect(labels.first).to_be_visible()
    assert labels.evaluate_all("all => Math.max(...all.map((one) => one.offsetHeight))") <= 44
    assert labels.evaluate_all(_UNDER_A_BOX) == 0
    page.context.close()


def test_the_day_stays_beside_a_long_name_on_x(crowded: Crowded, chromium: Browser) -> None:
    page = crowded.page(chromium, 390)
    page.goto(f"{crowded.base_url}/app/posts/{crowded.bakery.out['id']}")
    page.locator('.postlook label[title="@sauerteigco"]').click()
    head = page.locator(".look-x .look-who")

    head.locator("strong").evaluate("one => { one.textContent = 'Lighthouse Bakery '.repeat(4) }")

    day, end = head.locator(".day").bounding_box(), head.locator(".grow").bounding_box()
    assert day is not None
    assert end is not None
    assert day["x"] + day["width"] <= end["x"] + end["width"] + 1
    page.context.close()


def test_on_a_phone_the_tab_that_is_open_is_seen_with_its_count(
    crowded: Crowded, chromium: Browser
) -> None:
    page = crowded.page(chromium, 320)
    page.goto(f"{crowded.base_url}/app/posts?status=published")
    count = page.locator(".tabs [aria-current] .n")
    expect(count).not_to_be_empty()

    expect(count).to_be_in_viewport(ratio=1)
    page.context.close()


def test_on_paper_stands_the_page_without_what_is_pressed(
    crowded: Crowded, chromium: Browser
) -> None:
    """With its colours, which say how good an hour is, and with all days of the chart."""
    page = crowded.page(chromium, 800)
    page.emulate_media(media="print", color_scheme="dark")

    page.goto(f"{crowded.base_url}/app/results", wait_until="networkidle")
    pressed = page.locator(":is(.btn, button, .side, .skip)").locator("visible=true")
    expect(pressed).to_have_count(0)
    expect(page.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")
    expect(page.locator(".heat td").first).to_have_css("print-color-adjust", "exact")
    chart = page.locator(".chartwrap")
    assert chart.evaluate("one => one.scrollWidth <= one.clientWidth + 1")
    page.context.close()


@pytest.mark.parametrize("view", ["week", "month", "day", "list"])
def test_a_calendar_on_an_upright_sheet_is_all_there_under_its_heading(
    crowded: Crowded, chromium: Browser, view: str
) -> None:
    """A4 between its margins is narrower than a tablet: a phone's week shows two of its days."""
    page = crowded.page(chromium, 703)
    page.emulate_media(media="print")

    page.goto(f"{crowded.base_url}/app/calendar?view={view}", wait_until="networkidle")

    wide = page.locator(".week, main").evaluate_all(
        "all => all.map((one) => one.scrollWidth - one.clientWidth)"
    )
    assert max(wide) <= 1
    expect(page.get_by_role("heading", level=1)).to_have_css("position", "static")
    page.context.close()


def test_in_forced_colours_what_is_current_is_told_from_the_rest(
    crowded: Crowded, chromium: Browser
) -> None:
    page = crowded.page(chromium, 1280, forced_colors="active")
    edge = "one => getComputedStyle(one).borderBottomColor"

    page.goto(f"{crowded.base_url}/app/posts?status=published")
    tabs = page.locator(".tabs > *")
    edges = {one.evaluate(edge) for one in tabs.all() if not one.get_attribute("aria-current")}
    assert page.locator(".tabs > [aria-current]").evaluate(edge) not in edges

    page.goto(f"{crowded.base_url}/app/results")
    grounds = {
        one.evaluate("one => getComputedStyle(one).backgroundColor")
        for one in page.locator(".heat [data-q]").all()
    }
    assert len(grounds) > 1, "good hours differ from others"
    page.context.close()


def test_the_name_of_the_preview_stands_apart_from_all_its_accounts(
    crowded: Crowded, chromium: Browser
) -> None:
    page = crowded.page(chromium, 1100)
    page.goto(f"{crowded.base_url}/app/posts/new")
    page.get_by_role("button", name="Choose all").click()
    parts = page.locator(".lookhead .seg")
    expect(parts.locator("[data-look]")).to_have_count(len(page.locator(".acc").all()) + 1)

    name, row = page.locator(".lookhead h2").bounding_box(), parts.bounding_box()

    assert name is not None
    assert row is not None
    is_below = row["y"] >= name["y"] + name["height"]
    assert is_below or row["x"] >= name["x"] + name["width"] + 8
    page.context.close()


def test_at_four_times_its_size_a_page_has_its_screen_for_itself(
    crowded: Crowded, chromium: Browser
) -> None:
    """WCAG 2.2, 1.4.10: 1280 by 1024 pixels at 400 % are 320 by 256, those of a phone that lies."""
    page, found = crowded.page(chromium, 320), []
    page.set_viewport_size({"width": 320, "height": 256})
    for name, address in crowded.addresses():
        page.goto(address, wait_until="networkidle")
        found += [f"{name}: {one}" for one in page.evaluate(_STAY_AT_AN_EDGE)]
    page.context.close()

    assert found == []


_STAY_AT_AN_EDGE = """() => [...document.querySelectorAll("body *")].filter((one) => {
  const { position, top, bottom } = getComputedStyle(one);
  const stays = position === "fixed" || (position === "sticky" && (top + bottom).includes("px"));
  const box = one.getBoundingClientRect();
  const isSeen = one.checkVisibility() && box.bottom > 0 && box.top < innerHeight;
  return stays && isSeen && box.width > innerWidth / 2;
}).map((one) => `${one.tagName} ${one.className}`)"""
