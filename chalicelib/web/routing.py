"""One declaration per page: method, path, and what the member's role must allow.

    @page("POST", "/app/posts/{post_id}/cancel", scope=Scope.PUBLISH)
    def cancel(visit: Visit) -> Answer: ...

`routes` lists the results, `site` runs them. `scope` None is for every member, `open_to_all` for
people without a session.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias
from urllib.parse import unquote

from chalicelib.domain.workspace.access import Scope

if TYPE_CHECKING:
    from chalicelib.web.messages import Answer
    from chalicelib.web.visit import Visit

Method: TypeAlias = Literal["GET", "POST"]
Handler: TypeAlias = "Callable[[Visit], Answer]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A declared page; `pays` tells that a workspace needs a plan for it, as with a key."""

    method: Method
    path: str
    scope: Scope | None
    open_to_all: bool
    pays: bool
    handler: Handler


def page(
    method: Method,
    path: str,
    *,
    scope: Scope | None = Scope.READ,
    open_to_all: bool = False,
    pays: bool = False,
) -> Callable[[Handler], Page]:
    """Declare the function below as a page."""

    def declare(handler: Handler) -> Page:
        return Page(
            method=method,
            path=path,
            scope=scope,
            open_to_all=open_to_all,
            pays=pays,
            handler=handler,
        )

    return declare


class Found(NamedTuple):
    """The pages at a path, by method, and what stood in the template's braces."""

    pages: Mapping[str, Page]
    params: Mapping[str, str]
    template: str


class RouteMap:
    """Finds the pages of a path."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self._by_path: dict[str, dict[str, Page]] = {}
        for one in pages:
            self._by_path.setdefault(one.path, {})[one.method] = one
        # Paths without a parameter first: /app/posts/new is no post.
        templates = sorted(self._by_path, key=lambda path: path.count("{"))
        self._patterns = [(_pattern(template), template) for template in templates]

    def find(self, path: str) -> Found | None:
        """Return what is at a path, None if nothing is."""
        trimmed = path.rstrip("/") or "/"
        for pattern, template in self._patterns:
            fits = pattern.fullmatch(trimmed)
            if fits is not None:
                params = {name: unquote(text) for name, text in fits.groupdict().items()}
                return Found(self._by_path[template], params, template)
        return None


def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", template))
