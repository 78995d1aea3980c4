"""The real parts of the local stack (see `stack_modules`): `app.py` behind the streaming front.

Importing it imports the app, so the front and the trigger runner do; the supervisor only knows
its name.
"""

import importlib
import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from app import app, deployment, pipeline
from chalicelib.api.doors.crowd import Crowd
from chalicelib.api.doors.front import StreamedFiles
from chalicelib.api.doors.front import create_front as create_api
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.access import DEFAULT_SCOPES, Plan, Role, Scope
from chalicelib.domain.workspace.operator_errors import UnknownWorkspaceError
from chalicelib.kit.asgi.exchange import AsgiApp
from chalicelib.kit.asgi.messages import Request
from chalicelib.local.front.demo import Demo, DemoAccount
from chalicelib.local.front.gateway import Gateway
from chalicelib.local.stack_modules import Part
from chalicelib.local.triggers.telling import telling
from chalicelib.services.media.library import LINK_LIFETIME
from chalicelib.storage.media.stored_file import StoredFile
from chalicelib.web.messages import read_session_cookie

__all__ = [
    "app",
    "clock_was_set",
    "create_front",
    "is_paused",
    "knows_demo",
    "load_ahead",
    "make_demo",
    "media_links",
    "queues",
    "sandbox_accounts",
    "sign_in",
    "take_over",
    "watch",
]

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

_log = logging.getLogger(__name__)

_BUILT = ("deployment", "stores", "workspaces", "posts", "media", "connectors", "checks", "people")
_OF_TRIGGERS = (
    *(f"kit.aws_on_sqlite.{service}" for service in ("clients", "queues", "objects")),
    *(f"bootstrap.{group}" for group in (*_BUILT, "engine_stores", "engine", "upkeep")),
    *(f"workers.{worker}" for worker in ("dispatcher", "prepare_lane", "takeover", "batches")),
)


def create_front(crowd: Crowd) -> AsgiApp:
    """Return the HTTP API and the app: files are streamed, the rest goes through chalice."""
    return create_api(
        pipeline(),
        StreamedFiles(
            library=deployment().media.library,
            pulled=deployment().media.pulled_files,
            direct=deployment().media.direct_uploads,
        ),
        Gateway(app, pipeline()),
        crowd,
    )


def media_links() -> Callable[[str], str | None]:
    """Return a function from a media id to its short-lived path, None once it is removed."""
    opens, files = deployment().media.addresses_at(""), deployment().media.files

    def link(media_id: str) -> str | None:
        media = files.find(media_id)
        if media is None or media.file_removed:
            return None
        stored = StoredFile.of(media, deployment().media.store)
        return opens.address_of(stored, LINK_LIFETIME)

    return link


def sandbox_accounts() -> Callable[[str], frozenset[str] | None]:
    """Return a function from a Cookie header to the accounts of its member's workspace."""
    sessions = deployment().people.sessions

    def accounts(cookie: str) -> frozenset[str] | None:
        request = Request(method="GET", path="/", headers={"cookie": cookie})
        kept = [read_session_cookie(request, secure=secure) for secure in (True, False)]
        signed_in = next(filter(None, map(sessions.read, kept)), None)
        if signed_in is None:
            return None
        return frozenset(account.id for account in signed_in.accounts)

    return accounts


def queues() -> "SQSClient":
    """Return the app's own client that waits for messages."""
    return deployment().clients.polling_sqs


def load_ahead() -> None:
    """Import senders and scheduled workers; connectors are imported when first needed."""
    for name in _OF_TRIGGERS:
        importlib.import_module(f"chalicelib.{name}")


def take_over() -> None:
    """End the leases of workers that died with an earlier run."""
    deployment().takeover.run()


def clock_was_set() -> None:
    """Let the next tick enqueue everything that is near or overdue by the clock as it is now."""
    deployment().stores.tick_mark.forget()


def watch() -> list[Part]:
    """Return what sends notices to members, and answer Prometheus if that is wanted."""
    settings = deployment().settings
    if settings.metrics_port is not None:
        from chalicelib.local.triggers.watching import (  # noqa: PLC0415 - most servers want none
            StateFigures,
            serve_figures,
        )

        state = StateFigures(
            engine_status=deployment().people.engine_control.engine_status,
            workspaces=deployment().stores.workspaces,
            accounts=deployment().stores.account_repository,
            data_dir=Path(settings.data_dir or "."),
            clock=deployment().clock,
        )
        try:
            serve_figures(settings.metrics_port, state)
        except OSError as failure:
            _log.error(
                "Port %s is not free for figures: %s. Posts go out; set GOLDENHOUR_METRICS_PORT to "
                "a free port and start the service again.",
                settings.metrics_port,
                failure.strerror,
                extra={"action": "figures.unserved"},
            )
    return [telling(lambda: deployment().people.notices)]


def knows_demo(demo: Demo) -> bool:
    """Tell whether an earlier run's demo workspace exists: LocalStack may have forgotten it."""
    people = deployment().people.administration
    try:
        people.show_workspace(demo.workspace_id)
    except UnknownWorkspaceError:
        return False
    return True


def sign_in(demo: Demo) -> tuple[str, str]:
    """Return the demo workspace's owner, and a token that signs in once."""
    people = deployment().people.administration
    owners = [m for m in people.list_members(demo.workspace_id) if m.role is Role.OWNER]
    return owners[0].id, deployment().people.sign_in_links.make(owners[0].id)


def is_paused() -> bool:
    """Tell whether the engine is paused until an operator resumes it."""
    return deployment().stores.engine_switch.read().paused


def make_demo() -> Demo:
    """Make a workspace with its owner, a test account on each platform, and a key."""
    people, accounts = deployment().people.administration, deployment().people.connections
    workspace, owner = people.create_workspace(
        name="Demo", plan=Plan.STUDIO, timezone="UTC", approvals=False, owner_name="Demo owner"
    )
    made = [
        accounts.connect_test_account(workspace.id, platform=platform, handle="demo")
        for platform in Platform
    ]
    scopes = DEFAULT_SCOPES | {Scope.DELETE_PUBLISHED}
    key = people.create_key(owner.id, name="Demo", scopes=scopes)
    return Demo(
        api_key=key.secret,
        workspace_id=workspace.id,
        accounts=tuple(
            DemoAccount(id=each.id, platform=each.platform.value, handle=each.handle)
            for each in made
        ),
    )
