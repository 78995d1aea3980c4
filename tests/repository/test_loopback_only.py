"""No test reaches another machine: what is tried is refused, and fails the test that tried it."""

import asyncio
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from infra.packaging.libraries import PROJECT
from tests.support.loopback_only import (
    CREDENTIALS,
    LeavesThisMachineError,
    forget_credentials,
    guard,
    stays_here,
)

ELSEWHERE = ("192.0.2.7", 443)
"""Addresses that are nobody's: RFC 5737 and, of version 6, RFC 3849."""
ELSEWHERE_6 = ("2001:db8::7", 443, 0, 0)
OFFLINE = PROJECT / ".ci" / "offline"
NO_NAMESPACES = "With the network of this machine"


@contextmanager
def refused() -> Iterator[None]:
    """Expect a refusal, which would otherwise fail the test."""
    with pytest.raises(LeavesThisMachineError):
        yield
    assert guard().tried
    guard().tried.clear()


def _datagram(family: socket.AddressFamily = socket.AF_INET) -> socket.socket:
    return socket.socket(family, socket.SOCK_DGRAM)


def _connected(address: tuple[object, ...], family: socket.AddressFamily) -> None:
    with socket.socket(family) as one:
        one.connect(address)


def _sent_to() -> None:
    with _datagram() as one:
        one.sendto(b"bread", ELSEWHERE)


def _sent_as_message() -> None:
    with _datagram() as one:
        one.sendmsg([b"bread"], [], 0, ELSEWHERE)


def _connected_quietly() -> None:
    with socket.socket() as one:
        one.connect_ex(ELSEWHERE)


async def _opened() -> None:
    await asyncio.open_connection(*ELSEWHERE)


WAYS: dict[str, Callable[[], object]] = {
    "a connection": lambda: _connected(ELSEWHERE, socket.AF_INET),
    "a connection of version 6": lambda: _connected(ELSEWHERE_6, socket.AF_INET6),
    "a connection that answers with a number": _connected_quietly,
    "a connection of asyncio": lambda: asyncio.run(_opened()),
    "a datagram": _sent_to,
    "a message": _sent_as_message,
    "a name": lambda: socket.getaddrinfo("s3.amazonaws.com", 443),
    "a name in bytes": lambda: socket.getaddrinfo(b"s3.amazonaws.com", 443),
    "a name in the old way": lambda: socket.gethostbyname("s3.amazonaws.com"),
    "whose address it is": lambda: socket.gethostbyaddr(ELSEWHERE[0]),
    "whose address it is, with a port": lambda: socket.getnameinfo(ELSEWHERE, 0),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_goes_elsewhere_is_refused(way: str) -> None:
    with refused():
        WAYS[way]()


def test_loopback_is_reached_by_each_of_its_names() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        for host in ("127.0.0.1", "127.1", "localhost", "::ffff:127.0.0.1"):
            socket.create_connection((host, server.getsockname()[1]), 5).close()


@pytest.mark.parametrize("host", ["10.0.0.1", "169.254.169.254", "fe80::1%eth0", "local.host", "*"])
def test_a_neighbour_is_no_loopback(host: str) -> None:
    assert not stays_here(host)


@pytest.mark.parametrize("name", ["bakery.example", "ada.test", "nowhere.invalid", "a.invalid."])
def test_a_name_that_nobody_has_is_answered_without_asking_anybody(name: str) -> None:
    with pytest.raises(socket.gaierror):
        socket.getaddrinfo(name, 443)

    assert guard().tried == []


def test_a_test_that_takes_the_refusal_for_an_answer_fails_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(
        "from tests.support import loopback_only\n"
        "def pytest_configure(config):\n"
        "    config.pluginmanager.register(loopback_only.guard())\n"
    )
    (tmp_path / "test_out.py").write_text(
        "import contextlib, socket, threading\n"
        "def reach_out():\n"
        "    with contextlib.suppress(Exception):\n"
        f"        socket.create_connection({ELSEWHERE})\n"
        "def test_quiet():\n    reach_out()\n"
        "def test_thread():\n"
        "    out = threading.Thread(target=reach_out)\n    out.start()\n    out.join()\n"
        "def test_good():\n    assert True\n"
    )

    words = [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "--rootdir", str(tmp_path)]
    ran = subprocess.run(
        [*words, str(tmp_path)],
        cwd=PROJECT,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},  # it needs none of them
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == pytest.ExitCode.TESTS_FAILED
    assert "2 failed, 1 passed" in ran.stdout
    assert f"It would have left this machine: {ELSEWHERE[0]} (socket.connect)." in ran.stdout


def test_nobodys_credentials_are_in_the_environment_of_tests() -> None:
    environment = dict.fromkeys(CREDENTIALS, "lighthouse") | {"HOME": "/home/ada"}

    forget_credentials(environment)

    assert environment.pop("HOME") == "/home/ada"
    assert environment == {
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
    }
    assert os.environ["AWS_SHARED_CREDENTIALS_FILE"] == os.devnull


def _offline(program: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [OFFLINE, sys.executable, "-c", program],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_program_that_the_gate_starts_offline_has_loopback_and_nothing_else() -> None:
    ran = _offline(
        "import os, socket\n"
        "with socket.create_server(('127.0.0.1', 0)) as server:\n"
        "    socket.create_connection(server.getsockname()).close()\n"
        "print(os.getuid())\n"
        f"socket.create_connection({ELSEWHERE}, 5)\n"
    )
    if NO_NAMESPACES in ran.stderr:
        pytest.skip("Linux allows no network namespace here.")

    assert ran.stdout == f"{os.getuid()}\n"
    assert "Network is unreachable" in ran.stderr


def test_where_linux_allows_no_namespace_the_program_runs_and_it_is_said(tmp_path: Path) -> None:
    for name in ("bash", "id"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))

    ran = _offline("print('ran')", PATH=str(tmp_path))

    assert ran.stdout == "ran\n"
    assert ran.stderr.startswith(NO_NAMESPACES)


@pytest.mark.parametrize("conftest", ["tests/conftest.py", "client/tests/conftest.py"])
def test_every_suite_is_guarded(conftest: str) -> None:
    text = (PROJECT / conftest).read_text(encoding="utf-8")

    assert "config.pluginmanager.register(loopback_only.guard())" in text
