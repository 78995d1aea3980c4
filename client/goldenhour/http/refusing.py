"""The way from an answer that is no success to its class of errors.

A code that this version does not know yet becomes the class of its status, with the code kept.
"""

from collections.abc import Iterator, Mapping

from goldenhour.error_codes import BY_CODE, BY_STATUS
from goldenhour.errors import ApiError, Problem, Refusal, ServiceFailed

MAYBE_CARRIED_OUT = frozenset({502, 503, 504})
"""Without a code, what answers so stands in between: a proxy, a gateway."""


def error_from(
    status: int, answer: object, *, request_id: str | None, retry_after_s: float | None
) -> ApiError:
    """Return the error of an answer that is no success; any body is understood somehow."""
    problems = tuple(_problems(answer))
    said = answer.get("error") if isinstance(answer, dict) else None
    told: Mapping[str, object] = said if isinstance(said, dict) else {}
    code = "detail" if problems else str(told.get("code") or f"http_{status}")
    field = told.get("field")
    refusal = Refusal(
        status=status,
        code=code,
        message=_sentence(status, told, problems),
        field=field if isinstance(field, str) else None,
        request_id=request_id,
        retry_after_s=retry_after_s,
        problems=problems,
    )
    fallback = ServiceFailed if status >= 500 else ApiError  # noqa: PLR2004 - the HTTP class
    return BY_CODE.get(code, BY_STATUS.get(status, fallback))(refusal)


def _problems(answer: object) -> Iterator[Problem]:
    detail = answer.get("detail") if isinstance(answer, dict) else None
    for entry in detail if isinstance(detail, list) else ():
        if isinstance(entry, dict):
            yield Problem(
                loc=tuple(entry.get("loc") or ()),
                msg=str(entry.get("msg") or ""),
                type=str(entry.get("type") or ""),
            )


def _sentence(status: int, told: Mapping[str, object], problems: tuple[Problem, ...]) -> str:
    if problems:
        return "; ".join(f"{'.'.join(map(str, each.loc))}: {each.msg}" for each in problems)
    if message := told.get("message"):
        return str(message)
    if status in MAYBE_CARRIED_OUT:
        return (
            f"{status} came from between here and the service: the call may have been carried out."
        )
    return f"{status} was answered, without one of this API's codes: check the address."
