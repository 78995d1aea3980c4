"""A platform's own words in a refusal: status, codes, its log id, a sentence.

`http.py` reads them from every answer that is no success; they are added to the attempt, the log
line and, if our own sentence says little, to that. Meta's `error_user_msg` is meant for the person
who posts (developers.facebook.com/docs/graph-api/guides/error-handling); support of every platform
asks for the id. Nothing that was sent is repeated: no token, no caption, no address.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from html import unescape

from chalicelib.domain.outcome import PlatformAnswer
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.bodies import (
    Body,
    FormBody,
    JsonBody,
    JsonFileBody,
    MultipartBody,
)
from chalicelib.kit.transport.responses import PlatformResponse, find

Path = tuple[str | int, ...]

_FOR_PEOPLE: tuple[Path, ...] = (("error", "error_user_msg"),)
_OF_A_DETAIL: tuple[Path, ...] = (
    ("errorDetails", 0, "message"),
    ("fieldViolations", 0, "description"),
    ("message",),
)
"""Google's code names only the kind of error; the cause is in a detail (google.rpc.Status)."""

_SENTENCES: tuple[Path, ...] = (
    *(("error", "details", place, *path) for path in _OF_A_DETAIL for place in range(3)),
    ("error", "message"),
    ("errorDetails", "inputErrors", 0, "description"),
    ("errors", 0, "message"),
    ("errors", 0, "detail"),
    ("detail",),
    ("debug_info", "message"),
    ("json", "errors", 0, 1),
    ("explanation",),
    ("message_detail",),
    ("message",),
    ("error_description",),
    ("status", "message"),
)
_CODES: tuple[Path, ...] = (
    ("error", "code"),
    ("error", "status"),
    ("errorDetails", "inputErrors", 0, "code"),
    ("serviceErrorCode",),
    ("errors", 0, "code"),
    ("json", "errors", 0, 0),
    ("debug_info", "type"),
    ("reason",),
    ("code",),
    ("error",),
    ("type",),
)
_SUBCODES: tuple[Path, ...] = (("error", "error_subcode"), ("error", "errors", 0, "reason"))
_TRACES: tuple[Path, ...] = (("error", "fbtrace_id"), ("error", "log_id"))
_TRACE_HEADERS = (
    *("x-fb-trace-id", "x-fb-request-id", "x-li-uuid", "x-transaction-id", "x-pinterest-rid"),
    *("x-tt-logid", "x-guploader-uploadid", "x-amz-request-id", "x-request-id"),
)
_REFUSED = 400
_LONGEST = 300
_READ = 4 * _LONGEST
_LONGEST_CODE = 80
_WINDOW = 16
_NO_TYPE = "about:blank"
"""RFC 9457, 4.2.1: the problem has no type of its own."""

_KINDS = frozenset({"$type", "collection"})
"""The fields that name a record's kind (atproto.com/specs/data-model): the platform's own names."""

_SHORTEST = 4
_CUT = "…"
_QUERY = re.compile(r"(https?://[^\s?#]*)[?#]\S*")
_USER_OF_ADDRESS = re.compile(r"(https?://)[^\s/@]+@")
_CUT_IN_TWO = re.compile(r"(?:<[a-zA-Z/!][^<>]*|[!-~]+)$")
_TAG = re.compile(r"<(?:[a-zA-Z/!][^<>]*)?>")
_SPELLED = re.compile(
    r"(?<![\w/])(?:pin[ar][_.]|gh_live_|GOCSPX-|ya29\.|1//|EAA[A-Z]|IGQ|IGAA|THAA|act\.|rft\.)"
    r"(?=[\w.~+/=-]*\d)[\w.~+/=-]{8,}"
)
"""How tokens of the platforms and our keys begin: short and unknown ones, too."""

_NAMED_SECRET = re.compile(
    r"\b((?:(?:[a-z]{2,12}[_-]){0,3}|(?:access|refresh|id|auth|api|upload|page) ?)"
    r"(?:token|secret|key|password|signature|proof)"
    r"|bearer|oauth)\b([\"']?(?:\s*[=:]\s*|(?<=bearer)\s+|(?<=oauth)\s+)[\"']?)"
    r"(?=\S*\d)[^\s\"'&,;]{6,}",
    re.IGNORECASE,
)
"""A value that is named as a secret, even if too short to be recognised by its length."""

_SECRET = re.compile(r"\b(?=[\w.~+/=-]*\d)[\w.~+/=-]{32,}")
_PATH = re.compile(r"(?:(?:[A-Za-z]{1,20}|\d{1,3})(?:[/.]|$))+")
"""The place of an error in a body, such as `Record/embed/images/0/image/mimeType`: no secret."""

_HUMPS = r"(?:[A-Z]?[a-z]{3,14})(?:[A-Z][a-z]{2,14}){0,6}"
_RESOURCE = re.compile(
    rf"{_HUMPS}(?:[.-](?:{_HUMPS}|[A-Z]{{2,14}}(?:_[A-Z]{{2,14}})*))*\.20\d{{4,6}}\.?"
)
"""A resource that LinkedIn names with its version: `partnerApiPostsExternal.CREATE.20250101`."""

