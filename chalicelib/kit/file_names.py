"""File names in headers that arrive: RFC 6266, 7578 and 8187, and what browsers make of quotes."""

import re
from contextlib import suppress
from typing import Final
from urllib.parse import unquote_to_bytes

from multipart import parse_options_header  # type: ignore[import-untyped]  # it ships none

from chalicelib.kit.name_charsets import read_name

_EXTENDED: Final = re.compile(
    r"""(?:[^"]|"(?:[^"\\]|\\.)*")*?;\s*filename\*\s*=\s*"""
    r"""(utf-8|iso-8859-\d+|windows-125\d|shift[_-]jis|gb2312|gbk|gb18030|big5|euc-(?:kr|jp)|koi8-r)"""
    r"""'[^']*'([A-Za-z0-9!#$&+.^_`|~%-]*)""",
    re.IGNORECASE | re.ASCII,
)
_WIDER: Final = {
    "shift_jis": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "euc_kr": "cp949",
}
"""What browsers read under these names: encoding.spec.whatwg.org."""
_BROWSERS_ESCAPES: Final = re.compile(r"%(22|0D|0A)", re.IGNORECASE | re.ASCII)
_ESCAPED: Final = re.compile(r"(?:[!-$&-~]|%[0-9A-F]{2})+", re.ASCII)
_SURELY_ESCAPED: Final = re.compile(r"%(?:20|[89A-F][0-9A-F])")


def name_in(disposition: str) -> str | None:
    """Return the name in a Content-Disposition whose every byte is a sign, None without one.

    The extended form goes before the plain one.
    """
    extended = _EXTENDED.match(disposition)
    if extended is not None:
        charset = extended[1].lower().replace("-", "_")
        return unquote_to_bytes(extended[2]).decode(_WIDER.get(charset, charset), "replace")
    _, options = parse_options_header(disposition)
    plain = options.get("filename")
    return None if plain is None else read_name(plain.encode("latin-1", "replace")) or None


def name_in_form(disposition: str, plain: str | None) -> str | None:
    """Return the name in a part of a form; in the plain one browsers write quotes as %22.

    html.spec.whatwg.org, "Multipart form data". Some libraries escape the whole name instead
    (RFC 7578, 2): then it has neither a space nor a sign outside ASCII.
    """
    if _EXTENDED.match(disposition):
        return name_in(disposition)
    name = read_name((plain or "").encode("latin-1"))
    if _ESCAPED.fullmatch(name) and _SURELY_ESCAPED.search(name):
        with suppress(UnicodeDecodeError):
            return unquote_to_bytes(name).decode()
    return _BROWSERS_ESCAPES.sub(lambda found: chr(int(found[1], 16)), name) or None


def name_at(path: str) -> str:
    """Return the path of an address as it is read."""
    return read_name(unquote_to_bytes(path))
