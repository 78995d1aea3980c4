"""Alt texts: the description of a file that a platform gets for people who cannot see it.

A target's own `alt_text` comes first, then the same under its older name `alt`, then the file's,
shortened to the platform's limit. Connectors send what this returns, and previews show it.
"""

from collections.abc import Mapping
from functools import cache

from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.option import ALT_TEXT, OLDER_ALT, ContentKind, Option
from chalicelib.domain.platforms.option_rules import Text
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.kit.json_value import Json

_CUT = "…"


@cache
def _alt_text_option(platform: Platform) -> Option | None:
    return next((one for one in FACTS[platform].options if one.name == ALT_TEXT), None)


def longest_alt_text(platform: Platform) -> int | None:
    """Return how many characters of alt text a platform accepts, None if it accepts none."""
    asked = _alt_text_option(platform)
    rule = None if asked is None else asked.rule
    return rule.longest if isinstance(rule, Text) else None


def alt_text_of(
    platform: Platform, options: Mapping[str, Json], kind: MediaKind | None, of_file: str | None
) -> str:
    """Return the alt text that a platform gets for a file of that kind, "" for none."""
    asked, longest = _alt_text_option(platform), longest_alt_text(platform)
    if kind is None or asked is None or longest is None:
        return ""
    text = _own(options) or _shorten(of_file or "", longest)
    carries = ContentKind.VIDEO if kind is MediaKind.VIDEO else ContentKind.PHOTO
    is_told = asked.why_ignored(carries, {**options, ALT_TEXT: text}, None) is None
    return text if is_told else ""


def _own(options: Mapping[str, Json]) -> str:
    own = options.get(ALT_TEXT) or options.get(OLDER_ALT)
    if isinstance(own, list):
        own = own[0] if own else None
    return own if isinstance(own, str) else ""


def _shorten(text: str, longest: int) -> str:
    """Return a text of at most `longest` characters, cut between two words if possible."""
    if len(text) <= longest:
        return text
    head = text[: longest - len(_CUT)]
    words = head.rpartition(" ")[0]
    return f"{words or head}{_CUT}"
