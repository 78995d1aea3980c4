"""The app's gatekeeper: checks session, form, role and plan, then runs the page.

A refusal becomes a page that says what to do next, in words for people: the API's messages name
fields and UTC times. An unexpected failure becomes a page with the request's id, as in the log.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from http import HTTPStatus
from typing import cast

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.domain.error_kinds import InvalidInput, ServiceError, Unauthenticated
from chalicelib.domain.errors import MethodNotAllowed, PathNotFound, PlanLimit
from chalicelib.domain.media.media import Media
from chalicelib.domain.repeating import Making
from chalicelib.domain.text import CONTROL_CHARACTER, control_character_problem
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.domain.workspace.session_cookies import claimed_workspace
from chalicelib.http.errors import status_of
from chalicelib.http.pipeline import TurnedAway
from chalicelib.http.routing import RouteMap, by_path
from chalicelib.kit.asgi.messages import Request, Response
from chalicelib.kit.dynamodb.failures import AwsFailure
from chalicelib.kit.dynamodb.table import ContentionError
from chalicelib.services.media.upload import Upload
from chalicelib.web.cross_origin import CORS_HEADERS, CROSS_ORIGIN_PATHS, PREFLIGHT_HEADERS
from chalicelib.web.messages import Form, redirect
from chalicelib.web.protection import (
    FORM_TOKEN,
    ForeignForm,
    check_origin,
    form_token_of,
    origin_of,
    security_headers,
    without_document_headers,
)
from chalicelib.web.routing import HTML, Page, Visit
from chalicelib.web.sentences import sentence

_CONTROL = (
    "What you typed contains a control character, which is invisible. Delete the text around it "
    "and type it again, or paste it as plain text."
)
_SIGNED_IN_ANEW = (
    "You signed in again after you opened this page, so nothing was done yet. What you typed is "
    "still here: look it over, then send it again."
)


def check_texts(form: Form) -> None:
    """Check that no field of a form contains a control character. Raises InvalidInput."""
    for name, text in form.pairs():
        if control_character_problem(text):
            raise InvalidInput(_CONTROL, loc=("body", name), kind=CONTROL_CHARACTER)


_LEADS_AWAY = ("/connect", "/app/connect")
_CHALLENGE = 'Cookie realm="goldenhour"'
"""401 must say what lets in (RFC 9110, 15.5.2); browsers ask nothing for a scheme of this name."""
_MISSING = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED})


class NotSignedIn(Unauthenticated):
    """You are no longer signed in. Sign in again with a passkey or a new sign-in link."""

    code = "not_signed_in"


class SessionGatekeeper:
    """The gatekeeper that admits requests by their session and answers with pages."""

    refusals: tuple[type[Exception], ...] = (ServiceError, OperatorError)

    def __init__(
        self,
        services: Deployment,
        pages: Sequence[Page],
        *,
        base_url: str,
        public_url: str | None,
    ) -> None:
        self._services = services
        self._routes = RouteMap(by_path(pages))
        self._base_url = base_url
        self._public_url = public_url

    def begin(self, request: Request) -> Visit:
        """Begin a visit; who is asking is not known yet."""
        return Visit(
            services=self._services,
            request=request,
            place=self._routes.find(request.path),
            base_url=self._reached_at(request),
        )

    def credential(self, visit: Visit) -> str | None:
        """Return the session cookie, unchecked; None where the address is no page.

        A page's requests for its styles and scripts send it too, and so count as its member's.
        """
        return None if _page_for(visit) is None else visit.session_cookie

    def admit(self, visit: Visit) -> Page:
        """Return the requested page if this visitor may see it.

        Raises PathNotFound, ForeignForm, NotSignedIn, RoleForbids, PlanLimit, TurnedAway. A form
        that uploads a file has its form token in the address, since its body is the file.
        """
        if visit.place is None:
            raise PathNotFound
        page = visit.place.endpoint(visit.request.method)
        if page is None:
            raise TurnedAway(self.other_method(visit, visit.place.allowed))
        if page.open_to_all:
            if page.method == "POST" and not _is_cross_origin(visit):
                check_origin(visit.request, origin=origin_of(visit.base_url))
            return page
        return _admit_member(visit, page)

    def admit_unread(self, visit: Visit) -> Response | None:
        """Return None for whoever is signed in and for pages that are open to all.

        For anybody else, and for an address that is no page, return the answer.
        """
        page = _page_for(visit)
        if page is not None and page.open_to_all:
            return None
        is_let_in = visit.read_session() is not None and page is not None
        return None if is_let_in else self.handle(visit)

    def check_head(self, visit: Visit) -> None:
        """Check nothing: an upload by a page has no headers of its own to check."""

    def handle(self, visit: Visit) -> Response:
        """Admit a visit and answer with its page. Raises what `admit` and the page raise."""
        page = self.admit(visit)
        if page.method == "POST" and not _is_cross_origin(visit):
            check_texts(visit.form)
        visit.again = page.again
        return page(visit)

    def finish_upload(self, visit: Visit, taken: Upload, mark: str) -> tuple[Media, Making]:
        """Make a file of what was taken: forms of pages have no idempotency key."""
        del visit, mark
        return taken.finish(), Making.NEW

    def answer_stored(self, visit: Visit, page: Page, made: tuple[Media, Making]) -> Response:
        """Answer that the file of a form was stored. Raises PathNotFound for another form."""
        if page.stored is None:
            raise PathNotFound
        return page.stored(visit, made[0])

    def refuse(self, visit: Visit, error: Exception) -> Response:
        """Answer with a page that says why nothing was done, and what to do next."""
        refusal = cast("ServiceError | OperatorError", error)
        match refusal:
            case OperatorError():
                status: int = HTTPStatus.CONFLICT
            case InvalidInput():
                status = HTTPStatus.UNPROCESSABLE_ENTITY
            case _:
                status = status_of(type(refusal))
        zone = None if visit.signed_in is None else visit.zone
        message = sentence(refusal, visit.now, zone)
        if visit.again is not None:
            with suppress(ServiceError, ContentionError, *AwsFailure):
                return visit.show_again(visit.again, message, status)
        is_missing = visit.request.method == "GET" and status in _MISSING
        return visit.show("refusal.html", status=status, message=message, is_missing=is_missing)

    def fail(self, visit: Visit) -> Response:
        """Answer with a page that gives the request's id, as in the log."""
        return visit.show(
            "failure.html", status=HTTPStatus.INTERNAL_SERVER_ERROR, request_id=visit.request_id
        )

    def other_method(self, visit: Visit, methods: tuple[str, ...]) -> Response:
        """Answer a method that an address does not take: a CORS preflight, or with a refusal."""
        if visit.request.method == "OPTIONS" and _is_cross_origin(visit):
            return Response(status=HTTPStatus.NO_CONTENT, headers=PREFLIGHT_HEADERS)
        refusal = self.refuse(visit, MethodNotAllowed())
        return replace(refusal, headers={**refusal.headers, "Allow": ", ".join(methods)})

    def add_headers(self, visit: Visit, response: Response) -> Response:
        """Return an answer with the headers that protect pages from other sites."""
        leads_away = visit.place is not None and visit.place.template.startswith(_LEADS_AWAY)
        headers = security_headers(secure=visit.is_secure, leads_away=leads_away)
        if response.headers.get("Content-Type", HTML) != HTML:
            headers = without_document_headers(headers)
        elif response.status == HTTPStatus.UNAUTHORIZED:
            headers = {**headers, "WWW-Authenticate": _CHALLENGE}
        shared = CORS_HEADERS if _is_cross_origin(visit) else {}
        return replace(response, headers={**headers, **shared, **response.headers})

    def _reached_at(self, request: Request) -> str:
        """Return the address that a browser used: the public one if a proxy says it used https.

        The header is a trusted proxy's: others were removed before the request came here.
        """
        is_public = request.headers.get("x-forwarded-proto") == "https"
        return self._public_url if is_public and self._public_url else self._base_url


