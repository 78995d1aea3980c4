"""A function's start from nothing to its first answer, beside the least that it could cost.

Each start is a process of its own that imports the app and answers one event as Lambda would hand
it over, over tables in Amazon's DynamoDB Local (it needs Maven and a JDK): botocore asks over HTTP,
as it would ask AWS. The floor is chalice with one boto3 client: a route or a rule that makes one
call of DynamoDB. Both are started in turn, so that a busy machine slows both; CPU time of the
process alone counts, the emulator's does not. `ready` stops before the first event: everything is
imported and built, the clients too. What is ours reads the models of AWS services that a stage's
zip holds, trimmed; each floor is started with these, and with botocore's own, which `chalice
deploy` would pack: both are printed, and the table holds us to the trimmed. Where valgrind is
installed the instructions of one start each are counted, which no other process disturbs.
"""

import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import botocore

from benchmarks.figures import Beside, Figure
from benchmarks.stack import PROJECT
from chalicelib.bootstrap.clients import SERVICES
from chalicelib.local.triggers.handlers import scheduled_event
from chalicelib.storage.engine.wake_queue import entry
from infra.packaging.models import trim_models
from tests.api.http_house import a_house
from tests.api.http_room import Room
from tests.servers.dynamodb_local.server import QUICK
from tests.support.emulator import CREDENTIALS, DYNAMODB_URL, start_embedded
from tests.support.engines import tables_in_dynamodb_local

ROUNDS: Final = 5
_VALGRIND: Final = (
    "valgrind",
    "--tool=cachegrind",
    "--cache-sim=no",
    "--cachegrind-out-file=/dev/null",
)
_FLOOR: Final = """
import boto3, os
from chalice.app import Chalice, Rate
app = Chalice(app_name="floor")
client = boto3.client("dynamodb")
@app.route("/v1/accounts")
def answer():
    client.get_item(TableName=os.environ["FLOOR_TABLE"], Key={"pk": {"S": "a"}, "sk": {"S": "b"}})
    return {"data": []}
@app.schedule(Rate(1, unit=Rate.MINUTES))
def work(event):
    client.get_item(TableName=os.environ["FLOOR_TABLE"], Key={"pk": {"S": "a"}, "sk": {"S": "b"}})
"""
_TRIMMED: Final = "BENCHMARK_TRIMMED"
"""Names the folder with botocore as a stage's zip holds it."""
_EVENT: Final = "import json, sys\nevent = json.load(sys.stdin)\n"
_CLIENTS: Final = "wired = app.deployment()\nwired.clients.dynamodb.meta, wired.clients.sqs.meta\n"


