"""Pages of the app on a slow phone: the largest paint, and how long a key press waits.

The browser's own tools make the phone: 1.6 Mbit/s with 150 ms to each answer, a processor four
times slower than this machine's, nothing kept from before. The workspace is the demo's, with a
month of results. Whatever else runs on the machine slows the browser and the server, so the best of
five counts, and how much of the machine was idle is said; the floor is our page without anything of
the server's in it, and a field on an empty page.
Needs Chromium, as the tests in a browser do.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import psutil
from playwright.sync_api import Page, sync_playwright

from benchmarks.figures import Beside, Figure
from chalicelib.bootstrap.deployment import Deployment
from chalicelib.local.attachment import attach
from tests.browser.shown_workspace import ShownWorkspace, show_workspace
from tests.browser.visitor import Visitor
from tests.cli.operator import Operator
from tests.local.running_stack import Stack, running

_BYTES_A_SECOND = 1_600_000 / 8
_LATENCY_MS = 150
_SLOWER = 4
_TIMES = 5
_TEXT = " Fresh from the oven."
GOALS: Final = {
    "home": ("", 0.7),
    "calendar": ("/calendar", 0.9),
    "composer": ("/posts/new", 1.0),
    "results": ("/results", 1.2),
}
_STATIC = "/static/offline.html"
_FIELD = "<!doctype html><textarea id=caption></textarea>"
_KEY_GOAL_MS = 100
_PRESS = "longest press of a key in the composer with eleven accounts, ms"
_PAINTS = """window.painted = new Promise((paint) => {
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) window.latest = one.startTime;
    paint();
  }).observe({ type: "largest-contentful-paint", buffered: true });
});"""
_PRESSES = """window.waited = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries())
    if (/^key|^input/.test(one.name)) window.waited = Math.max(window.waited, one.duration);
}).observe({ type: "event", durationThreshold: 16, buffered: true });"""


def run() -> list[Figure]:
    """Print each page's largest paint, cold, beside its goal, and the longest press of a key."""
    figures = []
    with _visitor() as (visitor, workspace):
        psutil.cpu_percent()
        floor = min(_largest_paint(visitor, workspace, _STATIC) for _ in range(_TIMES))
        beside = Beside("a static page", floor)
        print(f"a static page of ours: the largest paint after {floor:.2f} s")
        for name, (address, goal) in GOALS.items():
            paints = [_largest_paint(visitor, workspace, address) for _ in range(_TIMES)]
            said = ", ".join(f"{one:.2f}" for one in sorted(paints))
            print(f"{name}: the largest paint after {said} s (goal {goal} s)")
            figures.append(
                Figure(f"largest paint of {name} on a slow phone, s", min(paints), beside)
            )
        waited = min(_longest_press(visitor, workspace) for _ in range(_TIMES))
        field = min(_longest_press(visitor, workspace, _FIELD) for _ in range(_TIMES))
        print(f"the longest press of a key with eleven accounts: {waited:.0f} ms", end=" ")
        print(f"(goal {_KEY_GOAL_MS} ms), in a field alone {field:.0f} ms")
        print(f"{100 - psutil.cpu_percent():.0f} % of the machine was idle")
    return [*figures, Figure(_PRESS, waited, Beside("a field alone", field))]


@contextmanager
def _visitor() -> Iterator[tuple[Visitor, ShownWorkspace]]:
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        sys.exit("Chromium is not here: apt-get install chromium.")
    with (
        tempfile.TemporaryDirectory(prefix="goldenhour-bench-") as folder,
        running(Stack(Path(folder), "chalicelib.local.wiring")) as stack,
        attach(
            {
                **os.environ,
                "GOLDENHOUR_DATA_DIR": str(stack.data_dir),
                "GOLDENHOUR_PORT": str(stack.port),
            }
        ) as settings,
        sync_playwright() as playwright,
    ):
        chromium = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        visitor = Visitor(stack, Operator(Deployment(settings)), chromium)
        yield visitor, show_workspace(visitor)
        chromium.close()


def _on_a_phone(visitor: Visitor, workspace: ShownWorkspace) -> Page:
    page = visitor.signed_in(workspace.owner, width=390, height=844)
    page.goto("about:blank")
    tools = page.context.new_cdp_session(page)
    tools.send("Network.enable")
    tools.send("Network.clearBrowserCache")
    tools.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": _LATENCY_MS,
            "downloadThroughput": _BYTES_A_SECOND,
            "uploadThroughput": _BYTES_A_SECOND,
        },
    )
    tools.send("Emulation.setCPUThrottlingRate", {"rate": _SLOWER})
    return page


def _largest_paint(visitor: Visitor, workspace: ShownWorkspace, address: str) -> float:
    page = _on_a_phone(visitor, workspace)
    page.add_init_script(_PAINTS)
    page.goto(f"{visitor.base_url}/app{address}", wait_until="networkidle")
    painted = float(page.evaluate("painted.then(() => latest)"))
    page.context.close()
    return painted / 1000


def _longest_press(visitor: Visitor, workspace: ShownWorkspace, instead: str = "") -> float:
    page = _on_a_phone(visitor, workspace)
    page.add_init_script(_PRESSES)
    page.goto(f"{visitor.base_url}/app/posts/{workspace.draft}", wait_until="networkidle")
    if instead:
        page.set_content(instead)
    page.locator("#caption").focus()
    page.keyboard.type(_TEXT, delay=120)
    page.wait_for_load_state("networkidle")
    waited = float(page.evaluate("waited"))
    page.context.close()
    return waited
