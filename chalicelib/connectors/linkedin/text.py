"""LinkedIn's "little text", in which commentaries are written and given back.

learn.microsoft.com/linkedin/marketing/community-management/shares/little-text-format. A reserved
character that is not escaped is no error: LinkedIn takes the post and cuts its text there. Only a
`#` that begins a word stays bare, which makes the word a hashtag.
"""

import re

_RESERVED = r"|{}@\[\]()<>#\\*_~"
_TO_ESCAPE = re.compile(rf"(?P<hashtag>(?<!\S)#(?=[^\W_]))|[{_RESERVED}]")
_HASHTAG_TEMPLATE = re.compile(r"\{hashtag\|\\?#\|((?:\\.|[^}\\])*)\}")
_ESCAPED = re.compile(rf"\\([{_RESERVED}])")


def escape_text(text: str) -> str:
    """Return a text so that LinkedIn shows all of it as it is."""
    return _TO_ESCAPE.sub(_escape, text)


def plain(commentary: str) -> str:
    """Return what people read of a commentary as LinkedIn gives it back."""
    return _ESCAPED.sub(r"\1", _HASHTAG_TEMPLATE.sub(r"#\1", commentary))


def _escape(found: re.Match[str]) -> str:
    return found[0] if found["hashtag"] else f"\\{found[0]}"
