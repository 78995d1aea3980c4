"""`key create | list | rotate | revoke`: API keys. A key is printed once, when it is made."""

from datetime import datetime, timedelta

import click

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.cli.account import Duration
from chalicelib.cli.console import Answer, Several, answers, listing, moment
from chalicelib.domain.workspace.access import DEFAULT_SCOPES, Scope
from chalicelib.domain.workspace.workspaces import ApiKey
from chalicelib.services.operator.key_administration import NewKey

_HEADINGS = ("KEY", "NAME", "MEMBER", "SCOPES", "MADE", "LAST USED", "ENDS", "REVOKED")


@click.group()
def key() -> None:
    """Create, list, replace and revoke API keys."""


@key.command("create")
@click.option("--member", "member_id", required=True, metavar="ID", help="The member it acts for.")
@click.option("--name", default="", help="What it is for.")
@click.option(
    "--scopes",
    type=Several(Scope, "scope"),
    default=DEFAULT_SCOPES,
    metavar="S,S",
    help="Default: post.read,post.write,post.publish.",
)
@click.option(
    "--expires",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="DATE",
    help="The last day on which it works, in UTC, such as 2027-01-31.",
)
@answers
def create(
    services: Deployment,
    *,
    member_id: str,
    name: str,
    scopes: frozenset[Scope],
    expires: datetime | None,
) -> Answer:
    """Create a key that acts as a member; it is printed once."""
    last_day = None if expires is None else expires.date()
    made = services.people.administration.create_key(
        member_id, name=name, scopes=scopes, last_day=last_day
    )
    return _show_key(made)


@key.command("rotate")
@click.argument("key_id", metavar="KEY_ID")
@click.option(
    "--overlap",
    type=Duration(shortest=timedelta()),
    default="24h",
    show_default=True,
    help="How long the old key keeps working: 0, or such as 15m, 24h, 7d; at most 30d.",
)
@answers
def rotate(services: Deployment, *, key_id: str, overlap: timedelta) -> Answer:
    """Create a key that replaces another; the old one keeps working for the overlap."""
    return _show_key(services.people.administration.rotate_key(key_id, overlap=overlap))


def _show_key(made: NewKey) -> Answer:
    end = made.key.expires_at
    lasts = [] if end is None else [f"works until  {moment(end)}"]
    return Answer(
        document={
            "key_id": made.key.id,
            "api_key": made.secret,
            **({} if end is None else {"expires_at": moment(end)}),
        },
        lines=[
            f"key      {made.key.id}",
            f"api key  {made.secret}",
            *lasts,
            "It is shown only once: store it with your other secrets.",
        ],
    )


@key.command("list")
@click.argument("workspace_id", metavar="WORKSPACE")
@answers
def list_all(services: Deployment, *, workspace_id: str) -> Answer:
    """List a workspace's keys, revoked ones too, without their secrets."""
    found = services.people.administration.list_keys(workspace_id)
    return listing(found, _document, _HEADINGS, _row)


@key.command("revoke")
@click.argument("key_id", metavar="KEY_ID")
@answers
def revoke(services: Deployment, *, key_id: str) -> Answer:
    """Revoke a key; it stops working at once."""
    services.people.administration.revoke_key(key_id)
    return Answer(document={"key_id": key_id}, lines=["The key no longer works."])


def _row(one: ApiKey) -> tuple[object, ...]:
    return (
        one.id,
        one.name,
        one.member_id,
        ",".join(sorted(one.scopes)),
        moment(one.created_at),
        moment(one.last_used_at),
        moment(one.expires_at),
        moment(one.revoked_at),
    )


def _document(one: ApiKey) -> dict[str, object]:
    return {
        "key_id": one.id,
        "name": one.name,
        "member_id": one.member_id,
        "scopes": [scope for scope in Scope if scope in one.scopes],
        "created_at": moment(one.created_at),
        "last_used_at": moment(one.last_used_at),
        "expires_at": moment(one.expires_at),
        "revoked_at": moment(one.revoked_at),
    }
