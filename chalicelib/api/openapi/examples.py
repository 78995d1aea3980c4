"""What the description shows of every operation: a body that is taken, and a call in two languages.

`document` puts them beside each operation; a test sends the bodies through the parser.
"""

import json
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from chalicelib.api.http.endpoint import Endpoint
from chalicelib.api.http.messages import JsonObject
from chalicelib.domain.outcome import Json

_ID: Final = "0192f0c1a7b87c3d9e5f60718293a4b5"
_TIME: Final = "2030-01-31T09:00:00+01:00"
_PARAM: Final = re.compile(r"{\w+}")

BODIES: Final[Mapping[str, JsonObject]] = MappingProxyType(
    {
        "set_audience_regions": {"audience_regions": ["Europe", "UK"]},
        "begin_upload": {"filename": "spring.mp4", "size_bytes": 734003},
        "upload_from_url": {"url": "https://media.example.com/spring.mp4"},
        "create_post": {
            "caption": "New in the shop: the spring collection",
            "media_ids": [],
            "targets": [{"account_id": _ID, "scheduled_at": _TIME}],
        },
        "edit_post": {"caption": "New in the shop today: the spring collection"},
        "schedule": {"at": _TIME},
        "add_queue_slot": {"weekdays": [0, 1, 2, 3, 4], "time": "19:00", "label": "Evening"},
    }
)
"""A body for every operation that takes one, by the operation's name."""

TAGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "accounts": "Connected accounts, what they can choose, and whom they reach.",
        "analytics": "How everything that went live does.",
        "golden-hour": "When audiences are most active.",
        "health": "Whether the service is up.",
        "media": "Videos and photos.",
        "posts": "Posts: write, check, schedule, send, and see what came of them.",
        "queue-slots": "The weekly times at which queued posts go out.",
    }
)
"""What each group of operations is about."""


def code_samples(endpoint: Endpoint) -> list[Json]:
    """Return the same call in curl and in Python."""
    return [
        {"lang": "Shell", "label": "curl", "source": _curl(endpoint)},
        {"lang": "Python", "label": "Python", "source": _python(endpoint)},
    ]


def _curl(endpoint: Endpoint) -> str:
    lines = [f'curl -X {endpoint.method} "$BASE_URL{_path(endpoint)}"']
    if not endpoint.open_to_all:
        lines.append('-H "Authorization: Bearer $API_KEY"')
    if endpoint.takes_file:
        lines.append("-F file=@spring.mp4")
    elif endpoint.name in BODIES:
        lines.append('-H "Content-Type: application/json"')
        lines.append(f"-d '{json.dumps(BODIES[endpoint.name])}'")
    return " \\\n  ".join(lines)


def _python(endpoint: Endpoint) -> str:
    given = [f'"{endpoint.method}"', f'f"{{BASE_URL}}{_path(endpoint)}"']
    if not endpoint.open_to_all:
        given.append('headers={"Authorization": f"Bearer {API_KEY}"}')
    if endpoint.takes_file:
        given.append('files={"file": open("spring.mp4", "rb")}')
    elif endpoint.name in BODIES:
        given.append(f"json={BODIES[endpoint.name]!r}")
    arguments = ",\n    ".join(given)
    return f"import requests\n\nanswer = requests.request(\n    {arguments},\n)\nprint(answer.text)"


def _path(endpoint: Endpoint) -> str:
    return _PARAM.sub(_ID, endpoint.path)
