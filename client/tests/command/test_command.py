"""The command against the real service, as people and scripts use it."""

import csv
import io
import json
import os
import pty
import select
import stat
import subprocess
from datetime import datetime, time, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from command_line import CommandLine
from stack import Stack

from goldenhour import Client


def test_login_keeps_the_key_in_a_file_that_only_its_owner_reads(
    stack: Stack, tmp_path: Path
) -> None:
    fresh = CommandLine(folder=tmp_path, environment={"XDG_CONFIG_HOME": str(tmp_path / "config")})

    before = fresh("accounts")
    signed_in = fresh("login", "--url", stack.base_url, "--key-stdin", typed=stack.api_key + "\n")
    kept = tmp_path / "config" / "goldenhour" / "profiles.json"
    accounts = fresh("accounts", "--json")
    fresh("logout")

    assert (1, "goldenhour login" in before.err) == (before.status, True)
    assert "11 accounts" in signed_in.out
    assert stack.api_key not in signed_in.out + signed_in.err
    assert 0o600 == stat.S_IMODE(kept.stat().st_mode)
    assert 11 == len(accounts.json()["data"])
    assert stack.api_key not in kept.read_text()


def test_me_shows_whose_key_it_is_and_what_is_left(command: CommandLine, client: Client) -> None:
    shown = command("me").out
    read = command("me", "--json").json()

    known = client.me()
    assert f"{known.workspace} ({known.plan} plan, {known.timezone})" in shown
    assert f"{known.member} ({known.role})" in shown
    assert f"{known.month.x_posts} of {known.month.x_allowance}" in shown
    assert known.workspace_id == read["workspace_id"]


def test_a_wrong_key_is_not_kept(stack: Stack, tmp_path: Path) -> None:
    fresh = CommandLine(folder=tmp_path, environment={"XDG_CONFIG_HOME": str(tmp_path / "config")})

    refused = fresh("login", "--url", stack.base_url, "--key-stdin", typed="gh_live_wrong\n")

    assert 1 == refused.status
    assert "bad_api_key" in refused.err
    assert not (tmp_path / "config").exists()


def test_a_photo_is_posted_to_platforms_at_a_local_time_that_is_shown_first(
    command: CommandLine, client: Client, photo: Path
) -> None:
    tomorrow = datetime.now(ZoneInfo("Europe/Paris")).date() + timedelta(days=1)

    posted = command(
        "post", photo.name, "--caption", "Fresh bread", "--to", "linkedin,bluesky:demo",
        "--at", "tomorrow 09:00", "--zone", "Europe/Paris", "--json",
    )  # fmt: skip

    assert "To linkedin:demo, bluesky:demo" in posted.err
    assert f"At {tomorrow:%a} {tomorrow.day} {tomorrow:%b %Y}, 09:00 Europe/Paris" in posted.err
    post = client.posts.get(posted.json()["id"])
    expected = datetime.combine(tomorrow, time(9), tzinfo=ZoneInfo("Europe/Paris"))
    assert ["linkedin", "bluesky"] == [each.platform for each in post.targets]
    assert {expected} == {each.scheduled_at for each in post.targets}
    assert 1 == len(post.media_ids)


def test_without_a_time_a_post_stays_a_draft(command: CommandLine) -> None:
    posted = command("post", "--caption", "Only a draft", "--to", "x", "--json")

    assert "draft" == posted.json()["status"]
    assert "nothing goes out" in posted.err


def test_a_repeat_with_the_same_key_makes_no_second_post(command: CommandLine) -> None:
    arguments = ("post", "--caption", "Once", "--to", "x", "--key", "monday-bread", "--json")

    assert command(*arguments).json()["id"] == command(*arguments).json()["id"]


def test_a_post_is_followed_until_it_is_out(command: CommandLine, stack: Stack) -> None:
    followed = command("post", "--caption", "Follow me", "--to", "x", "--now", "--watch")

    assert 0 == followed.status
    told = [line.split("\t")[1] for line in followed.out.splitlines()]
    on_its_way = [status for status in ("scheduled", "publishing") if status in told]
    assert [*on_its_way, "published"] == told  # a post may be out before it is looked at
    assert f"{stack.base_url}/sandbox/x/" in followed.out


