"""Whose messages come next, among few and among very many, and that the cost is the same."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from chalicelib.kit.aws_on_sqlite.engine import Engine
from chalicelib.kit.aws_on_sqlite.fair_turns import FairTurns
from chalicelib.kit.aws_on_sqlite.queues import EmbeddedSqs

MANY = 30_000
HIDDEN_S, PAST_S = -800, 3_700
"""Ages of messages that nobody gets: to be shown later, and past an hour of retention."""
STEPS = 100
"""Instructions of SQLite's machine between two looks at how many it ran."""


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    made = Engine(tmp_path / "engine")
    yield made
    made.close()


def a_queue(engine: Engine, name: str, **attributes: str) -> tuple[EmbeddedSqs, str]:
    queues = EmbeddedSqs(engine)
    return queues, queues.create_queue(QueueName=name, Attributes=attributes)["QueueUrl"]


def put(engine: Engine, name: str, groups: list[str], age_s: float = 10) -> None:
    """Put messages of groups into a queue, each a bit younger than the one before."""
    made = engine.find_made("queue", name)
    assert made is not None
    sent = time.time() - age_s
    with engine.writing() as connection:
        connection.executemany(
            "INSERT INTO message (queue, visible_at, name, team, body, sent_at, receipts)"
            " VALUES (?, ?, ?, ?, ?, ?, 0)",
            [
                (made[0], sent + number / 1e6, f"{name}{number}", group, group, sent)
                for number, group in enumerate(groups)
            ],
        )


def received(queues: EmbeddedSqs, url: str, most: int = 10) -> list[str]:
    answer = queues.receive_message(QueueUrl=url, MaxNumberOfMessages=most)
    return [message["Body"] for message in answer.get("Messages", [])]


@pytest.mark.parametrize("name", ["a neighbour", "zz neighbour"])
def test_a_neighbour_of_very_many_messages_comes_with_the_first_receive(
    engine: Engine, name: str
) -> None:
    queues, url = a_queue(engine, "deep")
    put(engine, "deep", ["large"] * MANY + [name])

    assert received(queues, url).count(name) == 1


def test_every_one_of_very_many_groups_has_its_turn_before_any_has_a_third(
    engine: Engine,
) -> None:
    queues, url = a_queue(engine, "groups", VisibilityTimeout="600")
    names = [f"group {number:04}" for number in range(300)]
    put(engine, "groups", [name for name in names for _ in range(5)])

    counts = dict.fromkeys(names, 0)
    while not all(counts.values()):
        for name in received(queues, url):
            counts[name] += 1

    assert max(counts.values()) <= 2


def test_of_groups_with_as_much_in_hand_the_one_that_waits_longest_comes_first(
    engine: Engine,
) -> None:
    queues, url = a_queue(engine, "oldest")
    put(engine, "oldest", ["z", "m", "a"])

    assert received(queues, url, 1) == ["z"]


def test_groups_whose_messages_are_all_hidden_hold_up_nobody(engine: Engine) -> None:
    queues, url = a_queue(engine, "hidden")
    put(engine, "hidden", [f"a{number:04}" for number in range(2_000)])
    with engine.writing() as connection:
        connection.execute("UPDATE message SET visible_at = visible_at + 800")
    put(engine, "hidden", ["large"] * 500)
    put(engine, "hidden", ["z"], age_s=1)

    found = [received(queues, url) for _ in range(22)]

    assert all(len(names) == 10 for names in found)
    assert sum("z" in names for names in found) == 1, "2,000 are passed over in 21 receives"


@pytest.mark.parametrize("groups", [2, MANY], ids=["two groups", "as many groups as messages"])
def test_what_a_receive_costs_does_not_depend_on_how_many_wait(tmp_path: Path, groups: int) -> None:
    few = steps_of_a_receive(tmp_path / "few", 100, groups)
    many = steps_of_a_receive(tmp_path / "many", MANY, groups)

    assert many <= few * 1.3


@pytest.mark.parametrize(
    ("age_s", "groups"),
    [(HIDDEN_S, 1), (HIDDEN_S, MANY), (PAST_S, 1), (PAST_S, 50)],
    ids=["hidden", "hidden, a group each", "past their time", "past, in fifty groups"],
)
def test_what_a_receive_costs_does_not_depend_on_how_many_nobody_gets(
    tmp_path: Path, age_s: int, groups: int
) -> None:
    few, many = (
        steps_of_a_receive(
            tmp_path / f"{number}",
            100,
            1,
            before=[f"{n % groups}" for n in range(number)],
            age_s=age_s,
        )
        for number in (100, MANY)
    )

    assert many <= few * 1.3


def steps_of_a_receive(
    folder: Path,
    waiting: int,
    groups: int,
    *,
    before: Sequence[str] = (),
    age_s: int = 0,
) -> int:
    """Return how many instructions SQLite's machine runs for a second receive, in hundreds.

    The groups `before` those that wait have a message each that nobody gets, of that age.
    """
    engine, steps = Engine(folder), 0
    queues, url = a_queue(engine, "counted", MessageRetentionPeriod="3600")
    put(engine, "counted", list(before), age_s=age_s)
    put(engine, "counted", [f"group {number % groups}" for number in range(waiting)])
    assert received(queues, url)

    def count() -> None:
        nonlocal steps
        steps += 1

    for connection in (engine._writer, *engine._readers):
        connection.set_progress_handler(count, STEPS)
    received(queues, url)
    engine.close()
    assert steps > 0
    return steps


@pytest.mark.parametrize("others", [[], ["other"]])
def test_of_a_group_only_what_is_within_its_time_is_handed_out(
    engine: Engine, others: list[str]
) -> None:
    queues, url = a_queue(engine, "mixed", MessageRetentionPeriod="3600")
    put(engine, "mixed", ["own"] * 3, age_s=3_700)
    put(engine, "mixed", ["own", *others])

    assert sorted(received(queues, url)) == sorted(["own", *others])


def test_a_receive_behind_messages_past_their_time_removes_many_at_once(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    queues, url = a_queue(engine, "removed", MessageRetentionPeriod="3600")
    put(engine, "removed", ["kept"] * 1_000, age_s=3_700)
    put(engine, "removed", ["kept"])
    choices: list[list[int]] = []

    def choose(turns: FairTurns, *about: Any) -> list[int]:  # noqa: ANN401 - as it is
        choices.append(original(turns, *about))
        return choices[-1]

    original = FairTurns.choose
    monkeypatch.setattr(FairTurns, "choose", choose)

    assert received(queues, url) == ["kept"]
    assert len(choices) <= 1_000 / 200 + 1


def test_what_another_process_took_meanwhile_is_not_handed_out_again(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    queues, url = a_queue(engine, "shared", VisibilityTimeout="600")
    put(engine, "shared", ["one"])
    with engine.reading() as connection:
        chosen = [number for (number,) in connection.execute("SELECT id FROM message")]
    assert received(queues, url) == ["one"]

    choices = iter([chosen, []])
    monkeypatch.setattr(queues, "_has_visible", lambda _: True)
    monkeypatch.setattr(FairTurns, "choose", lambda *_: next(choices))

    assert received(queues, url) == []


def test_messages_past_their_time_hold_up_nobody_and_are_not_counted(engine: Engine) -> None:
    queues, url = a_queue(engine, "kept", MessageRetentionPeriod="3600")
    put(engine, "kept", ["past"] * 25, age_s=3_700)
    put(engine, "kept", ["kept"], age_s=3_500)

    said: Any = queues.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"]

    assert said["ApproximateNumberOfMessages"] == "1"
    assert received(queues, url) == ["kept"]
    assert received(queues, url) == []
