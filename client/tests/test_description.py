"""The client against docs/openapi.json: every operation, every parameter, every field, every code.

Each operation is called once with everything it takes. A server on loopback notes the request,
which must be what the description says, and answers with an example of what it promises.
"""

import dataclasses
import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timezone
from typing import Any, get_type_hints

import pytest
from answering import Answering, Received
from jsonschema import Draft202012Validator
from stack import REPOSITORY

from goldenhour import BY_CODE, Client, NewTarget, TargetChange
from goldenhour.http.reading import read
from goldenhour.http.writing import OWN_FIELDS
from goldenhour.models import answers, options, posts
from goldenhour.models.options import GOLDEN_PLATFORMS

DESCRIPTION = json.loads((REPOSITORY / "docs" / "openapi.json").read_text("utf-8"))
SCHEMAS = DESCRIPTION["components"]["schemas"]
ID, OTHER = "0192f0c1a7b87c3d9e5f60718293a4b5", "0192f0c1a7b87c3d9e5f60718293a4b6"
AT = datetime(2031, 3, 4, 9, tzinfo=timezone.utc)
EVERYTHING: Mapping[str, Any] = {"account_id": ID, "caption_override": "", "scheduled_at": AT}

CALLS: Mapping[str, Callable[[Client], object]] = {
    "list_accounts": lambda c: c.accounts.list(),
    "get_tiktok_options": lambda c: c.accounts.tiktok_options(ID, media="image", with_form=True),
    "get_choices": lambda c: c.accounts.choices(
        ID, subreddit="bread", board="81", q="Nice", fresh=True
    ),
    "set_audience_regions": lambda c: c.accounts.set_audience_regions(ID, ["Europe"]),
    "upload_media": lambda c: c.media.upload(REPOSITORY / "README.md"),
    "list_media": lambda c: list(c.media.list(kind="image", used=True, q="bread")),
    "get_media": lambda c: c.media.alt_text(ID),
    "describe_media": lambda c: c.media.describe(ID, alt_text="A loaf", filename="loaf.jpg"),
    "remove_media": lambda c: c.media.remove(ID),
    "get_file": lambda c: c.media._transport.location(f"/v1/media/{ID}/file"),
    "begin_upload": lambda c: c.media.begin_upload(filename="a.mp4", size_bytes=5),
    "upload_state": lambda c: c.media.upload_state(ID),
    "upload_from_url": lambda c: c.media.begin_upload_from_url("https://example.com/a.jpg"),
    "create_post": lambda c: c.posts.create(
        targets=[NewTarget(options={"title": "Loaf"}, **EVERYTHING)],
        caption="Bread",
        media_ids=[ID],
        idempotency_key="k",
    ),
    "list_posts": lambda c: list(
        c.posts.list(
            status=["draft"],
            platform=["x"],
            account_id=[ID],
            sort="scheduled",
            q="bread",
            since=AT,
            until=AT,
            label=ID,
            with_metrics=True,
            with_labels=True,
        )
    ),
    "get_post": lambda c: c.posts.get(ID),
    "edit_post": lambda c: c.posts.edit(
        ID,
        caption="Bread",
        media_ids=[ID],
        targets=[TargetChange(id=ID, caption_override="", options={}, scheduled_at=AT)],
        add=[NewTarget(account_id=ID)],
        remove=[OTHER],
        if_match='"1"',
    ),
    "delete_post": lambda c: c.posts.delete(ID, if_match='"1"'),
    "duplicate_post": lambda c: c.posts.duplicate(ID),
    "check": lambda c: c.posts.check(ID),
    "get_history": lambda c: c.posts.history(ID),
    "schedule": lambda c: c.posts.schedule(ID, at=AT, if_match='"1"'),
    "queue": lambda c: c.posts.queue(ID, if_match='"1"'),
    "publish_now": lambda c: c.posts.publish_now(ID, if_match='"1"'),
    "cancel": lambda c: c.posts.cancel(ID, if_match='"1"'),
    "retry": lambda c: c.posts.retry(ID, if_match='"1"'),
    "unpublish": lambda c: c.posts.unpublish(ID, OTHER),
    "get_golden_hour": lambda c: c.times.golden_hours(["x", "tiktok"]),
    "list_queue_slots": lambda c: c.times.queue_slots(),
    "add_queue_slot": lambda c: c.times.add_queue_slot(weekdays=[0], time="09:00", label="Early"),
    "remove_queue_slot": lambda c: c.times.remove_queue_slot(ID),
    "list_labels": lambda c: c.labels.list(),
    "add_label": lambda c: c.labels.add("Sale", colour="amber"),
    "change_label": lambda c: c.labels.change(ID, name="Winter sale", colour="teal"),
    "delete_label": lambda c: c.labels.remove(ID),
    "list_labels_of_post": lambda c: c.labels.of_post(ID),
    "label_post": lambda c: c.labels.give(ID, [OTHER]),
    "repeat_post": lambda c: c.series.begin(
        ID, every="week", interval=2, weekdays=[0], until=AT.date(), times=3
    ),
    "list_series": lambda c: c.series.list(),
    "get_series": lambda c: c.series.get(ID),
    "end_series": lambda c: c.series.end(ID),
    "get_metrics": lambda c: c.posts.metrics(ID, by=["account", "day"]),
    "get_summary": lambda c: c.times.summary(since=AT.date(), until=AT.date()),
    "get_me": lambda c: c.me(),
    "health": lambda c: c.health(),
    "ready": lambda c: c.ready(),
}
NOT_SENT = {"cursor", "days"}
"""What only a Link header brings, and what `from` takes the place of."""

