"""`goldenhour import`: what is read, what is refused, and how it is told."""

from datetime import datetime, timezone
from pathlib import Path
from unicodedata import normalize

import pytest
from command_line import CommandLine
from plans import a_row, posts_of, write_plan
from tests.support.workbook import workbook

from goldenhour import Client


def test_a_plan_with_a_mistake_makes_nothing_and_says_what_is_wrong_by_line(
    importer: CommandLine, planned: Client, tmp_path: Path
) -> None:
    rows = [
        a_row(1, caption="Wrong one"),
        a_row(2, caption="Wrong two", to="linkdin"),
        a_row(3, caption="Wrong three", at="2031-03-30 02:30", zone="Europe/Paris"),
        a_row(4, caption="Wrong four", at="tomorrow 09:00"),
        a_row(5, caption="Wrong five", at="2020-01-01 09:00"),
        a_row(6, caption="Wrong six", file="missing.jpg"),
        a_row(7, caption="Wrong seven", options="pinterest.board=1"),
        a_row(8, caption=""),
        a_row(9, caption="Wrong nine", file="https://example.com/loaf.jpg"),
        a_row(10, caption="Wrong ten", at="2031-02-30 09:00"),
    ]
    write_plan(tmp_path / "wrong.csv", rows)

    ended = importer("import", "wrong.csv", "--go", "--json")

    mistakes = {each["line"]: each["message"] for each in ended.json()["mistakes"]}
    assert 1 == ended.status
    assert "Did you mean 'linkedin'?" in mistakes[3]
    assert "does not exist in Europe/Paris" in mistakes[4]
    assert "has no date" in mistakes[5]
    assert "has passed" in mistakes[6]
    assert "There is no file" in mistakes[7]
    assert "not among the accounts" in mistakes[8]
    assert "neither a caption nor a file" in mistakes[9]
    assert "is an address. Save what is there" in mistakes[10]
    assert "the calendar has no 2031-02-30" in mistakes[11]
    assert {} == posts_of(planned, "Wrong")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("to,captoin\nlinkedin,x\n", "'captoin' (did you mean 'caption'?)"),
        (
            "to,Text,Image URL,Tags,Posting Time\nx,Rye,,,\n",
            "'image url' (did you mean 'file'?), 'tags', 'posting time' (did you mean 'at'?).",
        ),
        ("caption\nx\n", "'to' must be one of them"),
        ('to,caption\nlinkedin,"x\n', "is not CSV"),
        ("to,caption\nlinkedin,a,b\n", "more cells than there are columns"),
    ],
)
def test_a_file_that_is_no_plan_is_refused(
    text: str, said: str, importer: CommandLine, tmp_path: Path
) -> None:
    (tmp_path / "odd.csv").write_text(text)

    ended = importer("import", "odd.csv", "--go")

    assert 1 == ended.status
    assert said in ended.err


def test_check_reads_a_plan_of_a_spreadsheet_and_makes_nothing(
    importer: CommandLine, planned: Client, tmp_path: Path
) -> None:
    """A spreadsheet in Europe writes semicolons and begins with a byte order mark."""
    text = "﻿To;Caption;At\r\nlinkedin, bluesky;Checked, only;2031-07-01 09:00\r\n"
    (tmp_path / "sheet.csv").write_bytes(text.encode())

    ended = importer("import", "sheet.csv", "--check", "--zone", "Europe/Paris")

    assert 0 == ended.status
    assert "linkedin:bakery, bluesky:bakery" in ended.out
    assert "Tue 1 Jul 2031, 09:00 Europe/Paris (UTC+02:00)" in ended.out
    assert {} == posts_of(planned, "Checked")


def test_a_workbook_is_a_plan_too(importer: CommandLine, planned: Client, tmp_path: Path) -> None:
    nine = datetime(2031, 3, 3, 9)  # noqa: DTZ001 - a sheet has no zone
    book = workbook([["to", "caption", "at"], ["linkedin", "In a workbook", nine]])
    (tmp_path / "book.xlsx").write_bytes(book)

    ended = importer("import", "book.xlsx", "--go", "--zone", "Europe/Paris")

    (post,) = planned.posts.list(q="In a workbook")
    assert 0 == ended.status, ended.err
    assert datetime(2031, 3, 3, 8, tzinfo=timezone.utc) == post.targets[0].scheduled_at


COMPOSED, APART = normalize("NFC", "Bäckerei 朝.jpg"), normalize("NFD", "Bäckerei 朝.jpg")


