"""A call that makes something makes it once for a key, and says so when the key was another's."""

from collections.abc import Callable
from pathlib import Path

import pytest
from answering import Answering
from command_line import CommandLine
from conftest import SharedFolder, png
from stack import Stack

from goldenhour import Client, KeyReused
from goldenhour.models.answers import DirectUpload, FetchedUpload, Label, Media, QueueSlot, Series
from goldenhour.models.posts import Post

Made = Post | Media | DirectUpload | FetchedUpload | QueueSlot | Label | Series
Make = Callable[[Client, int], Made]
"""Makes something under the key `once`; with another number something else."""


def _a_file(client: Client, folder: Path, number: int) -> Media:
    file = folder / "drawn.png"
    file.write_bytes(png(number + 4, 5))
    return client.media.upload(file, idempotency_key="once")


def _of_a_large_file(client: Client, folder: Path, number: int) -> Media:
    file = folder / "large.png"
    file.write_bytes(png(9, 9, noise=bytes(5_000_000 + number)))
    return client.media.upload(file, idempotency_key="once-large")


@pytest.fixture
def make(
    request: pytest.FixtureRequest, tmp_path: Path, shared_folder: SharedFolder, stack: Stack
) -> Make:
    """Return the call that a test names."""
    posts: list[str] = []

    def repeated(client: Client, number: int) -> Series:
        if not posts:
            post = client.posts.create(targets=[stack.accounts["x"]], caption="Once")
            posts.append(client.posts.schedule(post.id).id)
        return client.series.begin(posts[0], every="day", times=number + 1, idempotency_key="once")

    def fetched(client: Client, number: int) -> FetchedUpload:
        name = f"fetched-{number}.png"
        (shared_folder.path / name).write_bytes(png(5, 5))
        url = f"{shared_folder.origin}/{name}"
        return client.media.begin_upload_from_url(url, idempotency_key="once")

    makes: dict[str, Make] = {
        "file": lambda client, number: _a_file(client, tmp_path, number),
        "large file": lambda client, number: _of_a_large_file(client, tmp_path, number),
        "upload": lambda client, number: client.media.begin_upload(
            filename="a.png", size_bytes=number + 5, idempotency_key="once"
        ),
        "fetched": fetched,
        "queue time": lambda client, number: client.times.add_queue_slot(
            weekdays=[number], time=f"04:0{number}", idempotency_key="once"
        ),
        "label": lambda client, number: client.labels.add(
            f"Once {number}", colour="teal", idempotency_key="once"
        ),
        "series": repeated,
    }
    return makes[request.param]


EVERY = pytest.mark.parametrize(
    "make",
    ["file", "large file", "upload", "fetched", "queue time", "label", "series"],
    indirect=True,
)


def _id(made: Made) -> str:
    return made.media_id if isinstance(made, (DirectUpload, FetchedUpload)) else made.id


@EVERY
def test_a_key_that_made_something_else_is_an_error_and_not_the_earlier_thing(
    client: Client, make: Make
) -> None:
    first = make(client, 0)

    again = make(client, 0)
    with pytest.raises(KeyReused, match=_id(first)) as reused:
        make(client, 1)

    assert _id(first) == _id(again) == _id(reused.value.made)


def test_each_post_is_copied_once_for_a_key(client: Client, stack: Stack) -> None:
    posts = [
        client.posts.create(targets=[stack.accounts["x"]], caption=f"Post {number}")
        for number in range(2)
    ]
    copy = client.posts.duplicate(posts[0].id, idempotency_key="once")

    again = client.posts.duplicate(posts[0].id, idempotency_key="once")
    other = client.posts.duplicate(posts[1].id, idempotency_key="once")

    assert (copy.id, True) == (again.id, again.was_there)
    assert (copy.id, False) != (other.id, other.was_there)


def test_whatever_says_that_a_key_was_anothers_is_believed(answering: Answering) -> None:
    answering.will(
        200,
        {"id": "1" * 32, "weekdays": [0], "time": "09:00", "label": ""},
        Idempotency_Replayed="true",
        Idempotency_Mismatch="body",
    )

    with pytest.raises(KeyReused, match=r"'mine'.* made 1{32}; nothing was made now"):
        Client(answering.base_url, "k").times.add_queue_slot(
            weekdays=[1], time="09:00", idempotency_key="mine"
        )


def test_the_command_repeated_with_its_key_and_file_makes_one_post(
    command: CommandLine, photo: Path
) -> None:
    words = ("post", str(photo), "--caption", "Once", "--to", "x", "--key", "command-1", "--json")

    first, second = (command(*words) for _ in range(2))

    assert first.json()["id"] == second.json()["id"]
