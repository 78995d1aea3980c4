"""A caption as Reddit's Markdown, so that people read what was written.

reddit.com/wiki/markdown and spec.commonmark.org: Reddit takes every text for Markdown, in which a
line break is none, `2*3*4` is italic and `> 5 kg` a quotation. Addresses stay as they are: Reddit
makes links of them.
"""

import re

_ADDRESS = re.compile(r"https?://\S+")
_SIGNS = re.compile(r"[\\`*_\[\]~^|<>]|&(?=[#A-Za-z])")
_BEGINNING = re.compile(r"([ \t]*)(?:([0-9]{1,9})([.)])(?=\s|$)|([#+=-]))")


def escape_text(text: str) -> str:
    """Return a text as Markdown that shows it as it is, with its line breaks."""
    lines = [_line(line) for line in text.split("\n")]
    return "\n".join(
        f"{line}  " if line and place + 1 < len(lines) and lines[place + 1] else line
        for place, line in enumerate(lines)
    )


def _line(line: str) -> str:
    """Escape what would mean something, and at the beginning what means something there alone."""
    line, begin = line.strip(), ""
    found = _BEGINNING.match(line)
    if found is not None:
        _, number, sign, mark = found.groups()
        begin = f"{number}\\{sign}" if mark is None else f"\\{mark}"
        line = line[found.end() :]
    return begin + "".join(_pieces(line))


def _pieces(line: str) -> list[str]:
    pieces, place = [], 0
    for address in _ADDRESS.finditer(line):
        pieces += [_SIGNS.sub(r"\\\g<0>", line[place : address.start()]), address[0]]
        place = address.end()
    return [*pieces, _SIGNS.sub(r"\\\g<0>", line[place:])]
