"""Finds the functions whose own messages come back to them, directly or through other functions.

Who may send where stands in the roles of a template; who sends by code is read from what `app.py`
and `chalicelib/bootstrap` hand to each handler. Both together are more than ever happens: a queue
that a handler's part holds counts as one it sends to.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

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

_BOOTSTRAP: Final = PROJECT / "chalicelib" / "bootstrap"


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


def sent_by_code(app_file: Path = PROJECT / "app.py", wiring: Path = _BOOTSTRAP) -> Edges:
    """Return whom each handler wakes if every queue that is handed to a part of it is sent to.

    Functions are named as in the template.
    """
    parts = _parts(wiring)
    uses = {name: set(_queues_named(part)) for name, part in parts.items()}
    hands = {name: _attributes_of(part, "self") for name, part in parts.items()}
    queue_of: dict[str, str] = {}
    asked: dict[str, set[str]] = {}
    for handler in ast.parse(app_file.read_text(encoding="utf-8")).body:
        if isinstance(handler, ast.FunctionDef) and (queue := _queue_read(handler)):
            queue_of[queue] = _in_template(handler.name)
            begun = _attributes_of(handler, "deployment()")
            reached = _reached(hands, begun)
            asked[_in_template(handler.name)] = {q for part in reached for q in uses.get(part, ())}
    return {name: {queue_of[queue] for queue in queues} for name, queues in asked.items()}


def _parts(wiring: Path) -> Mapping[str, ast.FunctionDef]:
    """Return everything that a deployment is asked for, by its name."""
    files = [ast.parse(file.read_text(encoding="utf-8")) for file in sorted(wiring.glob("*.py"))]
    return {
        node.name: node
        for file in files
        for kind in file.body
        if isinstance(kind, ast.ClassDef)
        for node in kind.body
        if isinstance(node, ast.FunctionDef)
    }


def _queues_named(part: ast.AST) -> Iterator[str]:
    """Yield the settings that name queues in a part."""
    for name in _attributes_of(part, "self.settings"):
        if name.endswith("_queue") and not name.endswith("_dead_queue"):
            yield name


def _attributes_of(node: ast.AST, owner: str) -> set[str]:
    """Return what is asked of an expression, such as `self`, anywhere in a function."""
    return {
        one.attr
        for one in ast.walk(node)
        if isinstance(one, ast.Attribute) and ast.unparse(one.value) == owner
    }


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
