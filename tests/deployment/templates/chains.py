"""Finds the functions whose own messages come back to them, directly or through other functions.

Who may send where stands in the roles of a template; who sends by code is read from what the parts
hold that `app.py` asks a deployment for. Both together are more than ever happens: a queue that a
handler's part holds counts as one it sends to.
"""

import ast
import gc
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import partial
from operator import attrgetter
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import Any, Final

from chalicelib.bootstrap.clients import MadeWhenCalled
from chalicelib.bootstrap.deployment import Deployment
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.storage.engine.wake_queue import PublishQueue
from chalicelib.storage.media.queues import ConvertQueue, FetchQueue
from infra.packaging.libraries import PROJECT
from infra.template.merging import Template
from tests.deployment.templates.reading import FUNCTIONS, properties, reader

Edges = Mapping[str, set[str]]
"""The functions that each function may wake with a message."""

CALLING_ACTIONS: Final = (
    "events:PutEvents",
    "lambda:InvokeAsync",
    "lambda:InvokeFunction",
    "sns:Publish",
    "states:StartExecution",
)
"""Ways from one function to another that are not followed here: no role may have them."""

_HOLDERS: Final = (
    MethodType,
    dict,
    frozenset,
    list,
    partial,
    set,
    tuple,
)
"""What of others' may hold ours; anything else of theirs, such as a client, knows no queue."""

_KNOW_NO_QUEUE: Final = (type, ModuleType, MadeWhenCalled, Connectors)
"""Clients are whose they are; platforms' connectors import no storage (import contracts)."""


def going_round(edges: Edges) -> set[str]:
    """Return the functions that a chain which they begin may come back to."""
    return {name for name in edges if name in _reached(edges, edges[name])}


def _reached(edges: Edges, names: Iterable[str]) -> set[str]:
    found: set[str] = set()
    left = set(names)
    while left:
        name = left.pop()
        found.add(name)
        left |= edges.get(name, set()) - found
    return found


def allowed_by_role(template: Template) -> Edges:
    """Return whom each function may wake, by its role and by what the bucket tells of."""
    readers = _readers(template)
    edges: dict[str, set[str]] = defaultdict(set)
    for name, function in properties(template, FUNCTIONS).items():
        for statement in statements_of(template, function):
            for queue in _queues_of(template, statement):
                edges[name] |= readers.get(queue, set())
    return edges


def statements_of(template: Template, function: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield what the role of a function allows."""
    role = properties(template, "AWS::IAM::Role")[function["Role"]["Fn::GetAtt"][0]]
    for policy in role["Policies"]:
        yield from policy["PolicyDocument"]["Statement"]


def allows(statement: Mapping[str, Any], action: str) -> bool:
    """Tell whether a statement allows an action, by whatever pattern."""
    named = _several(statement["Action"])
    return statement["Effect"] == "Allow" and any(
        fnmatchcase(action.lower(), str(one).lower()) for one in named
    )


def _queues_of(template: Template, statement: Mapping[str, Any]) -> set[str]:
    """Return the queues to which a statement lets messages come."""
    queues = properties(template, "AWS::SQS::Queue")
    resources = [str(one) for one in _several(statement["Resource"])]
    found = set()
    if allows(statement, "sqs:SendMessage"):
        found |= {name for name in queues if any(_means(one, name) for one in resources)}
    if allows(statement, "s3:PutObject"):
        for prefix, queue in _told_of_files(template):
            if any(_may_lie_below(one, prefix) for one in resources):
                found.add(queue)
    return found


def _means(resource: str, name: str) -> bool:
    """Tell whether a resource is a queue of the template, or may be any."""
    return f"'{name}'" in resource or f"${{{name}." in resource or resource == "*"


def _may_lie_below(resource: str, prefix: str) -> bool:
    """Tell whether a pattern of files may match one whose name begins so."""
    pattern = resource.partition(".Arn}/")[2].partition("'")[0].partition("*")[0]
    return pattern.startswith(prefix) or prefix.startswith(pattern)


def _told_of_files(template: Template) -> Iterator[tuple[str, str]]:
    """Yield the beginnings of names of files, and the queue that each is told to."""
    for bucket in properties(template, "AWS::S3::Bucket").values():
        for told in bucket["NotificationConfiguration"]["QueueConfigurations"]:
            (rule,) = told["Filter"]["S3Key"]["Rules"]
            yield rule["Value"], told["Queue"]["Fn::GetAtt"][0]


def _readers(template: Template) -> Mapping[str, set[str]]:
    readers: dict[str, set[str]] = defaultdict(set)
    for source in properties(template, "AWS::Lambda::EventSourceMapping").values():
        readers[source["EventSourceArn"]["Fn::GetAtt"][0]].add(reader(source))
    return readers


def sent_by_code(deployment: Deployment, app_file: Path = PROJECT / "app.py") -> Edges:
    """Return whom each handler wakes if every queue that a part of it holds is sent to.

    The handler's parts are followed through what they hold. Functions are named as in the template.
    """
    settings = deployment.settings
    queue_of: dict[str, str] = {}
    asked: dict[str, set[str]] = {}
    for handler in ast.parse(app_file.read_text(encoding="utf-8")).body:
        if isinstance(handler, ast.FunctionDef) and (queue := _queue_read(handler)):
            queue_of[getattr(settings, queue)] = _in_template(handler.name)
            parts = [attrgetter(path)(deployment) for path in _asked_of_deployment(handler)]
            asked[_in_template(handler.name)] = set(_queues_held(parts))
    return {name: {queue_of[queue] for queue in queues} for name, queues in asked.items()}


def _asked_of_deployment(handler: ast.FunctionDef) -> set[str]:
    """Return what a handler asks of `deployment()`, such as "engine.publish_worker.run"."""
    begin = "deployment()."
    found = {ast.unparse(one) for one in ast.walk(handler) if isinstance(one, ast.Attribute)}
    asked = {one.removeprefix(begin) for one in found if one.startswith(begin)}
    return {one for one in asked if not any(other.startswith(f"{one}.") for other in asked)}


def _queues_held(parts: Iterable[object]) -> Iterator[str]:
    """Yield the names of the queues that parts hold, themselves or by what they hold.

    Raises AssertionError where one holds a whole group of the wiring: what it sends cannot be told.
    """
    met: dict[int, object] = {}
    left = list(parts)
    while left:
        part = left.pop()
        if id(part) in met or isinstance(part, _KNOW_NO_QUEUE):
            continue
        met[id(part)] = part
        assert not type(part).__module__.startswith("chalicelib.bootstrap."), part
        if isinstance(part, PublishQueue | ConvertQueue | FetchQueue):
            yield part._name
        elif isinstance(part, FunctionType):
            left += [cell.cell_contents for cell in part.__closure__ or ()]
            left += part.__defaults__ or ()
            left += (part.__kwdefaults__ or {}).values()
        elif isinstance(part, _HOLDERS) or type(part).__module__.startswith("chalicelib."):
            left += gc.get_referents(part)


def _queue_read(handler: ast.FunctionDef) -> str | None:
    """Return the setting that names the queue which a handler reads, None without one."""
    for decorator in handler.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "app.on_sqs_message":
            (queue,) = (one.value for one in decorator.keywords if one.arg == "queue")
            assert isinstance(queue, ast.Attribute)
            return queue.attr
    return None


def _in_template(handler: str) -> str:
    """Return chalice's name for a handler's function."""
    return "".join(word.title() for word in handler.split("_"))


def _several(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]
