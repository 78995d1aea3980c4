"""The app's pages behind one call: session, form, role, plan, then the page.

`door` hands it every request for a page. It never raises: a refusal becomes a page that
says what to do next, in words for a person where the API's own speak of fields and instants; a
surprise one that names the request in the log.
"""

import logging
import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from chalicelib.api.http.messages import Request, Response
from chalicelib.api.http.routing import Place, RouteMap, by_path
from chalicelib.bootstrap.deployment import Deployment
from chalicelib.domain.control_characters import CONTROL_CHARACTER, control_character_problem
from chalicelib.domain.error_kinds import InvalidInput, ServiceError
from chalicelib.domain.errors import MethodNotAllowed, PathNotFound, PlanLimit
from chalicelib.domain.workspace.access import Plan
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.web.messages import Form, read_cookie, redirect
from chalicelib.web.protection import (
    FORM_TOKEN,
    check_form,
    check_origin,
    is_form_token,
    origin_of,
    security_headers,
)
from chalicelib.web.rendering import Templates
from chalicelib.web.routing import Page, Visit
from chalicelib.web.sentences import sentence

_CONTROL = (
    "What you typed holds a control character, which nobody can see. Delete the text around the "
    "place where it came from and type it, or paste it as plain text."
)
_SIGNED_IN_ANEW = (
    "You signed in again after you opened this page, so nothing was done yet. What you typed is "
    "still here: look it over, then send it again."
)


def check_texts(form: Form) -> None:
    """Check that what was typed holds no control character. Raises InvalidInput."""
    for name in form.names():
        if any(control_character_problem(text) for text in form.all(name)):
            raise InvalidInput(_CONTROL, loc=("body", name), kind=CONTROL_CHARACTER)


SESSION_COOKIE = "goldenhour_session"
_LEADS_AWAY = ("/connect", "/app/connect")
_UNAUTHENTICATED = 401
_FORBIDDEN = 403
_CONFLICT = 409
_UNPROCESSABLE = 422
_ERROR = 500

log = logging.getLogger(__name__)


