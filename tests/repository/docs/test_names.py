"""Every name of code in a page, a docstring or a comment is one that the code has.

A name stands in backticks. It exists if the code uses it, outside of docstrings and comments, or if
a file or folder is called so. Names that others gave are listed here.
"""

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[3]
OF_OTHERS = {
    "Forwarded": "a request header that is taken out by its lower-case name",
    "InitVar": "the standard library's",
    "LOCALSTACK_AUTH_TOKEN": "LocalStack's",
    "UPDATE_ROLLBACK_FAILED": "CloudFormation's word for a stack",
    "create_media": "facebook-business",
    "create_photo_story": "facebook-business",
    "create_video_reel": "facebook-business",
    "log_retention": "Chalice's",
    "IGUser": "facebook-business",
    "perf": "a Linux command",
    "prlimit64": "a system call",
    "pkg_resources": "setuptools'",
    "publicly_available_post_id": "TikTok's documentation has a misspelt one on the wire",
    "timedatectl": "a Linux command",
    "validCashtag": "twitter-text's",
}

_NAME = re.compile(r"[A-Za-z_]\w*")
_QUOTED = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_LOOKS_LIKE_CODE = re.compile(r"[A-Za-z_][\w.]*(?:\(\))?|[\w.]+\.py")
_FENCED = re.compile(r"```.*?```", re.DOTALL)
_NO_TEXT = {".webp", ".jpg", ".png", ".lock", ".svg"}
_LARGEST_BYTES = 2_000_000


class Names:
    """All names of the repository's code, and every text that speaks of it."""

    def __init__(self) -> None:
        self.known = set(OF_OTHERS)
        self.texts: list[tuple[str, str]] = []
        for file in _files():
            self.known.update(_NAME.findall(str(file.relative_to(ROOT))))
            if file.suffix == ".py":
                self._read_code(file)
            elif file.suffix == ".md":
                self.texts.append((str(file.relative_to(ROOT)), _FENCED.sub("", _text(file))))
            elif file.suffix not in _NO_TEXT:
                self.known.update(_NAME.findall(_text(file)))

    def _read_code(self, file: Path) -> None:
        source = _text(file)
        docstrings = set()
        for node in ast.walk(ast.parse(source)):
            match node:
                case ast.Expr(value=ast.Constant(value=str() as text, lineno=row, col_offset=at)):
                    docstrings.add((row, at))
                    self.texts.append((f"{file.relative_to(ROOT)}:{row}", text))
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                self.texts.append((f"{file.relative_to(ROOT)}:{token.start[0]}", token.string))
            elif token.start not in docstrings:
                self.known.update(_NAME.findall(token.string))

    def unknown(self) -> Iterator[str]:
        """Yield every quoted name that nothing is called by, and where it stands."""
        for place, text in self.texts:
            for quoted in _QUOTED.findall(text):
                if _LOOKS_LIKE_CODE.fullmatch(quoted):
                    parts = _NAME.findall(quoted.removesuffix(".py"))
                    if not self.known.issuperset(parts):
                        yield f"{quoted} in {place}"


def _files() -> Iterator[Path]:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    for name in listed.splitlines():
        file = ROOT / name
        if file.is_file() and file.stat().st_size < _LARGEST_BYTES:
            yield file


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def test_every_name_of_code_that_a_text_quotes_exists() -> None:
    assert sorted(Names().unknown()) == []
