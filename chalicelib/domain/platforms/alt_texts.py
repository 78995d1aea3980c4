"""What a platform is told of a file for those who cannot see it.

A target's own `alt_text` comes first, then its older name `alt`, then the file's; the file's is
shortened where the platform takes less.
"""

from collections.abc import Mapping
from functools import cache

from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.option import ALT_TEXT, OLDER_ALT
from chalicelib.domain.platforms.option_rules import Text
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.json_value import Json

_CUT = "…"


@cache
def longest_alt_text(platform: Platform) -> int | None:
    """Return how many characters of alt text a platform takes, None where it takes none."""
    rules = (one.rule for one in FACTS[platform].options if one.name == ALT_TEXT)
    return next((rule.longest for rule in rules if isinstance(rule, Text)), None)


def alt_text_of(platform: Platform, options: Mapping[str, Json], of_file: str | None) -> str:
    """Return what a platform is told of the file, "" for nothing."""
    own = options.get(ALT_TEXT) or options.get(OLDER_ALT)
    if isinstance(own, list):
        own = own[0] if own else None
    if isinstance(own, str) and own:
        return own
    longest = longest_alt_text(platform)
    return "" if longest is None or not of_file else _shortened(of_file, longest)


def _shortened(text: str, longest: int) -> str:
    """Return a text that is not too long, cut between two words if it can be."""
    if len(text) <= longest:
        return text
    head = text[: longest - len(_CUT)]
    words = head.rpartition(" ")[0]
    return f"{words or head}{_CUT}"
