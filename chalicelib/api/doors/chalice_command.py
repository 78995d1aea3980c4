"""What of Chalice's own commands can work with this app, said before one begins.

`chalice` imports `app.py` in each of its commands, which asks here. `make deploy` packages the app
without its requirements, and puts the libraries beside it itself (`infra/packaging`).
"""

from collections.abc import Sequence
from pathlib import Path

_WITH_NEWER_LINUX = (3, 12)
"""From this Python on Chalice knows that Lambda's C library is younger than 2.26."""
_NO_DEPLOY = (
    "`chalice deploy` cannot make what this app runs on: its policies name tables, queues and a "
    "key that Chalice does not know. Run `make deploy STAGE=dev` (docs/deploy.md)."
)
_NO_PACKAGE = (
    "With Python {} `chalice package` would build Pillow and PyAV and all that builds them from "
    "source, for hours: it takes Lambda's C library for older than their wheels need. Run it with "
    "Python 3.12 or 3.13, or `make deploy`, which packages with any (docs/deploy.md)."
)


def refusal(words: Sequence[str], project: Path, python: tuple[int, int]) -> str | None:
    """Return why a command of `chalice` cannot work here, None if it can."""
    if "deploy" in words:
        return _NO_DEPLOY
    is_early = "package" in words and python < _WITH_NEWER_LINUX
    if is_early and (project / "requirements.txt").read_text("utf-8").strip():
        return _NO_PACKAGE.format(".".join(map(str, python)))
    return None
