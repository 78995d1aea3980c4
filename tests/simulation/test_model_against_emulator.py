"""The model of DynamoDB answers as the embedded emulator does, to one and the same list of calls.

Each call is made to both; what comes back, or which error, must be equal, and so must every row of
the partition in the end. The calls are of the shapes that the storage makes.
"""

import random
import secrets
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError

from chalicelib.kit.dynamodb.items import attributes
from tests.simulation.cloud import SETTINGS
from tests.simulation.faults import Plan
from tests.simulation.models.dynamodb_client import DynamoDBModelClient
from tests.simulation.models.tables_model import TablesModel
from tests.simulation.virtual_time.scheduler import Process
from tests.simulation.world import World
from tests.support.clients import a_client
from tests.support.emulator import EmulatorProcess, make_resources

Said = tuple[str, dict[str, Any]]
"""An expression and the values it uses beside those that all may use."""

CONDITIONS: tuple[Said, ...] = (
    ("attribute_not_exists(#pk)", {}),
    ("attribute_exists(#pk) AND #version = :version", {"version": 1}),
    ("#status IN (:scheduled, :publishing) AND #due_at <= :now", {"now": "5"}),
    ("attribute_not_exists(#lease_until) OR #lease_until <= :now", {"now": "3"}),
    ("attribute_not_exists(#wakes) OR #wakes <= :most", {"most": 2}),
    ("NOT #status = :scheduled", {}),
    ("#version <> :version", {"version": 2}),
    ("begins_with(#status, :scheduled)", {}),
    ("#due_at > :now", {"now": "4"}),
)
CHANGES: tuple[Said, ...] = (
    ("SET #status = :publishing, #lease_until = :now ADD #wakes :one, #version :one", {"now": "9"}),
    ("SET #status = :scheduled REMOVE #lease_until, #wake_at ADD #version :one", {}),
    ("ADD #wakes :one", {}),
    ("SET #wake_at = :now, #wake_shard = :shard", {"now": "7", "shard": "WAKE#01"}),
    ("REMOVE #wake_at, #wake_shard", {}),
)
RANGES: tuple[Said, ...] = (
    ("#pk = :pk", {}),
    ("#pk = :pk AND #sk >= :low", {"low": "B"}),
    ("#pk = :pk AND #sk < :low", {"low": "B"}),
    ("#pk = :pk AND #sk BETWEEN :low AND :high", {"low": "A", "high": "B"}),
    ("#pk = :pk AND begins_with(#sk, :low)", {"low": "C"}),
)
_ALWAYS = {"scheduled": "scheduled", "publishing": "publishing", "one": 1}
Call = Callable[[Any, str, str], object]


@pytest.mark.parametrize(
    "seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.prove) for seed in range(4, 12))]
)
def test_the_model_answers_as_the_emulator_does(emulator: EmulatorProcess, seed: int) -> None:
    settings = make_resources(emulator.endpoint)
    real = a_client("dynamodb", settings.dynamodb_url)
    calls = list(_calls(random.Random(seed)))

    expected = [_outcome(call, real, settings.posts_table, settings.media_table) for call in calls]

    assert expected == _in_model(calls)


def _in_model(calls: list[Call]) -> list[object]:
    """Make the calls to the model, in a world in which nothing goes wrong."""
    world = World(Plan(seed=0, faults=frozenset()))
    model = TablesModel(SETTINGS.resource_prefix, lambda: world.now, lambda: 0.0)
    client = DynamoDBModelClient(world, model)
    answers: list[object] = []

    def work() -> None:
        for call in calls:
            answers.append(_outcome(call, client, SETTINGS.posts_table, SETTINGS.media_table))  # noqa: PERF401 - each takes time

    world.scheduler.spawn(Process("caller"), work)
    world.scheduler.run(10_000.0)
    return answers


def _outcome(call: Call, client: Any, posts: str, media: str) -> object:  # noqa: ANN401 - boto3's
    try:
        return call(client, posts, media)
    except ClientError as error:
        reasons = [r["Code"] for r in error.response.get("CancellationReasons", [])]
        return error.response["Error"]["Code"], reasons, error.response.get("Item")


def _calls(chance: random.Random) -> Iterator[Call]:
    """Yield calls over a few rows, so that conditions hold as often as not."""
    for _ in range(60):
        key = {"pk": chance.choice("PQ"), "sk": chance.choice(["A", "B", "C1", "C2"])}
        yield chance.choice((_put, _update, _delete, _transact, _get, _query, _index))(key, chance)
    for pk in "PQ":
        yield _rows({"pk": pk, "sk": ""}, chance)


