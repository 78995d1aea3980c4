"""What the command does to a post that exists: everything that the app's buttons do."""

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from command_line import CommandLine

from goldenhour import Client


def _draft(command: CommandLine, *words: str) -> str:
    return str(command("post", *words, "--json").json()["id"])


def test_a_draft_is_edited_scheduled_moved_cancelled_and_deleted(
    command: CommandLine, client: Client
) -> None:
    post_id = _draft(
        command, "--caption", "Rye", "--to", "linkedin,x", "--caption-for", "x=Short rye"
    )
    made = client.posts.get(post_id)

    command("edit", post_id, "--caption", "Rye bread", "--caption-for", "x=", "--add", "bluesky")
    edited = client.posts.get(post_id)
    command("edit", post_id, "--remove", "x", "--option", 'bluesky.langs=["de"]')
    command("schedule", post_id, "--at", "2031-03-03 07:00", "--zone", "Europe/Paris")
    moved = command("edit", post_id, "--at", "2031-03-04 07:00", "--zone", "UTC", "--json").json()
    stopped = command("cancel", post_id, "--json").json()
    deleted = command("delete", post_id, "--yes")
    gone = command("show", post_id)

    assert [None, "Short rye"] == [target.caption_override for target in made.targets]
    assert "Rye bread" == edited.caption
    assert ["linkedin", "x", "bluesky"] == [target.platform for target in edited.targets]
    assert not edited.targets[1].caption_override
    assert ["linkedin", "bluesky"] == [target["platform"] for target in moved["targets"]]
    assert {"2031-03-04T07:00"} == {target["scheduled_at"][:16] for target in moved["targets"]}
    assert "cancelled" == stopped["status"]
    assert 0 == deleted.status
    assert "post_not_found" in gone.err


def test_an_edit_of_nothing_and_what_is_not_there_are_refused_without_a_claim(
    command: CommandLine,
) -> None:
    post_id = _draft(command, "--caption", "Rye", "--to", "x")

    unnamed = command("edit", post_id)
    command("delete", post_id, "--yes")
    again = command("delete", post_id, "--yes")

    assert (2, f"Error: Nothing to change: say what of post {post_id}.") == (
        unnamed.status,
        unnamed.err.splitlines()[-1],
    )
    assert 1 == again.status
    assert "is deleted" not in again.err + again.out


def test_an_account_s_own_text_is_shown(command: CommandLine) -> None:
    post_id = _draft(
        command, "--caption", "Rye", "--to", "linkedin,x", "--caption-for", "x=Short rye"
    )

    shown = command("show", post_id).out

    assert ["Rye", "x:demo: Short rye"] == shown.splitlines()[1:3]


def test_a_draft_gets_another_file(command: CommandLine, client: Client, photo: Path) -> None:
    post_id = _draft(command, "--caption", "With a photo", "--to", "linkedin")

    command("edit", post_id, "--file", photo.name)

    again = client.posts.get(post_id)
    assert (1, "With a photo") == (len(again.media_ids), again.caption)


def test_a_post_is_queued_copied_sent_counted_and_taken_down(
    command: CommandLine, client: Client
) -> None:
    post_id = _draft(command, "--caption", "Out by the command", "--to", "x")

    queued = command("queue", post_id, "--json").json()
    copied = command("duplicate", post_id, "--json").json()
    command("publish", copied["id"], "--yes")
    client.posts.get(copied["id"]).wait()
    shown = command("results", copied["id"])
    strange = command("unpublish", copied["id"], "linkedin", "--yes")
    removed = command("unpublish", copied["id"], "x", "--yes", "--json").json()
    summary = command("results", "--days", "7", "--json").json()

    assert "scheduled" == queued["status"]
    assert "views" in shown.out
    assert "It is on: x:demo" in strange.err
    assert "removed" == removed["targets"][0]["status"]
    assert 7 == summary["days"]
    command("delete", post_id, "--yes")


def test_what_failed_is_sent_again(command: CommandLine, client: Client) -> None:
    post_id = _draft(command, "--caption", "sandbox:fail:media_rejected", "--to", "x")
    command("publish", post_id, "--yes")
    failed = client.posts.get(post_id).wait()

    again = command("retry", post_id, "--json")

    assert "failed" == failed.status
    assert again.json()["status"] in {"scheduled", "publishing"}


def test_queue_times_are_shown_added_and_removed(command: CommandLine, client: Client) -> None:
    added = command("slots", "--add", "mon,thu 06:45", "--label", "Early", "--json").json()
    (early,) = [each for each in added["data"] if each["label"] == "Early"]

    shown = command("slots")
    command("slots", "--remove", early["id"])
    wrong = command("slots", "--add", "someday 09:00")

    assert [0, 3] == early["weekdays"]
    assert "mon, thu" in shown.out
    assert early["id"] not in {each.id for each in client.times.queue_slots()}
    assert 2 == wrong.status


def test_labels_are_made_given_to_posts_and_found_by(command: CommandLine, client: Client) -> None:
    post_id = _draft(command, "--caption", "Bread", "--to", "x")
    made = command("labels", "--add", "Summer sale", "--colour", "amber", "--json").json()

    given = command("label", post_id, "summer SALE", "--json").json()
    found = command("list", "--label", "Summer sale", "--json").json()
    renamed = command("labels", "--rename", "Summer sale", "Winter sale", "--json").json()
    (listed,) = [post for post in client.posts.list(with_labels=True) if post.id == post_id]
    command("label", post_id)
    command("labels", "--remove", "Winter sale")
    wrong = command("label", post_id, "Autumn")

    (label,) = [one for one in made["data"] if one["name"] == "Summer sale"]
    assert [label] == given["data"]
    assert [post_id] == [post["id"] for post in found]
    assert {**label, "name": "Winter sale"} in renamed["data"]
    assert listed.labels is not None
    assert ["Winter sale"] == [one.name for one in listed.labels]
    assert label["id"] not in {one.id for one in client.labels.list()}
    assert (2, True) == (wrong.status, "goldenhour labels" in wrong.err)


def test_a_post_is_repeated_and_its_series_ended(command: CommandLine, client: Client) -> None:
    post_id = _draft(command, "--caption", "Rye", "--to", "linkedin")
    nothing = command("repeat", post_id, "--every", "day")
    at = (datetime.now(timezone.utc) + timedelta(days=3)).strftime("%Y-%m-%d %H:%M")
    command("schedule", post_id, "--at", at)

    rule = ("--every", "week", "--on", "mon", "--on", "FRI", "--times", "2")
    begun = command("repeat", post_id, *rule, "--json").json()
    shown = command("series")
    command("series", "--end", begun["id"])

    assert (1, True) == (nothing.status, "Schedule it first" in nothing.err)
    assert ([0, 4], "complete") == (begun["weekdays"], begun["state"])
    assert begun["id"] in shown.out
    assert "complete" == client.series.get(begun["id"]).state
    assert 2 == command("repeat", post_id, "--every", "year").status


@pytest.mark.parametrize("name", ["schedule", "queue"])
def test_a_draft_is_sent_by_the_command_that_its_remark_names(
    command: CommandLine, name: str
) -> None:
    posted = command("post", "--caption", "Remark", "--to", "linkedin", "--json")
    at = (datetime.now(timezone.utc) + timedelta(days=3)).strftime("%Y-%m-%d %H:%M")

    sent = command(
        name, posted.json()["id"], *(["--at", at] if name == "schedule" else []), "--json"
    )

    assert f"goldenhour {name}" in posted.err
    assert "scheduled" == sent.json()["status"]
