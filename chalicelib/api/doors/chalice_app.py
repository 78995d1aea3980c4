"""Makes Chalice routes of the endpoints, and answers paths that have no route.

The same views are called in two ways. In AWS, API Gateway matches the path, decodes its percent
signs and sends anything unmatched to `/{proxy+}`. On one machine chalice's LocalGateway matches,
leaves the path encoded and raises for an unknown one: its server then asks `answer_unmatched`. In
both cases the path is put together again and the API, or the app beside it, decides. Ids are hex,
so decoding one twice is harmless.

Every line of `chalicelib/api/routes.py` is a route of its own, and what its path does not take is
mounted too, because API Gateway answers 403 (its guide, "Gateway response types") and LocalGateway
200 (to OPTIONS) where the contract wants 405. Content types are not checked: JSON is read from the
bytes.

A stage with a front has two secrets (`infra/template/parts/front.json`), which its entrance,
CloudFront, adds to every request. `behind_entrance` refuses requests that were sent directly to API
Gateway's address, so that throttling, access rules and logs of the entrance hold for everybody.
Either secret is enough: while one is renewed, or after a rollback, the other is still valid.
"""

import base64
import hmac
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs, quote, unquote

from chalice.app import Blueprint
from chalice.app import Response as ChaliceResponse

from chalicelib.http.errors import refuse
from chalicelib.http.messages import Answers
from chalicelib.kit.asgi.forwarded import client_address
from chalicelib.kit.asgi.messages import Request, Response, lower_names
from chalicelib.kit.dataclass import dataclass

if TYPE_CHECKING:
    from chalice.app import Request as ChaliceRequest

    from chalicelib.http.routing import Line


METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
ANYTHING_ELSE = "/{proxy+}"
ROOT = "/"
NO_LINE = "anything_else"
FindDoor = Callable[[], Answers]


def as_blueprint(routes: Iterable["Line"], find_door: FindDoor) -> Blueprint:
    """Return a route for every line, of its own name, and one for everything else.

    `find_door` is called by requests, not here, so that importing the app builds nothing.
    """
    blueprint = Blueprint(__name__)

    def view(**_params: str) -> ChaliceResponse:
        return _to_chalice(find_door().answer(_from_chalice(blueprint.current_request)))

    taken: dict[str, list[str]] = {ROOT: [], ANYTHING_ELSE: []}
    for method, path, answers in routes:
        blueprint.route(path, methods=[method], content_types=[], name=answers)(view)
        taken.setdefault(path, []).append(method)
    for path, methods in taken.items():
        left = [one for one in METHODS if one not in methods]
        blueprint.route(path, methods=left, content_types=[], name=NO_LINE)(view)
    return blueprint


def answer_unmatched(
    door: Answers, method: str, path: str, headers: Mapping[str, str], body: bytes = b""
) -> Response:
    """Answer what LocalGateway refuses to match; `path` is as sent, with its query."""
    path, _, query = path.partition("?")
    asked = parse_qs(query, keep_blank_values=True)
    return door.answer(
        Request(
            method=method,
            path=path,
            query=asked,
            headers=lower_names(headers),
            body=body,
            client=client_address(lower_names(headers), 1),
        )
    )


def _from_chalice(sent: "ChaliceRequest") -> Request:
    event = sent.to_original_event()
    path = _path(sent.path, sent.uri_params or {})
    return Request(
        method=sent.method,
        path=_with_slash(path, event["requestContext"]),
        query=event["multiValueQueryStringParameters"] or {},
        headers=dict(sent.headers),
        body=_body(event["body"], is_base64=bool(event.get("isBase64Encoded"))),
        base_path=_base_path(event["requestContext"]),
        client=client_address(lower_names(sent.headers), 1),  # API Gateway adds who reached it
    )


def _base_path(context: Mapping[str, object]) -> str:
    """Return the stage's name, where the address as sent begins with it."""
    base, sent = f"/{context.get('stage', '')}", str(context.get("path", ""))
    return base if base != "/" and sent.startswith(f"{base}/") else ""


def _with_slash(path: str, context: Mapping[str, object]) -> str:
    """Put back the slash at a path's end, which the gateway's templates are without."""
    is_lost = str(context.get("path", "")).endswith("/") and not path.endswith("/")
    return f"{path}/" if is_lost else path


def _path(template: str, params: Mapping[str, str]) -> str:
    """Put a path together again, encoded; what `{proxy+}` caught keeps its slashes."""
    if template == ANYTHING_ELSE:
        return "/" + "".join(params.values())
    encoded = {name: quote(unquote(value), safe="") for name, value in params.items()}
    return template.format_map(encoded)


def _body(sent: str | bytes | None, *, is_base64: bool) -> bytes:
    if sent is None:
        return b""
    if is_base64:
        return base64.b64decode(sent)
    return sent if isinstance(sent, bytes) else sent.encode("utf-8", "surrogatepass")


class EncodedResponse(ChaliceResponse):
    """An answer that is no text, such as a picture, as API Gateway takes it from a function.

    API Gateway decodes it for whoever accepts a type of its list (its guide, "Return binary media
    from a Lambda proxy integration"): `infra/template/parts/api.json` lists all, as browsers name
    other types first. Chalice encodes by a list of its own, and only for who accepts the type.
    """

    def to_dict(self, binary_types: list[str] | None = None) -> dict[str, Any]:
        """Return what the function returns, whatever chalice's list has."""
        del binary_types
        encoded = base64.b64encode(self.body).decode()
        return {**super().to_dict(), "body": encoded, "isBase64Encoded": True}


def _to_chalice(answer: Response) -> ChaliceResponse:
    """Hand the answer over, as text if it is any: a third less to send than as base64."""
    headers: dict[str, str | list[str]] = dict(answer.headers)
    try:
        text = answer.body.decode()
    except UnicodeDecodeError:
        return EncodedResponse(body=answer.body, headers=headers, status_code=answer.status)
    return ChaliceResponse(body=text, headers=headers, status_code=answer.status)


HEADERS: Final = ("x-origin-secret", "x-second-origin-secret")
_FORBIDDEN: Final = 403
_ELSEWHERE: Final = "Requests are answered at the public address only."


@dataclass(frozen=True, slots=True)
class Entrance:
    """What answers requests that came through the entrance."""

    inside: Answers
    secrets: Sequence[str]

    def answer(self, request: Request) -> Response:
        """Answer a request that has one of the secrets in its own header, and no other."""
        said = (request.headers.get(header, "").encode() for header in HEADERS)
        if not any(map(hmac.compare_digest, said, (one.encode() for one in self.secrets))):
            return refuse(_FORBIDDEN, "forbidden", _ELSEWHERE)
        client = client_address(request.headers, 2)  # who reached CloudFront, which reached us
        return self.inside.answer(replace(request, client=client))


def behind_entrance(inside: Answers, secrets: Sequence[str]) -> Answers:
    """Return what answers requests, behind the entrance if there is one."""
    return Entrance(inside, secrets) if secrets else inside
