"""`/v1/docs/errors`: a section for each code that a caller can meet.

Made where codes are declared: `domain/errors` has those of refusals, `FailureCode` those of failed
targets, `advice` what to do. Each refusal links to its section (`http/errors.py`).
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from html import escape
from typing import Final

from chalicelib.api.openapi.advice import ERRORS, FAILURES, MEANINGS
from chalicelib.domain import errors
from chalicelib.domain.error_kinds import ServiceError
from chalicelib.domain.outcome import TRANSIENT, FailureCode
from chalicelib.http.errors import (
    DETAIL_CODE,
    INTERNAL_CODE,
    INTERNAL_MESSAGE,
    INTERNAL_STATUS,
    status_of,
)
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json

DETAIL_EXAMPLE: Final[dict[str, Json]] = {
    "detail": [
        {"type": "missing", "loc": ["body", "targets"], "msg": "Field required", "input": {}}
    ]
}
_DETAIL_STATUS: Final = 422
_DETAIL_MEANING: Final = "The request does not have the shape that its endpoint describes."
_DETAIL_ADVICE: Final = (
    "Every mistake is listed: `loc` says where it stands (body, query or a header), `msg` what is "
    "wrong. Correct all of them and send the request again; nothing was done."
)


@dataclass(frozen=True, slots=True)
class ApiError:
    """A refusal of the API."""

    status: int
    code: str
    meaning: str
    message: str


def every_error() -> list[ApiError]:
    """Return the API's refusals, by status and code."""
    found = [
        ApiError(status_of(kind), kind.code, _sentence(kind), kind().message)
        for kind in _leaves(ServiceError)
    ]
    meaning = "Something went wrong on our side."
    found.append(ApiError(INTERNAL_STATUS, INTERNAL_CODE, meaning, INTERNAL_MESSAGE))
    return sorted(found, key=lambda one: (one.status, one.code))


def _leaves(kind: type[ServiceError]) -> Iterator[type[ServiceError]]:
    for child in kind.__subclasses__():
        is_of_the_api = child.__module__ == errors.__name__  # the app has refusals too
        if "code" in vars(child) and is_of_the_api:
            yield child
        yield from _leaves(child)


def _sentence(kind: type[ServiceError]) -> str:
    return (kind.__doc__ or "").split("\n\n")[0].strip().replace("\n", " ")


@cache
def errors_page() -> str:
    """Return the page: refusals, then failed targets. A code of both has its part in each."""
    by_code: dict[str, list[ApiError]] = defaultdict(list)
    for one in every_error():
        by_code[one.code].append(one)
    refused = [_refusal(alike) for alike in by_code.values()]
    shape = _section(
        DETAIL_CODE,
        f"{_DETAIL_STATUS}, the form with <code>detail</code>",
        (_DETAIL_MEANING, _DETAIL_ADVICE, DETAIL_EXAMPLE),
    )
    failed = [_failure(code, taken=code in by_code) for code in FailureCode]
    return _PAGE.format(refused="".join([*refused, shape]), failed="".join(failed))


def _refusal(alike: Sequence[ApiError]) -> str:
    """Return the section of a code, which may be answered with several statuses."""
    error, *_ = alike
    example: Json = {"error": {"code": error.code, "message": error.message}}
    told = (error.meaning, ERRORS[error.code], example)
    return _section(error.code, " or ".join(str(one.status) for one in alike), told)


def _failure(code: FailureCode, *, taken: bool) -> str:
    message = f"{MEANINGS[code]} {FAILURES[code]}"
    example: Json = {"status": "failed", "error_code": code, "error_message": message}
    tries = "; tried again by itself first" if code in TRANSIENT else ""
    anchor = f"target-{code}" if taken else code
    told = (MEANINGS[code], FAILURES[code], example)
    return _section(anchor, f"a failed target{tries}", told, title=code)


def _section(anchor: str, kind: str, told: tuple[str, str, Json], *, title: str = "") -> str:
    meaning, advice, example = told
    shown = json.dumps(example, indent=2, ensure_ascii=False)
    return (
        f'<section id="{anchor}"><h3><a href="#{anchor}"><code>{title or anchor}</code></a> '
        f"<small>{kind}</small></h3><p>{_prose(meaning)}</p>"
        f"<p><strong>What to do:</strong> {_prose(advice)}</p>"
        f'<pre tabindex="0">{escape(shown)}</pre></section>'
    )


def _prose(sentence: str) -> str:
    """Return a sentence as HTML, what stands between backticks as code."""
    parts: Iterable[str] = escape(sentence).split("`")
    return "".join(
        f"<code>{part}</code>" if place % 2 else part for place, part in enumerate(parts)
    )


_PAGE: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Error codes · goldenhour API</title><link rel="icon" href="data:,">
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto;
padding: 0 1rem; }}
section {{ border-top: 1px solid #8886; padding: .5rem 0; scroll-margin-top: 1rem; }}
section:target {{ outline: 2px solid; outline-offset: .5rem; }}
pre {{ overflow-x: auto; padding: .75rem; background: #8882; }}
small {{ font-weight: 400; }}
</style></head><body>
<h1>Error codes</h1>
<p>Each refusal names its section here in the header <code>Link</code> (<code>rel="help"</code>).
<a href="../docs">The endpoints</a> · <a href="#refusals">Refusals of the API</a> ·
<a href="#targets">Failed targets</a></p>
<h2 id="refusals">Refusals of the API</h2>{refused}
<h2 id="targets">Failed targets</h2>
<p>The <code>error_code</code> of a target whose status is <code>failed</code>; its
<code>error_message</code> says what happened in full, with the platform's own words.</p>{failed}
</body></html>
"""
