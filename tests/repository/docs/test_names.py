"""Every name of code in a page, a docstring or a comment is one that the code has.

A name stands in backticks. It exists if the code uses it, outside of docstrings and comments, or if
a file or folder is called so. Names that others gave are listed here. A path is looked up as a
whole, from whichever folder it begins at: that each of its words exists somewhere is not enough.
"""

import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
OF_OTHERS = {
    "Forwarded": "a request header that is taken out by its lower-case name",
    "InitVar": "the standard library's",
    "LOCALSTACK_AUTH_TOKEN": "LocalStack's",
    "OTEL_EXPORTER_OTLP_HEADERS": "OpenTelemetry's",
    "OTEL_RESOURCE_ATTRIBUTES": "OpenTelemetry's",
    "UPDATE_ROLLBACK_FAILED": "CloudFormation's word for a stack",
    "autolink.c": "a file of snudown, Reddit's renderer",
    "create_media": "facebook-business",
    "create_photo_story": "facebook-business",
    "create_video_reel": "facebook-business",
    **dict.fromkeys(
        (f"instagram_business_{it}" for it in ("basic", "manage_comments", "manage_insights")),
        "a permission at Meta, which the code puts together",
    ),
    "getBlob": "Bluesky's call that gives a file",
    "log_retention": "Chalice's",
    "IGUser": "facebook-business",
    "perf": "a Linux command",
    "prlimit64": "a system call",
    "pkg_resources": "setuptools'",
    "publicly_available_post_id": "TikTok's documentation has a misspelt one on the wire",
    "timedatectl": "a Linux command",
    "validCashtag": "twitter-text's",
}

PATHS_OF_OTHERS: Mapping[str, str] = {
    "engine/keys.json": "in the data directory of a stack",
    "engine/tables.db": "in the data directory of a stack",
}

_NAME = re.compile(r"[A-Za-z_]\w*")
_QUOTED = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_PATH = re.compile(r"(?P<path>[\w.-]+(?:/[\w.-]+)+|[\w-]+\.(?:py|md|sh|toml|html|css|js))/?")
_MODULE = re.compile(r"(?:chalicelib|tests|infra|benchmarks)(?:\.\w+)+")
_LOOKS_LIKE_CODE = re.compile(r"[A-Za-z_][\w.]*(?:\(\))?|[\w.]+\.py")
_COMMENT_OR_STRING = re.compile(
    r"""(?P<comment>\#[^\n]*)|(?:\b[rbuf]{1,2})?(?:"{3}(?:\\.|[^\\])*?"{3}|'{3}(?:\\.|[^\\])*?'{3}"""
    r"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')""",
    re.DOTALL | re.IGNORECASE,
)
"""As Python's `tokenize` finds them, which takes five times as long before 3.12."""
_FENCED = re.compile(r"```.*?```", re.DOTALL)
_NO_TEXT = {".webp", ".jpg", ".png", ".lock", ".svg"}
_LARGEST_BYTES = 2_000_000