def _spoken(kinds: dict[str, tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    """Return API parameters of several expressions, with the names and values they use."""
    texts = {kind: text for kind, (text, _) in kinds.items()}
    whole = " ".join(texts.values())
    values = {**_ALWAYS, **{n: v for _, own in kinds.values() for n, v in own.items()}}
    used = {f":{n}": v for n, v in values.items() if f":{n}" in whole}
    names = {w.strip("(),") for w in whole.replace("(", "( ").split() if w.startswith("#")}
    call: dict[str, Any] = {**texts, "ExpressionAttributeNames": {n: n[1:] for n in names}}
    return {**call, "ExpressionAttributeValues": attributes(used)} if used else call


def _row(key: dict[str, str], chance: random.Random) -> dict[str, Any]:
    return attributes(
        {
            **key,
            "status": chance.choice(["scheduled", "publishing", "failed"]),
            "due_at": chance.choice("2468"),
            "version": chance.choice([1, 2]),
            "lease_until": chance.choice(["1", "5", None]),
            "wake_at": chance.choice(["1", "5", None]),
            "wake_shard": "WAKE#01",
            "trimmed": chance.choice([True, False]),
        }
    )


def _condition(chance: random.Random) -> dict[str, tuple[str, dict[str, Any]]]:
    return {} if chance.random() < 0.4 else {"ConditionExpression": chance.choice(CONDITIONS)}


def _put(key: dict[str, str], chance: random.Random) -> Call:
    said = _spoken(_condition(chance)) if chance.random() < 0.6 else {}
    said = {} if "ConditionExpression" not in said else said
    row = _row(key, chance)

    def call(client: Any, posts: str, __: str) -> object:  # noqa: ANN401 - boto3's
        client.put_item(TableName=posts, Item=row, **said)
        return "put"

    return call


def _update(key: dict[str, str], chance: random.Random) -> Call:
    said = _spoken({"UpdateExpression": chance.choice(CHANGES), **_condition(chance)})
    wants = {"ReturnValues": "ALL_NEW", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
    named = attributes(key)

    def call(client: Any, posts: str, __: str) -> object:  # noqa: ANN401 - boto3's
        return client.update_item(TableName=posts, Key=named, **said, **wants)["Attributes"]

    return call


def _delete(key: dict[str, str], chance: random.Random) -> Call:
    condition = _condition(chance)
    said = _spoken(condition) if condition else {}

    def call(client: Any, posts: str, __: str) -> object:  # noqa: ANN401 - boto3's
        client.delete_item(TableName=posts, Key=attributes(key), **said)
        return "deleted"

    return call


def _transact(key: dict[str, str], chance: random.Random) -> Call:
    token = secrets.token_hex(16)
    first, second = _condition(chance), _condition(chance)
    put = {"Item": _row(key, chance), **(_spoken(first) if first else {})}
    other = attributes({"pk": "Q" if key["pk"] == "P" else "P", "sk": key["sk"]})
    change = _spoken({"UpdateExpression": chance.choice(CHANGES), **second})
    third = {"Key": attributes({"pk": "R", "sk": "R"})}

    def call(client: Any, posts: str, media: str) -> object:  # noqa: ANN401 - boto3's
        client.transact_write_items(
            TransactItems=[
                {"Put": {"TableName": posts, **put}},
                {"Update": {"TableName": posts, "Key": other, **change}},
                {"Delete": {"TableName": media, **third}},
            ],
            ClientRequestToken=token,
        )
        return "done"

    return call


def _get(key: dict[str, str], _: random.Random) -> Call:
    def call(client: Any, posts: str, __: str) -> object:  # noqa: ANN401 - boto3's
        return client.get_item(TableName=posts, Key=attributes(key), ConsistentRead=True).get(
            "Item"
        )

    return call


def _query(key: dict[str, str], chance: random.Random) -> Call:
    text, values = chance.choice(RANGES)
    said = _spoken({"KeyConditionExpression": (text, {"pk": key["pk"], **values})})
    forward = chance.random() < 0.5

    def call(client: Any, posts: str, __: str) -> object:  # noqa: ANN401 - boto3's
        pages = client.get_paginator("query").paginate(
            TableName=posts, ScanIndexForward=forward, **said
        )
        return [item for page in pages for item in page["Items"]]

    return call


def _index(_: dict[str, str], chance: random.Random) -> Call:
    text = "#wake_shard = :shard AND #wake_at BETWEEN :low AND :high"
    values = {"shard": "WAKE#01", "low": "0", "high": chance.choice("369")}
    said = _spoken({"KeyConditionExpression": (text, values)})

    def call(client: Any, posts: str, __: str) -> object:  # noqa: ANN401 - boto3's
        found = client.query(TableName=posts, IndexName="wake", **said)["Items"]
        instants = [item["wake_at"]["S"] for item in found]
        # Rows of one instant come in any order: DynamoDB Local's is another one than ours.
        return instants, sorted((item["pk"]["S"], item["sk"]["S"]) for item in found)

    return call


def _rows(key: dict[str, str], _: random.Random) -> Call:
    said = _spoken({"KeyConditionExpression": ("#pk = :pk", {"pk": key["pk"]})})

    def call(client: Any, posts: str, __: str) -> object:  # noqa: ANN401 - boto3's
        return client.query(TableName=posts, ConsistentRead=True, **said)["Items"]

    return call
