"""What the description shows of every operation: its group, and a call in three languages.

`document` puts them beside each operation; a test sends the declared bodies through the parser.
"""

import json
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from chalicelib.api.http.endpoint import Endpoint
from chalicelib.api.http.fields import AN_ID
from chalicelib.kit.json_value import Json

_PARAM: Final = re.compile(r"{\w+}")

TAGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "accounts": "Connected accounts, their choices, and their audiences.",
        "analytics": "How everything that went live is doing.",
        "golden-hour": "When audiences are most active.",
        "health": "Whether the service is up.",
        "labels": "The workspace's own words, by which posts are found.",
        "me": "Who a key is, and what is left.",
        "media": "Videos and photos.",
        "posts": "Posts: write, check, schedule, send, and follow them.",
        "queue-slots": "The weekly times at which queued posts go out.",
        "ready": "Whether the service can publish.",
        "series": "Posts that come again.",
    }
)
"""What each group of operations is about."""


def code_samples(endpoint: Endpoint) -> list[Json]:
    """Return the same call in curl, Python and TypeScript."""
    return [
        {"lang": "Shell", "label": "curl", "source": _curl(endpoint)},
        {"lang": "Python", "label": "Python", "source": _python(endpoint)},
        {"lang": "TypeScript", "label": "TypeScript", "source": _typescript(endpoint)},
    ]


def _curl(endpoint: Endpoint) -> str:
    lines = [f'curl -X {endpoint.method} "$BASE_URL{_path(endpoint)}"']
    if not endpoint.open_to_all:
        lines.append('-H "Authorization: Bearer $API_KEY"')
    if endpoint.takes_file:
        lines.append("-F file=@spring.mp4")
    elif endpoint.example is not None:
        lines.append('-H "Content-Type: application/json"')
        lines.append(f"-d '{json.dumps(endpoint.example)}'")
    return " \\\n  ".join(lines)


def _python(endpoint: Endpoint) -> str:
    given = [f'"{endpoint.method}"', f'f"{{BASE_URL}}{_path(endpoint)}"']
    if not endpoint.open_to_all:
        given.append('headers={"Authorization": f"Bearer {API_KEY}"}')
    if endpoint.takes_file:
        given.append('files={"file": open("spring.mp4", "rb")}')
    elif endpoint.example is not None:
        given.append(f"json={endpoint.example!r}")
    arguments = ",\n    ".join(given)
    return f"import requests\n\nanswer = requests.request(\n    {arguments},\n)\nprint(answer.text)"


def _typescript(endpoint: Endpoint) -> str:
    before, given, headers = "", [f'method: "{endpoint.method}"'], []
    if not endpoint.open_to_all:
        headers.append("Authorization: `Bearer ${API_KEY}`")
    if endpoint.takes_file:
        before = (
            'import { openAsBlob } from "node:fs";\n\nconst form = new FormData();\n'
            'form.append("file", await openAsBlob("spring.mp4"), "spring.mp4");\n\n'
        )
        given.append("body: form")
    elif endpoint.example is not None:
        headers.append('"Content-Type": "application/json"')
        given.append(f"body: JSON.stringify({json.dumps(endpoint.example)})")
    if headers:
        given.insert(1, f"headers: {{ {', '.join(headers)} }}")
    arguments = "".join(f"  {each},\n" for each in given)
    called = f"const answer = await fetch(`${{BASE_URL}}{_path(endpoint)}`, {{\n{arguments}}});"
    return f"{before}{called}\nconsole.log(await answer.text());"


def _path(endpoint: Endpoint) -> str:
    return _PARAM.sub(AN_ID, endpoint.path)
