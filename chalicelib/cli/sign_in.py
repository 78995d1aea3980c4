"""The sign-in at a platform for `account connect` and `account reconnect`.

Passwords and secrets are asked for at the terminal unless the environment or a pipe has them: a
command line is visible in the shell's history and in the list of processes.
"""

import functools
import sys
import webbrowser
from collections.abc import Callable, Sequence
from dataclasses import field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import urlsplit

import click

from chalicelib.connectors.shared.auth.oauth import Client
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.accounts import SignIn
from chalicelib.domain.workspace.operator_errors import OperatorError, OtherIdentityError
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.operator.sign_ins import SignIns

_LOOPBACK = frozenset({"127.0.0.1", "localhost"})
_DONE = b"<!doctype html><title>goldenhour</title><p>Done. You can close this page."
_PATIENCE_S = 300.0


class _Answer(HTTPServer):
    """A server that waits for the address with the answer to a sign-in, and keeps it."""

    redirected_to: str | None = None
    waits = True

    def handle_timeout(self) -> None:
        """Stop waiting: nobody came back from the page."""
        self.waits = False


class _Receiver(BaseHTTPRequestHandler):
    server: _Answer

    def do_GET(self) -> None:
        """Accept the redirect; anything else that a browser asks for is not found."""
        query = urlsplit(self.path).query
        is_answer = "state=" in query and ("code=" in query or "error=" in query)
        self.send_response(HTTPStatus.OK if is_answer else HTTPStatus.NOT_FOUND)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        if is_answer:
            self.server.redirected_to = self.path
            self.wfile.write(_DONE)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the library's name
        """Log nothing: the address contains the code."""


def answer_of_page(
    url: str,
    redirect_uri: str,
    *,
    paste: bool,
    open_page: Callable[[str], object] = webbrowser.open,
) -> str:
    """Return the address to which the platform's page redirected, received here or pasted."""
    place = urlsplit(redirect_uri)
    if paste or place.scheme != "http" or place.hostname not in _LOOPBACK:
        return _ask_for_address(url)
    with _Answer((place.hostname, place.port or 80), _Receiver) as server:
        server.timeout = _PATIENCE_S
        click.echo(f"Sign in on the page that opens, or open it yourself:\n\n  {url}\n", err=True)
        open_page(url)
        while server.redirected_to is None and server.waits:
            server.handle_request()
    if server.redirected_to is None:
        return _ask_for_address(url)
    return f"http://{place.netloc}{server.redirected_to}"


def _ask_for_address(url: str) -> str:
    click.echo(f"Open this page in a browser and sign in:\n\n  {url}\n", err=True)
    question = "Then paste the whole address that the browser shows at the end"
    return str(click.prompt(question, err=True)).strip()


_REDIRECT = "http://127.0.0.1:8914/callback"
_OPTIONS = (
    click.option("--handle", help="The account's handle, for --test and app passwords."),
    click.option(
        "--app-password",
        is_flag=True,
        help="Ask for an app password, which some platforms issue.",
    ),
    click.option("--client-id", envvar="GOLDENHOUR_CLIENT_ID", help="The application's client id."),
    click.option(
        "--client-secret", envvar="GOLDENHOUR_CLIENT_SECRET", help="Prompted for if omitted."
    ),
    click.option("--config-id", help="The configuration id of Facebook Login for Business."),
    click.option("--redirect-uri", default=_REDIRECT, show_default=True),
    click.option("--paste", is_flag=True, help="If the browser is on another machine."),
    click.option(
        "--way",
        "method",
        help="Which sign-in method, where a platform has several; omit it to list them.",
    ),
    click.option("--identity", help="Which page or location, if the person has several."),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInOptions:
    """The options of a sign-in."""

    handle: str | None
    app_password: bool
    client_id: str | None
    client_secret: str | None = field(repr=False)
    config_id: str | None
    redirect_uri: str
    paste: bool
    method: str | None
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
    """Sign in by app password or in a browser. Raises OperatorError, click.UsageError."""
    if how.app_password or (how.client_id is None and sign_ins.takes_password(platform)):
        return _by_password(sign_ins, platform, how)
    return _by_browser(sign_ins, platform, how)


def _by_password(sign_ins: SignIns, platform: Platform, how: SignInOptions) -> SignIn:
    if how.handle is None:
        raise click.UsageError("An app password needs the account's --handle.")
    return sign_ins.by_password(platform, how.handle, read_secret("App password"))


def _by_browser(sign_ins: SignIns, platform: Platform, how: SignInOptions) -> SignIn:
    sign_ins.by_browser(platform, how.method)
    if how.client_id is None:
        raise click.UsageError(f"{FACTS[platform].name} needs the application's --client-id.")
    secret = how.client_secret
    if secret is None:
        secret = read_secret("Client secret (empty for a public client)")
    client = Client(how.client_id, secret or None, how.config_id)
    pending = sign_ins.begin(platform, client, how.redirect_uri, how.handle, how.method)
    address = answer_of_page(pending.url, how.redirect_uri, paste=how.paste)
    return _choose(sign_ins.finish(platform, pending, address, how.method), how.identity)


def _choose(found: Sequence[SignIn], identity: str | None) -> SignIn:
    """Return the account that was named, or the only one, or the one the operator picks."""
    if identity is not None:
        named = [one for one in found if one.remote_identity == identity]
        if not named:
            raise OtherIdentityError
        if named[0].barred is not None:
            raise OperatorError(named[0].barred)
        return named[0]
    usable = [one for one in found if one.barred is None]
    if len(usable) == 1:
        for one in found:
            if one.barred is not None:
                click.echo(f"     {_line_of(one)}  {one.remote_identity}", err=True)
        return usable[0]
    if not sys.stdin.isatty():
        all_of_them = ", ".join(f"{one.remote_identity} ({_line_of(one)})" for one in found)
        raise OperatorError(f"There are several; name one with --identity: {all_of_them}.")
    for place, one in enumerate(found, start=1):
        click.echo(f"{place:3}  {_line_of(one)}  {one.remote_identity}", err=True)
    picked: int = click.prompt("Which one", type=click.IntRange(1, len(found)), err=True)
    return _choose(found, found[picked - 1].remote_identity)


def _line_of(one: SignIn) -> str:
    return one.handle if one.barred is None else f"{one.handle} - {one.barred}"


def read_secret(question: str) -> str:
    """Return a secret that is typed without being shown, or a line from a pipe."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    return str(click.prompt(question, hide_input=True, default="", show_default=False, err=True))
