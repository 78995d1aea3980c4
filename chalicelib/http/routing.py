"""Which endpoint or page a path belongs to: one table from path templates to their methods.

The gatekeepers look every request up here, whatever server brought it, so that an unknown path and
a wrong method look the same everywhere. Percent-encoding is taken off here, once, segment by
segment.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Generic, Literal, TypeAlias, TypeVar
from urllib.parse import unquote

from chalicelib.domain.ids import is_id
from chalicelib.domain.workspace.access import Scope
from chalicelib.kit.dataclass import dataclass

OAUTH_METADATA: Final = "/.well-known/oauth-authorization-server"
_PAGES: Final = ("/app", "/connect", "/review", OAUTH_METADATA)

NOWHERE = "0" * 32
"""Stands for whatever is not an id: nothing has this one, so it is simply not found."""


Method: TypeAlias = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
Line: TypeAlias = tuple[Method, str, str]
"""A line of a table of routes: method, path, and the name of what answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """What stands at a path: an endpoint, or a page of the app.

    `scope` None means any valid key, or any session; `open_to_all` none at all.
    """

    method: Method
    path: str
    scope: Scope | None
    open_to_all: bool = False
    takes_file: bool = False


RouteT = TypeVar("RouteT", bound=Route)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place(Generic[RouteT]):
    """A known path: its template, what stands in its braces and the methods it takes."""

    template: str
    params: Mapping[str, str]
    endpoints: Mapping[str, RouteT]

    @property
    def allowed(self) -> tuple[str, ...]:
        """Return the methods of this path, for the Allow header; HEAD comes with GET."""
        with_get = {"HEAD"} if "GET" in self.endpoints else set()
        return tuple(sorted(self.endpoints.keys() | with_get))

    def endpoint(self, method: str) -> RouteT | None:
        """Return what answers a method; HEAD is GET without the body."""
        return self.endpoints.get("GET" if method == "HEAD" else method)


def by_path(routes: Sequence[RouteT]) -> dict[str, Callable[[], Sequence[RouteT]]]:
    """Return routes that are all there already as the map looks for them."""
    return {one.path: lambda: routes for one in routes}


def is_page(path: str) -> bool:
    """Tell whether a path is the app's; everything else is the API's."""
    return path in {"", "/"} or any(path == p or path.startswith(f"{p}/") for p in _PAGES)


class RouteMap(Generic[RouteT]):
    """Finds the place of a path; a literal segment wins over one in braces."""

    def __init__(self, by_path: Mapping[str, Callable[[], Iterable[RouteT]]]) -> None:
        self._by_path = by_path
        self._found: dict[str, Mapping[str, RouteT]] = {}
        self._by_length: dict[int, list[tuple[str, ...]]] = defaultdict(list)
        for template in sorted(by_path):
            segments = tuple(template.removesuffix("/").split("/"))
            self._by_length[len(segments)].append(segments)

    def find(self, path: str) -> Place[RouteT] | None:
        """Return the place of a still encoded path, or None; one trailing slash is ignored."""
        segments = [unquote(segment) for segment in path.removesuffix("/").split("/")]
        for wanted in self._by_length.get(len(segments), ()):
            if all(_fits(want, got) for want, got in zip(wanted, segments, strict=True)):
                template, params = "/".join(wanted) or "/", _params(wanted, segments)
                return Place(template=template, params=params, endpoints=self._at(template))
        return None

    def _at(self, template: str) -> Mapping[str, RouteT]:
        if template not in self._found:
            found = self._by_path[template]()
            self._found[template] = {one.method: one for one in found if one.path == template}
        return self._found[template]


def _is_param(segment: str) -> bool:
    return segment.startswith("{")


def _fits(want: str, got: str) -> bool:
    return bool(got) if _is_param(want) else want == got


def _params(template: Iterable[str], segments: Iterable[str]) -> dict[str, str]:
    pairs = zip(template, segments, strict=True)
    return {want[1:-1]: _known_form(want, got) for want, got in pairs if _is_param(want)}


def _known_form(want: str, got: str) -> str:
    return got if not want.endswith("_id}") or is_id(got) else NOWHERE
