"""The demo workspace's note, `demo.json`: where the API is and a key for it.

Made at the first start; later starts keep its key and write the address anew. While the API does
not answer the note has another name, so whoever waits for `demo.json` waits for the API.
"""

import json
from dataclasses import asdict, field
from pathlib import Path

from chalicelib.kit.aws_on_sqlite.shared_sync import write_safely
from chalicelib.kit.dataclass import dataclass

_NOTE = "demo.json"
_HIDDEN = "demo.json.waiting"


@dataclass(frozen=True, slots=True)
class DemoAccount:
    """One of the demo workspace's test accounts."""

    id: str
    platform: str
    handle: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """The workspace that a new stack makes at its first start."""

    api_key: str = field(repr=False)
    workspace_id: str
    accounts: tuple[DemoAccount, ...]


def hide(data_dir: Path) -> None:
    """Hide the note of an earlier run until the API answers again."""
    note = data_dir / _NOTE
    if note.exists():
        note.replace(data_dir / _HIDDEN)


def read(data_dir: Path) -> Demo | None:
    """Return the demo workspace of an earlier run; None when there is none or it is damaged."""
    for name in (_HIDDEN, _NOTE):
        try:
            noted = json.loads((data_dir / name).read_text(encoding="utf-8"))
            return Demo(
                api_key=noted["api_key"],
                workspace_id=noted["workspace_id"],
                accounts=tuple(DemoAccount(**account) for account in noted["accounts"]),
            )
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return None


def keep(data_dir: Path, demo: Demo) -> None:
    """Save a new workspace at once, under the hidden name: its key can be read only once."""
    _write(data_dir / _HIDDEN, asdict(demo))


def show(data_dir: Path, demo: Demo, base_url: str) -> None:
    """Publish the note: the API answers now."""
    _write(data_dir / _NOTE, {"base_url": base_url, **asdict(demo)})
    (data_dir / _HIDDEN).unlink(missing_ok=True)


def _write(path: Path, content: dict[str, object]) -> None:
    write_safely(path, f"{json.dumps(content, indent=2)}\n", mode=0o600)
