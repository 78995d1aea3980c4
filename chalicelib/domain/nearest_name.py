"""Which known name was probably meant by an unknown one.

Bodies, queries and options refuse unknown names, because with an ignored mistyped name something
else would be published than was meant; the refusal names the field that was probably meant.
"""

import re
from collections.abc import Collection, Sequence
from difflib import get_close_matches
from typing import Final

_SAME_SENSE: Final[Sequence[frozenset[str]]] = (
    frozenset(
        {"at", "scheduledat", "scheduleat", "schedule", "time", "when", "date", "datetime"}
        | {"publishat", "publishtime", "scheduledfor", "scheduledtime", "scheduledate"}
    ),
    frozenset({"targets", "accounts", "accountids", "platforms", "channels", "profiles"}),
    frozenset({"caption", "text", "content", "message", "body", "description"}),
    frozenset({"captionoverride", "caption", "text", "content", "message", "override"}),
    frozenset(
        {"mediaids", "media", "mediaid", "file", "files", "photo", "photos", "image", "images"}
        | {"video", "videos", "attachments", "mediaurls"}
    ),
    frozenset({"accountid", "account", "profile", "channel", "id"}),
    frozenset({"id", "targetid", "target"}),
    frozenset({"options", "settings", "platformoptions"}),
    frozenset({"from", "since", "start", "after", "begin"}),
    frozenset({"to", "until", "end", "before"}),
    frozenset({"q", "query", "search", "text"}),
    frozenset({"limit", "pagesize", "perpage", "count", "maxresults"}),
    frozenset({"cursor", "page", "pagetoken", "next", "offset"}),
    frozenset({"add", "addtargets", "new"}),
    frozenset({"remove", "removetargets", "delete"}),
    frozenset({"board", "boardid"}),
    frozenset({"subreddit", "community", "sub"}),
    frozenset({"flairid", "flair"}),
    frozenset({"playlist", "playlistid"}),
    frozenset({"category", "categoryid"}),
    frozenset({"privacylevel", "privacy", "visibility"}),
    frozenset({"alt", "alttext"}),
    frozenset({"fresh", "refresh", "nocache"}),
)
_SHORTEST_PART: Final = 3
_CLOSE: Final = 0.7
_NEARLY_SAME: Final = 0.9
_WORDS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")


def nearest_name(unknown: str, known: Collection[str]) -> str | None:
    """Return the known name that was probably meant: similar, a synonym, or a part of it.

    Case, camelCase and underscores count for nothing.
    """
    plain = {_plain(name): name for name in known}
    sent = _plain(unknown)
    found = (
        sent
        if sent in plain
        else _by_sense(sent, plain)
        or _by_spelling(sent, plain, _NEARLY_SAME)
        or _by_part(unknown, plain)
        or _by_spelling(sent, plain, _CLOSE)
    )
    return None if found is None else plain[found]


def unknown_message(unknown: str, known: Collection[str]) -> str:
    """Say of an unknown field which one was probably meant, else which there are."""
    nearest = nearest_name(unknown, known)
    if nearest is not None:
        return f"Unknown field; did you mean `{nearest}`?"
    if known:
        return f"Unknown field; what can be sent here: {', '.join(f'`{n}`' for n in known)}"
    return "Unknown field; nothing can be sent here"


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


def _by_sense(sent: str, plain: Collection[str]) -> str | None:
    return next(
        (name for sense in _SAME_SENSE if sent in sense for name in plain if name in sense), None
    )


def _by_part(unknown: str, plain: dict[str, str]) -> str | None:
    """Find a known name of which the unknown one is a part, or the other way round."""
    words = _words(unknown)
    return next(
        (
            short
            for short, name in plain.items()
            if (known := _words(name)) and words and (words <= known or known <= words)
        ),
        None,
    ) or next(
        (
            short
            for short in plain
            if len(_plain(unknown)) >= _SHORTEST_PART and short.startswith(_plain(unknown))
        ),
        None,
    )


def _words(name: str) -> set[str]:
    return {word.lower() for word in _WORDS.findall(name)}


def _by_spelling(sent: str, plain: Collection[str], cutoff: float) -> str | None:
    return next(iter(get_close_matches(sent, list(plain), n=1, cutoff=cutoff)), None)
