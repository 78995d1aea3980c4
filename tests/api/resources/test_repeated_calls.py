"""A repeated call with its Idempotency-Key makes its thing once: files, uploads, copies, times."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest

from chalicelib.kit.dynamodb.transaction import Transaction
from chalicelib.services.media.upload import Upload
from chalicelib.storage.media.queues import FetchQueue
from chalicelib.storage.media.store import file_key
from chalicelib.storage.repeats import Made, Mark, RepeatRepository
from tests.api.http_room import Answer, Room
from tests.support.sample_media import samples

PHOTO = samples()["plain.jpg"].data
OTHER = PHOTO[:-2] + b"\0" + PHOTO[-2:]
Sending = Callable[[Room, str, str], Answer]


def _upload(room: Room, key: str, body: str) -> Answer:
    return room.send_file(PHOTO, f"{body}.jpg", headers={"idempotency-key": key})


def _json(path: str, bodies: dict[str, dict[str, object]]) -> Sending:
    def send(room: Room, key: str, body: str) -> Answer:
        return room.ask("POST", path, body=bodies[body], headers={"idempotency-key": key})

    return send


SENDINGS = {
    "upload": _upload,
    "begin": _json(
        "/v1/media/uploads",
        {
            "a": {"filename": "a.mp4", "size_bytes": 9},
            "b": {"filename": "a.mp4", "size_bytes": 8},
        },
    ),
    "from-url": _json(
        "/v1/media/from-url",
        {"a": {"url": "https://example.com/a.jpg"}, "b": {"url": "https://example.com/b.jpg"}},
    ),
    "slot": _json(
        "/v1/queue-slots",
        {"a": {"weekdays": [0], "time": "08:00"}, "b": {"weekdays": [1], "time": "08:00"}},
    ),
    "label": _json(
        "/v1/labels", {"a": {"name": "Rye", "colour": "red"}, "b": {"name": "Oat", "colour": "red"}}
    ),
}
LISTED = ("upload", "slot", "label")
"""What a list of the API has at once."""

TWICE = [name for name in SENDINGS if name != "label"]
"""What there may be two of; names of labels differ."""


def _id(answer: Answer) -> str:
    return str(answer.json.get("id") or answer.json["media_id"])


@pytest.mark.parametrize("name", TWICE)
def test_a_repeated_call_answers_what_the_first_one_made(room: Room, name: str) -> None:
    send = SENDINGS[name]

    first, second, other = send(room, "k", "a"), send(room, "k", "a"), send(room, "l", "a")

    assert _id(first) == _id(second) != _id(other)
    assert 200 == second.status < first.status
    assert "true" == second.response.headers["Idempotency-Replayed"]
    assert "Idempotency-Replayed" not in first.response.headers


@pytest.mark.parametrize("name", SENDINGS)
def test_another_body_with_the_same_key_is_told(room: Room, name: str) -> None:
    SENDINGS[name](room, "k", "a")

    same, other = SENDINGS[name](room, "k", "a"), SENDINGS[name](room, "k", "b")

    assert "Idempotency-Mismatch" not in same.response.headers
    assert "body" == other.response.headers["Idempotency-Mismatch"]


def test_an_uploads_bytes_are_its_body(room: Room) -> None:
    _upload(room, "k", "a")

    answer = room.send_file(OTHER, "a.jpg", headers={"idempotency-key": "k"})

    assert "body" == answer.response.headers["Idempotency-Mismatch"]
    assert 1 == len(room.get("/v1/media").json["data"])


@pytest.mark.parametrize("name", TWICE)
def test_a_key_is_free_again_after_a_day(room: Room, name: str) -> None:
    first = SENDINGS[name](room, "k", "a")
    room.house.clock.pass_time(timedelta(hours=24, seconds=1))

    second = SENDINGS[name](room, "k", "a")

    assert _id(first) != _id(second)
    assert first.status == second.status


@pytest.mark.parametrize("name", SENDINGS)
def test_ten_calls_at_once_leave_one_thing(room: Room, name: str) -> None:
    before = _things(room)

    with ThreadPoolExecutor(10) as threads:
        answers = list(threads.map(lambda _: SENDINGS[name](room, "k", "a"), range(10)))

    assert 1 == len({_id(answer) for answer in answers})
    assert _things(room) - before == (name in LISTED)


def _things(room: Room) -> int:
    paths = ("/v1/media", "/v1/queue-slots", "/v1/labels")
    return sum(len(room.get(path).json["data"]) for path in paths)


@pytest.mark.parametrize("name", LISTED)
def test_a_call_overtaken_by_its_repeat_answers_what_that_made(
    room: Room, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Both looked for the key before either had made anything, as a checker's histories had it."""
    others, find, before = iter([SENDINGS[name]]), RepeatRepository.find, _things(room)
    answers: list[Answer] = []

    def find_and_be_overtaken(
        rows: RepeatRepository, workspace_id: str, verb: str, key: str, now: datetime
    ) -> Made | None:
        found = find(rows, workspace_id, verb, key, now)
        if send := next(others, None):
            answers.append(send(room, "k", "a"))
        return found

    monkeypatch.setattr(RepeatRepository, "find", find_and_be_overtaken)
    answers.append(SENDINGS[name](room, "k", "a"))

    assert [201, 200] == [answer.status for answer in answers]
    assert 1 == len({_id(answer) for answer in answers})
    assert before + 1 == _things(room)


