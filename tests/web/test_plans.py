"""A plan from a sheet: seen line by line, corrected in place, made once however often."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from html import unescape
from typing import Any

import pytest

from chalicelib.domain.posts.plans import MOST_LINES, MOST_PLANS, PlanLine
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.query import PostQuery
from chalicelib.domain.workspace.access import Role
from chalicelib.services.posts.drafts import Drafts
from tests.support.workbook import workbook
from tests.web.browser import Browser, Page, a_photo


def drop(browser: Browser, text: str | bytes, name: str = "week.csv") -> Page:
    """Drop a sheet and return its page."""
    content = text.encode() if isinstance(text, str) else text
    answer = browser.upload(content, name, to="/app/plans")
    return browser.open(answer.location) if answer.status == 303 else answer


def address(page: Page) -> str:
    """Return the address of a plan's page."""
    found = re.search(
        r'action="(/app/plans/[0-9a-f]{32})/make"|"(/app/plans/[0-9a-f]{32})"', page.text
    )
    assert found is not None, page.text
    return found[1] or found[2]


def make(browser: Browser, plan: str, way: str) -> int:
    """Press the button and go on to the end; return how often one had to."""
    fields, presses = {"way": way}, 1
    while "going=" in (where := browser.send(f"{plan}/make", fields).location):
        fields, presses = {"way": way, "after": where.rpartition("=")[2]}, presses + 1
    return presses


def posts(browser: Browser) -> list[Post]:
    """Return the workspace's posts by their texts."""
    lists = browser.room.house.deployment.stores.post_lists
    found = lists.find(browser.room.workspace_id, PostQuery(limit=200)).posts
    return sorted(found, key=lambda post: post.caption)


@pytest.mark.parametrize("column", ["to", "at", "file"])
def test_a_sheet_of_long_mistakes_is_shown_with_each_cut(browser: Browser, column: str) -> None:
    """A mistake quotes its cell: lines and mistakes together have to fit into a transaction."""
    browser.room.account("linkedin")
    columns = ["to", "caption", "at", "file"]
    cells = {"to": "linkedin", "caption": "Rye", "at": "", "file": "", column: "🥐" * 29_900}
    lines = [[cells[name] for name in columns]] * 30

    page = drop(browser, workbook([columns, *lines]), "long.xlsx")

    assert page.status == 200
    assert "30 lines" in page.text


def test_a_sheet_is_seen_corrected_and_scheduled(browser: Browser) -> None:
    browser.room.account("x")
    browser.upload(a_photo(), "rye.jpg")

    page = drop(
        browser,
        "to,caption,at,file\nx,Rye & salt,2031-03-03 09:00,rye.jpg\nx,Spelt,03/04/2031 09:00,\n"
        "linkedn,Oats,,\nx,,queue,nothing.jpg\n",
    )
    plan = address(page)
    corrected = browser.send(
        f"{plan}/lines/3", {"cell.to": "x", "cell.caption": "Spelt", "cell.at": "2031-03-04 09:00"}
    )
    made = make(browser, plan, "schedule")
    after = browser.open(plan).text

    assert "4 lines: 1 ready, 3 with a mistake, 0 made" in page.text
    assert "When: '03/04/2031 09:00' could begin with the day or the month" in unescape(page.text)
    assert "There is no account 'linkedn'" in unescape(page.text)
    assert "File: There is no file 'nothing.jpg' in the library" in unescape(page.text)
    assert corrected.location.endswith("#line-3")
    assert made == 1
    assert [(post.caption, post.targets[0].status) for post in posts(browser)] == [
        ("Rye & salt", "scheduled"),
        ("Spelt", "scheduled"),
    ]
    assert posts(browser)[0].attachment is not None
    assert posts(browser)[0].targets[0].scheduled_at == datetime(2031, 3, 3, 9, tzinfo=UTC)
    assert "0 ready, 2 with a mistake, 2 made" in after


def test_a_workbook_is_dropped_and_saved_as_drafts(browser: Browser) -> None:
    browser.room.account("x")
    nine = datetime(2031, 3, 3, 9)  # noqa: DTZ001 - a sheet has no zone
    book = workbook([["to", "caption", "at"], ["x", "Rye", nine], ["x", "Oats", "golden"]])

    plan = address(drop(browser, book, "week.xlsx"))
    make(browser, plan, "draft")

    assert [(post.status, post.targets[0].scheduled_at) for post in posts(browser)] == [
        ("draft", None),
        ("draft", datetime(2031, 3, 3, 9, tzinfo=UTC)),
    ]


def test_however_often_and_by_how_many_a_line_is_one_post(browser: Browser) -> None:
    browser.room.account("x")
    lines = "".join(f"x,Loaf {number},\n" for number in range(60))
    plan = address(drop(browser, f"to,caption,at\n{lines}"))

    with ThreadPoolExecutor(4) as several:
        presses = list(several.map(lambda _: make(browser, plan, "draft"), range(4)))
    again = make(browser, plan, "draft")

    captions = [post.caption for post in posts(browser)]
    assert sorted(captions) == sorted(f"Loaf {number}" for number in range(60))
    assert [*presses, again] == [3] * 5