_WORD = re.compile(r"[A-Z_]+|[a-z_]+")

_PAGE = re.compile(rb"\s*(?:\xef\xbb\xbf\s*)?<(?:!doctype\s+html|html)\b", re.IGNORECASE)
"""A page of HTML, which no API answers with."""


def read_platform_answer(response: PlatformResponse) -> PlatformAnswer:
    """Return an answer's words, without anything that was sent."""
    said = response.find()
    for_people = _first(said, _FOR_PEOPLE)
    title = _first(said, (("error", "error_user_title"),))
    sentence = for_people or _first(said, _SENTENCES) or _first(said, _title_of(response))
    if for_people is not None and title is not None and title not in for_people:
        sentence = f"{title.rstrip('.')}. {for_people}"
    trace = next((named for name in _TRACE_HEADERS if (named := response.headers.get(name))), None)
    return PlatformAnswer(
        status=response.status,
        code=_short(_first(said, _CODES)),
        subcode=_short(_first(said, _SUBCODES)),
        trace_id=_short(_first(said, _TRACES) or trace),
        sentence=None if sentence is None else _clean(sentence, response.sent) or None,
        is_for_people=for_people is not None,
        is_page=is_page(response),
    )


def is_page(response: PlatformResponse) -> bool:
    """Tell whether an answer is a page of HTML."""
    return _PAGE.match(response.body) is not None


def read_answer_in(response: PlatformResponse, *path: str) -> PlatformAnswer:
    """Return an answer's words if they are in a place of their own, as a container's are."""
    words, answer = response.find(*path), read_platform_answer(response)
    if not isinstance(words, str):
        return answer
    return replace(answer, sentence=_clean(words, response.sent) or None)


def texts_of(token: str | None, params: object, body: Body | None) -> tuple[str, ...]:
    """Return the texts of a call, none of which may be repeated in the platform's words."""
    pairs = params.values() if isinstance(params, Mapping) else _values(params)
    found = [str(value) for value in (*([token] if token else ()), *pairs)]
    match body:
        case JsonBody() | JsonFileBody():
            found += _leaves(body.value)
        case FormBody():
            fields = body.fields
            found += fields.values() if isinstance(fields, Mapping) else _values(fields)
        case MultipartBody():
            found += [part[1] for part in body.parts if isinstance(part, tuple)]
        case _:
            pass
    return tuple(found)


def _title_of(response: PlatformResponse) -> tuple[Path, ...]:
    """Return the title of a problem without details (RFC 9457, 3.1.3)."""
    return (("title",),) if response.status >= _REFUSED else ()


def _values(pairs: object) -> list[str]:
    return [str(value) for _, value in pairs] if isinstance(pairs, tuple | list) else []


def _leaves(value: "Json | Mapping[str, Json]") -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from _leaves(each)
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield from _leaves(each) if name not in _KINDS else ()


def _first(said: Json, paths: tuple[Path, ...]) -> str | None:
    for path in paths:
        found = find(said, *path)
        if isinstance(found, bool) or found == _NO_TYPE:
            continue
        if isinstance(found, str | int) and str(found).strip():
            return str(found)
    return None


def _short(text: str | None) -> str | None:
    return None if text is None else " ".join(_only_printable(text).split())[:_LONGEST_CODE]


def _only_printable(text: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in text)


def _clean(sentence: str, sent: tuple[str, ...]) -> str:
    text = _only_printable(_window(sentence))
    for known in sorted(filter(_tells, sent), key=len, reverse=True):
        text = _without(text.replace(known, _CUT), known)
    text = _TAG.sub(" ", unescape(text))
    text = _QUERY.sub(rf"\1?{_CUT}", _USER_OF_ADDRESS.sub(rf"\1{_CUT}@", text))
    text = _SPELLED.sub(_CUT, text)
    text = _SECRET.sub(_but_for_names, _NAMED_SECRET.sub(rf"\1\2{_CUT}", text))
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1].rstrip() + _CUT


def _but_for_names(found: re.Match[str]) -> str:
    is_a_name = _PATH.fullmatch(found[0]) or _RESOURCE.fullmatch(found[0])
    return found[0] if is_a_name else _CUT


def _window(sentence: str) -> str:
    """Return the part of a sentence that is read: no tag, address or key is cut in two."""
    if len(sentence) <= _READ:
        return sentence
    return _CUT_IN_TWO.sub("", sentence[:_READ])


def _tells(text: str) -> bool:
    """Tell whether a text is a person's, and not the name of a choice, such as SELF_ONLY."""
    return len(text) >= _SHORTEST and _WORD.fullmatch(text) is None


def _without(text: str, known: str) -> str:
    """Remove every part of a text that is in another one, too."""
    kept, place = [], 0
    while place < len(text):
        end = place + _WINDOW
        if end <= len(text) and text[place:end] in known:
            while end < len(text) and text[place : end + 1] in known:
                end += 1
            kept.append(_CUT)
            place = end
        else:
            kept.append(text[place])
            place += 1
    return "".join(kept)
