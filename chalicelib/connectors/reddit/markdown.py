"""A caption as Reddit's Markdown, so that people read what was written.

reddit.com/wiki/markdown and spec.commonmark.org: Reddit takes every text for Markdown, in which a
line break is none, `2*3*4` is italic and `> 5 kg` a quotation. Addresses and names (`r/Some_Place`,
`u/some_one`) stay as they are: Reddit makes links of them, and of an escaped one a stranger's.
What is linked is what Reddit's renderer links (snudown, `autolink.c`); all else is escaped.
"""

import re

_HOST = r"[A-Za-z0-9][A-Za-z0-9-]*(?:\.[A-Za-z0-9-]+)+"
_BARE = re.compile(
    rf"""
    (?<![A-Za-z])(?i:https?|ftp)://{_HOST}(?![A-Za-z0-9_-])[^\s<]*    # an address
    | (?:(?<=[\s!-/:-@\[-`{{-~])|^)www\.[^\s<]+
    | (?:/|(?<![A-Za-z0-9/\x80-\U0010ffff]))r/
      [A-Za-z0-9][A-Za-z0-9_]{{1,20}}(?![A-Za-z0-9_])             # a community, or several
      (?:[+][A-Za-z0-9][A-Za-z0-9_]{{1,20}}(?![A-Za-z0-9_]))*(?:/[A-Za-z0-9_/-]*)?
    | (?:/|(?<![A-Za-z0-9/\x80-\U0010ffff]))u/[A-Za-z0-9_-]+(?:/[A-Za-z0-9_/-]*)?  # a person
    """,
    re.VERBOSE,
)
_MARKS = {"=": "&#61;"}
"""What a backslash does not keep from being read, there."""
_AFTER_BARE = {"<": "<", "+": "\\+"}
"""A backslash before `<` would be a part of the address; a `+` asks for another community."""
_MAIL = re.compile(r"(?<=[A-Za-z0-9.+_-])@(?=[A-Za-z0-9])")
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
        begin = f"{number}\\{sign}" if mark is None else _MARKS.get(mark, f"\\{mark}")
        line = line[found.end() :]
    return begin + "".join(_pieces(line))


def _pieces(line: str) -> list[str]:
    pieces, place = [], 0
    for bare in _BARE.finditer(line):
        pieces += [_escape(line[place : bare.start()]), bare[0]]
        place = bare.end()
        after = _AFTER_BARE.get(line[place : place + 1])
        if after is not None:
            pieces.append(after)
            place += 1
    return [*pieces, _escape(line[place:])]


def _escape(text: str) -> str:
    """Escape signs; an e-mail's `@` too where its name has some, or half of it would be linked."""
    return "".join(_escape_word(word) for word in re.split(r"(\s+)", text))


def _escape_word(word: str) -> str:
    escaped = _SIGNS.sub(r"\\\g<0>", word)
    return _MAIL.sub("&#64;", escaped) if escaped != word else word
