"""Which endpoint a path belongs to: one table from path templates to their methods.

`pipeline` looks every request up here, whatever server brought it, so that an unknown path and a
wrong method look the same everywhere. Percent-encoding is taken off here, once, segment by segment.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from chalicelib.api.http.endpoint import Endpoint
from chalicelib.domain.ids import is_id

NOWHERE = "0" * 32
"""Stands for whatever is not an id: nothing has this one, so it is simply not found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A known path: its template, what stands in its braces and the methods it takes."""

    template: str
    params: Mapping[str, str]
    endpoints: Mapping[str, Endpoint]

    @property
    def allowed(self) -> tuple[str, ...]:
        """Return the methods of this path, for the Allow header; HEAD comes with GET."""
        with_get = {"HEAD"} if "GET" in self.endpoints else set()
        return tuple(sorted(self.endpoints.keys() | with_get))

    def endpoint(self, method: str) -> Endpoint | None:
        """Return what answers a method; HEAD is GET without the body."""
        return self.endpoints.get("GET" if method == "HEAD" else method)


class RouteMap:
    """Finds the place of a path; a literal segment wins over one in braces."""

    def __init__(self, endpoints: Iterable[Endpoint]) -> None:
        by_template: dict[str, dict[str, Endpoint]] = defaultdict(dict)
        for endpoint in endpoints:
            by_template[endpoint.path][endpoint.method] = endpoint
        self._by_length: dict[int, list[tuple[tuple[str, ...], Mapping[str, Endpoint]]]] = {}
        for template in sorted(by_template):
            segments = tuple(template.split("/"))
            same_length = self._by_length.setdefault(len(segments), [])
            same_length.append((segments, by_template[template]))

    def find(self, path: str) -> Place | None:
        """Return the place of a still encoded path, or None; one trailing slash is ignored."""
        segments = [unquote(segment) for segment in path.removesuffix("/").split("/")]
        for template, endpoints in self._by_length.get(len(segments), ()):
            if all(_fits(want, got) for want, got in zip(template, segments, strict=True)):
                return Place(
                    template="/".join(template),
                    params=_params(template, segments),
                    endpoints=endpoints,
                )
        return None


def _is_param(segment: str) -> bool:
    return segment.startswith("{")


def _fits(want: str, got: str) -> bool:
    return bool(got) if _is_param(want) else want == got


def _params(template: Iterable[str], segments: Iterable[str]) -> dict[str, str]:
    pairs = zip(template, segments, strict=True)
    return {want[1:-1]: _known_form(want, got) for want, got in pairs if _is_param(want)}


def _known_form(want: str, got: str) -> str:
    return got if not want.endswith("_id}") or is_id(got) else NOWHERE
