"""Links of the description: what one answer gives to the next request (OpenAPI "Link Object").

`openapi` puts them into the success answers. They follow from names alone: an endpoint is linked
from those whose answers hold every id that its path has in braces.
"""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from chalicelib.api.endpoint import Endpoint
from chalicelib.api.wire import JsonObject

_PARAM = re.compile(r"{(\w+)}")
_POST: Mapping[str, str] = {"post_id": "/id", "target_id": "/targets/0/id"}
GIVEN: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "list_accounts": {"account_id": "/data/0/id"},
        "upload_media": {"media_id": "/id"},
        "begin_upload": {"media_id": "/media_id"},
        "create_post": _POST,
        "duplicate_post": _POST,
        "add_queue_slot": {"slot_id": "/id"},
    }
)
"""Where in an endpoint's answer the ids stand that others ask for."""


def params_of(path: str) -> list[str]:
    """Return the names in the braces of a template."""
    return _PARAM.findall(path)


def links_from(source: Endpoint, endpoints: Iterable[Endpoint]) -> JsonObject:
    """Return the links of an endpoint's success answer to the endpoints that it serves."""
    given = GIVEN.get(source.name, {})
    served = {
        endpoint.name: wanted
        for endpoint in endpoints
        if (wanted := params_of(endpoint.path)) and given.keys() >= set(wanted)
    }
    return {
        name: {
            "operationId": name,
            "parameters": {param: f"$response.body#{given[param]}" for param in wanted},
        }
        for name, wanted in served.items()
    }
