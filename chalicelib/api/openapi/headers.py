"""Headers that requests and answers carry, as OpenAPI: parameters, and headers of responses.

`document` and `responses` ask for them. Allow comes with 405 alone, which belongs to no operation:
the description's first lines tell it.
"""

from types import MappingProxyType
from typing import Final

from chalicelib.api.http.endpoint import MISMATCH, REPLAYED, Endpoint
from chalicelib.api.http.parsing import (
    IDEMPOTENCY_HEADER,
    LONGEST_IDEMPOTENCY_KEY,
    LONGEST_TAGS,
)
from chalicelib.api.http.response_headers import ETAG, IF_MATCH, IF_NONE_MATCH, LOCATION
from chalicelib.api.openapi.bounds import bound_parameter
from chalicelib.http.messages import LONGEST_REQUEST_ID, REQUEST_ID, REQUEST_ID_PATTERN, JsonObject
from chalicelib.kit.json_value import Json

_LINK: Final = "Link"
_RETRY_AFTER: Final = "Retry-After"
_WAIT_FIRST: Final = (429, 503)
_OK: Final = 200
_CREATED: Final = 201
_LONGEST_WAIT_S: Final = 86_400
_LONGEST_ANSWERED: Final = 8_192
NOT_MODIFIED: Final = 304

HEADERS: Final = MappingProxyType[str, Json](
    {
        REQUEST_ID: {
            "description": "Identifies this answer: the request's own X-Request-Id, if it had one "
            "of this form; include it when you report a problem.",
            "schema": {
                "type": "string",
                "pattern": REQUEST_ID_PATTERN,
                "maxLength": LONGEST_REQUEST_ID,
            },
        },
        ETAG: {
            "description": "What was read, for If-None-Match; a post's also for If-Match.",
            "schema": {"type": "string", "maxLength": _LONGEST_ANSWERED},
        },
        LOCATION: {
            "description": "Where what was created is read.",
            "schema": {"type": "string", "maxLength": _LONGEST_ANSWERED},
        },
        _LINK: {
            "description": 'With rel="next": the next page (RFC 8288); none on the last one.',
            "schema": {"type": "string", "maxLength": _LONGEST_ANSWERED},
        },
        _RETRY_AFTER: {
            "description": "How many seconds to wait before trying again.",
            "schema": bound_parameter({"type": "integer", "maximum": _LONGEST_WAIT_S}),
        },
        REPLAYED: {
            "description": ("The Idempotency-Key created this earlier; nothing was created now."),
            "schema": {"type": "string", "enum": ["true"]},
        },
        MISMATCH: {
            "description": "The key was sent with another body then: what was asked for now does"
            " not exist.",
            "schema": {"type": "string", "enum": ["body"]},
        },
    }
)
"""Every header of an answer that a client may want to read."""


def header_parameters(endpoint: Endpoint) -> list[Json]:
    """Return the headers that a request may carry."""
    taken: list[Json] = []
    if endpoint.takes_idempotency_key:
        about = "A repeated request returns what was created the first time, with 200."
        taken.append(_parameter(IDEMPOTENCY_HEADER, about, longest=LONGEST_IDEMPOTENCY_KEY))
    if endpoint.takes_if_match:
        about = "The ETag of the post as it was read: 412 if it has changed since then."
        taken.append(_parameter(IF_MATCH, about, longest=LONGEST_TAGS))
    if endpoint.is_tagged:
        about = "The ETag of an earlier answer: 304 without a body if it would be the same."
        taken.append(_parameter(IF_NONE_MATCH, about, longest=LONGEST_TAGS))
    return taken


def _parameter(name: str, about: str, *, longest: int) -> Json:
    return {
        "name": name,
        "in": "header",
        "required": False,
        "description": about,
        "schema": {"type": "string", "maxLength": longest},
    }


def headers_of(endpoint: Endpoint, status: int) -> JsonObject:
    """Return the headers of an operation's answer with one status."""
    if status == NOT_MODIFIED:
        return _references(REQUEST_ID, ETAG)
    names = [REQUEST_ID]
    if status in _WAIT_FIRST:
        names.append(_RETRY_AFTER)
    if status in (endpoint.status, _OK):
        names += [ETAG] * (endpoint.returns_revision or endpoint.is_tagged)
        names += [_LINK] * (endpoint.query is not None and "cursor" in endpoint.query.model_fields)
    names += [LOCATION] * (status == _CREATED and endpoint.shown_at is not None)
    if status == _OK and endpoint.takes_idempotency_key:
        names += [REPLAYED, MISMATCH]
    return _references(*names)


def _references(*names: str) -> JsonObject:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}
