"""`account connect | reconnect | list | disconnect | health`: where a workspace's posts go."""

import click

from chalicelib.cli.console import Answer, answers, moment, table
from chalicelib.domain.accounts import Account, Health
from chalicelib.domain.operator_errors import OperatorError
from chalicelib.domain.platforms import NAMES, Platform
from chalicelib.services.operator_services import OperatorServices

_HEADINGS = ("ACCOUNT", "PLATFORM", "HANDLE", "TEST", "HEALTH", "REASON", "REGIONS", "EXPIRES")


@click.group()
def account() -> None:
    """Connect, list and disconnect accounts."""


@account.command("connect")
@click.argument("workspace_id", metavar="WORKSPACE")
@click.option("--platform", type=click.Choice([p.value for p in Platform]), required=True)
@click.option("--handle", help="How the account is called; a test account needs one.")
@click.option("--test", is_flag=True, help="An account of the built-in sandbox platform.")
@answers
def connect(
    services: OperatorServices, *, workspace_id: str, platform: str, handle: str | None, test: bool
) -> Answer:
    """Connect an account to a workspace."""
    if not test:
        raise _no_sign_in(Platform(platform))
    if handle is None:
        raise click.UsageError("A test account needs a --handle.")
    made = services.connections.connect_test_account(
        workspace_id, platform=Platform(platform), handle=handle
    )
    return Answer(document={"account_id": made.id}, lines=[f"account  {made.id}"])


@account.command("reconnect")
@click.argument("account_id", metavar="ID")
@answers
def reconnect(services: OperatorServices, *, account_id: str) -> Answer:
    """Sign in to a connected account again; its scheduled posts live on."""
    found = services.connections.find(account_id)
    if found.test:
        raise OperatorError("A test account has no sign-in. `account health` makes it ok again.")
    raise _no_sign_in(found.platform)


def _no_sign_in(platform: Platform) -> OperatorError:
    return OperatorError(
        f"This build cannot sign in to {NAMES[platform]} yet. Connect a test account with --test."
    )


@account.command("list")
@click.argument("workspace_id", metavar="WORKSPACE")
@answers
def list_all(services: OperatorServices, *, workspace_id: str) -> Answer:
    """List a workspace's accounts, oldest first."""
    found = services.connections.list(workspace_id)
    rows = [
        (
            one.id,
            one.platform,
            one.handle,
            "yes" if one.test else "no",
            one.health,
            one.health_reason,
            ", ".join(one.audience_regions),
            moment(one.token_expires_at),
        )
        for one in found
    ]
    return Answer(
        document={"data": [_document(one) for one in found]}, lines=table(_HEADINGS, rows)
    )


@account.command("disconnect")
@click.argument("account_id", metavar="ID")
@answers
def disconnect(services: OperatorServices, *, account_id: str) -> Answer:
    """Disconnect an account; posts that wait for it will fail."""
    gone = services.connections.disconnect(account_id)
    return Answer(document={"account_id": gone.id}, lines=[f"{gone.handle} was disconnected."])


@account.command("health")
@click.argument("account_id", metavar="ID")
@click.argument("health", type=click.Choice([health.value for health in Health]))
@answers
def set_health(services: OperatorServices, *, account_id: str, health: str) -> Answer:
    """Say how an account is: ok, warn or broken."""
    services.connections.set_health(account_id, Health(health))
    return Answer(
        document={"account_id": account_id, "health": health}, lines=[f"It is now {health}."]
    )


def _document(one: Account) -> dict[str, object]:
    return {
        "account_id": one.id,
        "platform": one.platform,
        "handle": one.handle,
        "test": one.test,
        "health": one.health,
        "health_reason": one.health_reason,
        "audience_regions": list(one.audience_regions),
        "token_expires_at": moment(one.token_expires_at),
    }
