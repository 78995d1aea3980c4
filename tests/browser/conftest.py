"""A real browser over a whole stack: Chromium from the system, driven by Playwright.

`make test-browser` runs it; screenshots go to GOLDENHOUR_SCREENSHOTS, or below `build`.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.visitor import Visitor
from tests.local.running_stack import PROJECT, Stack

BUILD = PROJECT / "build" / "axe"
_SOURCE = Path(__file__).parent


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
        subprocess.run([npm, "ci", "--no-audit", "--no-fund"], cwd=BUILD, check=True, timeout=120)
    return found.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Start the system's Chromium."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("Chromium is not here: apt-get install chromium.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """Start a whole stack."""
    running = Stack(tmp_path_factory.mktemp("browser"), "chalicelib.local.wiring").start()
    yield running
    running.end()


@pytest.fixture(scope="session")
def screenshots() -> Path:
    """Return where screenshots go."""
    chosen = os.environ.get("GOLDENHOUR_SCREENSHOTS")
    folder = Path(chosen) if chosen else PROJECT / "build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture
def visitor(stack: Stack, chromium: Browser) -> Visitor:
    """Return somebody with a browser in front of the stack."""
    return Visitor(stack=stack, chromium=chromium)
