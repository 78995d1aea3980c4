"""WebKit, which is Safari's engine, as WebKitGTK has it: its small browser, by WebDriver.

with opened_webkit() as webkit:
    webkit.open("http://127.0.0.1:8000/app")

It needs a screen, and gets one in memory. https://www.w3.org/TR/webdriver2/
"""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
import requests

from tests.support.free_port import free_port

_WITHIN_S = 60  # as long as a busy machine may take
_NEEDS = ("WebKitWebDriver", "Xvfb")


@dataclass(frozen=True, slots=True)
class WebKit:
    """One window."""

    session: str

    def keep_cookie(self, name: str, value: str) -> None:
        """Keep a cookie for the host of the page that is open."""
        self._ask("cookie", cookie={"name": name, "value": value})

    def open(self, address: str) -> None:
        """Open an address and wait until all of it is loaded."""
        self._ask("url", url=address)

    def back(self) -> None:
        """Go back by one page."""
        self._ask("back")

    def read(self, expression: str) -> Any:  # noqa: ANN401 - whatever the page answers
        """Return what an expression is in the page."""
        return self._ask("execute/sync", script=f"return ({expression})", args=[])

    def until(self, expression: str) -> None:
        """Wait until an expression is true of the page, which may be another by then."""
        deadline = time.monotonic() + _WITHIN_S
        while not self.read(f"Boolean({expression})"):
            assert time.monotonic() < deadline, expression
            time.sleep(0.05)

    def type(self, text: str) -> None:
        """Press key after key."""
        presses = [{"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")]
        self._ask("actions", actions=[{"type": "key", "id": "keyboard", "actions": presses}])

    def _ask(self, what: str, **body: object) -> Any:  # noqa: ANN401 - as above
        answer = requests.post(f"{self.session}/{what}", json=body, timeout=_WITHIN_S)
        assert answer.ok, answer.text
        return answer.json()["value"]


@contextmanager
def opened_webkit() -> Iterator[WebKit]:
    """Start its browser with an empty profile; skip the test where there is none."""
    if not all(map(shutil.which, _NEEDS)):
        pytest.skip("WebKit is not here: apt-get install webkit2gtk-driver xvfb.")
    port = free_port()
    with ExitStack() as ends:
        screen = _started(ends, "Xvfb", "-displayfd", "1", "-screen", "0", "1600x1200x24")
        assert screen.stdout is not None
        display = f":{screen.stdout.readline().decode().strip()}"
        _started(ends, "WebKitWebDriver", f"--port={port}", DISPLAY=display)
        session = _session(f"http://127.0.0.1:{port}/session")
        ends.callback(requests.delete, session, timeout=_WITHIN_S)
        yield WebKit(session)


def _started(ends: ExitStack, *command: str, **more: str) -> "subprocess.Popen[bytes]":
    process = ends.enter_context(
        subprocess.Popen(
            command,
            env={**os.environ, **more},
            stdout=subprocess.PIPE if "-displayfd" in command else subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    )
    ends.callback(process.terminate)
    return process


def _session(address: str) -> str:
    """Begin a session as soon as the driver listens."""
    deadline = time.monotonic() + _WITHIN_S
    while True:
        try:
            begun = requests.post(address, json={"capabilities": {}}, timeout=_WITHIN_S)
        except requests.ConnectionError:
            assert time.monotonic() < deadline, "the driver did not listen"
            time.sleep(0.05)
            continue
        assert begun.ok, begun.text
        return f"{address}/{begun.json()['value']['sessionId']}"