READ_AS: Mapping[str, type] = {
    "Accounts": answers.AccountList,
    "ListedPost": posts.Post,
    "Post": posts.Post,
    "Posts": posts.PostPage,
    "ServiceHealth": answers.Health,
    "TiktokCreator": answers.CreatorOptions,
}
"""Answers whose classes are called otherwise than their schema."""

PLAIN = {
    "date-time": "2031-03-04T09:00:00+00:00",
    "date": "2031-03-04",
    "string": "text",
    "integer": 1,
    "int32": 1,
    "int64": 1,
    "number": 1,
    "boolean": True,
}
READ_OTHERWISE = {"Detail", "ErrorBody", "MediaList", "Nothing", "Problem", "Refusal"}
"""Errors, a list that needs no class, and the empty object of a platform that has not reported."""


OPERATIONS: Sequence[tuple[str, str, str, Mapping[str, Any]]] = [
    (operation["operationId"], method.upper(), path, operation)
    for path, methods in DESCRIPTION["paths"].items()
    for method, operation in methods.items()
]
"""Each operation's id, method, path and description."""


def test_the_client_has_every_operation_and_no_other() -> None:
    described = {name for name, _, _, _ in OPERATIONS}

    assert described == set(CALLS), "Call the client's method for each operation in CALLS."


@pytest.mark.parametrize(
    ("name", "method", "path", "operation"), OPERATIONS, ids=[each[0] for each in OPERATIONS]
)
def test_a_call_sends_all_that_its_operation_takes(
    name: str, method: str, path: str, operation: Mapping[str, Any], answering: Answering
) -> None:
    status, body = answer_of(operation)
    answering.will(status, body, Location="http://127.0.0.1/file")

    CALLS[name](Client(answering.base_url, "gh_live_key"))

    received = answering.received[0]
    assert method == received.method
    assert re.fullmatch(re.sub(r"\{\w+\}", "[0-9a-f]{32}", path), received.path)
    assert described_parameters(operation, "query") - NOT_SENT == set(received.query)
    for header in described_parameters(operation, "header") - {"If-None-Match"}:
        assert header in received.headers
    if "412" in operation["responses"]:
        assert '"1"' == received.headers["If-Match"]
    assert_body_is_described(operation, received)


@pytest.mark.parametrize(
    ("name", "operation"),
    [(name, one) for name, _, _, one in OPERATIONS if "304" in one["responses"]],
)
def test_what_has_not_changed_is_not_sent_again(
    name: str, operation: Mapping[str, Any], answering: Answering
) -> None:
    status, body = answer_of(operation)
    answering.will(status, body, ETag='"1"')
    answering.will(304, ETag='"1"')
    client = Client(answering.base_url, "gh_live_key")

    first, second = CALLS[name](client), CALLS[name](client)

    assert ['"1"'] == answering.received[1].headers.get_all("If-None-Match")
    assert first == second


