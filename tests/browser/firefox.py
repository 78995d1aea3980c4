"""The system's Firefox as people have it, without its windows, told what to do over WebDriver BiDi.

    with opened_firefox(folder) as firefox:
        firefox.open("http://127.0.0.1:8000/app")
        firefox.click("#again")

Playwright 1.65 speaks BiDi, too, but sends what Firefox 153 does not know, before it opens a page.
https://w3c.github.io/webdriver-bidi/
"""

import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import IO, Any

import pytest
import websocket

_PROGRAMS = ("firefox-esr", "firefox")
_PREFERENCES = {"intl.accept_languages": "en-GB, en", "ui.primaryPointerCapabilities": 6}
"""A mouse that points finely and may hover (`dom/base/PointerCapabilities`, FINE and HOVER)."""
_WITHIN_S = 60  # as long as a busy machine may take
_LISTENS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")


@dataclass(slots=True)
class Firefox:
    """One window. `errors` are what its console told: exceptions, broken policies, lost files."""

    line: websocket.WebSocket
    errors: list[str] = field(default_factory=list)
    _context: str = ""
    _numbers: Iterator[int] = field(default_factory=count)

    def begin(self) -> None:
        """Begin a session in the window that is there."""
        self._ask("session.new", capabilities={"alwaysMatch": {}})
        self._ask("session.subscribe", events=["log.entryAdded"])
        self._context = self._ask("browsingContext.getTree")["contexts"][0]["context"]

    def keep_cookie(self, name: str, value: str) -> None:
        """Keep a cookie for every port of this machine."""
        held = {"type": "string", "value": value}
        self._ask("storage.setCookie", cookie={"name": name, "value": held, "domain": "127.0.0.1"})

    def open(self, address: str) -> None:
        """Open an address and wait until all of it is loaded."""
        self._ask("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def back(self) -> None:
        """Go back by one page."""
        self._ask("browsingContext.traverseHistory", context=self._context, delta=-1)

    def read(self, expression: str) -> Any:  # noqa: ANN401 - whatever the page answers
        """Return what an expression is in the page, as JSON holds it; a promise is awaited."""
        answer = self._ask(
            "script.evaluate",
            expression=f"Promise.resolve({expression}).then(JSON.stringify)",
            target={"context": self._context},
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer
        return json.loads(answer["result"].get("value", "null"))

    def until(self, expression: str) -> None:
        """Wait until an expression is true of the page, which may be another by then."""
        deadline = time.monotonic() + _WITHIN_S
        while time.monotonic() < deadline:
            with suppress(_PageLeft):
                if self.read(f"Boolean({expression})"):
                    return
            time.sleep(0.05)
        raise AssertionError(f"{self.read('location.pathname')}: {expression}")

    def click(self, selector: str) -> None:
        """Press the mouse on the first element that fits and is shown."""
        found = f"[...document.querySelectorAll({json.dumps(selector)})]"
        shown = f"{found}.find((one) => one.checkVisibility())"
        self.until(shown)
        x, y = self.read(
            f"""((one) => {{ one.scrollIntoView({{ block: "center" }});
            const box = one.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2].map(Math.round); }})({shown})"""
        )
        moved = {"type": "pointerMove", "x": x, "y": y}
        button = [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
        self._act({"type": "pointer", "id": "mouse", "actions": [moved, *button]})

    def type(self, text: str) -> None:
        """Press key after key."""
        presses = [{"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")]
        self._act({"type": "key", "id": "keyboard", "actions": presses})

    def _act(self, source: dict[str, Any]) -> None:
        self._ask("input.performActions", context=self._context, actions=[source])

    def _ask(self, method: str, **parameters: object) -> dict[str, Any]:
        number = next(self._numbers)
        self.line.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            said: dict[str, Any] = json.loads(self.line.recv())
            if said.get("method") == "log.entryAdded" and said["params"]["level"] == "error":
                self.errors.append(said["params"]["text"])
            if said.get("id") != number:
                continue
            if said["type"] == "error":
                raise _PageLeft(said["message"])
            result: dict[str, Any] = said["result"]
            return result


class _PageLeft(Exception):
    """Firefox did not answer a question, mostly because another page has come."""


@contextmanager
def opened_firefox(profile: Path) -> Iterator[Firefox]:
    """Start Firefox with an empty profile; skip the test where there is none."""
    program = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    if program is None:
        pytest.skip("Firefox is not here: apt-get install firefox-esr.")
    lines = [
        f"user_pref({json.dumps(name)}, {json.dumps(value)});"
        for name, value in _PREFERENCES.items()
    ]
    (profile / "user.js").write_text("\n".join(lines))
    command = [program, "--headless", "--no-remote", "--profile", str(profile)]
    with subprocess.Popen(
        [*command, "--remote-debugging-port", "0", "about:blank"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stderr is not None
            address = f"{_address(process.stderr)}/session"
            line = websocket.create_connection(address, timeout=_WITHIN_S, suppress_origin=True)
            with closing(line):
                firefox = Firefox(line)
                firefox.begin()
                yield firefox
        finally:
            process.kill()


def _address(told: IO[str]) -> str:
    for line in told:
        if found := _LISTENS.search(line):
            return found.group(1)
    raise AssertionError("Firefox ended before it listened.")