@pytest.mark.parametrize("commits", [1, 2])
@pytest.mark.parametrize("name", LISTED)
def test_a_process_that_ends_after_a_commit_leaves_one_thing_for_its_key(
    room: Room, monkeypatch: pytest.MonkeyPatch, name: str, commits: int
) -> None:
    """The client heard no answer and sends the call again."""
    before = _things(room)

    with monkeypatch.context() as ending:
        ending.setattr(Upload, "abort", lambda _: None)
        ending.setattr(Transaction, "commit", _end_after(commits))
        SENDINGS[name](room, "k", "a")
    SENDINGS[name](room, "k", "a")

    assert before + 1 == _things(room)


def test_a_file_whose_record_was_kept_stays_though_the_answer_was_lost(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as losing:
        losing.setattr(Transaction, "commit", _end_after(2))
        first = _upload(room, "k", "a")
    second = _upload(room, "k", "a")

    file = file_key(room.workspace_id, _id(second))
    assert [500, 200] == [first.status, second.status]
    assert second.json["size_bytes"] == room.house.deployment.media.library.store.size(file)


def test_a_repeat_asks_for_a_file_whose_first_call_ended_before_it_did(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    with monkeypatch.context() as ending:
        ending.setattr(FetchQueue, "send", _end)
        SENDINGS["from-url"](room, "k", "a")
    monkeypatch.setattr(FetchQueue, "send", lambda _, media_id, *__: asked.append(media_id))

    answer = SENDINGS["from-url"](room, "k", "a")

    assert [_id(answer)] == asked


def _end(*_whatever: object) -> None:
    raise SystemError


def _end_after(commits: int) -> Callable[[Transaction], None]:
    commit, left = Transaction.commit, iter(range(commits - 1))

    def commit_and_perhaps_end(transaction: Transaction) -> None:
        commit(transaction)
        if next(left, None) is None:
            raise SystemError

    return commit_and_perhaps_end


def test_two_calls_that_find_their_thing_gone_make_one(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = SENDINGS["slot"](room, "k", "a")
    room.ask("DELETE", f"/v1/queue-slots/{_id(gone)}")
    others, forget, before = iter([SENDINGS["slot"]]), RepeatRepository.forget, _things(room)
    answers: list[Answer] = []

    def be_overtaken_and_forget(rows: RepeatRepository, *key: str) -> None:
        if send := next(others, None):
            answers.append(send(room, "k", "a"))
        forget(rows, *key)

    monkeypatch.setattr(RepeatRepository, "forget", be_overtaken_and_forget)
    answers.append(SENDINGS["slot"](room, "k", "a"))

    assert 1 == len({_id(answer) for answer in answers})
    assert before + 1 == _things(room)


def test_a_call_keeps_its_key_when_the_one_before_it_loses_its_thing(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other call was first to note the key, and its file was deleted at once."""
    others, write = iter([_upload]), Mark.write

    def be_overtaken_and_write(mark: Mark, transaction: Transaction, table: str) -> None:
        if send := next(others, None):
            room.ask("DELETE", f"/v1/media/{_id(send(room, 'k', 'a'))}")
        write(mark, transaction, table)

    monkeypatch.setattr(Mark, "write", be_overtaken_and_write)
    first, second = _upload(room, "k", "a"), _upload(room, "k", "a")

    assert [201, 200] == [first.status, second.status]
    assert _id(first) == _id(second)


def test_a_file_that_is_gone_frees_its_key(room: Room) -> None:
    first = _upload(room, "k", "a")
    room.ask("DELETE", f"/v1/media/{_id(first)}")

    assert 201 == _upload(room, "k", "a").status


def test_the_same_key_of_another_endpoint_makes_something_else(room: Room) -> None:
    made = {_id(send(room, "k", "a")) for send in SENDINGS.values()}

    assert len(SENDINGS) == len(made)


def test_a_post_is_duplicated_once_for_a_key(room: Room) -> None:
    post, other = room.draft("x"), room.draft("x")
    paths = [f"/v1/posts/{one['id']}/duplicate" for one in (post, post, other)]

    first, second, third = (
        room.ask("POST", path, headers={"idempotency-key": "k"}) for path in paths
    )

    assert first.json["id"] == second.json["id"] != third.json["id"]
    assert [201, 200, 201] == [first.status, second.status, third.status]
    assert "true" == second.response.headers["Idempotency-Replayed"]
    assert 1 == room.actions(post).count("post.duplicated")
