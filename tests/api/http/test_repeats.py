"""What is said twice changes nothing silently: lists take it, anything else is refused.

Names within a JSON object are unique for whoever wants to be understood (RFC 8259, 4; RFC 7493,
2.3). openapi-fetch, the usual partner of openapi-typescript, sends a list as repeats
(`?status=draft&status=failed`), other clients with commas.
"""

import json
from collections.abc import Iterator
from random import Random
from typing import TypeAlias
from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.api.http.parsing import refuse_repeated_keys
from chalicelib.api.http.problems import Malformed
from tests.api.http_room import Document, Room

Way: TypeAlias = tuple[str | int, ...]


@pytest.mark.parametrize(
    "spelled",
    [
        "status=draft,scheduled",
        "status=draft&status=scheduled",
        "status=draft&status=scheduled,draft",
        "status=draft%2Cscheduled",
    ],
)
def test_a_list_takes_commas_and_repeats_alike(room: Room, spelled: str) -> None:
    kept = [room.draft()["id"], room.scheduled()["id"]]
    room.sent()

    found = room.find(parse_qs(spelled))

    assert sorted(found) == sorted(kept)


@pytest.mark.parametrize(
    ("path", "name", "values"),
    [
        ("/v1/golden-hour", "platforms", ["x", "linkedin"]),
        ("/v1/posts", "include", ["metrics", "metrics"]),
    ],
)
def test_every_list_does_so(room: Room, path: str, name: str, values: list[str]) -> None:
    both = [room.get(path, {name: sent}) for sent in (",".join(values), values)]

    assert [200, 200] == [answer.status for answer in both]
    assert both[0].json == both[1].json


@pytest.mark.parametrize(
    ("path", "name", "one_of"),
    [
        ("/v1/golden-hour", "platforms", "'instagram', "),
        ("/v1/posts", "status", "'draft', "),
        ("/v1/posts", "include", "'metrics' or "),
    ],
)
def test_a_wrong_value_is_told_those_that_may_be_sent(
    room: Room, path: str, name: str, one_of: str
) -> None:
    (problem,) = room.get(path, {name: "nowhere"}).json["detail"]

    assert problem["msg"].startswith(f"Input should be {one_of}")
    assert problem["ctx"] == {"expected": problem["msg"].removeprefix("Input should be ")}


def test_a_wrong_value_among_repeats_is_refused_at_its_place(room: Room) -> None:
    answer = room.get("/v1/posts", {"status": ["draft", "gone"]})

    assert answer.problems == [("enum", ["query", "status", 1])]


@pytest.mark.parametrize("name", ["q", "from", "to", "limit", "cursor"])
def test_any_other_parameter_is_given_once(room: Room, name: str) -> None:
    answer = room.get("/v1/posts", {name: ["7", "7"]})

    assert answer.problems == [("repeated", ["query", name])]
    assert answer.json["detail"][0]["msg"] == f"`{name}` is given twice; give it once"


@pytest.mark.parametrize(
    ("body", "loc", "second"),
    [
        ('{"caption": "first", "caption": "second", "targets": []}', ["caption"], "second"),
        ('{"caption": "same", "\\u0063aption": "same", "targets": []}', ["caption"], "same"),
        ('{"targets": [], "caption": "a", "targets": [{}]}', ["targets"], [{}]),
        (
            '{"targets": [{"account_id": "1"}, {"account_id": "2", "account_id": "3"}]}',
            ["targets", 1, "account_id"],
            "3",
        ),
        (
            '{"targets": [{"account_id": "1", "options": {"a": [{"b": 1, "b": null}]}}]}',
            ["targets", 0, "options", "a", 0, "b"],
            None,
        ),
        ('{"nobody": 1, "nobody": 2}', ["nobody"], 2),
    ],
    ids=["text", "escaped", "list", "target", "deep", "unknown"],
)
def test_a_key_that_comes_twice_is_refused_and_nothing_is_made(
    room: Room, body: str, loc: list[str | int], second: object
) -> None:
    answer = room.ask("POST", "/v1/posts", raw=body.encode())

    assert answer.problems == [("repeated", ["body", *loc])]
    assert answer.json["detail"][0]["input"] == second
    assert room.find() == []


def test_an_edit_and_a_time_are_no_exception(room: Room) -> None:
    post = room.draft()
    way = f"/v1/posts/{post['id']}"

    edit = room.ask("PATCH", way, raw=b'{"caption": "one", "caption": "two"}')
    times = b'{"at": "2030-01-31T09:00:00Z", "at": "2030-01-31T19:00:00Z"}'
    schedule = room.ask("POST", f"{way}/schedule", raw=times)

    assert edit.problems == [("repeated", ["body", "caption"])]
    assert schedule.problems == [("repeated", ["body", "at"])]
    assert room.show(post) == post


_TEXT = st.text(max_size=5)
_LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | _TEXT
_DOCUMENTS = st.recursive(
    _LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXT, inner, max_size=3),
    max_leaves=12,
)


@given(_DOCUMENTS)
def test_json_without_repeats_is_never_refused(document: object) -> None:
    refuse_repeated_keys(json.dumps(document).encode())


@given(_DOCUMENTS, st.randoms(use_true_random=False))
def test_a_repeat_at_any_depth_is_found_at_its_place(document: object, random: Random) -> None:
    places = [way for way, value in _walk(document, ()) if isinstance(value, dict) and value]
    if not places:
        return
    chosen = places[random.randrange(len(places))]
    name = next(iter(_at(document, chosen)))

    with pytest.raises(Malformed) as refused:
        refuse_repeated_keys(_spell(document, (), chosen, name).encode())

    [problem] = refused.value.problems
    assert problem["type"] == "repeated"
    shown = [part[:100] if isinstance(part, str) else part for part in ("body", *chosen, name)]
    assert problem["loc"] == shown


def _walk(value: object, way: Way) -> Iterator[tuple[Way, object]]:
    yield way, value
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _walk(inner, (*way, name))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _walk(inner, (*way, place))


def _at(document: object, way: Way) -> Document:
    for part in way:
        document = document[part]  # type: ignore[index]  # the way leads through it
    assert isinstance(document, dict)
    return document


def _spell(value: object, way: Way, chosen: Way, name: str) -> str:
    """Write JSON in which the chosen object names a key a second time, at its end."""
    if isinstance(value, list):
        inner = [_spell(each, (*way, n), chosen, name) for n, each in enumerate(value)]
        return f"[{', '.join(inner)}]"
    if not isinstance(value, dict):
        return json.dumps(value)
    pairs = [
        f"{json.dumps(key)}: {_spell(each, (*way, key), chosen, name)}"
        for key, each in value.items()
    ]
    again = [f"{json.dumps(name)}: 1"] if way == chosen else []
    return "{" + ", ".join(pairs + again) + "}"
