"""`account connect | invite | reconnect | list | disconnect | health | languages`: where posts go.

Durations are typed as seconds, or as a number with s, m, h or d.
"""

import re
from dataclasses import replace
from datetime import timedelta
from urllib.parse import urlsplit

import click

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.cli.console import Answer, answers, listing, moment, yes_or_no
from chalicelib.cli.sign_in import SignInOptions, sign_in, takes_sign_in
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.accounts import Account, Health
from chalicelib.domain.workspace.operator_errors import OperatorError

_FORM = re.compile(r"([0-9]{1,9})([smhd]?)")
_UNITS = {"": 1, "s": 1, "m": 60, "h": 3_600, "d": 86_400}
_LONGEST = timedelta(days=365)


class Duration(click.ParamType[timedelta]):
    """A duration such as `90`, `90s`, `15m`, `1h` or `7d`, from `shortest` to 365 days."""

    name = "duration"

    def __init__(self, shortest: timedelta = timedelta(seconds=1)) -> None:
        self._shortest = shortest

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> timedelta:
        """Return the typed duration; anything else is wrong usage."""
        found = _FORM.fullmatch(str(value))
        seconds = -1 if found is None else int(found[1]) * _UNITS[found[2]]
        if not self._shortest.total_seconds() <= seconds <= _LONGEST.total_seconds():
            self.fail("write it as 90, 15m, 1h or 7d, at most 365d", param, ctx)
        return timedelta(seconds=seconds)


class PlatformName(click.ParamType[Platform, str]):
    """A platform's name, in any case, its words joined by spaces, hyphens or underscores."""

    name = "platform"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> Platform:
        """Return the platform; anything else is wrong usage."""
        meant = " ".join(value.lower().replace("-", " ").replace("_", " ").split())
        if meant not in set(Platform):
            named = ", ".join(f'"{platform}"' for platform in Platform)
            self.fail(f"{value!r} is not a platform. Choose one of {named}.", param, ctx)
        return Platform(meant)


PLATFORM = PlatformName()
_HEADINGS = ("ACCOUNT", "PLATFORM", "HANDLE", "TEST", "HEALTH", "REASON", "REGIONS", "EXPIRES")


@click.group()
def account() -> None:
    """Connect, list and disconnect accounts."""


@account.command("connect")
@click.argument("workspace_id", metavar="WORKSPACE")
@click.option("--platform", type=PLATFORM, required=True)
@click.option("--test", is_flag=True, help="An account of the built-in sandbox platform.")
@takes_sign_in
@answers
def connect(
    services: Deployment, *, workspace_id: str, platform: Platform, test: bool, how: SignInOptions
) -> Answer:
    """Connect an account to a workspace."""
    connections = services.people.connections
    if not test:
        connections.list(workspace_id)  # refuses a wrong id before the sign-in
        signed_in = sign_in(services.sign_in.sign_ins, platform, how)
        made = connections.connect(workspace_id, signed_in)
    elif how.handle is None:
        raise click.UsageError("A test account needs a --handle.")
    else:
        made = connections.connect_test_account(workspace_id, platform=platform, handle=how.handle)
    return Answer(document={"account_id": made.id}, lines=[f"account  {made.id}"])


@account.command("reconnect")
@click.argument("account_id", metavar="ID")
@takes_sign_in
@answers
def reconnect(services: Deployment, *, account_id: str, how: SignInOptions) -> Answer:
    """Sign in to a connected account again; its scheduled posts stay scheduled."""
    found = services.people.connections.find(account_id)
    if found.test:
        raise OperatorError("A test account has no sign-in. `account health ID ok` repairs it.")
    same = replace(how, identity=found.remote_identity, handle=how.handle or found.handle)
    signed_in = sign_in(services.sign_in.sign_ins, found.platform, same)
    made = services.people.connections.reconnect(account_id, signed_in)
    return Answer(document={"account_id": made.id}, lines=[f"{made.handle} is signed in again."])


@account.command("invite")
@click.argument("workspace_id", metavar="WORKSPACE")
@click.option("--platform", type=PLATFORM, help="Default: any.")
@click.option(
    "--return-to", metavar="URL", help="Where the browser is sent then, with ?account_id=…"
)
@click.option("--ttl", type=Duration(), default="1h", show_default=True, help="Such as 15m or 1h.")
@answers
def invite(
    services: Deployment,
    *,
    workspace_id: str,
    platform: Platform | None,
    return_to: str | None,
    ttl: timedelta,
) -> Answer:
    """Print a link with which anybody can connect one account to a workspace."""
    if return_to is not None and urlsplit(return_to).scheme not in {"https", "http"}:
        raise click.UsageError("--return-to must begin with https:// or http://.")
    token = services.sign_in.connecting.invite(workspace_id, platform, return_to, ttl)
    link = f"{services.settings.outer_url}/connect/{token}"
    return Answer(document={"workspace_id": workspace_id, "url": link}, lines=[link])


@account.command("list")
@click.argument("workspace_id", metavar="WORKSPACE")
@answers
def list_all(services: Deployment, *, workspace_id: str) -> Answer:
    """List a workspace's accounts, oldest first."""
    found = services.people.connections.list(workspace_id)
    return listing(found, _document, _HEADINGS, _row)


@account.command("disconnect")
@click.argument("account_id", metavar="ID")
@answers
def disconnect(services: Deployment, *, account_id: str) -> Answer:
    """Disconnect an account; posts scheduled on it will fail."""
    gone = services.people.connections.disconnect(account_id)
    return Answer(document={"account_id": gone.id}, lines=[f"{gone.handle} was disconnected."])


@account.command("health")
@click.argument("account_id", metavar="ID")
@click.argument("health", type=click.Choice([health.value for health in Health]), required=False)
@answers
def set_health(services: Deployment, *, account_id: str, health: str | None) -> Answer:
    """Show or set an account's health: ok, warn or broken."""
    if health is None:
        return _health(services.people.connections.find(account_id))
    services.people.connections.set_health(account_id, Health(health))
    return Answer(
        document={"account_id": account_id, "health": health}, lines=[f"It is now {health}."]
    )


@account.command("languages")
@click.argument("account_id", metavar="ID")
@click.argument("languages", nargs=-1)
@click.option("--none", "clears", is_flag=True, help="Remove them.")
@answers
def set_languages(
    services: Deployment, *, account_id: str, languages: tuple[str, ...], clears: bool
) -> Answer:
    """Show or set the languages of posts that name none (Bluesky only)."""
    if languages or clears:
        services.people.connections.set_languages(account_id, languages)
    kept = services.people.connections.find(account_id).languages
    return Answer(
        document={"account_id": account_id, "languages": list(kept)},
        lines=[", ".join(kept) or "None are set."],
    )


def _health(one: Account) -> Answer:
    why = "" if one.health_reason is None else f": {one.health_reason}"
    return Answer(
        document={"account_id": one.id, "health": one.health, "health_reason": one.health_reason},
        lines=[f"{one.handle} is {one.health}{why}"],
    )


def _row(one: Account) -> tuple[object, ...]:
    return (
        one.id,
        one.platform,
        one.handle,
        yes_or_no(one.test),
        one.health,
        one.health_reason,
        ", ".join(one.audience_regions),
        moment(one.token_expires_at),
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