ANSWERS = [
    name
    for name, schema in SCHEMAS.items()
    if schema.get("type") == "object" and not name.endswith(("In", "Options"))
]


@pytest.mark.parametrize("name", ANSWERS)
def test_every_field_of_an_answer_is_read(name: str) -> None:
    if name in READ_OTHERWISE:
        return
    kind = READ_AS.get(name) or getattr(answers, name)
    fields = {each.name for each in dataclasses.fields(kind) if each.name[0] != "_"}

    in_lists_alone = {"metrics", "labels"} if name == "Post" else set()
    assert set(SCHEMAS[name]["properties"]) == fields - OWN_FIELDS - in_lists_alone
    read(kind, example(SCHEMAS[name]))


def test_every_option_of_every_platform_is_known() -> None:
    described = {name for name in SCHEMAS if name.endswith("Options")}
    known = {kind.__name__: kind for kind in options.OPTIONS_OF.values()}

    assert described == set(known)
    assert set(SCHEMAS["Platform"]["enum"]) == set(options.OPTIONS_OF)
    for name, kind in known.items():
        assert set(SCHEMAS[name]["properties"]) == set(get_type_hints(kind)), name


def test_every_platform_with_a_golden_hour_is_known() -> None:
    parameter = DESCRIPTION["paths"]["/v1/golden-hour"]["get"]["parameters"][0]

    assert GOLDEN_PLATFORMS == set(parameter["schema"]["items"]["enum"])


def test_every_field_of_a_target_can_be_sent() -> None:
    for name, kind in (("TargetIn", NewTarget), ("TargetChangeIn", TargetChange)):
        assert set(SCHEMAS[name]["properties"]) == {each.name for each in dataclasses.fields(kind)}


def test_every_code_has_a_class_of_its_own() -> None:
    codes = set(DESCRIPTION["components"]["examples"])

    assert set() == codes - set(BY_CODE)
    assert len(BY_CODE) == len(set(BY_CODE.values()))


def described_parameters(operation: Mapping[str, Any], place: str) -> set[str]:
    """Return the names of an operation's parameters in one place."""
    return {each["name"] for each in operation.get("parameters", ()) if each["in"] == place}


def assert_body_is_described(operation: Mapping[str, Any], received: Received) -> None:
    """Fail unless the body fits its schema and has every field of it."""
    content = operation.get("requestBody", {}).get("content", {})
    if "multipart/form-data" in content:
        assert b'name="file"; filename="README.md"' in received.body
    elif content:
        schema = content["application/json"]["schema"]
        sent = json.loads(received.body)
        Draft202012Validator({**schema, "components": DESCRIPTION["components"]}).validate(sent)
        assert set(resolve(schema)["properties"]) == set(sent), (
            "Each field is an argument of the method in client/goldenhour/resources, "
            "and is given in CALLS."
        )
    else:
        assert b"" == received.body


def answer_of(operation: Mapping[str, Any]) -> tuple[int, object]:
    """Return the status and an example of an operation's success."""
    status = min(int(code) for code in operation["responses"] if int(code) < 400)
    content = operation["responses"][str(status)].get("content", {})
    schema = content.get("application/json", {}).get("schema")
    return status, None if schema is None else example(schema)


def resolve(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a schema, or the one it refers to."""
    return SCHEMAS[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


def example(schema: Mapping[str, Any]) -> object:
    """Return a value of a schema, with every property."""
    schema = resolve(schema)
    if "anyOf" in schema:
        return example(schema["anyOf"][0])
    if "enum" in schema or "const" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    if schema.get("type", "object") == "object":
        more = schema.get("additionalProperties")
        entries = {"x": example(more)} if isinstance(more, dict) else {}
        properties = schema.get("properties", {})
        return {**{name: example(each) for name, each in properties.items()}, **entries}
    if schema["type"] == "array":
        return [example(schema["items"])] * max(1, schema.get("minItems", 1))
    return PLAIN[schema.get("format", schema["type"])]
