"""Somebody with a browser, signed in by a link that an operator's command prints."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import Literal

from playwright.sync_api import Browser, Page

from tests.local.running_stack import PROJECT, Stack

Scheme = Literal["light", "dark"]


@dataclass(slots=True)
class Visitor:
    """A person, a browser and the stack it is in front of."""

    stack: Stack
    chromium: Browser

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.stack.port}"

    def operator(self, *command: str) -> dict[str, str]:
        """Run an operator's command on the stack; return its document."""
        environment = {
            **os.environ,
            "GOLDENHOUR_DATA_DIR": str(self.stack.data_dir),
            "GOLDENHOUR_PORT": str(self.stack.port),
        }
        done = subprocess.run(
            [sys.executable, "-m", "chalicelib", *command, "--json"],
            cwd=PROJECT,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        answer: dict[str, str] = json.loads(done.stdout)
        return answer

    def workspace(self, *more: str) -> dict[str, str]:
        """Make an empty workspace."""
        asked = ("--name", "Lighthouse Bakery", "--plan", "studio", "--timezone", "Europe/Paris")
        return self.operator("workspace", "create", *asked, "--owner-name", "Ada", *more)

    def page(self, *, width: int = 1280, height: int = 900, scheme: Scheme = "light") -> Page:
        """Open a browser window of a size."""
        context = self.chromium.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, locale="en-GB"
        )
        context.set_default_timeout(20_000)
        return context.new_page()

    def signed_in(
        self, member_id: str, *, width: int = 1280, height: int = 900, scheme: Scheme = "light"
    ) -> Page:
        """Open a window in which a member is signed in."""
        page = self.page(width=width, height=height, scheme=scheme)
        page.goto(self.operator("member", "sign-in", member_id)["url"])
        return page
