"""What language models are told about the API, by the convention of https://llmstxt.org.

`llms.txt` beside this file holds the words and examples; the operations are listed from the
endpoints' own declarations, so that none is missing. `service` serves it at `/llms.txt`.
"""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from chalicelib.api.http.endpoint import Endpoint

_WORDS = Path(__file__).with_name("llms.txt")


@cache
def as_llms_text(endpoints: tuple[Endpoint, ...]) -> str:
    """Return the text with every documented operation."""
    return _WORDS.read_text("utf-8").replace("{operations}", "\n".join(_operations(endpoints)))


def _operations(endpoints: Iterable[Endpoint]) -> Iterable[str]:
    for endpoint in endpoints:
        if endpoint.documented:
            needs = "" if endpoint.scope is None else f" ({endpoint.scope})"
            yield f"- {endpoint.method} {endpoint.path}: {endpoint.summary}{needs}"