def test_a_line_that_was_begun_and_left_is_finished_once(browser: Browser) -> None:
    """As after a crash between the note that it begins and the note that it is made."""
    browser.room.account("x")
    plan_id = address(drop(browser, "to,caption\nx,Left\nx,Made\n")).rpartition("/")[2]
    rows = browser.room.house.deployment.checking.plans.rows
    plan = rows.find(browser.room.workspace_id, plan_id)
    assert plan is not None
    left, _ = rows.lines(plan)
    rows.change(plan, left, left.begin("0" * 31 + "1"))
    make(browser, f"/app/plans/{plan_id}", "draft")
    begun = rows.line(plan, 2)
    assert begun is not None
    rows.note_made(plan, begun)  # and as if it had not been noted
    make(browser, f"/app/plans/{plan_id}", "draft")

    assert sorted(post.caption for post in posts(browser)) == ["Left", "Made"]
    assert "0" * 31 + "1" in {post.id for post in posts(browser)}


def test_a_line_that_one_refuses_while_another_makes_it_is_one_post(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser.room.account("x")
    plan_id = address(drop(browser, "to,caption\nx,Rye\n")).rpartition("/")[2]
    rows = browser.room.house.deployment.checking.plans.rows
    plan = rows.find(browser.room.workspace_id, plan_id)
    assert plan is not None
    (line,) = rows.lines(plan)
    begun = line.begin("0" * 31 + "2")
    rows.change(plan, line, begun)
    create, others = Drafts.create, iter([lambda: refuse_and_make_again(begun)])

    def refuse_and_make_again(begun: PlanLine) -> None:
        rows.change(plan, begun, begun.refuse("The month's posts are used up."))
        make(browser, f"/app/plans/{plan_id}", "draft")

    def be_overtaken_and_create(drafts: Drafts, *given: Any, **more: Any) -> Any:  # noqa: ANN401
        if overtake := next(others, None):
            overtake()
        return create(drafts, *given, **more)

    monkeypatch.setattr(Drafts, "create", be_overtaken_and_create)
    make(browser, f"/app/plans/{plan_id}", "draft")

    assert [post.caption for post in posts(browser)] == ["Rye"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "must name the columns"),
        (b"caption\nRye\n", "'to' must be one of them"),
        (b"to,caption\n", "no line below"),
        (b"PK\x03\x04", "no XLSX workbook"),
        (b"to,caption\nx,\xff\xfe\n", "not written in UTF-8"),
        (b"to,caption\nx,a\x00b\n", "control character"),
        (b"to,caption\nx," + b"y" * 30_001, "30,000 signs"),
        (b"to,caption\n" + b"x,y\n" * (MOST_LINES + 1), "5,000 lines"),
        (b"to\n" + b"x" * 1_000_001, "at most 1 MB"),
        (b"to\n" + b"x" * 1_100_000, "at most 1 MB"),
    ],
    ids=["empty", "to", "lines", "zip", "latin", "nul", "line", "many", "large", "larger"],
)
def test_a_file_that_is_no_plan_gets_a_sentence_and_keeps_nothing(
    browser: Browser, content: bytes, said: str
) -> None:
    answer = drop(browser, content)

    assert answer.status == 422
    assert said in answer.problem
    assert browser.room.house.deployment.checking.plans.rows.list(browser.room.workspace_id) == []


def test_what_is_corrected_wrongly_is_told_and_a_post_is_corrected_on_its_own_page(
    browser: Browser,
) -> None:
    browser.room.account("x")
    plan = address(drop(browser, "to,caption\nx,Rye\nx,Oats\n"))

    long = browser.send(f"{plan}/lines/2", {"cell.to": "x", "cell.caption": "y" * 30_001})
    nothing = browser.send(f"{plan}/lines/9", {"cell.to": "x"})
    make(browser, plan, "draft")
    late = browser.send(f"{plan}/lines/2", {"cell.to": "x", "cell.caption": "Rye!"})

    assert (long.status, nothing.status, late.status) == (422, 404, 409)
    assert "30,000 signs" in long.problem
    assert "y" * 30_001 in long.text, "what was typed stays"
    assert "a post already" in late.problem


def test_whoever_may_not_publish_makes_drafts_and_schedules_nothing(browser: Browser) -> None:
    browser.room.account("x")
    plan = address(drop(browser, "to,caption,at\nx,Rye,2031-03-03 09:00\n"))
    writer, viewer = browser.as_role(Role.CONTRIBUTOR), browser.as_role(Role.VIEWER)

    page = writer.open(plan).text
    refused = writer.send(f"{plan}/make", {"way": "schedule"})
    shown = viewer.open(plan).text
    make(writer, plan, "draft")

    assert "Save 1 as drafts" in page
    assert "Schedule 1 post" not in page
    assert refused.status == 403
    assert "Save 1 as drafts" not in shown
    assert [post.status for post in posts(browser)] == ["draft"]


def test_a_plan_is_of_its_workspace_and_goes_with_its_lines(browser: Browser) -> None:
    browser.room.account("x")
    plan = address(drop(browser, "to,caption\nx,Rye\n"))
    stranger = Browser.of(browser.room.house.room()).signed_in()

    assert stranger.open(plan).status == 404
    assert stranger.send(f"{plan}/make", {"way": "draft"}).status == 404
    assert stranger.send(f"{plan}/delete").status == 404
    assert browser.send(f"{plan}/delete").location == "/app/plans"
    assert browser.open(plan).status == 404
    assert posts(browser) == []


def test_there_are_so_many_plans_at_most(browser: Browser) -> None:
    for _ in range(MOST_PLANS):
        drop(browser, "to,caption\nx,Rye\n")

    answer = drop(browser, "to,caption\nx,Rye\n")

    assert answer.status == 422
    assert "Delete one first" in answer.problem
