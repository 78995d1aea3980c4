"""Which AWS the tests run on: `pytest --engine NAME`. This is the only place that decides it.

    embedded         the engine of `make run`, inside the test's process; the default
    dynamodb-local   Amazon's own DynamoDB engine for the tables, embedded for the rest
    localstack       a LocalStack where localstack-client finds one, else one of our own
    moto             moto inside the test's process; one thread only

`make test-dynamodb`, `make test-localstack` and `make test-moto` say which suites run on which.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from secrets import token_hex
from typing import assert_never

import pytest

from tests.servers.dynamodb_local import server as dynamodb_local
from tests.servers.localstack import server as localstack
from tests.support.emulator import DYNAMODB_URL, EmulatorProcess, start_embedded


class Engine(StrEnum):
    """An AWS to test on."""

    EMBEDDED = "embedded"
    DYNAMODB_LOCAL = "dynamodb-local"
    LOCALSTACK = "localstack"
    MOTO = "moto"


needs_threads = pytest.mark.cannot_run_on(
    Engine.MOTO,
    because="it loses updates of threads: a cancelled transaction restores all tables as they were",
)
sends_parts = pytest.mark.cannot_run_on(
    Engine.MOTO,
    because="it answers boto3's calls alone, and a file's parts go out by links (part_sender.py)",
)
has_links = pytest.mark.cannot_run_on(
    Engine.EMBEDDED,
    Engine.DYNAMODB_LOCAL,
    because="files of the embedded engine have no address: the front serves them",
)

costly_elsewhere = pytest.mark.costly_on(Engine.DYNAMODB_LOCAL, Engine.LOCALSTACK)
"""For tests of thousands of calls, which take seconds only where a call leaves the process."""


@contextmanager
def running(engine: Engine) -> Iterator[EmulatorProcess]:
    """Run an engine for a whole test session, whatever DynamoDB the caller's shell names."""
    os.environ.pop(DYNAMODB_URL, None)
    match engine:
        case Engine.EMBEDDED:
            with _ended(start_embedded()) as emulator:
                yield emulator
        case Engine.DYNAMODB_LOCAL:
            quick = tables_in_dynamodb_local(*dynamodb_local.QUICK)
            with quick, _ended(start_embedded()) as emulator:
                yield emulator
        case Engine.LOCALSTACK:
            with _ended(localstack.found_or_started()) as emulator:
                yield emulator
        case Engine.MOTO:
            # Its import takes a second, which only its own runs shall pay.
            from tests.servers.moto_aws import playing_aws  # noqa: PLC0415

            with playing_aws() as emulator:
                yield emulator
        case _:
            assert_never(engine)


@contextmanager
def _ended(emulator: EmulatorProcess) -> Iterator[EmulatorProcess]:
    try:
        yield emulator
    finally:
        emulator.stop()


@contextmanager
def tables_in_dynamodb_local(*options: str) -> Iterator[None]:
    """Let everything that makes or uses tables meanwhile find a DynamoDB Local."""
    tables = dynamodb_local.start(*options)
    os.environ[DYNAMODB_URL] = tables.url
    try:
        yield
    finally:
        del os.environ[DYNAMODB_URL]
        tables.stop()


def stack_environment(engine: Engine, emulator: EmulatorProcess) -> Mapping[str, str]:
    """Return what makes `make run` use an engine, with tables and queues of its own in it."""
    own = {"GOLDENHOUR_RESOURCE_PREFIX": f"stack-{token_hex(6)}"}
    match engine:
        case Engine.EMBEDDED:
            return {}
        case Engine.DYNAMODB_LOCAL:
            return {**own, DYNAMODB_URL: os.environ[DYNAMODB_URL]}
        case Engine.LOCALSTACK:
            return {**own, "STACK": "localstack", "AWS_ENDPOINT_URL": emulator.endpoint}
        case Engine.MOTO:
            pytest.skip("moto: answers within one process only, and a stack is several")
        case _:
            assert_never(engine)


def mark_for(engine: Engine, item: pytest.Item) -> None:
    """Apply what a test says of an engine.

    `cannot_run_on` skips it, `differs_on` expects its failure, and `costly_on` makes it costly.
    """
    for mark in item.iter_markers("cannot_run_on"):
        if engine in mark.args:
            item.add_marker(pytest.mark.skip(reason=f"{engine}: {mark.kwargs['because']}"))
    for mark in item.iter_markers("costly_on"):
        if engine in mark.args:
            item.add_marker(pytest.mark.costly)
    for mark in item.iter_markers("differs_on"):
        if engine in mark.args:
            item.add_marker(pytest.mark.xfail(reason=mark.kwargs["because"], strict=True))