def test_a_post_that_fails_is_told_with_its_reason_and_status_1(command: CommandLine) -> None:
    failed = command(
        "post", "--caption", "sandbox:fail:media_rejected", "--to", "x", "--now", "--watch"
    )

    assert 1 == failed.status
    assert "(media_rejected)" in failed.out


def test_show_cancel_and_list_tell_the_same_post(command: CommandLine) -> None:
    posted = command("post", "--caption", "Shown later", "--to", "x", "--at", "in 3 days", "--json")
    post_id = posted.json()["id"]

    shown = command("show", post_id, "--history")
    cancelled = command("cancel", post_id, "--json")
    listed = command("list", "--search", "Shown later", "--status", "cancelled", "--json")

    assert "Europe/Paris (UTC+0" in shown.out
    assert "post.scheduled" in shown.out
    assert "cancelled" == cancelled.json()["status"]
    assert [post_id] == [post["id"] for post in listed.json()]


def test_a_list_is_of_platforms_and_accounts_and_by_time(
    command: CommandLine, client: Client
) -> None:
    def posted(to: str, *at: str) -> str:
        made = command("post", "--caption", "Sorted loaf", "--to", to, *at, "--json")
        return str(made.json()["id"])

    late, idle = posted("x,linkedin", "--at", "in 3 days"), posted("bluesky")
    early = posted("x", "--at", "in 2 days")
    account = next(each for each in client.accounts.list() if each.platform == "x")

    def listed(*words: str) -> list[str]:
        found = command("list", "--search", "Sorted loaf", *words, "--json").json()
        return [post["id"] for post in found]

    assert [early, late, idle] == listed("--by-time")
    assert [idle, late] == listed("--platform", "linkedin, bluesky")
    assert [early, late] == listed("--account", f"x:{account.handle}")
    assert 1 == command("list", "--account", "x:nobody").status
    assert [early, late] == listed("--by-time", "--from", "tomorrow", "--to", "2999-01-01")
    assert [] == listed("--from", "2020-01-01", "--to", "tomorrow")


def test_a_check_tells_what_would_go_wrong_with_status_1(command: CommandLine) -> None:
    wrong = command("post", "--caption", "No board yet", "--to", "pinterest", "--json").json()
    right = command("post", "--caption", "Right", "--to", "x", "--json").json()

    bad, good = command("check", wrong["id"]), command("check", right["id"], "--json")

    assert (1, 0) == (bad.status, good.status)
    assert "option_required" in bad.out
    assert "It is not ready." in bad.out
    told = good.json()
    assert told["ready"]
    assert {one["code"] for one in told["data"]} <= {"close_together"}  # other tests post, too


def test_choices_are_listed_by_option(command: CommandLine) -> None:
    chosen = command("choices", "pinterest", "--json")
    nothing = command("choices", "bluesky")

    assert {"id", "name"} == set(chosen.json()["data"]["board"][0])
    assert "bluesky has nothing to choose." in nothing.out


def test_a_list_that_is_cut_off_says_so(command: CommandLine) -> None:
    for caption in ("Cut off 1", "Cut off 2"):
        command("post", "--caption", caption, "--to", "x")

    cut = command("list", "--search", "Cut off", "--limit", "1", "--json")
    whole = command("list", "--search", "Cut off", "--limit", "2", "--json")

    assert (1, 2) == (len(cut.json()), len(whole.json()))
    assert "--limit" in cut.err
    assert "--limit" not in whole.err


def test_a_list_as_csv_has_a_line_for_each_target(command: CommandLine) -> None:
    command("post", "--caption", 'Spelt, "dark"\nand fresh', "--to", "x,linkedin")

    listed = command("list", "--search", "Spelt", "--csv")

    rows = list(csv.DictReader(io.StringIO(listed.out)))
    assert ["x", "linkedin"] == [row["platform"] for row in rows]
    assert 'Spelt, "dark"\nand fresh' == rows[0]["caption"]


