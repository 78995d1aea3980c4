"""`goldenhour import`: one post a line, however often it is started, killed and started again."""

import json
import random
import signal
import time
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest
from command_line import CommandLine
from plans import FIRST, a_row, posts_of, write_plan

from goldenhour import Client

ROWS = 120
KILLS = 4


@pytest.mark.costly
def test_an_import_of_many_lines_that_is_killed_and_repeated_makes_one_post_a_line(
    importer: CommandLine, planned: Client, photo: Path, tmp_path: Path
) -> None:
    """Killed at four moments; once its journal is lost, as if the disk had not kept it."""
    rows = [
        a_row(
            number,
            caption=f"Kill {number}",
            zone="UTC",
            file=photo.name if number % 50 == 0 else "",
        )
        for number in range(ROWS)
    ]
    write_plan(tmp_path / "plan.csv", rows)
    journal = tmp_path / "plan.csv.progress.jsonl"
    moments = sorted(random.Random(20).sample(range(10, 200), KILLS))  # of about 240 entries

    for kill, moment in enumerate(moments):
        process = importer.start("import", "plan.csv", "--go")
        wait_for_entries(journal, moment)
        process.send_signal(signal.SIGKILL)
        assert -signal.SIGKILL == process.wait()
        if kill == 1:
            journal.unlink()
    ended = importer("import", "plan.csv", "--go", "--json")
    repeated = importer("import", "plan.csv", "--go", "--json")

    assert 0 == ended.status, ended.err
    assert Counter({f"Kill {number}": 1 for number in range(ROWS)}) == posts_of(planned, "Kill")
    scheduled = {
        post.caption: post.next_time for post in planned.posts.list(q="Kill", page_size=200)
    }
    expected = {f"Kill {number}": FIRST + timedelta(hours=number) for number in range(ROWS)}
    assert expected == scheduled
    assert {"done before"} == {row["state"] for row in repeated.json()["rows"]}


def wait_for_entries(journal: Path, count: int) -> None:
    """Return once an import has noted so many steps."""
    ends = time.monotonic() + 240
    while not journal.exists() or journal.read_bytes().count(b'"key"') < count:
        assert time.monotonic() < ends, "the import does not go on"
        time.sleep(0.01)


@pytest.mark.costly
def test_two_imports_at_once_make_one_post_a_line(
    importer: CommandLine, planned: Client, tmp_path: Path
) -> None:
    write_plan(tmp_path / "both.csv", [a_row(n, caption=f"Twice {n}") for n in range(40)])

    both = [importer.start("import", "both.csv", "--go") for _ in range(2)]
    statuses = [process.wait(timeout=240) for process in both]

    assert [0, 0] == statuses
    assert Counter({f"Twice {n}": 1 for n in range(40)}) == posts_of(planned, "Twice")


def test_equal_lines_are_two_posts_and_stay_two(
    importer: CommandLine, planned: Client, tmp_path: Path
) -> None:
    write_plan(tmp_path / "twins.csv", [a_row(1, caption="Twin"), a_row(1, caption="Twin")])

    importer("import", "twins.csv", "--go")
    importer("import", "twins.csv", "--go")

    assert {"Twin": 2} == posts_of(planned, "Twin")


def test_a_line_that_only_moved_is_known_again(
    importer: CommandLine, planned: Client, tmp_path: Path
) -> None:
    first, second = a_row(1, caption="Moved one"), a_row(2, caption="Moved two")
    plan = write_plan(tmp_path / "moved.csv", [first, second])
    importer("import", "moved.csv", "--go")

    write_plan(plan, [a_row(3, caption="Moved new"), second, first])
    ended = importer("import", "moved.csv", "--go", "--json")

    states = {row["line"]: row["state"] for row in ended.json()["rows"]}
    assert {2: "made", 3: "done before", 4: "done before"} == states
    assert 3 == sum(posts_of(planned, "Moved").values())


@pytest.mark.parametrize("key", ["", "loaf-7"])
def test_a_line_that_was_changed_after_it_was_made_makes_no_second_post(
    key: str, importer: CommandLine, planned: Client, tmp_path: Path
) -> None:
    name = f"changed{key}.csv"
    row = a_row(1, caption=f"Changed{key} before", key=key)
    plan = write_plan(tmp_path / name, [row])
    importer("import", name, "--go")

    write_plan(plan, [{**row, "caption": f"Changed{key} after"}])
    ended = importer("import", name, "--go", "--json")

    assert 1 == ended.status
    assert "changed_since" == ended.json()["rows"][0]["code"]
    assert {f"Changed{key} before": 1} == posts_of(planned, f"Changed{key} ")


def test_a_post_that_was_cancelled_or_deleted_meanwhile_is_left_so(
    importer: CommandLine, planned: Client, tmp_path: Path
) -> None:
    write_plan(tmp_path / "left.csv", [a_row(1, caption="Left one"), a_row(2, caption="Left two")])
    importer("import", "left.csv", "--go")
    journal = tmp_path / "left.csv.progress.jsonl"
    lines = [json.loads(line) for line in journal.read_text().split("\n") if line]
    journal.write_text("".join(json.dumps(e) + "\n" for e in lines if "status" not in e))
    one, two = (post for post in planned.posts.list(q="Left"))
    planned.posts.cancel(one.id)
    planned.posts.delete(two.id)

    again = importer("import", "left.csv", "--go", "--json")

    assert "cancelled" == planned.posts.get(one.id).status
    assert {"failed", "made"} == {row["state"] for row in again.json()["rows"]}
    assert 1 == sum(posts_of(planned, "Left").values())
