"""Builds the site into a folder: gathers the pages, then has ProperDocs make it, strictly."""

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from infra.docs_site.links import relinked

PROJECT: Final = Path(__file__).parents[2]
_HERE: Final = Path(__file__).parent
_BESIDE: Final = {
    "README.md": "first-post.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "integrations/n8n/README.md": "n8n.md",
}
"""Pages that lie elsewhere in the repository, and where they are on the site."""

_SHOWN: Final = (".md", ".svg", ".webp", ".jpg", ".png")


_NEEDLESS: Final = ("404.html", "sitemap.xml", "sitemap.xml.gz")
"""They name addresses, which a site that is served anywhere cannot know."""


class BrokenBooks(Exception):
    """A link leads nowhere, or a page is in no chapter."""


def build(site: Path, project: Path = PROJECT) -> None:
    """Build the site of a checkout into `site`, anew. Raises BrokenBooks with what is wrong."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "docs"
        gather(project, source)
        shutil.copytree(_HERE / "theme", Path(folder) / "theme")
        config = Path(folder) / "properdocs.yml"
        shutil.copy(_HERE / config.name, config)
        words = [sys.executable, "-m", "properdocs", "build", "--strict"]
        done = subprocess.run(  # noqa: S603 - our own arguments
            [*words, "--config-file", str(config), "--site-dir", str(site.resolve())],
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        wrong = re.findall(r"^(?:WARNING|ERROR) .*", done.stderr, re.MULTILINE)
        raise BrokenBooks("\n".join(wrong) or done.stderr)
    for name in _NEEDLESS:
        (site / name).unlink(missing_ok=True)


def gather(project: Path, source: Path) -> None:
    """Lay the site's pages and pictures out in a folder, with their links as they lead there."""
    places = _places(project)
    for file, place in places.items():
        target = source / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.suffix == ".md":
            page = (project / file).read_text(encoding="utf-8")
            target.write_text(relinked(page, file, places), encoding="utf-8")
        else:
            shutil.copy(project / file, target)


def _places(project: Path) -> Mapping[str, str]:
    docs = project / "docs"
    shown = [path for path in sorted(docs.rglob("*")) if path.suffix in _SHOWN]
    found = {str(path.relative_to(project)): str(path.relative_to(docs)) for path in shown}
    return {**found, **_BESIDE}