@pytest.mark.parametrize(("in_sheet", "on_disk"), [(COMPOSED, APART), (APART, COMPOSED)])
def test_a_file_is_found_whichever_way_its_letters_are_composed(
    in_sheet: str, on_disk: str, importer: CommandLine, tmp_path: Path
) -> None:
    """A Mac's folder has an umlaut as two signs, the sheet of another machine as one."""
    (tmp_path / on_disk).write_bytes(b"bread")
    write_plan(tmp_path / "named.csv", [a_row(1, file=in_sheet)])

    ended = importer("import", "named.csv", "--check", "--json")

    assert "There is no file" not in ended.out


@pytest.mark.parametrize("what", ["--check", "--go"])
def test_what_the_service_would_refuse_is_told_by_line_and_nothing_is_made(
    what: str, importer: CommandLine, planned: Client, tmp_path: Path
) -> None:
    rows = [
        a_row(1001, caption="Refused one"),
        a_row(1002, to="bluesky", caption="Refused " + "x" * 400),
        a_row(1003, to="pinterest", caption="Refused pin"),
        a_row(1004, to="linkedin,bluesky", caption="Refused four"),
    ]
    write_plan(tmp_path / "refused.csv", rows)

    ended = importer("import", "refused.csv", what, "--json")

    told = [(each["line"], each["column"]) for each in ended.json()["mistakes"]]
    assert 1 == ended.status
    assert {(3, "caption"), (4, "file"), (4, "options")} == set(told)
    assert {} == posts_of(planned, "Refused")


def test_check_tells_what_the_sheet_and_what_the_service_refuses_at_once(
    importer: CommandLine, planned: Client, tmp_path: Path
) -> None:
    rows = [
        a_row(1, caption="Both one", to="linkdin"),
        a_row(2, caption="Both " + "x" * 400, to="bluesky"),
        a_row(3, caption="Both three", at="2020-01-01 09:00"),
    ]
    write_plan(tmp_path / "both.csv", rows)

    ended = importer("import", "both.csv", "--check", "--json")

    told = [(each["line"], each["column"]) for each in ended.json()["mistakes"]]
    assert 1 == ended.status
    assert [(2, "to"), (3, "caption"), (4, "at")] == told
    assert {} == posts_of(planned, "Both")


def test_a_plan_that_was_refused_is_made_once_it_is_mended(
    importer: CommandLine, planned: Client, tmp_path: Path
) -> None:
    rows = [a_row(1, caption="Mended one"), a_row(2, to="bluesky", caption="Mended " + "x" * 400)]
    plan = write_plan(tmp_path / "mended.csv", rows)
    importer("import", "mended.csv", "--go")

    write_plan(plan, [rows[0], {**rows[1], "caption": "Mended two"}])
    checked = importer("import", "mended.csv", "--check")
    ended = importer("import", "mended.csv", "--go", "--json")

    assert (0, 0) == (checked.status, ended.status), ended.err
    assert {"Mended one": 1, "Mended two": 1} == posts_of(planned, "Mended")
    assert {"scheduled"} == {post.status for post in planned.posts.list(q="Mended")}


def test_a_line_can_have_a_text_for_one_account(
    importer: CommandLine, planned: Client, tmp_path: Path
) -> None:
    text = 'to,caption,caption:bluesky,at\n"linkedin,bluesky",Long one,Short,2031-07-01 09:00\n'
    (tmp_path / "texts.csv").write_text(text)

    ended = importer("import", "texts.csv", "--go")

    (post,) = planned.posts.list(q="Long one")
    assert 0 == ended.status, ended.err
    assert [None, "Short"] == [target.caption_override for target in post.targets]


def test_a_sheet_in_another_encoding_or_with_unclear_dates_gets_a_sentence(
    importer: CommandLine, tmp_path: Path
) -> None:
    (tmp_path / "latin.csv").write_bytes(
        "to,caption\nlinkedin,Ça\nlinkedin,caf\u00e9\n".encode("cp1252")
    )
    (tmp_path / "dates.csv").write_text("to,caption,at\nlinkedin,Dates,03/04/2031 07:00\n")

    latin = importer("import", "latin.csv", "--check")
    dates = importer("import", "dates.csv", "--check", "--json")

    assert "latin.csv: Line 2: 'Ç' is not written in UTF-8" in latin.err
    (mistake,) = dates.json()["mistakes"]
    assert (2, "at") == (mistake["line"], mistake["column"])
    assert "could begin with the day or the month" in mistake["message"]
