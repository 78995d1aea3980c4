"""`app-credentials set | list | remove`: the applications with which people sign in at platforms.

An operator registers one at each platform, with `{GOLDENHOUR_PUBLIC_URL}/connect/callback` as its
redirect address, and stores it here, encrypted; the app and connect links use it from then on.
"""

import click

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.cli.account import PLATFORM
from chalicelib.cli.console import Answer, answers, listing
from chalicelib.cli.sign_in import read_secret
from chalicelib.connectors.shared.auth.oauth import Client
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.storage.sign_in.applications import Application

_HEADINGS = ("PLATFORM", "WAY", "CLIENT ID", "CONFIG ID")
_WORKSPACE = click.option(
    "--workspace",
    metavar="ID",
    help="Use it only for this workspace, whose accounts are then all connected through it.",
)
_WAY = click.option(
    "--way", help="One of the platform's sign-in methods, if they need different applications."
)


@click.group("app-credentials")
def app_credentials() -> None:
    """Manage platforms' OAuth applications."""


@app_credentials.command("set")
@click.argument("platform", type=PLATFORM)
@click.option("--client-id", envvar="GOLDENHOUR_CLIENT_ID", required=True)
@click.option("--client-secret", envvar="GOLDENHOUR_CLIENT_SECRET", help="Prompted for if omitted.")
@click.option(
    "--config-id",
    envvar="GOLDENHOUR_CONFIG_ID",
    help="A configuration of Facebook Login for Business, which newer applications need.",
)
@_WAY
@_WORKSPACE
@answers
def set_application(  # noqa: PLR0913 - a command's options
    services: Deployment,
    *,
    platform: Platform,
    client_id: str,
    client_secret: str | None,
    config_id: str | None,
    way: str | None,
    workspace: str | None,
) -> Answer:
    """Store an application, encrypted; it replaces an earlier one."""
    _require(services, workspace)
    secret = client_secret
    if secret is None:
        secret = read_secret("Client secret (empty for a public client of X)")
    client = Client(client_id, secret or None, config_id)
    made = services.sign_in.connecting.ways.set(
        platform, client, method=way, workspace_id=workspace
    )
    callback = services.sign_in.connecting.redirect_uri
    return Answer(
        document={**_document(made), "redirect_uri": callback},
        lines=[
            f"{FACTS[made.platform].name} accounts can now be connected.",
            f"redirect address  {callback}",
        ],
    )


@app_credentials.command("list")
@_WORKSPACE
@answers
def list_all(services: Deployment, *, workspace: str | None) -> Answer:
    """List the applications without their secrets."""
    _require(services, workspace)
    found = services.sign_in.connecting.ways.applications.list(workspace)
    return listing(found, _document, _HEADINGS, _row)


@app_credentials.command("remove")
@click.argument("platform", type=PLATFORM)
@_WAY
@_WORKSPACE
@answers
def remove(
    services: Deployment, *, platform: Platform, way: str | None, workspace: str | None
) -> Answer:
    """Remove an application; connected accounts stay connected."""
    _require(services, workspace)
    services.sign_in.connecting.ways.remove(platform, method=way, workspace_id=workspace)
    return Answer(document={"platform": platform}, lines=["It was removed."])


def _require(services: Deployment, workspace_id: str | None) -> None:
    """Check that a workspace exists, if one is named. Raises OperatorError."""
    if workspace_id is not None:
        services.people.connections.list(workspace_id)


def _row(one: Application) -> tuple[object, ...]:
    return (one.platform, one.method, one.client_id, one.config_id)


def _document(one: Application) -> dict[str, object]:
    return {
        "platform": one.platform,
        "way": one.method,
        "client_id": one.client_id,
        "config_id": one.config_id,
        "workspace_id": one.workspace_id,
    }
