"""What the local stack runs: the app, its front and its demo workspace.

`local/wiring.py` is the real one; the stack's own tests have a tiny one. Imports nothing large,
since the supervisor reads the name from here.
"""

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from chalice.app import Chalice
    from mypy_boto3_sqs import SQSClient

    from chalicelib.api.doors.crowd import Crowd
    from chalicelib.kit.asgi.exchange import AsgiApp
    from chalicelib.local.front.demo import Demo

STACK_MODULES = "chalicelib.local.wiring"


class Part(Protocol):
    """Something that runs beside the handlers."""

    def start(self) -> None:
        """Begin."""
        ...

    def stop(self) -> None:
        """Ask it to end."""
        ...

    def join(self, timeout_s: float) -> None:
        """Wait for its end."""
        ...


class StackModules(Protocol):
    """What a module must define so that the local stack can run it."""

    app: "Chalice"

    def create_front(self, crowd: "Crowd") -> "AsgiApp":
        """Return the HTTP API; the crowd is where strangers' requests wait."""
        ...

    def media_links(self) -> Callable[[str], str | None]:
        """Return a function from a media id to its short-lived address, None once it is removed."""
        ...

    def sandbox_accounts(self) -> Callable[[str], frozenset[str] | None]:
        """Return a function from a Cookie header to its member's accounts, None if signed out."""
        ...

    def queues(self) -> "SQSClient":
        """Return the app's own client of the queues: another session would cost 10 MB."""
        ...

    def load_ahead(self) -> None:
        """Import what the triggers need, while the front starts, so that due posts do not wait."""
        ...

    def take_over(self) -> None:
        """End the leases of workers that died with an earlier run of this stack."""
        ...

    def clock_was_set(self) -> None:
        """Forget times by the old clock: the next tick enqueues everything that is near or due."""
        ...

    def watch(self) -> "list[Part]":
        """Return what reports the stack's state to people, ready to be started."""
        ...

    def knows_demo(self, demo: "Demo") -> bool:
        """Tell whether an earlier run's demo workspace still exists."""
        ...

    def sign_in(self, demo: "Demo") -> tuple[str, str]:
        """Return the demo workspace's owner, and a token that signs in once."""
        ...

    def is_paused(self) -> bool:
        """Tell whether the engine is paused until an operator resumes it."""
        ...

    def make_demo(self) -> "Demo":
        """Make the demo workspace and a key for it."""
        ...


def load_stack_modules(module: str) -> StackModules:
    """Import the module with these names."""
    return cast("StackModules", importlib.import_module(module))