@dataclass(frozen=True, slots=True)
class Start:
    """One thing to start: what it runs, the event it gets, and the floor that it is held to."""

    name: str
    code: str
    floor: str | None = None
    event: Callable[[], object] = dict
    is_packed: bool = False
    """Whether it reads botocore's own models, as `chalice deploy` packs them."""

    def cpu_ms(self, environment: Mapping[str, str]) -> float:
        """Start it once; return its CPU milliseconds."""
        before = _children_s()
        self._run([sys.executable, "-c", self.code], environment)
        return 1000 * (_children_s() - before)

    def modules(self, environment: Mapping[str, str]) -> set[str]:
        """Start it once; return the names of all modules that it imported."""
        told = f"{self.code}\nimport sys\nprint(*sys.modules)"
        return set(self._run([sys.executable, "-c", told], environment).stdout.split())

    def instructions(self, environment: Mapping[str, str]) -> int:
        """Start it once under valgrind; return how many instructions it ran."""
        said = self._run([*_VALGRIND, sys.executable, "-c", self.code], environment)
        (counted,) = (line for line in said.stderr.splitlines() if "refs:" in line)
        return int(counted.rpartition(":")[2].replace(",", ""))

    def _run(
        self, command: list[str], environment: Mapping[str, str]
    ) -> subprocess.CompletedProcess[str]:
        event = json.dumps(self.event())
        with_models = {} if self.is_packed else {"PYTHONPATH": environment.get(_TRIMMED, "")}
        done = subprocess.run(
            command,
            cwd=PROJECT,
            env={**environment, **with_models},
            input=event,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            sys.exit(f"{self.name}: {done.stderr}")
        return done


def run() -> Sequence[Figure]:
    """Return what each function's start costs, beside its floor."""
    with _room() as (room, folder):
        _trim_botocore(folder / "trimmed")
        measured = list(_with_packed_floors(starts(room)))
        environment = {**environment_of(room, folder), _TRIMMED: str(folder / "trimmed")}
        for start in measured:  # this compiles every module once
            start.cpu_ms(environment)
        rounds = [[start.cpu_ms(environment) for start in measured] for _ in range(ROUNDS)]
        medians = [statistics.median(column) for column in zip(*rounds, strict=True)]
        figures = _figures("CPU ms", dict(zip(measured, medians, strict=True)))
        if shutil.which(_VALGRIND[0]) is None:
            print("Instructions were not counted: there is no valgrind here.")
            return figures
        counted = {start: start.instructions(environment) / 1e6 for start in measured}
        return [*figures, *_figures("million instructions", counted)]


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _trim_botocore(folder: Path) -> None:
    """Copy botocore with the models that a stage's zip holds."""
    whole = Path(botocore.__file__).parent
    wanted = {*SERVICES, *(file.name for file in (whole / "data").glob("*.json"))}

    def others(path: str, names: list[str]) -> set[str]:
        return set(names) - wanted if Path(path) == whole / "data" else set()

    shutil.copytree(whole, folder / "botocore", ignore=others)
    trim_models(folder / "botocore" / "data")


def _figures(unit: str, costs: Mapping[Start, float]) -> list[Figure]:
    print(*(f"{start.name}: {cost:.0f} {unit}" for start, cost in costs.items()), sep="\n")
    by_name = {start.name: cost for start, cost in costs.items()}
    return [
        Figure(f"{start.name}, {unit}", cost, Beside(start.floor, by_name[start.floor]))
        for start, cost in costs.items()
        if start.floor is not None
    ]


def _with_packed_floors(measured: Sequence[Start]) -> Iterator[Start]:
    for start in measured:
        yield start
        if start.floor is None:
            yield replace(start, name=f"{start.name}, as `chalice deploy` packs it", is_packed=True)


def starts(room: Room) -> list[Start]:
    """Return what is started, each floor before what is held to it."""

    def request(method: str, path: str, body: object = None) -> Callable[[], object]:
        return lambda: _request(room, method, path, body)

    account = room.account("linkedin")
    draft = {"caption": "Fresh bread.", "targets": [{"account_id": account}]}
    fires = f"{_EVENT}import app\nassert not app.publish(event, None)['batchItemFailures']\n"
    accounts, posts = request("GET", "/v1/accounts"), request("POST", "/v1/posts", draft)
    answers = f"{_EVENT}import app\nassert app.app(event, None)['statusCode'] < 300\n"
    ready, route, rule = "floor, ready", "floor, first answer", "floor, first run"
    floor_route = f"{_FLOOR}{_EVENT}assert app(event, None)['statusCode'] == 200"
    return [
        Start(ready, _FLOOR),
        Start("API, ready", f"import app\napp.entrance()\n{_CLIENTS}", ready),
        Start("tick, ready", f"import app\napp.deployment().dispatcher\n{_CLIENTS}", ready),
        Start("fire, ready", f"import app\napp.deployment().engine.fire_worker\n{_CLIENTS}", ready),
        Start(route, floor_route, None, accounts),
        Start("API, first GET /v1/accounts", answers, route, accounts),
        Start("API, first POST /v1/posts", answers, route, posts),
        Start(rule, f"{_FLOOR}{_EVENT}work(event, None)", None, _a_minute),
        Start("tick, first run", f"{_EVENT}import app\napp.tick(event, None)", rule, _a_minute),
        Start("fire, first post sent", fires, rule, lambda: _due(room)),
    ]


def _request(room: Room, method: str, path: str, body: object) -> object:
    """Return what API Gateway hands over."""
    context = {"httpMethod": method, "resourcePath": path, "requestId": "1", "path": path}
    return {
        "resource": path,
        "path": path,
        "httpMethod": method,
        "headers": {"Authorization": f"Bearer {room.key}"},
        "multiValueQueryStringParameters": None,
        "pathParameters": None,
        "stageVariables": None,
        "requestContext": context,
        "body": None if body is None else json.dumps(body),
        "isBase64Encoded": False,
    }


def _a_minute() -> object:
    """Return what EventBridge hands over."""
    return scheduled_event("tick", datetime.now(UTC), CREDENTIALS["AWS_DEFAULT_REGION"])


def _due(room: Room) -> object:
    """Return what SQS hands over: the wake message of a post that is due now."""
    house = room.house
    house.clock.now = datetime.now(UTC)
    post = room.draft("linkedin", caption="Fresh bread.")
    room.act(post, "publish-now")
    (ref,) = room.waking(house.clock())
    body = entry(0, ref, timedelta(0))["MessageBody"]
    return {"Records": [{"messageId": "1", "receiptHandle": "1", "body": body}]}


@contextmanager
def _room() -> Iterator[tuple[Room, Path]]:
    """Yield a workspace in an emulator of its own, and a folder."""
    emulator = start_embedded()
    has_tables = DYNAMODB_URL in os.environ
    tables = nullcontext() if has_tables else tables_in_dynamodb_local(*QUICK)
    try:
        with tables, tempfile.TemporaryDirectory(prefix="goldenhour-bench-") as folder:
            room = a_house(emulator, Path(folder)).room()
            yield room, Path(folder)
    finally:
        emulator.stop()


def environment_of(room: Room, folder: Path) -> Mapping[str, str]:
    """Return the environment of a function of the room's stage; a post goes out into the folder."""
    house = room.house
    house.clock.now = datetime.now(UTC)  # the functions have the real time
    settings = house.deployment.settings
    own = os.environ.get(DYNAMODB_URL)
    return {
        **({} if own is None else {DYNAMODB_URL: own}),
        **CREDENTIALS,
        "PATH": os.environ["PATH"],
        "PYTHONHASHSEED": "0",
        "AWS_ENDPOINT_URL": str(settings.endpoint_url),
        "GOLDENHOUR_RESOURCE_PREFIX": settings.resource_prefix,
        "GOLDENHOUR_DATA_DIR": str(folder),
        "FLOOR_TABLE": settings.directory_table,
    }
