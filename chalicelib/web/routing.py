"""One declaration per page, as `api/http/endpoint` has one per endpoint, and one visit to a page.

    @page("POST", "/app/posts/{post_id}/cancel", scope=Scope.PUBLISH)
    def cancel(visit: Visit) -> Answer: ...

Method, path, and what the member's role must allow: `scope` None is for every member,
`open_to_all` for people without a session. `routes` finds the results, `session_gatekeeper` runs
them. A visit
knows who is signed in and what was sent, calls the services that a page can call, and answers with
a template.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from datetime import datetime
from typing import ClassVar, TypeAlias, TypedDict, Unpack
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.domain.errors import RoleForbids
from chalicelib.domain.media.media import Media
from chalicelib.domain.workspace.access import Caller, Scope, may, require
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
from chalicelib.web.rendering import Templates

_FORBIDDEN = 403
HTML = "text/html; charset=utf-8"


@dataclass(slots=True, kw_only=True)
class Visit(pipeline.Visit["Page"]):
    """A request on its way to a page, checked as far as its declaration asks.

    `show_again` shows the page that the form was on, with why it was refused: `again` of the page's
    declaration.
    """

    logged: ClassVar[Mapping[str, str]] = {"action": "page"}

    services: Deployment
    templates: Templates
    base_url: str
    signed_in: SignedIn | None = None
    show_again: Callable[[str, int], Response] | None = None
    is_of_former_session: bool = False
    form: Form = field(init=False)
    query: Form = field(init=False)

    def __post_init__(self) -> None:
        pipeline.Visit.__post_init__(self)
        self.form = read_form(self.request)
        self.query = Form(self.request.query)

    def read_session(self) -> SignedIn | None:
        """Find out who is signed in, if anybody."""
        self.signed_in = self.services.people.sessions.read(
            self.session_cookie, client=self.request.client
        )
        self.known_caller = None if self.signed_in is None else self.signed_in.caller
        return self.signed_in

    @property
    def session_cookie(self) -> str | None:
        """Return the cookie of a session, of whatever worth."""
        return read_session_cookie(self.request, secure=self.is_secure)

    def cookie(self, name: str) -> str | None:
        """Return another cookie of ours."""
        return read_cookie(self.request, name, secure=self.is_secure)

    @property
    def path(self) -> Mapping[str, str]:
        """Return what stands in the braces of the page's path."""
        return {} if self.place is None else self.place.params

    @property
    def who(self) -> SignedIn:
        """Return who is signed in; pages that are open to all do not ask."""
        if self.signed_in is None:
            raise RoleForbids
        return self.signed_in

    @property
    def caller(self) -> Caller:
        """Return the caller that services know."""
        return self.who.caller

    @property
    def writer(self) -> Caller:
        """Return the caller for a change of the post as the form showed it, if it says which."""
        seen = self.form["revision"]
        return replace(self.caller, revisions=frozenset({seen})) if seen else self.caller

    @property
    def hues(self) -> Mapping[str, int]:
        """Return the colour of each account: eight of them, in turn."""
        return {one.id: place % 8 + 1 for place, one in enumerate(self.who.accounts)}

    @property
    def names(self) -> Mapping[str, str]:
        """Return what platforms show before the handles of accounts, as far as that is known."""
        return {one.id: one.name for one in self.who.accounts if one.name}

    @property
    def now(self) -> datetime:
        """Return what time it is."""
        return self.services.clock()

    @property
    def zone(self) -> ZoneInfo:
        """Return the workspace's time zone, in which every time is shown and typed."""
        return ZoneInfo(self.caller.timezone)

    @property
    def is_proven(self) -> bool:
        """Tell whether a passkey or a link showed within 10 minutes who is there."""
        return self.who.session.is_proven(self.who.workspace.id, self.now)

    def require_proof(self) -> None:
        """Ask who is there, and keep what was typed, if that was shown too long ago.

        Raises TurnedAway.
        """
        if self.is_proven:
            return
        kept = [(name, text) for name in self.form.names() for text in self.form.all(name)]
        asked = self.show("proof.html", status=_FORBIDDEN, then=self.request.path, kept=kept)
        raise pipeline.TurnedAway(asked)

    def require_passkey(self, then: str) -> None:
        """Ask for the passkey that the workspace wants, if there was none, and lead on afterwards.

        Who has none is asked for the first one. Raises TurnedAway.
        """
        if not self.who.lacks_passkey:
            return
        has_passkey = bool(self.services.people.passkeys.list(self.who.person.id))
        asked = self.show(
            "passkey_needed.html", status=_FORBIDDEN, then=then, has_passkey=has_passkey
        )
        raise pipeline.TurnedAway(asked)

    @property
    def is_secure(self) -> bool:
        """Tell whether browsers reach this service by https."""
        return self.base_url.startswith("https://")

    @property
    def relying_party(self) -> RelyingParty | None:
        """Return where passkeys work, None if they cannot."""
        return RelyingParty.at(self.base_url)

    @property
    def other_name(self) -> str | None:
        """Return the other name of this machine, at which a browser may have its cookies.

        The app is opened at `localhost`, where passkeys work, and others lead to an address.
        """
        party = self.relying_party
        asked = self.request.headers.get("host")
        is_here = party is None or asked == urlsplit(party.origin).netloc
        return None if is_here or party is None or self.is_secure else party.origin

    @property
    def request_mark(self) -> str:
        """Return a mark for a form, so that sending it twice makes one post."""
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

    def show(self, template: str, *, status: int = 200, **values: object) -> Response:
        """Answer with a page made of a template."""
        return self.show_with(template, values, status=status)

    def show_with(
        self, template: str, values: Mapping[str, object], *, status: int = 200
    ) -> Response:
        """Answer with a page made of a template; a notice that waits is said on it, once."""
        notice = None if self.wants_part else self._notice()
        text = self.templates.render(template, visit=self, notice=notice, **values)
        headers = {"Content-Type": HTML}
        if notice is not None:
            headers["Set-Cookie"] = self._notice_cookie("", 0)
        return Response(status=status, headers=headers, body=text.encode())

    def lead_to(
        self,
        location: str,
        said: str,
        *,
        secret: str = "",
        accepted: str = "",
        undo: tuple[str, Mapping[str, str]] = ("", {}),
    ) -> Response:
        """Lead to a page that says what was done; `undo` is the form that takes it back."""
        form, fields = undo
        notice = Notice(said=said, secret=secret, undo=form, undo_fields=fields, accepted=accepted)
        value = write_notice(notice, self.who.cookie.form_token)
        return redirect(location, {"Set-Cookie": self._notice_cookie(value, SECONDS)})

    def _notice(self) -> Notice | None:
        if self.signed_in is None or self.request.method != "GET":
            return None
        return read_notice(self.cookie(COOKIE), self.signed_in.cookie.form_token)

    def _notice_cookie(self, value: str, seconds: int) -> str:
        return set_cookie(COOKIE, value, path="/app", seconds=seconds, secure=self.is_secure)