class Site:
    """Answers requests for pages."""

    def __init__(
        self,
        services: Deployment,
        pages: Sequence[Page],
        *,
        base_url: str,
        public_url: str | None,
        status_of: Callable[[type[ServiceError]], int],
    ) -> None:
        self._services = services
        self._routes = RouteMap(by_path(pages))
        self._base_url = base_url
        self._public_url = public_url
        self._status_of = status_of
        self._templates = Templates()

    def answer(self, request: Request) -> Response:
        """Answer a request, whatever it is."""
        began, request_id = time.perf_counter(), secrets.token_hex(16)
        found = self._routes.find(request.path)
        visit = self.visit(request, found)
        try:
            answer = self._pass(visit, found)
        except (ServiceError, OperatorError) as error:
            answer = self.refusal(visit, error)
        except Exception:
            log.exception("unexpected failure", extra={"action": "page", "request_id": request_id})
            answer = visit.show("failure.html", status=_ERROR, request_id=request_id)
        _note(visit, found, answer, request_id, began)
        return self._finish(request, found, answer, request_id)

    def is_for_anybody(self, request: Request) -> bool:
        """Tell whether the answer needs no session, or there is none."""
        if read_cookie(request, SESSION_COOKIE) is None:
            return True
        found = self._routes.find(request.path)
        page = None if found is None else found.endpoints.get(request.method)
        return page is None or page.open_to_all

    def admit_unread(self, request: Request) -> str | Response:
        """Return whose workspace a form is sent to, nobody's for the pages that are open to all.

        Whoever is not signed in, or asks for no page, gets the answer at once.
        """
        found = self._routes.find(request.path)
        page = None if found is None else found.endpoints.get(request.method)
        if page is not None and page.open_to_all:
            return ""
        signed_in = self._services.sessions.read(read_cookie(request, SESSION_COOKIE))
        if page is None or signed_in is None:
            return self.answer(request)
        return signed_in.caller.workspace_id

    def _reached_at(self, request: Request) -> str:
        """Return where a browser reached us: the public address if a proxy says that TLS was used.

        Who may say so is settled before a request comes here.
        """
        is_public = request.headers.get("x-forwarded-proto") == "https"
        return self._public_url if is_public and self._public_url else self._base_url

    def safe(self, request: Request, answer: Response) -> Response:
        """Return an answer with the headers that keep other sites' hands off."""
        secure = self._reached_at(request).startswith("https://")
        headers = {**security_headers(secure=secure, leads_away=False), **answer.headers}
        return replace(answer, headers=headers)

    def visit(self, request: Request, found: Place[Page] | None) -> Visit:
        """Begin a visit, of whomever."""
        return Visit(
            services=self._services,
            templates=self._templates,
            request=request,
            path={} if found is None else found.params,
            base_url=self._reached_at(request),
        )

    def _pass(self, visit: Visit, found: Place[Page] | None) -> Response:
        if found is None:
            raise PathNotFound
        page = found.endpoint(visit.request.method)
        if page is None:
            raise MethodNotAllowed
        if not page.open_to_all:
            cookie = read_cookie(visit.request, SESSION_COOKIE)
            visit.signed_in = self._services.sessions.read(cookie)
            if visit.signed_in is None:
                return _signed_out(visit, page)
            if not self._admit(visit, page) and page.again is not None:
                return page.again(visit, _SIGNED_IN_ANEW, _FORBIDDEN)
        if page.method == "POST":
            check_texts(visit.form)
        return page.handler(visit)

    def _admit(self, visit: Visit, page: Page) -> bool:
        """Check form, role and plan; tell whether the form is of this session.

        A form of an earlier session of ours is let in where a page can show it again.
        """
        is_ours = True
        if page.method == "POST":
            origin = origin_of(visit.base_url)
            sent, expected = visit.form[FORM_TOKEN], visit.who.form_token
            if page.again is not None:
                check_origin(visit.request, origin=origin)
                is_ours = is_form_token(visit.request, sent, expected)
            else:
                check_form(visit.request, sent, expected, origin=origin)
        if page.scope is not None:
            visit.require(page.scope)
        if page.pays:
            require_plan(visit)
        return is_ours

    def refusal(self, visit: Visit, error: ServiceError | OperatorError) -> Response:
        """Answer with a page that says why nothing was done, and what to do next."""
        match error:
            case OperatorError():
                status = _CONFLICT
            case InvalidInput():
                status = _UNPROCESSABLE
            case _:
                status = self._status_of(type(error))
        zone = None if visit.signed_in is None else visit.zone
        message = sentence(error, visit.now, zone)
        if visit.show_again is not None:
            with suppress(ServiceError):
                return visit.show_again(message, status)
        return visit.show("refusal.html", status=status, message=message)

    def _finish(
        self, request: Request, found: Place[Page] | None, answer: Response, request_id: str
    ) -> Response:
        secure = self._reached_at(request).startswith("https://")
        leads_away = found is not None and found.template.startswith(_LEADS_AWAY)
        headers = {
            **security_headers(secure=secure, leads_away=leads_away),
            **answer.headers,
            "X-Request-Id": request_id,
        }
        body = b"" if request.method == "HEAD" else answer.body
        return replace(answer, headers=headers, body=body)


def _signed_out(visit: Visit, page: Page) -> Response:
    """Lead to the sign-in; a form that was sent is kept on the page that says so."""
    if page.method == "GET" or page.again is None:
        return redirect("/app/sign-in")
    check_origin(visit.request, origin=origin_of(visit.base_url))
    names = [name for name in visit.form.names() if name != FORM_TOKEN]
    kept = [(name, text) for name in names for text in visit.form.all(name)]
    return visit.show("signed_out.html", status=_UNAUTHENTICATED, kept=kept)


def require_plan(visit: Visit) -> None:
    """Check that the workspace may do what needs a plan, as with a key. Raises PlanLimit."""
    caller = visit.caller
    if caller.plan is Plan.FREE or caller.trial_is_over(visit.now):
        raise PlanLimit


def _note(
    visit: Visit, found: Place[Page] | None, answer: Response, request_id: str, began: float
) -> None:
    """Write the request's one log line: the template of its path, never the path with its token."""
    signed_in = visit.signed_in
    facts = {
        "action": "page",
        "method": visit.request.method[:10],
        "route": "unknown" if found is None else found.template,
        "request_id": request_id,
        "workspace_id": None if signed_in is None else signed_in.caller.workspace_id,
        "member_id": None if signed_in is None else signed_in.caller.member_id,
        "status": answer.status,
        "ms": round((time.perf_counter() - began) * 1000, 1),
    }
    level = logging.ERROR if answer.status >= _ERROR else logging.INFO
    log.log(level, "%s %s %s", facts["method"], facts["route"], answer.status, extra=facts)