def _is_cross_origin(visit: Visit) -> bool:
    """Tell whether programs of any origin may read the answer, which needs no cookie."""
    return visit.place is not None and visit.place.template in CROSS_ORIGIN_PATHS


def _page_for(visit: Visit) -> Page | None:
    return None if visit.place is None else visit.place.endpoints.get(visit.request.method)


def _admit_member(visit: Visit, page: Page) -> Page:
    """Return the page if the member who is signed in may see it. Raises what `admit` raises."""
    if visit.read_session() is None:
        raise NotSignedIn if page.takes_file else TurnedAway(_lead_to_sign_in(visit, page))
    if not page.before_passkey:
        visit.require_passkey(visit.request.path if page.method == "GET" else "/app")
    _check_form(visit, page)
    if page.scope is not None:
        visit.require(page.scope)
    if page.pays:
        _require_plan(visit)
    if visit.is_of_former_session and page.again is not None:
        raise TurnedAway(visit.show_again(page.again, _SIGNED_IN_ANEW, HTTPStatus.FORBIDDEN))
    if page.fresh:
        visit.require_proof()
    return page


def _check_form(visit: Visit, page: Page) -> None:
    """Check that a form comes from our origin, this session and this workspace.

    A form of an earlier session is accepted if its page can show it again. One opened in another
    workspace is not, since it must not act in this one. Raises ForeignForm, TurnedAway.
    """
    if page.method != "POST":
        return
    check_origin(visit.request, origin=origin_of(visit.base_url))
    carrier = visit.query if page.has_token_in_address else visit.form
    sent = form_token_of(visit.request, carrier[FORM_TOKEN])
    workspace_id = visit.who.workspace_of_form(sent)
    if workspace_id is None:
        if page.again is None:
            raise ForeignForm
        workspace_id = claimed_workspace(sent) or visit.who.workspace.id
        visit.is_of_former_session = True
    if workspace_id != visit.who.workspace.id and not page.of_person:
        raise TurnedAway(_of_other_workspace(visit, workspace_id))


def _of_other_workspace(visit: Visit, workspace_id: str) -> Response:
    """Refuse a form opened before the browser switched workspaces; keep what was typed."""
    return visit.show(
        "other_workspace.html",
        status=HTTPStatus.CONFLICT,
        membership=visit.who.person.membership_in(workspace_id),
        kept=visit.form.pairs(),
    )


def _lead_to_sign_in(visit: Visit, page: Page) -> Response:
    """Redirect to the sign-in; after a form, show a page that keeps what was typed."""
    if page.method == "GET" or page.again is None or page.has_token_in_address:
        return redirect("/app/sign-in")
    check_origin(visit.request, origin=origin_of(visit.base_url))
    kept = visit.form.pairs(without={FORM_TOKEN})
    return visit.show("signed_out.html", status=HTTPStatus.UNAUTHORIZED, kept=kept)


def _require_plan(visit: Visit) -> None:
    """Check that the workspace's trial is not over. Raises PlanLimit.

    On the Free plan, members may use these pages: nothing is sent for them, and they are reminded
    to post by hand (`domain/posts/reminders`).
    """
    if visit.caller.trial_is_over(visit.now):
        raise PlanLimit
