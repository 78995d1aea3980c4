"""Keeps every test on this machine: what would go to an address that is not loopback is refused.

    config.pluginmanager.register(loopback_only.guard())    # in a conftest; it holds from then on

Python itself asks before each connection, datagram and look-up of a name (`sys.addaudithook`), so
that no library and no test gets round it. A test that tried fails, even if what it called took the
refusal for an answer. Programs that a test starts are others: they find no credentials of AWS in
their environment, and the gate runs them without a network where it can (`.ci/offline`).
"""

import ipaddress
import os
import socket
import sys
from collections.abc import Iterator, MutableMapping
from functools import cache
from typing import Final

import pytest

CREDENTIALS: Final = (
    "AWS_ACCESS_KEY_ID",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_DEFAULT_PROFILE",
    "AWS_PROFILE",
    "AWS_ROLE_ARN",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SECURITY_TOKEN",
    "AWS_SESSION_TOKEN",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
)
"""Variables in which somebody's own rights may stand."""

_SENDS: Final = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg"})
_LOOKS_UP: Final = frozenset({"socket.getaddrinfo", "socket.gethostbyname"})
_LOOKS_UP_A_NUMBER: Final = frozenset({"socket.gethostbyaddr", "socket.getnameinfo"})
_INTERNET: Final = (socket.AF_INET, socket.AF_INET6)
_NEVER_THERE: Final = (".example", ".invalid", ".test")
"""What is below these is nobody's (RFC 2606, 2), so that no server need be asked."""


class LeavesThisMachineError(RuntimeError):
    """A test would have reached another machine."""


class Guard:
    """Refuses what goes elsewhere, and fails the test that tried it."""

    def __init__(self) -> None:
        self.tried: list[str] = []

    def __call__(self, event: str, about: tuple[object, ...]) -> None:
        """Look at what Python is about to do. Raises LeavesThisMachineError, or as a resolver."""
        if event in _SENDS:
            sender, address = about[:2]
            if isinstance(sender, socket.SocketType) and sender.family in _INTERNET:
                self._require_here(_host_of(address), event)
        elif event in _LOOKS_UP:
            host = _host_of(about[0])
            if host.rstrip(".").endswith(_NEVER_THERE):
                raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
            if _number(host) is None:  # else nobody is asked
                self._require_here(host, event)
        elif event in _LOOKS_UP_A_NUMBER:
            self._require_here(_host_of(about[0]), event)

    def _require_here(self, host: str, event: str) -> None:
        if stays_here(host):
            return
        self.tried.append(f"{host} ({event})")
        raise LeavesThisMachineError(
            f"A test would have gone to {host}: let what it calls be on loopback, "
            "or play it (tests/support/loopback_only.py)."
        )

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self) -> Iterator[None]:
        """Fail a test whose fixtures tried to leave."""
        yield
        self.fail_if_tried()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Iterator[None]:
        """Fail a test that tried to leave."""
        yield
        self.fail_if_tried()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self) -> Iterator[None]:
        """Fail a test that tried to leave when it was over, or whose threads did."""
        yield
        self.fail_if_tried()

    def fail_if_tried(self) -> None:
        """Fail if something tried to leave since this was last asked."""
        tried, self.tried = self.tried, []
        if tried:
            pytest.fail(f"It would have left this machine: {', '.join(tried)}.", pytrace=False)


@cache
def guard() -> Guard:
    """Return what guards this process, from the first call on to its end."""
    made = Guard()
    forget_credentials(os.environ)
    sys.addaudithook(made)
    return made


def forget_credentials(environment: MutableMapping[str, str]) -> None:
    """Take somebody's own rights out of an environment, and leave none to be found."""
    for name in CREDENTIALS:
        environment.pop(name, None)
    for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
        environment[name] = os.devnull
    environment["AWS_EC2_METADATA_DISABLED"] = "true"


def stays_here(host: str) -> bool:
    """Tell whether a host is this machine; no host is no other.

    Its own name may be looked up, as `smtplib` does, but leads to no connection: by then it is a
    number, and loopback or not.
    """
    number = _number(host)
    if number is None:
        return host in ("", "localhost", socket.gethostname())
    return number.is_loopback or number.is_unspecified


def _number(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        number = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return _short_number(host)
    return getattr(number, "ipv4_mapped", None) or number


def _short_number(host: str) -> ipaddress.IPv4Address | None:
    """Return an address as the C library spells it, too: `127.1`."""
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host))
    except OSError:
        return None


def _host_of(address: object) -> str:
    """Return the host of an address or of a question; it is empty where none is named."""
    host = address[0] if isinstance(address, tuple) and address else address
    return host.decode("ascii", "replace") if isinstance(host, bytes) else str(host or "")