class Names:
    """All names of the repository's code, and every text that speaks of it."""

    def __init__(self) -> None:
        self.known = set(OF_OTHERS)
        self.texts: list[tuple[str, str]] = []
        self.paths: set[str] = set()
        self.files: set[str] = set()
        self.folders: set[str] = set()
        for file in _listed():
            self._add_paths(file.relative_to(ROOT))
        for file in _files():
            self.known.update(_NAME.findall(str(file.relative_to(ROOT))))
            if file.suffix == ".py":
                self._read_code(file)
            elif file.suffix == ".md":
                self.texts.append((str(file.relative_to(ROOT)), _FENCED.sub("", _text(file))))
            elif file.suffix not in _NO_TEXT:
                self.known.update(_NAME.findall(_text(file)))

    def _add_paths(self, file: Path) -> None:
        self.files.add(file.name)
        self.folders.update(file.parts[:-1])
        self.paths.update(map(str, (file, file.with_suffix(""), *file.parents)))

    def is_dead(self, quoted: str, place: str) -> bool:
        """Tell whether a text names a path of ours at which nothing is."""
        if _MODULE.fullmatch(quoted):
            path = quoted.replace(".", "/")
            return not self.paths & {path, f"{path.rpartition('/')[0]}.py"}
        found = _PATH.fullmatch(quoted)
        if found is None:
            return False
        path = found["path"]
        if "/" not in path:
            return path not in self.files
        if path.partition("/")[0] not in self.folders:
            return False
        module, _, attribute = path.rpartition(".")
        ends = {path, module} if attribute in self.known else {path}
        of_tests = ("tests/",) if path.rpartition("/")[2].startswith("test_") else ()
        around = (f"{folder}/" for folder in Path(place).parents)
        begins = ("", "chalicelib/", "client/", *of_tests, *around)
        return not self.paths & {begin + end for begin in begins for end in ends}

    def _read_code(self, file: Path) -> None:
        source, place = _text(file), str(file.relative_to(ROOT))
        row, read_to, open_brackets = 1, 0, 0
        for found in _COMMENT_OR_STRING.finditer(source):
            before = source[read_to : found.start()]
            self.known.update(_NAME.findall(before))
            row, read_to = row + before.count("\n"), found.end()
            open_brackets += sum(map(before.count, "([{")) - sum(map(before.count, ")]}"))
            is_docstring = open_brackets == 0 and _has_its_lines_alone(source, *found.span())
            if found["comment"] or is_docstring:
                self.texts.append((f"{place}:{row}", found[0]))
            else:
                self.known.update(_NAME.findall(found[0]))
            row += found[0].count("\n")
        self.known.update(_NAME.findall(source[read_to:]))

    def unknown(self) -> Iterator[str]:
        """Yield every quoted name that nothing is called by, and where it stands."""
        for place, text in self.texts:
            for quoted in _QUOTED.findall(text):
                if _LOOKS_LIKE_CODE.fullmatch(quoted):
                    parts = _NAME.findall(quoted.removesuffix(".py"))
                    if not self.known.issuperset(parts):
                        yield f"{quoted} in {place}"

    def dead_paths(self) -> Iterator[str]:
        """Yield every quoted path at which nothing is, and where it stands."""
        for place, text in self.texts:
            for quoted in _QUOTED.findall(text):
                if quoted not in PATHS_OF_OTHERS and self.is_dead(quoted, place):
                    yield f"{quoted} in {place}"


def _has_its_lines_alone(source: str, begin: int, end: int) -> bool:
    """Tell whether at most a comment stands in the lines of a string besides.

    Outside of brackets such a string is a statement: to parse all takes thrice as long.
    """
    before = source[source.rfind("\n", 0, begin) + 1 : begin]
    after = source[end : source.find("\n", end)]
    return not before.strip() and not after.partition("#")[0].strip()


def _files() -> Iterator[Path]:
    return (file for file in _listed() if file.stat().st_size < _LARGEST_BYTES)


def _listed() -> Iterator[Path]:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    for name in listed.splitlines():
        file = ROOT / name
        if file.is_file():
            yield file


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


@pytest.fixture(scope="module")
def names() -> Names:
    return Names()


def test_every_name_of_code_that_a_text_quotes_exists(names: Names) -> None:
    assert sorted(names.unknown()) == []


def test_every_path_that_a_text_quotes_leads_somewhere(names: Names) -> None:
    assert sorted(names.dead_paths()) == []


@pytest.mark.parametrize(
    ("quoted", "is_dead"),
    [
        ("services/posts/scheduling.py", False),
        ("chalicelib.workers.publishing.firing", False),
        ("workers/publishing", False),
        ("posts.py", False),
        ("image/jpeg", False),
        ("services/directory.py", True),
        ("chalicelib.services.directory", True),
        ("api/posts", True),  # though there is a folder of this name below `tests`
        ("directory.py", True),
    ],
)
def test_a_path_is_looked_up_as_a_whole(names: Names, quoted: str, *, is_dead: bool) -> None:
    assert names.is_dead(quoted, "chalicelib/domain/clock.py:1") is is_dead
