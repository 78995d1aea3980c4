"""How `account connect` and `account reconnect` bring a person through a platform's sign-in.

Passwords and secrets are asked for at the terminal unless the environment or a pipe has them: the
shell's history and the list of processes show what stands on a command line.
"""

import functools
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import click

from chalicelib.cli.browser import answer_of_page
from chalicelib.connectors.oauth import Client
from chalicelib.domain.accounts import SignIn
from chalicelib.domain.operator_errors import OperatorError, OtherIdentityError
from chalicelib.domain.platforms import NAMES, Platform
from chalicelib.services.sign_ins import SignIns

_LOOPBACK = "http://127.0.0.1:8914/callback"
_OPTIONS = (
    click.option("--handle", help="How the account is called, for --test and app passwords."),
    click.option("--app-password", is_flag=True, help="Ask for a password for apps (Bluesky)."),
    click.option("--client-id", envvar="GOLDENHOUR_CLIENT_ID", help="The application's id there."),
    click.option("--client-secret", envvar="GOLDENHOUR_CLIENT_SECRET", help="Else asked for."),
    click.option("--redirect-uri", default=_LOOPBACK, show_default=True),
    click.option("--paste", is_flag=True, help="The browser is on another machine."),
    click.option("--way", help="Instagram: instagram or facebook. LinkedIn: member or page."),
    click.option("--identity", help="Which page or location, if the person has several."),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInOptions:
    """What an operator said about a sign-in."""

    handle: str | None
    app_password: bool
    client_id: str | None
    client_secret: str | None = field(repr=False)
    redirect_uri: str
    paste: bool
    way: str | None
    identity: str | None


def takes_sign_in(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of a sign-in, as one argument `how`."""

    @functools.wraps(command)
    def run(*arguments: object, **options: object) -> None:
        said = {name: options.pop(name) for name in SignInOptions.__dataclass_fields__}
        command(*arguments, how=SignInOptions(**said), **options)  # type: ignore[arg-type]  # click's

    for option in reversed(_OPTIONS):
        run = option(run)
    return run


def sign_in(sign_ins: SignIns, platform: Platform, how: SignInOptions) -> SignIn:
    """Lead through the platform's sign-in. Raises OperatorError."""
    if how.app_password or (how.client_id is None and sign_ins.takes_password(platform)):
        return _by_password(sign_ins, platform, how)
    return _by_browser(sign_ins, platform, how)


def _by_password(sign_ins: SignIns, platform: Platform, how: SignInOptions) -> SignIn:
    if how.handle is None:
        raise click.UsageError("An app password needs the account's --handle.")
    return sign_ins.by_password(platform, how.handle, _secret("App password"))


def _by_browser(sign_ins: SignIns, platform: Platform, how: SignInOptions) -> SignIn:
    sign_ins.by_browser(platform, how.way)
    if how.client_id is None:
        raise click.UsageError(f"{NAMES[platform]} needs the application's --client-id.")
    secret = how.client_secret
    if secret is None:
        secret = _secret("Client secret (empty for a public client)")
    client = Client(how.client_id, secret or None)
    pending = sign_ins.begin(platform, client, how.redirect_uri, how.handle, how.way)
    address = answer_of_page(pending.url, how.redirect_uri, paste=how.paste)
    return _chosen(sign_ins.finish(platform, pending, address, how.way), how.identity)


def _chosen(found: Sequence[SignIn], identity: str | None) -> SignIn:
    """Return the account that was named, or the only one, or the one the operator picks."""
    if identity is not None:
        named = [one for one in found if one.remote_identity == identity]
        if not named:
            raise OtherIdentityError
        return named[0]
    if len(found) == 1:
        return found[0]
    if not sys.stdin.isatty():
        all_of_them = ", ".join(f"{one.remote_identity} ({one.handle})" for one in found)
        raise OperatorError(f"There are several; name one by --identity: {all_of_them}.")
    for place, one in enumerate(found, start=1):
        click.echo(f"{place:3}  {one.handle}  {one.remote_identity}", err=True)
    picked: int = click.prompt("Which one", type=click.IntRange(1, len(found)), err=True)
    return found[picked - 1]


def _secret(question: str) -> str:
    """Ask without showing what is typed; a pipe answers with a line."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    return str(click.prompt(question, hide_input=True, default="", show_default=False, err=True))
