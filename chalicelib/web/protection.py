"""What keeps other sites' hands off: headers of every page, and the checks of every form.

A form must come from our own origin (Origin, or Sec-Fetch-Site where a browser sends no Origin)
and carry the session's form token; the cookie is SameSite=Lax besides. No script or style stands
in a page, and no page can be framed.
"""

from collections.abc import Mapping
from urllib.parse import urlsplit

from chalicelib.domain.error_kinds import Forbidden
from chalicelib.kit.asgi.messages import Request

FORM_TOKEN = "form_token"  # noqa: S105 - the field's name
_HEADER = "x-form-token"
_OWN = frozenset({"same-origin", "none"})


class ForeignForm(Forbidden):
    """This form has expired or came from another site. Open the page again and repeat it."""

    code = "foreign_form"


def origin_of(url: str) -> str:
    """Return the origin of an address."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def form_token_of(request: Request, sent: str) -> str:
    """Return the token that a form carries, in a field or a header."""
    return sent or request.headers.get(_HEADER, "")


def check_origin(request: Request, *, origin: str) -> None:
    """Check where a form comes from, as far as the browser says. Raises ForeignForm."""
    sent = request.headers.get("origin")
    if sent is not None and sent != origin and not _is_at_host(sent, request):
        raise ForeignForm
    if request.headers.get("sec-fetch-site", "same-origin") not in _OWN:
        raise ForeignForm


def _is_at_host(sent: str, request: Request) -> bool:
    """Tell whether an origin is where the browser sent this very request, such as localhost."""
    parts = urlsplit(sent)
    host = request.headers.get("host", "")
    return parts.scheme in {"http", "https"} and bool(host) and parts.netloc == host


_OF_DOCUMENTS = frozenset({"X-Frame-Options", "Cross-Origin-Opener-Policy", "Permissions-Policy"})


def without_those_of_documents(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers of a style, script or picture: a page has two dozen of them.

    Browsers heed the others where they show a document (HTML Standard, "Cross-origin opener
    policies" and "The X-Frame-Options header"; W3C, "Permissions Policy").
    """
    return {name: value for name, value in headers.items() if name not in _OF_DOCUMENTS}


def security_headers(
    *, secure: bool, leads_away: bool, storage: str | None = None, answers_to: str | None = None
) -> dict[str, str]:
    """Return what every answer carries.

    `leads_away` allows forms that end on a platform's page, `answers_to` those that end at one
    origin, `storage` files sent to an origin.
    """
    connects = "'self'" if storage is None else f"'self' {storage}"
    media = "'self' https:" if secure else "'self' https: http:"
    forms = media if leads_away else " ".join(filter(None, ["'self'", answers_to]))
    policy = (
        f"default-src 'none'; script-src 'self'; style-src 'self'; connect-src {connects}; "
        f"img-src {media} data: blob:; media-src {media} blob:; manifest-src 'self'; "
        "font-src 'self'; worker-src 'self'; "
        f"form-action {forms}; "
        "frame-ancestors 'none'; base-uri 'none'"
    )
    headers = {
        "Content-Security-Policy": policy,
        "X-Frame-Options": "DENY",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        "Cache-Control": "no-store",
    }
    if secure:
        headers["Strict-Transport-Security"] = "max-age=31536000; includeSubDomains"
    return headers
