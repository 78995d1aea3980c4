"""One declaration per page, as `api/http/endpoint` has one per endpoint, and one visit to a page.

    @page("POST", "/app/posts/{post_id}/cancel", scope=Scope.PUBLISH)
    def cancel(visit: Visit) -> Response: ...

A declaration gives method, path, and what the member's role must allow: `scope` None admits every
member, `open_to_all` people without a session too. `routes` finds the pages, `session_gatekeeper`
runs them. A visit knows who is signed in and what was sent, gives pages their services, and answers
with a template.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from datetime import datetime
from http import HTTPStatus
from typing import ClassVar, TypeAlias, TypedDict, Unpack
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.domain.errors import AccountNotFound, RoleForbids
from chalicelib.domain.media.media import Media
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.query import Page as Posts
from chalicelib.domain.posts.query import PostQuery
from chalicelib.domain.workspace.access import Caller, Scope, may, require
from chalicelib.domain.workspace.accounts import Account
from chalicelib.domain.workspace.devices import device_of
from chalicelib.domain.workspace.passkeys import RelyingParty
from chalicelib.http import pipeline
from chalicelib.http.routing import Method, Route
from chalicelib.kit.asgi.messages import Response
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.app.signed_in import SignedIn
from chalicelib.web.messages import (
    Form,
    read_cookie,
    read_form,
    read_session_cookie,
    redirect,
    set_cookie,
)
from chalicelib.web.notices import COOKIE, SECONDS, Notice, read_notice, write_notice
from chalicelib.web.rendering import render

HTML = "text/html; charset=utf-8"
_LONGEST_MARK = 80


@dataclass(slots=True, kw_only=True)
class Visit(pipeline.Visit["Page"]):
    """A request for a page; `signed_in` is known once the session was read.

    `again` is the declaration's. `refused` says why this visit's form was refused, and `status` is
    what its page is then answered with.
    """

    logged: ClassVar[Mapping[str, str]] = {"action": "page"}

    services: Deployment
    base_url: str
    signed_in: SignedIn | None = None
    again: "Handler | None" = None
    refused: str | None = None
    status: int = HTTPStatus.OK
    is_of_former_session: bool = False
    form: Form = field(init=False)
    query: Form = field(init=False)

    def __post_init__(self) -> None:
        pipeline.Visit.__post_init__(self)
        self.form = read_form(self.request)
        self.query = Form(self.request.query)

    def read_session(self) -> SignedIn | None:
        """Return who is signed in, None if nobody is; remember it in this visit."""
        self.signed_in = self.services.people.sessions.read(
            self.session_cookie, client=self.request.client
        )
        self.known_caller = None if self.signed_in is None else self.signed_in.caller
        return self.signed_in

    @property
    def sent(self) -> Form:
        """Return the fields of the query, or those of the form where one was posted."""
        return self.query if self.request.method == "GET" else self.form

    @property
    def device(self) -> str:
        """Return what a person calls this browser."""
        return device_of(self.request.headers.get("user-agent", ""))

    @property
    def session_cookie(self) -> str | None:
        """Return the session cookie, unchecked."""
        return read_session_cookie(self.request, secure=self.is_secure)

    def cookie(self, name: str) -> str | None:
        """Return another cookie of ours."""
        return read_cookie(self.request, name, secure=self.is_secure)

    def cookie_header(self, name: str, value: str, *, path: str, seconds: int) -> dict[str, str]:
        """Return the header that sets a cookie for that long."""
        cookie = set_cookie(name, value, path=path, seconds=seconds, secure=self.is_secure)
        return {"Set-Cookie": cookie}

    @property
    def path(self) -> Mapping[str, str]:
        """Return the values of the parameters in the page's path, by name."""
        return {} if self.place is None else self.place.params

    @property
    def who(self) -> SignedIn:
        """Return who is signed in. Raises RoleForbids where nobody is."""
        if self.signed_in is None:
            raise RoleForbids
        return self.signed_in

    @property
    def caller(self) -> Caller:
        """Return the caller that services know."""
        return self.who.caller

    @property
    def writer(self) -> Caller:
        """Return the caller, bound to the post's revision that the form showed, if it names one."""
        seen = self.form["revision"]
        return replace(self.caller, revisions=frozenset({seen})) if seen else self.caller

    @property
    def hues(self) -> Mapping[str, int]:
        """Return each account's colour, from 1 to 8, by the account's id."""
        return {one.id: place % 8 + 1 for place, one in enumerate(self.who.accounts)}

    @property
    def names(self) -> Mapping[str, str]:
        """Return the display names of accounts by their id, as far as they are known."""
        return {one.id: one.name for one in self.who.accounts if one.name}

    @property
    def now(self) -> datetime:
        """Return the current time, in UTC."""
        return self.services.clock()

    @property
    def zone(self) -> ZoneInfo:
        """Return the workspace's time zone, in which every time is shown and typed."""
        return ZoneInfo(self.caller.timezone)

    @property
    def local_now(self) -> datetime:
        """Return the current time in that zone."""
        return self.now.astimezone(self.zone)

    @property
    def platforms(self) -> list[Platform]:
        """Return the platforms of the connected accounts, each once."""
        return list({account.platform: None for account in self.who.accounts})

    def find_account(self, account_id: str) -> Account | None:
        """Return a connected account of the workspace, None if there is no such one."""
        return next((one for one in self.who.accounts if one.id == account_id), None)

    def require_account(self, account_id: str) -> Account:
        """Return a connected account of the workspace. Raises AccountNotFound."""
        account = self.find_account(account_id)
        if account is None:
            raise AccountNotFound
        return account

    def read_post(self, post_id: str) -> Post:
        """Return a post of the workspace. Raises PostNotFound."""
        return self.services.stores.posts.get(self.caller.workspace_id, post_id)

    def find_posts(self, query: PostQuery) -> Posts:
        """Return the posts of the workspace that match."""
        return self.services.stores.post_lists.find(self.caller.workspace_id, query)

    @property
    def is_proven(self) -> bool:
        """Tell whether a passkey or sign-in link was used in the last 10 minutes."""
        return self.who.session.is_proven(self.who.workspace.id, self.now)

    def require_proof(self) -> None:
        """Check that `is_proven`. Raises TurnedAway, with a page that asks for a passkey.

        That page keeps what was typed.
        """
        if self.is_proven:
            return
        kept, then = self.form.pairs(), self.request.path
        asked = self.show("proof.html", status=HTTPStatus.FORBIDDEN, then=then, kept=kept)
        raise pipeline.TurnedAway(asked)

    def require_passkey(self, then: str) -> None:
        """Check that a passkey was used if the workspace requires one. Raises TurnedAway.

        The page that then asks for it, or for a first one, leads to `then` afterwards.
        """
        if not self.who.lacks_passkey:
            return
        has_passkey = bool(self.services.people.passkeys.list(self.who.person.id))
        asked = self.show(
            "passkey_needed.html",
            status=HTTPStatus.FORBIDDEN,
            then=then,
            has_passkey=has_passkey,
        )
        raise pipeline.TurnedAway(asked)

    @property
    def is_secure(self) -> bool:
        """Tell whether the browser used https."""
        return self.base_url.startswith("https://")

    @property
    def relying_party(self) -> RelyingParty | None:
        """Return the relying party of passkeys (WebAuthn), None if they cannot work here."""
        return RelyingParty.at(self.base_url)

    @property
    def other_name(self) -> str | None:
        """Return the app's origin at `localhost` if the browser used another name of this machine.

        Its cookies may be there: people open the app at `localhost`, where passkeys work, but
        platforms and assistants may send the browser back to `127.0.0.1`. None elsewhere.
        """
        party = self.relying_party
        asked = self.request.headers.get("host")
        is_here = party is None or asked == urlsplit(party.origin).netloc
        return None if is_here or party is None or self.is_secure else party.origin

    @property
    def once(self) -> str:
        """Return the mark of the form that was sent (`request_mark`), empty if it had none."""
        return self.sent["once"][:_LONGEST_MARK]

    @property
    def request_mark(self) -> str:
        """Return a new random mark for a form, so that sending it twice makes one post."""
        return secrets.token_urlsafe(16)

    @property
    def wants_part(self) -> bool:
        """Tell whether a script asks for a part of a page."""
        return self.request.headers.get("hx-request") == "true"

    def require(self, scope: Scope) -> None:
        """Check that the member's role allows something. Raises RoleForbids."""
        require(self.caller, scope)

    def may(self, scope: Scope) -> bool:
        """Tell whether the member's role allows something."""
        return may(self.caller, scope)

    def show_again(self, page: "Handler", refused: str, status: int) -> Response:
        """Show a form's page again, with the reason for a refusal and its status."""
        self.refused, self.status = refused, status
        return page(self)

    def show(self, template: str, *, status: int | None = None, **values: object) -> Response:
        """Answer with a page made from a template."""
        return self.show_with(template, values, status=status)

    def show_with(
        self, template: str, values: Mapping[str, object], *, status: int | None = None
    ) -> Response:
        """Answer with a page made from a template, and with the waiting notice, if any, once."""
        notice = None if self.wants_part else self._notice()
        text = render(template, visit=self, notice=notice, refused=self.refused, **values)
        headers = {"Content-Type": HTML}
        if notice is not None:
            headers |= self._notice_cookie("", 0)
        return Response(status=status or self.status, headers=headers, body=text.encode())

    def lead_to(
        self,
        location: str,
        said: str,
        *,
        secret: str = "",
        accepted: str = "",
        undo: tuple[str, Mapping[str, str]] = ("", {}),
    ) -> Response:
        """Redirect to a page that says what was done.

        `secret` is shown to copy, `undo` is the action and fields of a form that takes it back,
        `accepted` names the form whose copy the browser can now delete.
        """
        form, fields = undo
        notice = Notice(said=said, secret=secret, undo=form, undo_fields=fields, accepted=accepted)
        value = write_notice(notice, self.who.cookie.form_token)
        return redirect(location, self._notice_cookie(value, SECONDS))

    def _notice(self) -> Notice | None:
        if self.signed_in is None or self.request.method != "GET":
            return None
        return read_notice(self.cookie(COOKIE), self.signed_in.cookie.form_token)

    def _notice_cookie(self, value: str, seconds: int) -> dict[str, str]:
        return self.cookie_header(COOKIE, value, path="/app", seconds=seconds)


