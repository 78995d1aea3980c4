"""docs/forced.md is true: each place exists, and the code there names the source."""

import ast
import io
import re
import tokenize
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "forced.md"
GROUPS = ["AWS", "SQLite", "Python and the operating system", "Platforms"]
_PLACE = re.compile(r"`([\w./]+\.py)`(?: `([\w.]+)`)?")

Node = ast.Module | ast.ClassDef | ast.FunctionDef | ast.Assign | ast.AnnAssign


@dataclass(frozen=True)
class Row:
    """A line of the page: without a name it means the file as a whole."""

    path: str
    name: str | None
    source: str

    @property
    def keyword(self) -> str:
        """What the code must say: the source up to the first comma."""
        return self.source.partition(", ")[0].strip('"')


def _rows() -> list[Row]:
    lines = [line for line in PAGE.read_text().splitlines() if line.startswith("| `")]
    rows = []
    for line in lines:
        place, _why, _simpler, source = line.strip("| ").split(" | ")
        found = _PLACE.fullmatch(place)
        assert found is not None, place
        rows.append(Row(found[1], found[2], source))
    return rows


def words_of(source: str, name: str | None) -> str | None:
    """Return a place's own docstring and comments, None where there is no such name."""
    tree = ast.parse(source)
    bodies: list[ast.stmt] = tree.body
    found: Node = tree
    documented = None
    for part in name.split(".") if name else []:
        at = next((n for n, each in enumerate(bodies) if part in _names(each)), None)
        if at is None:
            return None
        found = bodies[at]  # type: ignore[assignment]  # it has a name
        documented = _text(bodies[at + 1]) if at + 1 < len(bodies) else None
        bodies = getattr(found, "body", [])
    if not isinstance(found, ast.Assign | ast.AnnAssign):
        documented = ast.get_docstring(found)
    return re.sub(r"\s+", " ", f"{documented or ''} {_comments(source, found)}")


def _names(node: ast.stmt) -> list[str]:
    match node:
        case ast.ClassDef() | ast.FunctionDef():
            return [node.name]
        case ast.Assign():
            inside = [one for each in node.targets for one in ast.walk(each)]
            return [one.id for one in inside if isinstance(one, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []


def _text(node: ast.stmt) -> str | None:
    match node:
        case ast.Expr(value=ast.Constant(value=str() as text)):
            return text
    return None


def _comments(source: str, found: Node) -> str:
    """Return the comments inside a function; of a file, those that stand at its margin."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = [one for one in tokens if one.type == tokenize.COMMENT]
    if isinstance(found, ast.Module):
        inside = [one for one in comments if one.start[1] == 0]
    else:
        inside = [one for one in comments if found.lineno <= one.start[0] <= _end(found)]
    return " ".join(one.string.lstrip("# ") for one in inside)


def _end(node: ast.ClassDef | ast.FunctionDef | ast.Assign | ast.AnnAssign) -> int:
    return node.end_lineno or node.lineno


def test_the_page_has_its_groups_and_some_thirty_places() -> None:
    assert re.findall(r"^## (.+)$", PAGE.read_text(), re.MULTILINE) == GROUPS
    assert len(_rows()) >= 30
    places = [(row.path, row.name) for row in _rows()]
    assert len(set(places)) == len(places)


@pytest.mark.parametrize("row", _rows(), ids=lambda row: f"{row.path}:{row.name or ''}")
def test_each_place_exists_and_names_its_source(row: Row) -> None:
    file = ROOT / row.path
    assert file.is_file()

    words = words_of(file.read_text(), row.name)

    assert words is not None, f"{row.path} has no {row.name}"
    assert row.keyword in words, f"Say at {row.name or 'the top'} of {row.path}: {row.source}"


_SOURCE = '''"""Of the file."""
# At the margin.
MOST = 1
"""Of the
constant."""
OTHER = 2
class Queue:
    """Of the class."""
    def send(self):
        """Of the method."""
        # Inside.
        return 1
'''


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (None, "Of the file. At the margin."),
        ("MOST", "Of the constant. "),
        ("OTHER", " "),
        ("Queue", "Of the class. Inside."),
        ("Queue.send", "Of the method. Inside."),
        ("send", None),
        ("Queue.receive", None),
    ],
)
def test_words_are_those_of_the_place_itself(name: str | None, words: str | None) -> None:
    assert words_of(_SOURCE, name) == words
