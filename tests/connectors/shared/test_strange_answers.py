"""Posts whose platform answers what no page of it shows: nothing is sent twice, no name is made up.

The bodies and values are JSONTestSuite's (github.com/nst/JSONTestSuite, test_parsing; the name of
its file stands beside each), put in the place of the visible call's answer, of its parts, and of
the answer to the first look after a call whose answer was lost.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial

import pytest

from chalicelib.domain.outcome import Done, FailureCode
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.transport.responses import find
from tests.connectors.support.every_rig import a_rig_for
from tests.connectors.support.fake_platform import Answer, Received, Value
from tests.connectors.support.rig import Rig

BODIES = {
    "n_structure_no_data": b"",
    "n_structure_whitespace_formfeed": b"\f",
    "n_structure_lone-open-bracket": b"[",
    "i_structure_500_nested_arrays": b"[" * 500 + b"]" * 500,
    "n_structure_100000_opening_arrays": b"[" * 100_000,
    "y_structure_lonely_null": b"null",
    "y_structure_lonely_string": b'"asd"',
    "y_array_empty": b"[]",
    "y_object_empty": b"{}",
    "n_structure_angle_bracket_null": b"[<null>]",
    "n_object_trailing_comma": b'{"id":"7",}',
    "i_string_UTF-16LE_with_BOM": b'\xff\xfe[\0"\0\xe9\0"\0]\0',
    "i_string_invalid_utf-8": b'["\xff"]',
    "n_number_NaN": b"NaN",
}
VALUES: dict[str, Value] = {
    "y_array_null": None,
    "y_array_false": False,
    "y_array_empty": [],
    "y_object_empty": {},
    "y_string_empty": "",
    "y_string_null_escape": "\0",
    "i_string_1st_surrogate_but_2nd_missing": "\udada",
    "i_number_pos_double_huge_exp": float("inf"),
    "i_number_too_big_pos_int": 10**600,
    "y_string_unicode_2": "\u2342\u3648\u516c",
    "a text of 300 KB": "7" * 300_000,
}
Change = Callable[[Answer], Answer | None]


@dataclass(frozen=True, slots=True)
class Visible:
    """A platform's smallest post, and which call makes it visible, with what answer."""

    shape: str
    place: int
    answer: Value


@contextmanager
def _with_changes(platform: Platform, shape: str, changes: dict[int, Change]) -> Iterator[Rig]:
    """Yield a rig whose platform answers some of its calls, by number, in another way."""
    rig = a_rig_for(platform, shape)
    receive = rig.platform.receive

    def answer(call: Received) -> Answer | None:
        place = len(rig.platform.calls)
        said = receive(call)
        return said if said is None or place not in changes else changes[place](said)

    rig.platform.receive = answer  # type: ignore[method-assign]  # of this one
    try:
        yield rig
    finally:
        rig.platform.close()


@cache
def play(platform: Platform, wanted: str) -> tuple[str, list[tuple[Answer | None, bool]]]:
    """Publish a shape, else the platform's first.

    Return which, each call's answer, and whether the call made the post visible.
    """
    rig, said = a_rig_for(platform, wanted), list[tuple[Answer | None, bool]]()
    shape = wanted if wanted in rig.shapes else next(iter(rig.shapes))
    receive = rig.platform.receive

    def answer(call: Received) -> Answer | None:
        before, one = len(rig.platform.posts), receive(call)
        said.append((one, len(rig.platform.posts) > before))
        return one

    rig.platform.receive = answer  # type: ignore[method-assign]  # of this one
    rig.drive(shape).run()
    rig.platform.close()
    return shape, said


def visible(platform: Platform) -> Visible:
    """Return what makes a platform's first shape visible."""
    shape, said = play(platform, "")
    place = [is_visible for _, is_visible in said].index(True)
    answer, _ = said[place]
    return Visible(shape, place, None if answer is None else answer.body)


def _is_true(rig: Rig, shape: str) -> bool:
    """Publish, and tell whether the end is what everybody can see, or that nobody can tell."""
    end = rig.drive(shape).run()
    posts = list(rig.platform.posts)
    if isinstance(end, Done):
        return posts == [end.remote_id] or (
            end.remote_id.startswith("container:") and len(posts) == 1
        )
    return end.code is FailureCode.OUTCOME_UNKNOWN and len(posts) == 1


def _paths(value: Value, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the places of all texts and numbers in a value."""
    if isinstance(value, dict | list):
        each = value.items() if isinstance(value, dict) else enumerate(value)
        for name, inner in each:
            yield from _paths(inner, (*path, name))
    elif path:
        yield path


def _with(value: Value, path: tuple[str | int, ...], new: object) -> Value:
    first, *rest = path
    inner = new if not rest else _with(value[first], tuple(rest), new)
    if isinstance(value, dict):
        return {**value, first: inner}
    return [inner if place == first else each for place, each in enumerate(value)]


@pytest.mark.parametrize("platform", Platform, ids=str)
def test_a_strange_body_of_the_visible_call_leaves_one_post(platform: Platform) -> None:
    seen = visible(platform)

    for name, body in BODIES.items():
        change: Change = partial(replace, body=body)
        with _with_changes(platform, seen.shape, {seen.place: change}) as rig:
            assert _is_true(rig, seen.shape), name


@pytest.mark.parametrize("platform", Platform, ids=str)
def test_a_strange_part_of_the_visible_calls_answer_leaves_one_post(platform: Platform) -> None:
    seen = visible(platform)

    for path in list(_paths(seen.answer))[:2]:
        for name, value in VALUES.items():
            change: Change = partial(replace, body=_with(seen.answer, path, value))
            with _with_changes(platform, seen.shape, {seen.place: change}) as rig:
                assert _is_true(rig, seen.shape), (path, name)


@pytest.mark.parametrize("platform", Platform, ids=str)
def test_a_strange_answer_to_the_first_look_sends_nothing_again(platform: Platform) -> None:
    seen = visible(platform)

    for name, body in list(BODIES.items())[:: 1 + len(BODIES) // 6]:
        changes: dict[int, Change] = {
            seen.place: lambda _: None,
            seen.place + 1: partial(replace, body=body),
        }
        with _with_changes(platform, seen.shape, changes) as rig:
            assert _is_true(rig, seen.shape), name


_STATES = {"state", "status", "status_code", "uploadStatus", "processingStatus", "code"}


def _strange(said: Answer) -> Iterator[Change]:
    """Yield the answer with another thing in the place of each address and state in it."""
    if "Location" in said.headers:
        yield partial(replace, headers={**said.headers, "Location": "http://[::1"})
    for path in () if isinstance(said.body, bytes) else _paths(said.body):
        there = find(said.body, *path)
        if str(there).startswith("http"):
            yield partial(replace, body=_with(said.body, path, "http://[::1"))
        if path[-1] in _STATES:
            yield partial(replace, body=_with(said.body, path, [there]))


@pytest.mark.parametrize("platform", Platform, ids=str)
def test_what_is_no_address_and_no_state_ends_in_the_truth(platform: Platform) -> None:
    """Python reads `http://[::1` as half an IPv6 address, and looks for no list in a set."""
    shape, said = play(platform, "video")

    for place, (answer, _) in enumerate(said):
        for change in () if answer is None else _strange(answer):
            with _with_changes(platform, shape, {place: change}) as rig:
                end = rig.drive(shape).run()

            posts = list(rig.platform.posts)
            is_live = isinstance(end, Done) or end.code is FailureCode.OUTCOME_UNKNOWN
            assert len(posts) == is_live, (place, change, end)
