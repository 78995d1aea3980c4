"""Takes API Gateway's part: gives a request to the chalice app as Lambda would get it.

chalice's own LocalGateway does the routing. It answers a path that it cannot match, and a method
that no path has (QUERY, TRACE), in a format of its own; and because it reads a path as a URL, it
drops what follows `;` or `#`, and a host after `//`. Such requests are given to the app directly. A
chalice app keeps the current request in an attribute that all threads share; the class that
`chalice local` gives its app keeps it per thread.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import cast
from urllib.parse import urlencode, urlsplit

from chalice.app import Chalice
from chalice.config import Config
from chalice.local import LocalChalice, LocalGateway, LocalGatewayException

from chalicelib.api.doors.chalice_app import METHODS, answer_unmatched
from chalicelib.http.messages import Answers
from chalicelib.kit.asgi.forwarded import NAME as FORWARDED_FOR
from chalicelib.kit.asgi.messages import Request, Response

_TIMEOUT_S = 30
_PROJECT = Path(__file__).parents[3]


class Gateway:
    """Answers requests through the chalice app; safe to call from many threads."""

    def __init__(self, app: Chalice, door: Answers) -> None:
        app.__class__ = type("ThreadedChalice", (LocalChalice,), {})
        config = Config.create(
            project_dir=str(_PROJECT), app_name=app.app_name, lambda_timeout=_TIMEOUT_S
        )
        self._gateway = LocalGateway(app, config)
        self._door = door

    def __call__(self, request: Request) -> Response:
        """Answer one request."""
        query = urlencode(request.query, doseq=True)
        target = f"{request.path}?{query}" if query else request.path
        headers = {**request.headers, FORWARDED_FOR: request.client}
        sent = (request.method, target, headers, request.body)
        if request.method not in METHODS or not _is_kept_whole(request.path):
            return answer_unmatched(self._door, *sent)
        try:
            answer = self._gateway.handle_request(*sent)
        except (LocalGatewayException, UnicodeError):
            return answer_unmatched(self._door, *sent)
        return _response(cast("Mapping[str, object]", answer))


def _is_kept_whole(path: str) -> bool:
    """Tell whether LocalGateway, which reads a path as a URL, drops nothing of it."""
    return urlsplit(path).path == path and ";" not in path


def _response(answer: Mapping[str, object]) -> Response:
    body = answer["body"]
    return Response(
        status=cast("int", answer["statusCode"]),
        headers=cast("Mapping[str, str]", answer["headers"]),
        body=body if isinstance(body, bytes) else str(body).encode(),
    )