Handler: TypeAlias = "Callable[[Visit], Response]"
ShowAgain: TypeAlias = Callable[[Visit, str, int], Response]
Stored: TypeAlias = Callable[[Visit, Media], Response]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Route):
    """A declared page; `pays` tells that a workspace needs a plan for it, as with a key.

    `of_person` takes a form from whichever workspace of the session it was opened in: it acts on
    the person alone. `fresh` asks for a passkey or a new link if the last is 10 minutes old.
    `before_passkey` is open to somebody who came by a link where the workspace asks for a passkey.

    `again` shows a form with what was typed and why nothing was done: if it is refused, and also
    when the session ends or another begins. `stored` answers a form that is a file. `reads_file` is
    a form whose body is a file that the page itself reads. Either has its token in its address.
    """

    handler: Handler
    pays: bool = False
    of_person: bool = False
    fresh: bool = False
    before_passkey: bool = False
    again: ShowAgain | None = None
    stored: Stored | None = None
    reads_file: bool = False

    @property
    def has_token_in_address(self) -> bool:
        """Tell whether a form of it cannot carry its token in its body."""
        return self.takes_file or self.reads_file


class Settings(TypedDict, total=False):
    """What a declaration may say besides; `Page` says what holds else."""

    open_to_all: bool
    pays: bool
    of_person: bool
    fresh: bool
    before_passkey: bool
    again: ShowAgain
    stored: Stored
    reads_file: bool


def page(
    method: Method, path: str, *, scope: Scope | None = Scope.READ, **settings: Unpack[Settings]
) -> Callable[[Handler], Page]:
    """Declare the function below as a page."""

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
