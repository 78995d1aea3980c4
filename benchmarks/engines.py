"""Which suites pass on which AWS, with counts and times: the table of `docs/localstack.md`.

    make engines                                # all of them: half an hour or more
    .venv/bin/python -m benchmarks.engines moto # one column; what was measured before stays
    .venv/bin/python -m benchmarks.engines localstack tests/servers/localstack          # one cell
    .venv/bin/python -m benchmarks.engines --check localstack tests/servers/localstack  # the gate

The engines are those of `tests/support/engines.py`; each suite runs by itself, as a person would.
What runs saw is in `benchmarks/engines.json`, of which a test makes the table again. `--check`
writes nothing: it fails where the suite does, and where the table says something else.
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
KEPT = Path(__file__).with_name("engines.json")
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


Seen = Mapping[str, str]
"""What a run saw: what pytest counted, how many seconds it took, and the day."""


def run(cells: Sequence[tuple[Engine, Suite]]) -> None:
    """Run suites on engines, and write the table into its page after each."""
    seen = kept()
    for engine, suite in cells:
        seen[_place(suite, engine)] = _ran(suite, engine)
        KEPT.write_text(json.dumps(seen, indent=1) + "\n", encoding="utf-8")
        PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), seen), encoding="utf-8")


def check(cells: Sequence[tuple[Engine, Suite]]) -> str:
    """Run suites on engines; say what failed or is told otherwise by the table, or nothing."""
    return "\n".join(
        wrong
        for engine, suite in cells
        if (wrong := difference(_place(suite, engine), kept(), _ran(suite, engine)))
    )


def difference(place: str, seen: Mapping[str, Seen], now: Seen) -> str:
    """Say what is wrong with a run, or with what the table says of it; nothing if all is well."""
    told = seen.get(place, {}).get("counts", "not run")
    if not now["counts"] or "failed" in now["counts"] or "error" in now["counts"]:
        return f"{place}: {now['counts'] or 'nothing ran'}."
    if told != now["counts"]:
        return (
            f"{place}: docs/localstack.md says {told}, and this run saw {now['counts']}. "
            "benchmarks/engines.py says how the run writes it."
        )
    return ""


def kept() -> dict[str, Seen]:
    """Return what earlier runs saw, by suite and engine."""
    seen: dict[str, Seen] = json.loads(KEPT.read_text(encoding="utf-8"))
    return seen


def written(page: str, seen: Mapping[str, Seen]) -> str:
    """Return the page with the table of what runs saw."""
    heading = f"| suite | {' | '.join(COLUMNS[engine] for engine in Engine)} |"
    rows = [heading, "|---" * (len(Engine) + 1) + "|", *(_row(each, seen) for each in SUITES)]
    made = "Made by `make engines` of what its runs saw.\n\n" + "\n".join(rows)
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{made}\n{END}{after}"


def _row(suite: Suite, seen: Mapping[str, Seen]) -> str:
    cells = [
        _cell(seen.get(_place(suite, engine))) if engine in suite.engines else NOT_ASKED
        for engine in Engine
    ]
    return f"| {suite.name} | {' | '.join(cells)} |"


def _cell(seen: Seen | None) -> str:
    return "not run" if seen is None else f"{seen['counts']}; {seen['took_s']} s, {seen['on']}"


def _place(suite: Suite, engine: Engine) -> str:
    return f"{suite.path} on {engine}"


def _ran(suite: Suite, engine: Engine) -> Seen:
    """Run one suite on one engine; return what it saw, and show what it prints meanwhile."""
    marked = "not prove and not deploy"
    if engine is not Engine.LOCALSTACK:
        marked += " and not localstack"
    words = ["-m", "pytest", "-q", suite.path, "--engine", engine.value, "-m", marked]
    began, summary = time.monotonic(), ""
    with subprocess.Popen(
        [sys.executable, *words], cwd=PROJECT, stdout=subprocess.PIPE, text=True
    ) as running:
        for line in running.stdout or ():
            print(line, end="", flush=True)
            summary = line.strip() or summary
    took = time.monotonic() - began
    return {
        "counts": ", ".join(_counts(summary)),
        "took_s": f"{took:.0f}",
        "on": f"{datetime.now(UTC):%d %B %Y}",
    }


def _counts(summary: str) -> Iterator[str]:
    """Yield what pytest counted, in words for the table."""
    words = {"xfailed": "differ", "skipped": "cannot run"}
    for count, what in _COUNT.findall(summary):
        yield f"{count} {words.get(what, what)}"


def _asked(words: Sequence[str]) -> list[tuple[Engine, Suite]]:
    """Return the cells that words name: engines, and paths of suites; all where there are none."""
    suites = [one for one in SUITES if one.path in words] or list(SUITES)
    paths = {one.path for one in suites}
    engines = [Engine(word) for word in words if word not in paths] or list(Engine)
    return [(engine, suite) for engine in engines for suite in suites if engine in suite.engines]


if __name__ == "__main__":
    _words = [word for word in sys.argv[1:] if word != "--check"]
    if "--check" in sys.argv[1:]:
        sys.exit(check(_asked(_words)) or 0)
    run(_asked(_words))
