"""Who can be mentioned on Bluesky, found by words: app.bsky.actor.searchActorsTypeahead.

The view that everybody sees answers it without a sign-in.
"""

from chalicelib.connectors.bluesky.account import method
from chalicelib.connectors.shared.calls.http import Call, PlatformHttp
from chalicelib.domain.platforms.choices import MENTIONS, Choice, ChoiceQuery, Choices
from chalicelib.kit.transport.responses import find

_MOST = "20"


def people_of(http: PlatformHttp, host: str, query: ChoiceQuery) -> Choices:
    """Return who is found, by handle; nothing if nobody gave words."""
    if not query.words:
        return Choices()
    place = method(host, "app.bsky.actor.searchActorsTypeahead")
    params = {"q": query.words, "limit": _MOST}
    response = http.send(Call(method="GET", url=place, params=params))
    found = [
        Choice(handle, str(find(actor, "displayName") or handle))
        for actor in response.items("actors")
        if isinstance(handle := find(actor, "handle"), str) and handle
    ]
    return Choices(offered={MENTIONS: tuple(found)})