Handler: TypeAlias = Callable[[Visit], Response]
Stored: TypeAlias = Callable[[Visit, Media], Response]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Route):
    """A declared page.

    - `pays`: refused when the workspace's trial is over.
    - `of_person`: acts on the person alone, so a form from any of their workspaces may be sent.
    - `fresh`: needs a passkey or sign-in link used within 10 minutes.
    - `before_passkey`: open to whoever signed in by link where the workspace requires a passkey.
    - `again`: the page of a refused form, shown again with what was typed and why nothing was done;
      also when the session ended or another began.
    - `stored`: answers a form whose body is a file, which the door has stored.
    - `reads_file`: the page reads a file in the form's body itself.

    Forms with a file have the form token in their address.
    """

    handler: Handler
    pays: bool = False
    of_person: bool = False
    fresh: bool = False
    before_passkey: bool = False
    again: Handler | None = None
    stored: Stored | None = None
    reads_file: bool = False

    def __call__(self, visit: Visit) -> Response:
        """Answer a visit that was admitted."""
        return self.handler(visit)

    @property
    def has_token_in_address(self) -> bool:
        """Tell whether its forms have the form token in their address: their body is a file."""
        return self.takes_file or self.reads_file


class Settings(TypedDict, total=False):
    """The optional arguments of `page`; `Page` explains them and has their defaults."""

    open_to_all: bool
    pays: bool
    of_person: bool
    fresh: bool
    before_passkey: bool
    again: Handler
    stored: Stored
    reads_file: bool


def page(
    method: Method, path: str, *, scope: Scope | None = Scope.READ, **settings: Unpack[Settings]
) -> Callable[[Handler], Page]:
    """Return a decorator that declares a function as a page."""

    def declare(handler: Handler) -> Page:
        takes_file = "stored" in settings
        return Page(
            method=method,
            path=path,
            scope=scope,
            handler=handler,
            takes_file=takes_file,
            **settings,
        )

    return declare
