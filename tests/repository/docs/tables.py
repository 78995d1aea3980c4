"""Writes the tables of docs/api.md from the code: `python -m tests.repository.docs.tables`.

Each stands between `<!-- table: NAME -->` and `<!-- end -->`; what is around them is written by
hand. A new error code needs a line of advice here before the page can be made.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from chalicelib.api.openapi.advice import ERRORS, FAILURES
from chalicelib.api.openapi.error_sections import every_error
from chalicelib.domain.outcome import TRANSIENT, FailureCode
from chalicelib.domain.platforms.facts import FACTS, Figure, Limits
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.posts.history import Action
from chalicelib.domain.workspace.access import DEFAULT_SCOPES, Plan, Role, Scope, permissions
from chalicelib.domain.workspace.plans import TRIAL_POSTS, accounts_limit, x_allowance
from tests.repository.docs.advice import SCOPES

PAGE = Path(__file__).parents[3] / "docs" / "api.md"
_MARK = re.compile(r"<!-- table: (\w+) -->\n.*?<!-- end -->", re.DOTALL)


MISSED = 'After a new platform: step 5 of "Adding a platform" in CONTRIBUTING.md.'


def written(page: str) -> str:
    """Return the page with every table as the code says it."""
    return _MARK.sub(lambda found: _block(found[1]), page)


def _block(name: str) -> str:
    return f"<!-- table: {name} -->\n{_TABLES[name]()}\n<!-- end -->"


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def _scopes() -> str:
    head = ("scope", "allows", "new keys have it", *(str(role) for role in Role))
    return _table(
        head,
        (
            (
                f"`{scope}`",
                SCOPES[scope],
                _tick(has=scope in DEFAULT_SCOPES),
                *(_tick(has=scope in permissions(role)) for role in Role),
            )
            for scope in Scope
        ),
    )


def _tick(*, has: bool) -> str:
    return "yes" if has else ""


def _actions() -> str:
    return ", ".join(f"`{action}`" for action in Action)


def _platforms() -> str:
    head = (
        "platform",
        "caption",
        "longest video",
        "photo",
        "file needed",
        "can be unpublished",
        "counts",
    )
    return _table(head, (_platform(platform, FACTS[platform].limits) for platform in Platform))


def _platform(platform: Platform, limits: Limits) -> tuple[str, ...]:
    return (
        f"{FACTS[platform].name} (`{platform}`)",
        f"{limits.caption:,}",
        _longest(limits),
        _tick(has=limits.takes_photo),
        _tick(has=limits.needs_media),
        _tick(has=limits.can_delete),
        ", ".join(figure for figure in Figure if figure in FACTS[platform].figures),
    )


def _longest(limits: Limits) -> str:
    if not limits.takes_video:
        return "takes no video"
    if limits.longest_video is None:
        return "no cap"
    minutes, seconds = divmod(int(limits.longest_video.total_seconds()), 60)
    return f"{minutes}:{seconds:02}"


def _plans() -> str:
    head = ("plan", "API", "accounts", "X posts a month", "posts in all")
    return _table(head, (_plan(plan) for plan in Plan))


def _plan(plan: Plan) -> tuple[object, ...]:
    is_trial = plan is Plan.TRIAL
    x_posts = f"{x_allowance(plan)} in all" if is_trial else x_allowance(plan)
    has_api = "no" if plan is Plan.FREE else "yes"
    return f"`{plan}`", has_api, accounts_limit(plan), x_posts, TRIAL_POSTS if is_trial else ""


def _errors() -> str:
    return _table(
        ("status", "code", "meaning", "what to do"),
        ((one.status, f"`{one.code}`", one.meaning, ERRORS[one.code]) for one in every_error()),
    )


def _failures() -> str:
    return _table(
        ("`error_code`", "tried again", "what to do"),
        ((f"`{code}`", _tick(has=code in TRANSIENT), FAILURES[code]) for code in FailureCode),
    )


_TABLES: dict[str, Callable[[], str]] = {
    "scopes": _scopes,
    "actions": _actions,
    "platforms": _platforms,
    "plans": _plans,
    "errors": _errors,
    "failures": _failures,
}


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text()))
