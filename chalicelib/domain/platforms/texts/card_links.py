"""Which link a post shows as a card: the one in its option `link`, or the first in its text.

`link: false` shows none. Connectors send the card; `domain/posts` plans the time to make it.
"""

import re
from collections.abc import Mapping
from typing import Final

from chalicelib.kit.json_value import Json

_MAY_LINK: Final = re.compile(r"\S\.[^\s.]")
"""A host name contains a dot with characters on both sides, unlike the end of a sentence."""


def link_of(options: Mapping[str, Json], text: str) -> str | None:
    """Return the link to show as a card, with its scheme; None for none."""
    wanted = options.get("link")
    if isinstance(wanted, str) and wanted:
        return wanted
    if wanted is False or not _MAY_LINK.search(text):
        return None
    # Its patterns take long to compile: only a process that meets a link pays for them.
    from chalicelib.domain.platforms.texts.x_links import find_links  # noqa: PLC0415

    links = find_links(text)
    if not links:
        return None
    first = text[links[0].start : links[0].end]
    return first if "://" in first else f"https://{first}"
