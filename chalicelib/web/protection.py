"""Protection against other sites: the security headers of every page, the checks of every form.

A form must come from our own origin (by Origin and Sec-Fetch-Site, if the browser sends them) and
contain the session's form token; the cookie is also SameSite=Lax. Pages contain no inline scripts
or styles, and cannot be framed.
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
    """Return the origin of an address: scheme, host and port."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def form_token_of(request: Request, sent: str) -> str:
    """Return a form's token: `sent`, from its field, or else that of the X-Form-Token header."""
    return sent or request.headers.get(_HEADER, "")


def check_origin(request: Request, *, origin: str) -> None:
    """Check the origin of a form, as far as the browser sends it. Raises ForeignForm."""
    sent = request.headers.get("origin")
    if sent is not None and sent != origin and not _is_at_host(sent, request):
        raise ForeignForm
    if request.headers.get("sec-fetch-site", "same-origin") not in _OWN:
        raise ForeignForm


def _is_at_host(sent: str, request: Request) -> bool:
    """Tell whether an origin's host is the one that this request was sent to, e.g. localhost."""
    parts = urlsplit(sent)
    host = request.headers.get("host", "")
    return parts.scheme in {"http", "https"} and bool(host) and parts.netloc == host


_OF_DOCUMENTS = frozenset(
    {"X-Frame-Options", "Cross-Origin-Opener-Policy", "Permissions-Policy", "X-Robots-Tag"}
)


def without_document_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers for styles, scripts and pictures, of which a page has two dozen.

    They lack those that browsers apply to documents only (HTML Standard, "Cross-origin opener
    policies" and "The X-Frame-Options header"; W3C, "Permissions Policy"), and the one that keeps
    pages out of search engines.
    """
    return {name: value for name, value in headers.items() if name not in _OF_DOCUMENTS}


def security_headers(
    *, secure: bool, leads_away: bool, storage: str | None = None, answers_to: str | None = None
) -> dict[str, str]:
    """Return the security headers of an answer.

    `leads_away` lets its forms redirect to any https origin, `answers_to` to that origin only.
    `storage` is an origin to which its scripts may send files. `secure` tells that it uses https.
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
        # Whoever has a link may read its page, and links are shared where robots read along.
        "X-Robots-Tag": "noindex",
        "Cache-Control": "no-store",
    }
    if secure:
        headers["Strict-Transport-Security"] = "max-age=31536000; includeSubDomains"
    return headers
