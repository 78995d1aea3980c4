"""One request of a page: who is signed in, what was sent, and how to answer with a template."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from chalicelib.domain.errors import RoleForbids
from chalicelib.domain.workspace.access import Caller, Scope
from chalicelib.services.app.app_services import AppServices
from chalicelib.services.app.sessions import SignedIn
from chalicelib.web.messages import Answer, Form, Request, read_form
from chalicelib.web.rendering import Templates

HTML = "text/html; charset=utf-8"


@dataclass(slots=True, kw_only=True)
class Visit:
    """A request on its way to a page, checked as far as its declaration asks.

    `show_again`, if a page sets it, shows the page that the form was on, with why it was refused.
    """

    services: AppServices
    templates: Templates
    request: Request
    path: Mapping[str, str]
    base_url: str
    signed_in: SignedIn | None = None
    show_again: Callable[[str, int], Answer] | None = None
    form: Form = field(init=False)
    query: Form = field(init=False)

    def __post_init__(self) -> None:
        self.form = read_form(self.request)
        self.query = Form(self.request.query)

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
    def now(self) -> datetime:
        """Return what time it is."""
        return self.services.clock()

    @property
    def zone(self) -> ZoneInfo:
        """Return the workspace's time zone, in which every time is shown and typed."""
        return ZoneInfo(self.caller.timezone)

    @property
    def is_secure(self) -> bool:
        """Tell whether browsers reach this service by https."""
        return self.base_url.startswith("https://")

    @property
    def request_mark(self) -> str:
        """Return a mark for a form, so that sending it twice makes one post."""
        return secrets.token_urlsafe(16)

    @property
    def wants_part(self) -> bool:
        """Tell whether a script asks for a part of a page."""
        return self.request.headers.get("hx-request") == "true"

    def may(self, scope: Scope) -> bool:
        """Tell whether the member's role allows something."""
        return scope in self.caller.scopes

    def show(self, template: str, *, status: int = 200, **values: object) -> Answer:
        """Answer with a page made of a template."""
        text = self.templates.render(template, visit=self, **values)
        return Answer(status=status, headers={"Content-Type": HTML}, body=text.encode())
