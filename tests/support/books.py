"""The blocks of code in the books: each is run by a test as it stands, or says what it needs.

What a block needs that no test has stands in a comment on the line before it:
`<!-- needs: an AWS account -->`. A block of the language `text` is a drawing and no code.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).parents[2]
_BLOCK: Final = re.compile(
    r"^(?:<!-- needs: (?P<needs>[^\n]+) -->\n)?```(?P<language>\w*)\n(?P<code>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A block of code of a page."""

    page: str
    line: int
    language: str
    code: str
    needs: str | None


def pages() -> Iterator[str]:
    """Yield every page that people read, as a path of the repository."""
    for pattern in ("*.md", "docs/**/*.md", "client/*.md", "integrations/*/*.md"):
        for path in sorted(PROJECT.glob(pattern)):
            yield str(path.relative_to(PROJECT))


def blocks_of(page: str) -> list[Block]:
    """Return a page's blocks in their order."""
    text = (PROJECT / page).read_text("utf-8")
    return [
        Block(
            page=page,
            line=text.count("\n", 0, found.start()) + 1,
            language=found["language"],
            code=found["code"],
            needs=found["needs"],
        )
        for found in _BLOCK.finditer(text)
    ]


def run_of(page: str, language: str = "sh") -> list[str]:
    """Return the code of the blocks of a language that need no more than a test has."""
    return [
        block.code for block in blocks_of(page) if block.language == language and not block.needs
    ]