def test_an_export_with_metrics_has_the_counts_of_each_account(
    command: CommandLine, client: Client
) -> None:
    made = client.posts.create(targets=[client.accounts.list().data[0].id], caption="Counted")

    table = command("export", "--format", "csv", "--metrics")
    lines = command("export", "--metrics")
    refused = command("export", "--format", "csv", "--history")

    rows = list(csv.DictReader(io.StringIO(table.out)))
    assert {"views", "likes", "comments", "shares", "followers"} <= set(rows[0])
    (row,) = [row for row in rows if row["post_id"] == made.id]
    assert "" == row["views"]
    entries = {entry["post"]["id"]: entry for entry in map(json.loads, lines.out.splitlines())}
    assert made.targets[0].id == entries[made.id]["metrics"]["accounts"][0]["target_id"]
    assert 2 == refused.status


def test_an_export_has_every_post_once_over_all_pages(command: CommandLine, client: Client) -> None:
    exported = command("export")

    ids = [json.loads(line)["post"]["id"] for line in exported.out.splitlines()]
    assert [post.id for post in client.posts.list()] == ids
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("post", "--caption", "x", "--to", "linkdin"), 1, "Did you mean 'linkedin'?"),
        (("post", "--caption", "x", "--to", "x", "--at", "soonish"), 1, "Write it like"),
        (("post", "--caption", "x", "--to", "x", "--at", "2020-01-01 09:00"), 2, "has passed"),
        (("post", "--caption", "x", "--to", "x", "--at", "in 1 hour", "--now"), 2, "either --at"),
        (("post", "--caption", "x", "--to", "x", "--zone", "Mars"), 0, ""),
        (("show", "0" * 32), 1, "post_not_found"),
        (("list", "--limit", "-1"), 2, "--limit"),
        (("list", "--from", "2027-02-30"), 1, "the calendar has no 2027-02-30"),
        (("results", "--days", "1"), 2, "--days"),
        (("--version",), 0, ""),
        (("send",), 2, "No such command"),
        (("import", "plan.csv"), 2, "does not exist"),
    ],
)
def test_mistakes_are_told_on_stderr_with_their_status(
    arguments: tuple[str, ...], status: int, said: str, command: CommandLine
) -> None:
    ended = command(*arguments)

    assert status == ended.status
    assert said in " ".join(ended.err.split())


def test_with_json_an_error_is_json_too(command: CommandLine) -> None:
    ended = command("show", "0" * 32, "--json")

    assert "" == ended.out
    assert "post_not_found" == json.loads(ended.err)["error"]["code"]


def test_a_refused_post_keeps_its_draft_and_says_which(
    command: CommandLine, client: Client
) -> None:
    refused = command("post", "--caption", "No photo", "--to", "instagram", "--at", "in 3 days")

    assert 1 == refused.status
    assert "media_required" in refused.err
    kept = next(client.posts.list(q="No photo"))
    assert f"The draft {kept.id} is kept" in refused.err
    assert "draft" == kept.status


def test_a_terminal_is_asked_before_anything_is_sent_and_shows_no_markup(
    command: CommandLine, client: Client
) -> None:
    """On a real terminal, made by the operating system; "n" is typed."""
    screen = at_a_terminal(
        command, "post", "--caption", "[red]Asked[/red]", "--to", "x", "--at", "in 3 days"
    )

    assert "Send it? [y/N]" in screen
    assert "Stopped." in screen
    assert [] == list(client.posts.list(q="[red]Asked"))


def at_a_terminal(command: CommandLine, *arguments: str) -> str:
    """Run the command on a terminal, answer "n" to its question, and return the screen."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command.words(*arguments),
        cwd=command.folder,
        env={**command.whole_environment(), "TERM": "xterm"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    screen = b""
    while process.poll() is None or select.select([ours], [], [], 0)[0]:
        if not select.select([ours], [], [], 0.1)[0]:
            continue
        try:
            screen += os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        if screen.endswith(b"[y/N]: "):
            os.write(ours, b"n\n")
    os.close(ours)
    process.wait(timeout=240)
    return screen.decode()


def test_times_are_told_in_the_zone_that_was_asked_for(command: CommandLine) -> None:
    at = datetime.now(timezone.utc).replace(microsecond=0) + timedelta(days=5)
    posted = command(
        "post", "--caption", "Zoned", "--to", "x", "--at", at.isoformat(), "--zone", "Asia/Tokyo"
    )

    assert f"{at.astimezone(ZoneInfo('Asia/Tokyo')):%H:%M}" in posted.out
    assert "Asia/Tokyo (UTC+09:00)" in posted.out
