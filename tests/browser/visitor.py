"""Somebody with a browser, signed in by a link that an operator's command prints."""

from dataclasses import dataclass, field
from typing import Literal

from playwright.sync_api import Browser, BrowserContext, Page, ProxySettings

from chalicelib.services.workspace.acting import member_caller
from tests.cli.operator import CREATE_WORKSPACE, Operator
from tests.local.running_stack import Stack
from tests.support.other_name import by_address

Scheme = Literal["light", "dark"]


@dataclass(slots=True)
class Visitor:
    """A person, a browser, the stack it is in front of, and an operator to ask."""

    stack: Stack
    operator: Operator
    chromium: Browser
    contexts: list[BrowserContext] = field(default_factory=list)
    timezone: str | None = None
    """Where the next windows are, the machine's own zone if None."""
    locale: str = "en-GB"
    """What language and clock the next windows have."""

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.stack.port}"

    def listed(self, *command: str) -> list[dict[str, object]]:
        """Carry out an operator's command that lists; return what it lists."""
        found = self.operator.ask(*command)["data"]
        assert isinstance(found, list)
        return found

    def workspace(self, *more: str) -> tuple[str, str]:
        """Make an empty workspace; return its id and its owner's."""
        made = self.operator.ask(*CREATE_WORKSPACE, *more)
        return str(made["workspace_id"]), str(made["member_id"])

    def test_account(self, workspace: str, platform: str, handle: str = "bakery") -> str:
        """Connect an account of the sandbox platform."""
        asked = ("account", "connect", workspace, "--platform", platform, "--handle", handle)
        return self.operator.text(*asked, "--test", field="account_id")

    def have_sent(self, workspace_id: str, page: Page) -> None:
        """Have the second of a page's post come, as the API's publish-now does for an owner."""
        given, stores = self.operator.local, self.operator.local.stores
        workspace = stores.workspaces.get(workspace_id)
        assert workspace is not None
        owner, *_ = stores.members.list(workspace_id)
        accounts = stores.account_repository.list(workspace_id)
        caller = member_caller(owner, workspace, accounts, key_id="")
        given.posting.scheduling.publish_now(caller, page.url.rpartition("/")[2])

    def page(
        self,
        *,
        width: int = 1280,
        height: int = 900,
        scheme: Scheme = "light",
        scripts: bool = True,
        proxy: ProxySettings | None = None,
        workers: bool = False,
    ) -> Page:
        """Open a browser window of a size, with cookies of its own.

        `workers` lets the app's worker stand between pages and the line, where tests hold nothing.
        """
        context = self.chromium.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            locale=self.locale,
            java_script_enabled=scripts,
            proxy=proxy,
            timezone_id=self.timezone,
            service_workers="allow" if workers else "block",
        )
        self.contexts.append(context)
        context.set_default_timeout(120_000)  # as long as a busy machine may take
        return context.new_page()

    def signed_in(
        self,
        member_id: str,
        *,
        width: int = 1280,
        height: int = 900,
        scheme: Scheme = "light",
        scripts: bool = True,
        proxy: ProxySettings | None = None,
    ) -> Page:
        """Open a window in which a member is signed in."""
        page = self.page(width=width, height=height, scheme=scheme, scripts=scripts, proxy=proxy)
        self.sign_in(page, member_id)
        return page

    def sign_in(self, page: Page, member_id: str) -> None:
        """Sign a member in, in this window."""
        page.goto(by_address(self.operator.text("member", "sign-in", member_id, field="url")))
        page.get_by_role("button", name="Sign in as").click()
        page.wait_for_url("**/app")

    def leave(self) -> None:
        """Close every window."""
        for context in self.contexts:
            context.close()
