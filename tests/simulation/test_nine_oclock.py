"""The simulated nine o'clock of `benchmarks/capacity` keeps AWS's rules, and reaches our goals."""

import math
from dataclasses import replace

import pytest

from benchmarks.capacity import limits
from benchmarks.capacity.asked import asks_of
from benchmarks.capacity.counting import CHECK, FIRE, RESCUE, counted
from benchmarks.capacity.nine_oclock import BATCH, Asks, Day, Stage, play
from benchmarks.capacity.report import CHOSEN, SET
from chalicelib.workers.bursts import ahead_of

FREE = Stage(places=1_000, prepare_places=100, writes=1e9, decrypts=1e9, ahead_s=300)
"""Nothing of it limits anything."""
ASKS = Asks(
    send_cpu_s=0.0003,
    arm_cpu_s=0.004,
    claim_cpu_s=0.002,
    outcome_cpu_s=0.002,
    rescue_cpu_s=0.0005,
    decrypts=1,
    claim={"posts": 1, "posts wake": 2, "posts by_status": 1},
    outcome={"posts": 12, "posts wake": 1, "posts by_status": 3},
    key_of_a_workspace=0.29,
)
"""Somewhat more than `counting` counts."""


@pytest.mark.parametrize("files_s", [None, 2.0])
def test_every_target_is_called_once_and_none_early(files_s: float | None) -> None:
    stage = Stage(places=2, prepare_places=2)

    outcome = play(Day(targets=1_500, upload_s=files_s), stage, ASKS)

    assert len(outcome.late_s) == 1_500
    assert outcome.late_s[0] > 0


def test_a_seed_gives_the_same_morning_and_another_another() -> None:
    day, stage = Day(targets=2_000), Stage(places=20, prepare_places=2)

    first, same, other = (play(day, stage, ASKS, seed=seed).late_s for seed in (1, 1, 2))

    assert first == same
    assert first != other


def test_without_limits_a_burst_is_as_late_as_a_batch_takes_its_processor() -> None:
    outcome = play(Day(targets=10_000), FREE, ASKS)

    assert outcome.percentile(1) < BATCH * (ASKS.claim_cpu_s + ASKS.outcome_cpu_s) + 0.1


def test_an_idle_event_source_begins_five_batches_and_five_more_a_second() -> None:
    outcome = play(Day(targets=20_000), replace(FREE, ahead_s=10), ASKS)

    begun = limits.FIRST_BATCHES + 10 * limits.BATCHES_A_SECOND
    on_time = sum(late < 2 for late in outcome.late_s)
    assert 0.8 * begun * BATCH < on_time < 1.3 * begun * BATCH


def test_a_table_serves_no_more_units_than_its_throughput() -> None:
    outcome = play(Day(targets=4_000), replace(FREE, writes=1_000), ASKS)

    claims_s = 4_000 * ASKS.claim["posts wake"] / 1_000
    assert outcome.percentile(1) > claims_s


def test_the_key_answers_no_more_than_its_quota() -> None:
    slow = replace(FREE, decrypts=100, ahead_s=10)

    outcome = play(Day(targets=2_000), slow, ASKS)

    assert outcome.percentile(1) > 2_000 / 100 - slow.ahead_s - 1


def test_two_places_take_a_batch_each_and_then_the_next() -> None:
    outcome = play(Day(targets=1_000), replace(FREE, places=2, ahead_s=10), ASKS)

    rounds = math.ceil(1_000 / BATCH / 2)
    assert outcome.percentile(1) > (rounds - 1) * limits.CALL_S / 2


def test_ten_thousand_texts_are_out_in_five_seconds_with_what_deploy_chooses() -> None:
    ahead_s = ahead_of(10_000, CHOSEN.places).total_seconds()

    outcome = play(Day(targets=10_000), replace(CHOSEN, ahead_s=ahead_s), ASKS)

    assert outcome.percentile(0.99) <= 5
    assert outcome.tried_again == 0


@pytest.mark.parametrize("call_s", [0.3, 1.0, 3.0])
@pytest.mark.parametrize("is_one", [False, True], ids=["many workspaces", "one workspace"])
def test_how_late_a_call_begins_does_not_depend_on_how_long_calls_take(
    call_s: float, *, is_one: bool
) -> None:
    """Places for calls are those of the real rule; a workspace had 32 of them once."""
    day = Day(targets=1_000, of_one_workspace=is_one)
    stage = replace(CHOSEN, ahead_s=ahead_of(1_000, CHOSEN.places).total_seconds())

    slow = play(replace(day, call_s=call_s), stage, ASKS)
    at_once = play(replace(day, call_s=0.0), stage, ASKS)

    assert slow.percentile(0.99) <= at_once.percentile(0.99) + 0.5


@pytest.mark.costly
def test_a_platform_that_refuses_everything_delays_no_upload_where_retries_are_apart() -> None:
    """It answers 503 after three seconds, each time, to 20,000 targets."""
    ahead_s = ahead_of(10_000, CHOSEN.places).total_seconds()
    apart = replace(CHOSEN, ahead_s=ahead_s)
    day = Day(targets=10_000, upload_s=limits.UPLOAD_S, call_s=3.0)

    alone = play(day, apart, ASKS)
    beside = play(replace(day, refused=20_000), apart, ASKS)
    mixed = play(replace(day, refused=20_000), replace(apart, retry_places=0), ASKS)

    assert beside.percentile(0.99) <= alone.percentile(0.99) + 0.5
    assert mixed.percentile(0.99) >= 60


@pytest.mark.prove
def test_a_hundred_thousand_are_out_in_a_minute_with_what_the_page_says_to_set() -> None:
    ahead_s = ahead_of(100_000, SET.places).total_seconds()

    outcome = play(Day(targets=100_000), replace(SET, ahead_s=ahead_s), ASKS)

    assert outcome.percentile(1) <= 60


@pytest.mark.costly
def test_the_real_code_asks_for_no_more_than_the_model_is_tested_with() -> None:
    count = counted(60)

    fire, rescue = count.steps[FIRE], count.steps[RESCUE]
    asks = asks_of(count)
    assert (fire.messages, rescue.messages) == (60, 60)
    assert count.steps[CHECK].messages == 60
    assert count.steps[CHECK].read_units == 60 * 1.0
    assert sum(fire.refused.values()) == 0
    assert fire.calls["kms.Decrypt"] == 60
    assert set(rescue.calls) == {"dynamodb.BatchGetItem"}
    assert rescue.read_units == 60 * 0.5
    # One of them is the last look, which threads of one process share and this one thread cannot.
    assert fire.read_units <= 60 * 3.1
    assert (asks.claim, asks.decrypts) == (ASKS.claim, ASKS.decrypts)
    assert sum(asks.outcome.values()) <= sum(ASKS.outcome.values()) + 1
