"""Which suites pass on which AWS, with counts and times: the table of `docs/localstack.md`.

    make engines                                # all of them: half an hour or more
    .venv/bin/python -m benchmarks.engines moto # one column; what was measured before stays

The engines are those of `tests/support/engines.py`; each suite runs by itself, as a person would.
"""

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tests.support.engines import Engine

PROJECT = Path(__file__).parents[1]
PAGE = PROJECT / "docs" / "localstack.md"
KEPT = PROJECT / "build" / "engines.json"
BEGIN, END = "<!-- engines: begin -->\n", "<!-- engines: end -->\n"
THREADED = frozenset({Engine.EMBEDDED, Engine.DYNAMODB_LOCAL, Engine.LOCALSTACK})
COLUMNS = {
    Engine.EMBEDDED: "embedded",
    Engine.DYNAMODB_LOCAL: "DynamoDB Local",
    Engine.LOCALSTACK: "LocalStack 4.14",
    Engine.MOTO: "moto",
}
NOT_ASKED = "–"  # noqa: RUF001 - a dash in a table
_COUNT = re.compile(r"(\d+) (passed|failed|errors?|skipped|xfailed)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A set of tests and the engines that can run it."""

    name: str
    path: str
    engines: frozenset[Engine]


SUITES = (
    Suite(name="storage", path="tests/storage", engines=frozenset(Engine)),
    Suite(name="DynamoDB's rules", path="tests/kit/dynamodb", engines=frozenset(Engine)),
    Suite(
        name="the engine's fault sample",
        path="tests/workers/publishing/failures/test_faults.py",
        engines=THREADED,
    ),
    Suite(
        name="the simulation's model of DynamoDB",
        path="tests/simulation/test_model_against_emulator.py",
        engines=frozenset(Engine),
    ),
    Suite(name="every API call, by a model", path="tests/api/state_machine", engines=THREADED),
    Suite(name="journeys of the whole stack", path="tests/journeys", engines=THREADED),
    Suite(
        name="a post's whole way through `app.py`",
        path="tests/journeys/test_post_through_app.py",
        engines=frozenset(Engine),
    ),
    Suite(
        name="LocalStack by every name, TLS too",
        path="tests/servers/localstack",
        engines=frozenset({Engine.LOCALSTACK}),
    ),
)


def run(engines: Sequence[Engine]) -> None:
    """Run every suite on the engines named, and write the table into its page."""
    KEPT.parent.mkdir(exist_ok=True)
    known: dict[str, str] = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    for engine in engines:
        for suite in SUITES:
            if engine in suite.engines:
                known[_place(suite, engine)] = _cell(suite, engine)
                KEPT.write_text(json.dumps(known, indent=1))
                _write(known)


def _write(known: Mapping[str, str]) -> None:
    heading = f"| suite | {' | '.join(COLUMNS[engine] for engine in Engine)} |"
    rows = [heading, "|---" * (len(Engine) + 1) + "|", *(_row(each, known) for each in SUITES)]
    made = f"Made by `make engines`, {datetime.now(UTC):%d %B %Y}.\n\n" + "\n".join(rows)
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}{made}\n{END}{after}", encoding="utf-8")


def _row(suite: Suite, known: Mapping[str, str]) -> str:
    cells = [
        known.get(_place(suite, engine), "not run") if engine in suite.engines else NOT_ASKED
        for engine in Engine
    ]
    return f"| {suite.name} | {' | '.join(cells)} |"


def _place(suite: Suite, engine: Engine) -> str:
    return f"{suite.path} on {engine}"


def _cell(suite: Suite, engine: Engine) -> str:
    """Run one suite on one engine; return its counts and its time."""
    marked = "not prove and not deploy"
    if engine is not Engine.LOCALSTACK:
        marked += " and not localstack"
    began = time.monotonic()
    ran = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", suite.path),
            *("--engine", engine.value, "-m", marked),
        ],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    took = time.monotonic() - began
    summary = ran.stdout.strip().rpartition("\n")[2]
    print(f"{_place(suite, engine)}: {summary}", flush=True)
    return f"{', '.join(_counts(summary)) or 'did not run'}; {took:.0f} s"


def _counts(summary: str) -> Iterator[str]:
    """Yield what pytest counted, in words for the table."""
    words = {"xfailed": "differ", "skipped": "cannot run"}
    for count, what in _COUNT.findall(summary):
        yield f"{count} {words.get(what, what)}"


if __name__ == "__main__":
    run([Engine(name) for name in sys.argv[1:]] or list(Engine))
