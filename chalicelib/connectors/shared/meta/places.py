"""Places to tag, found by a search.

developers.facebook.com/docs/pages-api/search-pages: Pages with a location are places, for Facebook
and for Instagram behind it; Meta answers applications that have the feature Page Public Metadata
Access or Page Public Content Access. …/docs/threads/reference/location-search: with the permission
threads_location_tagging; before Meta approves it, every search returns Menlo Park.
"""

from collections.abc import Iterator

from chalicelib.connectors.shared.meta.graph import Graph
from chalicelib.domain.platforms.choices import Choice, ChoiceQuery, Choices
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import find

_MOST = "25"


def page_places(
    graph: Graph, api: str, token: str | None, option: str, query: ChoiceQuery
) -> Choices:
    """Return Pages that are places; nothing without search words."""
    if not query.words:
        return Choices()
    fields = "id,name,location{street,city,country}"
    params = {"q": query.words, "fields": fields, "limit": _MOST}
    listed = graph.get(f"{api}/pages/search", token, params).items("data")
    places = [one for one in listed if find(one, "location") is not None]
    return Choices(offered={option: tuple(_place(one, find(one, "location")) for one in places)})


def threads_places(
    graph: Graph, api: str, token: str | None, option: str, query: ChoiceQuery
) -> Choices:
    """Return places that Threads knows; nothing without search words."""
    if not query.words:
        return Choices()
    params = {"q": query.words, "fields": "id,name,address,city,country"}
    listed = graph.get(f"{api}/location_search", token, params).items("data")
    return Choices(offered={option: tuple(_place(one, one) for one in listed)})


def _place(about: Json, where: Json) -> Choice:
    parts = (str(find(about, "name")), *_texts(where))
    return Choice(str(find(about, "id")), ", ".join(dict.fromkeys(parts)))


def _texts(where: Json) -> Iterator[str]:
    for name in ("street", "address", "city", "country"):
        text = find(where, name)
        if isinstance(text, str) and text:
            yield text
