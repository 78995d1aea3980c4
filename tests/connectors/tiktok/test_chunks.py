"""How the TikTok connector cuts videos up, held against the rules of TikTok's guide."""

from datetime import timedelta

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from chalicelib.connectors.tiktok.post import ChunkSizes
from tests.connectors.tiktok.fake_uploads import LARGEST_CHUNK, LARGEST_LAST, SMALLEST_CHUNK

SIZES = st.integers(min_value=1, max_value=4_000_000_000)


@given(SIZES)
@example(64_000_000)
@example(64_000_001)
@example(69_999_999)
@example(70_000_000)
@example(1_000_000_000)
@settings(max_examples=300, derandomize=True)
def test_every_plan_is_one_that_tiktok_takes(size: int) -> None:
    plan = ChunkSizes().plan(size)

    lengths = [plan.span(place)[1] for place in range(plan.chunks)]
    assert sum(lengths) == size
    assert plan.chunks == size // plan.chunk_bytes
    assert 1 <= plan.chunks <= 1_000
    if plan.chunks == 1:
        assert plan.chunk_bytes == size <= LARGEST_CHUNK
    else:
        assert all(SMALLEST_CHUNK <= length <= LARGEST_CHUNK for length in lengths[:-1])
        assert plan.chunk_bytes <= lengths[-1] <= LARGEST_LAST


@given(SIZES)
@settings(max_examples=100, derandomize=True)
def test_chunks_follow_each_other_without_gaps(size: int) -> None:
    plan = ChunkSizes().plan(size)

    spans = [plan.content_range(place) for place in range(plan.chunks)]

    after = 0
    for span in spans:
        first, last = map(int, span.removeprefix("bytes ").partition("/")[0].split("-"))
        assert first == after
        after = last + 1
    assert after == size
    assert spans[-1].endswith(f"-{size - 1}/{size}")


@given(SIZES, st.data())
@settings(max_examples=200, derandomize=True)
def test_what_arrived_names_the_next_chunk_as_a_count_or_as_a_place(
    size: int, data: st.DataObject
) -> None:
    plan = ChunkSizes().plan(size)
    place = data.draw(st.integers(min_value=0, max_value=plan.chunks - 1))
    offset = plan.span(place)[0]

    assert plan.place_after(offset) == place
    assert plan.place_after(size) == plan.chunks
    if offset > 0:
        assert plan.place_after(offset - 1) == place


@pytest.mark.parametrize("arrived", [5, 9_999_998, 10_000_001, 69_999_999, 70_000_124])
def test_what_is_no_boundary_names_no_chunk(arrived: int) -> None:
    assert ChunkSizes().plan(70_000_123).place_after(arrived) is None


def test_a_long_last_chunk_gets_longer() -> None:
    small, large = ChunkSizes().plan(400_000), ChunkSizes().plan(64_000_000)

    assert small.last_deadline == timedelta(seconds=30)
    assert large.last_deadline == timedelta(seconds=158)
