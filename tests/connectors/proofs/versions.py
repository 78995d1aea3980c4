"""Writes docs/connectors/versions.md: each version of an API that is spoken, its end, its source.

python -m tests.connectors.proofs.versions > docs/connectors/versions.md
"""

import sys
from collections.abc import Iterator

from chalicelib.domain.platforms.facts import FACTS, all_settings
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.setting import Setting

_HEAD = """# Versions of the platforms' APIs

Written by `make tables` from the platforms' pages of facts. A version that has ended refuses every
post: `doctor`, `engine status` and a notice of kind `engine` tell it 90 days ahead; a version that
nobody knows is told at once.

| API | version | ends | another one | source |
|---|---|---|---|---|"""


def page() -> str:
    """Return the page."""
    return "\n".join([_HEAD, *_rows()]) + "\n"


def _rows() -> Iterator[str]:
    for setting in all_settings():
        if setting.api is not None:
            yield _row_of(setting)
    for facts in (FACTS[platform] for platform in Platform):
        if facts.lasting_api is not None:
            version, source = facts.lasting_api
            yield f"| {facts.name} | {version} | no end announced | | {source} |"


def _row_of(setting: Setting) -> str:
    users = ", ".join(FACTS[one].name for one in Platform if setting in FACTS[one].settings)
    ends = setting.ends(setting.default)
    until = "no end announced" if ends is None else f"{ends:%Y-%m-%d}"
    cells = (f"{setting.api} ({users})", setting.default, until, f"`{setting.variable}`")
    return f"| {' | '.join(cells)} | {setting.source} |"


if __name__ == "__main__":
    sys.stdout.write(page())
