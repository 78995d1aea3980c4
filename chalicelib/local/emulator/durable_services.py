# ruff: noqa: SLF001 - ministack has no other seam, and its version is pinned exactly
"""Keeps the emulator's small state: table definitions, bucket settings, keys, stacks, queues.

Each service's state is one JSON document, written when a request that is not plain data traffic
has been answered by the service and before the client sees the answer. Messages in queues are
kept over a clean stop only: the wake index rebuilds them after a crash.
"""

import json
import time
from collections.abc import Mapping
from typing import Protocol, cast

from ministack import app as ministack
from ministack.core.persistence import _json_default, _json_object_hook
from ministack.core.responses import AccountRegionScopedDict
from ministack.services import dynamodb, kms, s3, sqs

from chalicelib.local.emulator.ministack_shapes import Answer, Body, Headers, Query, Queue, Respond
from chalicelib.local.emulator.state_file import Changes, StateFile

_SERVICES = {"kms": kms, "s3": s3, "sqs": sqs}
_FORMATION = "cloudformation"  # large, and needed at the first start only: loaded when called
_TABLES = "dynamodb"
_PREFIX = "service:"
_DATA_ACTIONS = frozenset(
    {
        *("PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"),
        *("GetItem", "BatchGetItem", "TransactGetItems", "Query", "Scan"),
        *("DescribeTable", "DescribeTimeToLive", "ListTables", "DescribeLimits"),
        *("SendMessage", "SendMessageBatch", "ReceiveMessage", "DeleteMessage"),
        *("DeleteMessageBatch", "ChangeMessageVisibility", "ChangeMessageVisibilityBatch"),
        *("GetQueueUrl", "GetQueueAttributes", "ListQueues"),
        *("Encrypt", "Decrypt", "ReEncrypt", "GenerateDataKey", "DescribeKey", "ListAliases"),
        "GenerateDataKeyWithoutPlaintext",
    }
)


class _Scoped(Protocol):
    """ministack's dict of all accounts' things."""

    def all_values(self) -> list[Queue]:
        """Return everything."""
        ...


State = Mapping[str, object]


class Service(Protocol):
    """A module of ministack that can say and take up what it holds."""

    def get_state(self) -> State:
        """Return all that is to be kept."""
        ...

    def load_persisted_state(self, data: State) -> None:
        """Take up what was kept."""
        ...


class DurableServices:
    """Writes the services' documents to the state file when they change."""

    def __init__(self, state: StateFile) -> None:
        self._state = state
        self._written: dict[str, str] = {}
        self._loaded: dict[str, Service] = {}

    def restore(self) -> None:
        """Load every document into its service."""
        self._written = self._state.documents(_PREFIX)
        for service, module in {_TABLES: dynamodb, **_SERVICES}.items():
            self._load(service, module)
        for queue in sqs._queues.all_values():
            _release_received(queue)

    def _load(self, service: str, module: Service) -> None:
        body = self._written.get(f"{_PREFIX}{service}")
        if body is not None:
            module.load_persisted_state(json.loads(body, object_hook=_json_object_hook))
        self._loaded[service] = module

    def install(self) -> None:
        """Save after each request that may have changed more than items and messages."""
        for service in (*_SERVICES, _TABLES, _FORMATION):
            ministack.SERVICE_HANDLERS[service] = self._saving(
                service, ministack.SERVICE_HANDLERS[service]
            )

    def _saving(self, service: str, respond: Respond) -> Respond:
        async def saved(
            method: str, path: str, headers: Headers, body: Body, query: Query
        ) -> Answer:
            if service not in self._loaded:
                self._load(service, ministack._get_module(service))
            answer = await respond(method, path, headers, body, query)
            if _may_change_settings(service, method, path, headers, query):
                self.save()
            return answer

        return saved

    def save(self, *, messages: bool = False) -> None:
        """Write the documents that differ from what is on disk."""
        states = {
            name: module.get_state() for name, module in self._loaded.items() if name != _TABLES
        }
        states[_TABLES] = _table_definitions()
        if not messages:
            states["sqs"] = _without_messages(states["sqs"])
        texts = {
            f"{_PREFIX}{name}": json.dumps(state, default=_json_default)
            for name, state in states.items()
        }
        changed = {name: text for name, text in texts.items() if self._written.get(name) != text}
        if changed:
            self._state.write(Changes(documents=dict(changed)))
            self._written.update(changed)
            self._state.forget_tables(table["TableArn"] for table in dynamodb._tables.all_values())


def _may_change_settings(
    service: str, method: str, path: str, headers: Headers, query: Query
) -> bool:
    if service == "s3":
        is_object = "/" in path.strip("/")
        return method not in ("GET", "HEAD") and not is_object and "delete" not in query
    action = headers.get("x-amz-target", "").rpartition(".")[2]
    return action not in _DATA_ACTIONS


def _table_definitions() -> State:
    tables = AccountRegionScopedDict()
    for scoped_key, table in dynamodb._tables._data.items():
        kept = {k: v for k, v in table.items() if k not in ("items", dynamodb._INDEX_MEMBERS)}
        tables._data[scoped_key] = {**kept, "items": {}, "ItemCount": 0, "TableSizeBytes": 0}
    return {
        "tables": tables,
        "tags": dynamodb._tags,
        "ttl_settings": dynamodb._ttl_settings,
        "pitr_settings": dynamodb._pitr_settings,
    }


def _without_messages(state: State) -> State:
    for queue in cast("_Scoped", state["queues"]).all_values():
        queue["messages"] = []
        for counter in [name for name in queue["attributes"] if name.startswith("Approximate")]:
            queue["attributes"][counter] = "0"
    return state


def _release_received(queue: Queue) -> None:
    """Whoever had received a message is gone with the last run: offer it again at once."""
    now = time.time()
    for message in queue["messages"]:
        if message["receive_count"]:
            message["visible_at"] = min(message["visible_at"], now)
