"""A real browser over a whole stack: Chromium of the system, driven by Playwright.

`make test-browser` runs it; pictures go to GOLDENHOUR_SCREENSHOTS, or below `build`.
"""

import io
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.local.attachment import attach
from tests.browser.crowded_workspace import Crowded, open_crowded
from tests.browser.shown_workspace import ShownWorkspace, show_workspace
from tests.browser.sign_in_pages import SignInPages
from tests.browser.visitor import Visitor
from tests.cli.operator import Operator
from tests.connectors.bluesky.server import BlueskyServer, start_bluesky_server
from tests.local.running_stack import PROJECT, Stack
from tests.support.chromium import found_chromium
from tests.support.emulator import EmulatorProcess
from tests.support.free_port import free_port

BUILD = PROJECT / "build" / "axe"
_QUALITY = 60
_SOURCE = Path(__file__).parent


Shoot: TypeAlias = Callable[[Page, str], None]
"""Keeps a picture of a page under a name."""


@pytest.fixture(scope="session")
def axe() -> str:
    """Return axe-core's source, installed once."""
    found = BUILD / "node_modules" / "axe-core" / "axe.min.js"
    if not found.exists():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("npm is not here, so axe-core cannot be installed.")
        BUILD.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(_SOURCE / name, BUILD)
        subprocess.run([npm, "ci", "--no-audit", "--no-fund"], cwd=BUILD, check=True, timeout=240)
    return found.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Start what drives browsers."""
    expect.set_options(timeout=120_000)  # as long as a busy machine may take
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """Start the system's Chromium, without its windows if it is to be had so."""
    browser = _launched(playwright, found_chromium())
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def whole_chromium(playwright: Playwright) -> Iterator[Browser]:
    """Start it as people have it, for what only the whole browser has."""
    browser = _launched(playwright, found_chromium(whole=True))
    yield browser
    browser.close()


def _launched(playwright: Playwright, program: str) -> Browser:
    chosen = ["--no-sandbox", "--disable-gpu"]
    return playwright.chromium.launch(executable_path=program, args=chosen)


@pytest.fixture(scope="session")
def sign_in_pages() -> Iterator[SignInPages]:
    """Open the sign-in pages of ten platforms, with their fakes behind them."""
    pages = SignInPages()
    yield pages
    pages.close()


@pytest.fixture(scope="session")
def bluesky_ports() -> tuple[int, int]:
    """Choose where Bluesky's server and directory will answer: a stack is told when it starts."""
    return free_port(), free_port()


@pytest.fixture(scope="session")
def bluesky(bluesky_ports: tuple[int, int]) -> Iterator[BlueskyServer]:
    """Start Bluesky's own server."""
    running = start_bluesky_server(bluesky_ports)
    yield running
    running.stop()


@pytest.fixture(scope="session")
def stack(
    tmp_path_factory: pytest.TempPathFactory,
    sign_in_pages: SignInPages,
    bluesky_ports: tuple[int, int],
) -> Iterator[Stack]:
    """Start a whole stack that finds every platform on loopback."""
    port, directory_port = bluesky_ports
    running = Stack(
        tmp_path_factory.mktemp("browser"),
        "chalicelib.local.wiring",
        **sign_in_pages.environment,
        GOLDENHOUR_BLUESKY_URL=f"http://localhost:{port}",
        GOLDENHOUR_BLUESKY_DIRECTORY_URL=f"http://127.0.0.1:{directory_port}",
    )
    sign_in_pages.redirect_uri = f"http://127.0.0.1:{running.port}/connect/callback"
    running.start()
    yield running
    running.end()


@pytest.fixture(scope="session")
def operator(stack: Stack) -> Iterator[Operator]:
    """Attach an operator's commands to the stack."""
    place = {"GOLDENHOUR_DATA_DIR": str(stack.data_dir), "GOLDENHOUR_PORT": str(stack.port)}
    with attach({**os.environ, **place}) as settings:
        yield Operator(Deployment(settings))


@pytest.fixture(scope="session")
def shoot() -> Shoot:
    """Return what keeps a picture of a page's first screen, small enough for a repository."""
    chosen = os.environ.get("GOLDENHOUR_SCREENSHOTS")
    folder = Path(chosen) if chosen else PROJECT / "build" / "screenshots"

    def keep(page: Page, name: str) -> None:
        picture, path = Image.open(io.BytesIO(page.screenshot())), folder / f"{name}.webp"
        path.parent.mkdir(parents=True, exist_ok=True)
        picture.save(path, quality=_QUALITY, method=6)

    return keep


@pytest.fixture(scope="module")
def crowded(
    emulator: EmulatorProcess, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Crowded]:
    """Fill the crowded workspace, once for a file of tests."""
    with open_crowded(emulator, tmp_path_factory.mktemp("crowded")) as workspace:
        yield workspace


@pytest.fixture
def visitor(stack: Stack, operator: Operator, chromium: Browser) -> Iterator[Visitor]:
    """Return somebody with a browser in front of the stack."""
    made = Visitor(stack=stack, operator=operator, chromium=chromium)
    yield made
    made.leave()


@pytest.fixture
def as_people_have_it(
    stack: Stack, operator: Operator, whole_chromium: Browser
) -> Iterator[Visitor]:
    """Return somebody with the whole browser."""
    made = Visitor(stack=stack, operator=operator, chromium=whole_chromium)
    yield made
    made.leave()


@pytest.fixture(scope="session")
def shown() -> list[ShownWorkspace]:
    """Remember what was made, once: a second filling would give two of each name."""
    return []


@pytest.fixture
def workspace(visitor: Visitor, shown: list[ShownWorkspace]) -> ShownWorkspace:
    """Fill the demo workspace, once."""
    if not shown:
        shown.append(show_workspace(visitor))
    return shown[0]
