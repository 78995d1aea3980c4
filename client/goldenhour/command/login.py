"""`login`, `logout`, `accounts`, `choices`: who calls, and what for."""

import sys

import click

from goldenhour.client import Client
from goldenhour.command import keys
from goldenhour.command.session import Session, json_option
from goldenhour.http.bearer import clean_key
from goldenhour.spoken.choosing import find_account
from goldenhour.spoken.times import find_zone


@click.command()
@click.option("--url", prompt="Address of the service", help="As https://posts.example.com")
@click.option("--zone", help="Time zone that your times are in, as Europe/Paris.")
@click.option("--key-stdin", is_flag=True, help="Read the key from stdin instead of asking.")
@click.option("--key-file", is_flag=True, help="Keep the key in a file even if there is a keyring.")
@json_option
@click.pass_obj
def login(session: Session, url: str, zone: str | None, *, key_stdin: bool, key_file: bool) -> None:
    """Keep an API key, in the system's keyring or in a file only you can read.

    The key is typed (it is not shown) or read from stdin; it is never an argument, because other
    users of a machine can read those. It is tried once before it is kept.
    """
    api_key = sys.stdin.readline() if key_stdin else _ask()
    profile = keys.Profile(
        url=url.rstrip("/"),
        api_key=clean_key(api_key),
        zone=None if zone is None else find_zone(zone).key,
    )
    with Client(profile.url, profile.api_key, insecure_http=session.insecure_http) as client:
        accounts = client.accounts.list()
    place = keys.save(session.profile_name, profile, in_file=key_file)
    if not session.result({"url": profile.url, "kept_in": place, "accounts": len(accounts)}):
        session.say(f"Signed in to {profile.url}: {len(accounts)} accounts. The key is in {place}.")


def _ask() -> str:
    return str(click.prompt("API key (not shown)", hide_input=True))


@click.command()
@json_option
@click.pass_obj
def logout(session: Session) -> None:
    """Forget the key. It stays valid until it is revoked in the app."""
    was_there = keys.forget(session.profile_name)
    if not session.result({"forgotten": was_there}):
        session.say("The key was removed." if was_there else "There was no key.")


@click.command()
@json_option
@click.pass_obj
def me(session: Session) -> None:
    """Show whose key this is, what it may do, and what is left of the allowances."""
    found = session.client.me()
    if session.result(found):
        return
    rows = [
        ("workspace", f"{found.workspace} ({found.plan} plan, {found.timezone})"),
        ("member", f"{found.member} ({found.role})"),
        ("may", ", ".join(found.scopes)),
        ("X posts", f"{found.month.x_posts} of {found.month.x_allowance}"),
        (
            "storage",
            f"{_gigabytes(found.storage.used_bytes)} of {_gigabytes(found.storage.allowed_bytes)}",
        ),
    ]
    if found.trial_ends_at is not None:
        rows.append(("trial ends", f"{found.trial_ends_at:%Y-%m-%d %H:%M} UTC"))
    session.table(("", ""), rows)


def _gigabytes(size_bytes: int) -> str:
    return f"{size_bytes / 1024**3:.1f} GB"


@click.command()
@json_option
@click.pass_obj
def accounts(session: Session) -> None:
    """List the accounts that posts can go to."""
    found = session.client.accounts.list()
    if session.result(found):
        return
    rows = [
        (
            account.platform,
            account.handle,
            account.health,
            "test" if account.test else "",
            ", ".join(account.audience_regions),
            account.id,
        )
        for account in found
    ]
    session.table(("platform", "handle", "health", "", "audience", "id"), rows)


@click.command()
@click.argument("account")
@click.option("--subreddit", help="Show the flairs of this community.")
@click.option("--board", help="Show the sections of this board.")
@click.option("--search", "words", help="Show places that these words find.")
@click.option("--fresh", is_flag=True, help="Ask the platform again.")
@json_option
@click.pass_obj
def choices(
    session: Session,
    account: str,
    subreddit: str | None,
    board: str | None,
    words: str | None,
    *,
    fresh: bool,
) -> None:
    """Show what ACCOUNT can choose for its options: boards, communities, playlists, places."""
    chosen = find_account(account, session.client.accounts.list().data)
    found = session.client.accounts.choices(
        chosen.id, subreddit=subreddit, board=board, q=words, fresh=fresh
    )
    if session.result(found):
        return
    rows = [(name, each.id, each.name) for name, values in found.data.items() for each in values]
    if rows:
        session.table(("option", "value", "name"), rows)
    else:
        session.say(f"{chosen.platform} has nothing to choose.")
